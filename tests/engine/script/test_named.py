"""What a script prints of functions and methods for want of parentheses: what Python prints."""

from __future__ import annotations

import re

from tests.engine.script.compare import in_interpreter

WITHOUT_PARENTHESES = """
import collections, json, os, random, torch
import numpy as np
import pandas as pd
from torch import nn
x, a, df = torch.ones(2), np.ones(2), pd.DataFrame({"a": [1.5]})
for each in (
    x.item, x.float, x.dim, x.__add__, nn.Parameter(x).sum, x.backward, a.mean, a.copy, [1].sort, "a".join, {}.get,
    {1}.add,
    collections.deque([1]).append, (1).bit_length, torch.Generator().manual_seed, x.shape.numel,
    torch.relu, torch.zeros, torch.manual_seed, torch.get_num_threads, torch.linalg.norm, nn.functional.relu,
    nn.functional.linear,
    nn.functional.conv2d, nn.init.normal_, torch.Tensor.sum, torch.Tensor.split, nn.Linear.forward,
    np.sum, np.array, np.exp, os.path.join, os.getcwd, json.dumps, random.random, len, max, map,
    df.mean, df.head, df.sort_values, df.a.sum, df.a.tolist,
    torch.utils.data.DataLoader([1]).__iter__,
):
    print(str(each).split("\\n")[0])
"""
TOLD = """<built-in method item of Tensor object at X>
<built-in method float of Tensor object at X>
<built-in method dim of Tensor object at X>
<built-in method __add__ of Tensor object at X>
<built-in method sum of Parameter object at X>
<bound method Tensor.backward of tensor([1., 1.])>
<built-in method mean of numpy.ndarray object at X>
<built-in method copy of numpy.ndarray object at X>
<built-in method sort of list object at X>
<built-in method join of str object at X>
<built-in method get of dict object at X>
<built-in method add of set object at X>
<built-in method append of collections.deque object at X>
<built-in method bit_length of int object at X>
<built-in method manual_seed of torch._C.Generator object at X>
<built-in method numel of torch.Size object at X>
<built-in method relu of type object at X>
<built-in method zeros of type object at X>
<function manual_seed at X>
<built-in function get_num_threads>
<built-in function linalg_norm>
<function relu at X>
<built-in function linear>
<built-in method conv2d of type object at X>
<function normal_ at X>
<method 'sum' of 'torch._C.TensorBase' objects>
<function Tensor.split at X>
<function Linear.forward at X>
<function sum at X>
<built-in function array>
<ufunc 'exp'>
<function join at X>
<built-in function getcwd>
<function dumps at X>
<built-in method random of Random object at X>
<built-in function len>
<built-in function max>
<class 'map'>
<bound method DataFrame.mean of      a
<bound method NDFrame.head of      a
<bound method DataFrame.sort_values of      a
<bound method Series.sum of 0    1.5
<bound method IndexOpsMixin.tolist of 0    1.5
<bound method DataLoader.__iter__ of <torch.utils.data.dataloader.DataLoader object at X>>
"""


def test_functions_and_methods_that_are_printed_for_want_of_parentheses() -> None:
    told = in_interpreter(WITHOUT_PARENTHESES).stdout
    assert len(re.findall("at 0x7f0000[0-9a-f]{6}>", told)) == told.count("0x")
    assert re.sub("0x[0-9a-f]+", "X", told) == TOLD


def test_a_method_without_parentheses_among_numbers() -> None:
    source = "import json, torch\nlosses = [torch.tensor(1.0).item]\n"
    said = "unsupported operand type(s) for +: 'int' and 'builtin_function_or_method'"
    assert in_interpreter(source + "sum(losses)").message == said
    said = "Object of type builtin_function_or_method is not JSON serializable"
    assert in_interpreter(source + "json.dumps(losses)").message == said
