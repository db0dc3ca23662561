# type: ignore
"""torchsummary: the layers of a model with the shapes that they give, from one pass of random numbers through it."""

import math

import torch

_BYTES = 4.0 / 1024**2
"""What a number takes, in megabytes."""


def _shape(value, batch_size):
    if isinstance(value, (list, tuple)):
        return [[-1, *each.size()[1:]] for each in value]
    return [batch_size, *value.size()[1:]]


def summary(model, input_size, batch_size=-1, device="cuda"):
    """Print the table. `input_size` is without the batch; a list of sizes stands for several inputs."""
    device = device.lower()
    if device not in ("cuda", "cpu"):
        raise AssertionError("Input device is not valid, please specify 'cuda' or 'cpu'")
    rows, handles = [], []

    def watch(module):
        if isinstance(module, (torch.nn.Sequential, torch.nn.ModuleList)) or module is model:
            return

        def seen(module, inputs, output):
            count = 0
            trainable = False
            if isinstance(getattr(module, "weight", None), torch.Tensor):
                count += module.weight.numel()
                trainable = module.weight.requires_grad
            if isinstance(getattr(module, "bias", None), torch.Tensor):
                count += module.bias.numel()
            name = f"{type(module).__name__}-{len(rows) + 1}"
            rows.append((name, _shape(output, batch_size), count, trainable))

        handles.append(module.register_forward_hook(seen))

    sizes = [input_size] if isinstance(input_size, tuple) else input_size
    given = [torch.rand(2, *size) for size in sizes]
    model.apply(watch)
    model(*given)
    for handle in handles:
        handle.remove()

    line, double = "-" * 64, "=" * 64
    print(line)
    print(f"{'Layer (type)':>20}  {'Output Shape':>25} {'Param #':>15}")
    print(double)
    total = trainable = outputs = 0
    for name, shape, count, trained in rows:
        print(f"{name:>20}  {shape!s:>25} {count:>15,}")
        total += count
        trainable += count if trained else 0
        outputs += math.prod(math.prod(each) if isinstance(each, list) else each for each in shape)
    inputs = abs(math.prod(math.prod(size) for size in sizes) * batch_size * _BYTES)
    passed, held = abs(2.0 * outputs * _BYTES), abs(total * _BYTES)
    print(double)
    print(f"Total params: {total:,}")
    print(f"Trainable params: {trainable:,}")
    print(f"Non-trainable params: {total - trainable:,}")
    print(line)
    print(f"Input size (MB): {inputs:0.2f}")
    print(f"Forward/backward pass size (MB): {passed:0.2f}")
    print(f"Params size (MB): {held:0.2f}")
    print(f"Estimated Total Size (MB): {held + passed + inputs:0.2f}")
    print(line)
