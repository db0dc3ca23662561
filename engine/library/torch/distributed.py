# type: ignore
"""torch.distributed: a group of one process. What the members of a group tell one another is here what the one member
has; a group of more cannot be, for a script is one process."""

import copy
import os
import warnings
from enum import Enum

import torch

NOT_YET = "Default process group has not been initialized, please make sure to call init_process_group."
ALONE = "scripts are one process: world_size can be 1 here"


class RedOpType(Enum):
    SUM, AVG, PRODUCT, MIN, MAX, BAND, BOR, BXOR = range(8)


class ReduceOp:
    RedOpType = RedOpType
    SUM, AVG, PRODUCT, MIN, MAX, BAND, BOR, BXOR = list(RedOpType)


reduce_op = ReduceOp


class Backend(str):
    UNDEFINED, GLOO, NCCL, UCC, MPI, XCCL = "undefined", "gloo", "nccl", "ucc", "mpi", "xccl"

    def __new__(cls, name="undefined"):
        return str.__new__(cls, name.lower())


class ProcessGroup:
    def __init__(self, backend):
        self._backend = backend

    def rank(self):
        return 0

    def size(self):
        return 1

    def name(self):
        return self._backend


class Work:
    """What a call with async_op=True gives: it is done already."""

    def wait(self, timeout=None):
        return True

    def is_completed(self):
        return True

    is_success = is_completed


class _Groups:
    """torch.distributed.group, whose WORLD is the default group."""

    def __init__(self):
        self._found = None

    @property
    def WORLD(self):
        return self._found


group = GroupMember = _Groups()


def is_available():
    return True


def is_initialized():
    return group.WORLD is not None


def is_gloo_available():
    return True


def is_nccl_available():
    return False


is_mpi_available = is_ucc_available = is_xccl_available = is_torchelastic_launched = is_nccl_available


def is_backend_available(backend):
    return backend.lower() == "gloo"


def init_process_group(
    backend=None,
    init_method=None,
    timeout=None,
    world_size=-1,
    rank=-1,
    store=None,
    group_name="",
    pg_options=None,
    device_id=None,
):
    """The default group. Raises ValueError where nobody says how many processes there are, and NotImplementedError
    where there would be more than this one."""
    if is_initialized():
        raise ValueError("trying to initialize the default process group twice!")
    if store is None:
        rank, world_size = _met(init_method or "env://", rank, world_size)
    if world_size == 0:
        raise ValueError("TCPStore world size cannot be 0")
    if world_size != 1 or rank != 0:
        raise NotImplementedError(f"torch.distributed.init_process_group() of {world_size} processes: {ALONE}")
    name = Backend(backend or "undefined")
    if name == "nccl":
        warnings.warn("Attempted to get default timeout for nccl backend, but NCCL support is not compiled")
        raise RuntimeError("Distributed package doesn't have NCCL built in")
    if name == "mpi":
        raise RuntimeError(
            "Distributed package doesn't have MPI built in. MPI is only included if you build PyTorch from source on a "
            "host that has MPI installed."
        )
    if name not in ("undefined", "gloo") and ":" not in name:
        raise AssertionError(f"Unknown backend type {name}")
    group._found = ProcessGroup(str(name))


def _met(method, rank, world_size):
    """This process's rank and the number of all, as the place where they meet says."""
    scheme = method.partition("://")[0]
    if scheme not in ("env", "tcp", "file"):
        raise RuntimeError(f"No rendezvous handler for {scheme if '://' in method else ''}://")
    failed = f"Error initializing torch.distributed using {scheme}:// rendezvous: "
    if scheme == "env":

        def told(name):
            if name not in os.environ:
                raise ValueError(f"{failed}environment variable {name} expected, but not set")
            return os.environ[name]

        rank = int(told("RANK")) if rank == -1 else rank
        world_size = int(told("WORLD_SIZE")) if world_size == -1 else world_size
        told("MASTER_ADDR")
        int(told("MASTER_PORT"))
    elif scheme == "tcp" and ":" not in method.partition("://")[2]:
        raise ValueError(f"{failed}port number missing")
    for what, value in (("rank", rank), ("world size", world_size)):
        if value == -1:
            raise ValueError(f"{failed}{what} parameter missing")
    return rank, world_size


