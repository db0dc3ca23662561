# type: ignore
"""Sparse tensors as text."""

import torch
from _printed import numbers_of


def told(head, tensor):
    """The text of a part after `head`, without its dtype; its lines are as long as those of the whole may be."""
    if not tensor.numel():
        return f"{head}tensor([], size={tuple(tensor.shape)})"
    return f"{head}tensor({numbers_of(tensor.detach(), len(head) + 7)})"


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
