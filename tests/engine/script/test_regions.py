"""Profilers name regions and measure nothing: what is printed around them is what it would be."""

from __future__ import annotations

from tests.engine.script.compare import in_interpreter

SCRIPT = """
import torch
from torch.autograd import profiler
from torch.profiler import ProfilerActivity, profile, record_function

x = torch.ones(2, requires_grad=True)
with torch.autograd.profiler.profile(use_cuda=False) as old:
    with profiler.record_function("forward"):
        y = (x * 2).sum()
with profile(activities=[ProfilerActivity.CPU], record_shapes=True) as new:
    y.backward()
print(x.grad, len(old.key_averages()), type(new.key_averages().table(sort_by="cpu_time_total")).__name__)

@record_function("named")
def double(v):
    return 2 * v

print(double(x.detach()), double.__name__)
print(y.grad_fn.next_functions[0][0].next_functions[0][0].variable is x)
"""


def test_a_profiled_script_runs_as_without_a_profiler() -> None:
    ending = in_interpreter(SCRIPT)
    assert ending.type is None, ending
    assert ending.stdout == "tensor([2., 2.]) 0 str\ntensor([2., 2.]) double\nTrue\n"