def destroy_process_group(group=None):
    if not is_initialized():
        raise AssertionError("Process group cannot be None")
    if group is None or group is GroupMember.WORLD:
        GroupMember._found = None


def _inside(given=None):
    """The group that is meant. Raises ValueError where there is none."""
    if not is_initialized():
        raise ValueError(NOT_YET)
    return given or group.WORLD


def get_rank(group=None):
    return _inside(group).rank()


def get_world_size(group=None):
    return _inside(group).size()


def get_backend(group=None):
    return _inside(group).name()


def get_process_group_ranks(group):
    _inside(group)
    return [0]


def get_global_rank(group, group_rank):
    _inside(group)
    return group_rank


get_group_rank = get_global_rank


def get_node_local_rank(fallback_rank=None):
    if "LOCAL_RANK" in os.environ:
        return int(os.environ["LOCAL_RANK"])
    if fallback_rank is None:
        raise RuntimeError(
            "LOCAL_RANK is not in the environment. Consider passing fallback_rank to allow "
            "`get_node_local_rank` to work, assuming you are not running in a multi-device context and want the code "
            "to run locally instead."
        )
    return int(fallback_rank)


def new_group(ranks=None, timeout=None, backend=None, pg_options=None, **options):
    world = _inside()
    if ranks is not None and len(ranks) > 1:
        raise ValueError(
            "the new group's world size should be less or equal to the world size set by init_process_group"
        )
    return ProcessGroup(backend or world.name())


def _done(async_op):
    return Work() if async_op else None


def _root(rank, what):
    if rank != 0:
        raise RuntimeError(f"ProcessGroupGloo::{what}: invalid root rank: {rank}")


def _tensor(value, name):
    if not isinstance(value, torch.Tensor):
        _refuse(value, name, "torch.Tensor")


def _tensors(value, name):
    if not isinstance(value, (list, tuple)) or not all(isinstance(each, torch.Tensor) for each in value):
        _refuse(value, name, "List[torch.Tensor]")


def _refuse(value, name, wanted):
    raise TypeError(
        f"Invalid function argument. Expected parameter `{name}` of type {wanted}\n"
        f"             but got {type(value)} instead."
    )


def _fill(places, tensor, what):
    """Each place has what the one member of the group gave."""
    if len(places) != 1:
        raise RuntimeError(
            f"ProcessGroupGloo::{what}: invalid output tensor list at index 0 (expected length 1, got {len(places)})"
        )
    if places[0].dtype != tensor.dtype:
        raise ValueError(f"Invalid usage of tensors with different dtypesFound {places[0].dtype} and  {tensor.dtype}")
    if places[0].shape != tensor.shape:
        sizes = [f"({', '.join([str(size) for size in each.shape])})" for each in (tensor, places[0])]
        raise RuntimeError(
            f"ProcessGroupGloo::{what}: invalid tensor size at index 0 (expected {sizes[0]}, got {sizes[1]})"
        )
    with torch.no_grad():
        places[0].copy_(tensor)


def barrier(group=None, async_op=False, device_ids=None):
    _inside(group)
    return _done(async_op)


def monitored_barrier(group=None, timeout=None, wait_all_ranks=False):
    _inside(group)


def all_reduce(tensor, op=ReduceOp.SUM, group=None, async_op=False):
    _tensor(tensor, "tensor")
    _inside(group)
    return _done(async_op)


def broadcast(tensor, src=None, group=None, async_op=False, group_src=None):
    _tensor(tensor, "tensor")
    _inside(group)
    _root(group_src if src is None else src, "broadcast")
    return _done(async_op)


