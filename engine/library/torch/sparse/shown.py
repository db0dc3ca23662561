# type: ignore
"""Sparse tensors as text."""

import torch


def told(head, text):
    """Text of a tensor after `head`, its other lines below its first sign."""
    return head + str(text).replace("\n", "\n" + " " * len(head))


def ended(text, tensor, anew):
    """The text with what is told after the values: in a new line where one is too long, or from the first (`anew`)."""
    told = [f"size={tuple(tensor.shape)}", f"nnz={tensor._nnz()}"]
    if tensor.dtype not in (torch.float32, torch.int64):
        told.append(f"dtype={tensor.dtype}")
    told.append(f"layout={tensor.layout}")
    if tensor.requires_grad:
        told.append("requires_grad=True" if tensor.is_leaf else f"grad_fn=<{tensor.entries.grad_fn.name()}>")
    length = len(text.rpartition("\n")[2]) + 2
    for each in told:
        if anew or length + len(each) + 2 > 80:
            text, length, anew = f"{text},\n       {each}", 7 + len(each), False
        else:
            text, length = f"{text}, {each}", length + len(each) + 2
    return f"{text})"


def plain(values):
    """The text of values, whose dtype is told once for all."""
    return str(values.detach()).replace(f", dtype={values.dtype})", ")")


def empty(tensor):
    return f"tensor([], size={tuple(tensor.shape)})"