def reduce(tensor, dst=None, op=ReduceOp.SUM, group=None, async_op=False, group_dst=None):
    _tensor(tensor, "tensor")
    _inside(group)
    _root(group_dst if dst is None else dst, "reduce")
    return _done(async_op)


def all_gather(tensor_list, tensor, group=None, async_op=False):
    _tensors(tensor_list, "tensor_list")
    _tensor(tensor, "tensor")
    _inside(group)
    _fill(tensor_list, tensor, "allgather")
    return _done(async_op)


def all_gather_into_tensor(output_tensor, input_tensor, group=None, async_op=False):
    _tensor(output_tensor, "output_tensor")
    _tensor(input_tensor, "input_tensor")
    _inside(group)
    with torch.no_grad():
        output_tensor.view(-1).copy_(input_tensor.reshape(-1))
    return _done(async_op)


all_gather_single = all_gather_into_tensor


def reduce_scatter_tensor(output, input, op=ReduceOp.SUM, group=None, async_op=False):
    return all_gather_into_tensor(output, input, group, async_op)


all_to_all_single = reduce_scatter_single = reduce_scatter_tensor


def _parts(given, root, operation, side):
    """Whether the list of parts is given where it is to be: to the member that has all of them."""
    name = f"{operation}_list"
    if root == 0 and not given:
        raise ValueError(f"Argument ``{name}`` must be specified on {side} rank.")
    if root != 0 and given:
        raise ValueError(f"Argument ``{name}`` must NOT be specified on non-{side} ranks.")
    _root(root, operation)
    _tensors(given, name)


def gather(tensor, gather_list=None, dst=0, group=None, async_op=False, group_dst=None):
    _tensor(tensor, "tensor")
    _inside(group)
    _parts(gather_list, dst, "gather", "destination")
    _fill(gather_list, tensor, "gather")
    return _done(async_op)


def scatter(tensor, scatter_list=None, src=0, group=None, async_op=False, group_src=None):
    _tensor(tensor, "tensor")
    _inside(group)
    _parts(scatter_list, src, "scatter", "source")
    _fill([tensor], scatter_list[0], "scatter")
    return _done(async_op)


def reduce_scatter(output, input_list, op=ReduceOp.SUM, group=None, async_op=False):
    _tensor(output, "output")
    _tensors(input_list, "input_list")
    _inside(group)
    _fill([output], input_list[0], "reduce_scatter")
    return _done(async_op)


def all_to_all(output_tensor_list, input_tensor_list, group=None, async_op=False):
    _tensors(output_tensor_list, "output_tensor_list")
    _tensors(input_tensor_list, "input_tensor_list")
    _inside(group)
    _fill(output_tensor_list, input_tensor_list[0], "alltoall")
    return _done(async_op)


def all_gather_object(object_list, obj, group=None):
    _inside(group)
    object_list[0] = copy.deepcopy(obj)


def broadcast_object_list(object_list, src=None, group=None, device=None, group_src=None):
    _inside(group)


def gather_object(obj, object_gather_list=None, dst=None, group=None, group_dst=None):
    _inside(group)
    if not object_gather_list:
        raise ValueError("Argument ``object_gather_list`` must be specified on destination rank.")
    object_gather_list[0] = copy.deepcopy(obj)


def scatter_object_list(
    scatter_object_output_list, scatter_object_input_list=None, src=None, group=None, group_src=None
):
    _inside(group)
    scatter_object_output_list[0] = copy.deepcopy(scatter_object_input_list[0])


def send(tensor, dst=None, group=None, tag=0, group_dst=None):
    _tensor(tensor, "tensor")
    _inside(group)
    if dst == 0:
        raise ValueError(
            "Invalid destination rank: destination rank should not be the same as the rank of the current process."
        )
    raise NotImplementedError(f"torch.distributed.send() to process {dst}: {ALONE}")


def recv(tensor, src=None, group=None, tag=0, group_src=None):
    _tensor(tensor, "tensor")
    _inside(group)
    raise NotImplementedError(f"torch.distributed.recv() from process {src}: {ALONE}")


isend, irecv = send, recv
