"""What to change: one sentence for each of the errors that training scripts run into most often."""

from __future__ import annotations

import ast
import re
from difflib import get_close_matches

from engine.script.check import FROM_ELSEWHERE, MISSING_MODULES
from engine.tracing.moments import Failure, Moment, TensorState
from engine.tracing.slips import advice_on_python

_AUTOGRAD = (
    (
        r"does not require grad and does not have a grad_fn",
        "Nothing that it was computed from requires grad: was it detached, or computed under no_grad()?",
    ),
    (
        r"differentiated Tensors? .*not have been used in the graph",
        (
            "The first argument was not computed from that tensor, or from another one of the same name: look for what"
            " was detached or made anew."
        ),
    ),
    (
        r"assign a gradient of size '\[(.*)\]' to a tensor of size '\[(.*)\]'",
        "A .grad has the shape of its tensor: ({1}) here.",
    ),
    (
        r"grad can be implicitly created only for scalar outputs",
        "Make one number of it first, for example with .mean() or .sum().",
    ),
    (
        r"leaf Variable that requires grad is being used in an in-place operation",
        "Change it inside `with torch.no_grad():`.",
    ),
    (
        r"Only Tensors of floating point and complex dtype can require gradients",
        "Write its numbers as floats (1.0 instead of 1), or give dtype=torch.float32.",
    ),
    (
        r"Can't call numpy\(\) on Tensor that requires grad",
        "Its graph would be lost: write .detach().numpy() to say that this is meant.",
    ),
    (
        r"returned an incorrect number of gradients \(expected (\d+), got (\d+)\)",
        "backward returns one gradient for each argument of forward, {0} here: None for those that need none.",
    ),
    (
        r"support the deepcopy protocol",
        "It was computed, and its graph cannot be copied: copy its values, with .detach().clone().",
    ),
    (
        r"'Tensor' object has no attribute 'zero_grad'",
        "Modules and optimizers have a zero_grad; of a tensor it is x.grad = None, or x.grad.zero_().",
    ),
    (
        r"'(float|int)' object has no attribute '(backward|item|detach|data|grad|requires_grad)'",
        "It is a Python number already, perhaps since an .item(): leave .{1} away here, or keep the tensor.",
    ),
    (
        r"'list' object has no attribute '(item|backward|shape|size|to|view|mean|sum|detach|float|long)'",
        "It is a list, not a tensor: make one of it with torch.tensor(...) or torch.stack(...).",
    ),
)
_SHAPES = (
    (
        r"too many indices for tensor of dimension (\d+)",
        "More indices stand in the brackets than the tensor has dimensions: it has {0}.",
    ),
    (
        r"mat1 and mat2 shapes cannot be multiplied \((\d+)x(\d+) and (\d+)x(\d+)\)",
        (
            "The last size of the first must be the first size of the second: here {1} meets {2}. A Linear that is"
            " given {1} features needs in_features={1}."
        ),
    ),
    (
        r"inconsistent tensor size, expected tensor \[(\d+)\] and src \[(\d+)\]",
        "A dot product needs two vectors of the same length: here {0} meets {1}.",
    ),
    (
        r"Expected size for first two dimensions of batch2 tensor to be: \[(\d+), (\d+)\] but got: \[(\d+), (\d+)\]",
        "The second must be {0} matrices with {1} rows: perhaps it wants .transpose(1, 2).",
    ),
    (
        r"expected input\[.*\] to have (\d+) channels, but got (\d+) channels",
        (
            "The layer was made for {0} channels and is given {1}: change its first argument to {1}, or bring the input"
            " into the order (batch, channels, height, width)."
        ),
    ),
    (
        r"Expected .* input to conv\dd, but got input of size",
        "A convolution wants (batch, channels, ...): add what is missing with .unsqueeze(1) or .unsqueeze(0).",
    ),
    (
        r"Kernel size can't be greater than actual input size|Output size is too small",
        "The image is smaller than the window by now: pool less often, use a smaller kernel, or add padding.",
    ),
    (
        (
            r"Using a target size \(.*\) that is different to the input size"
            r"|Target size \(.*\) must be the same as input size"
        ),
        "Bring both to one shape: often the output wants .squeeze(1), or the target .unsqueeze(1).",
    ),
    (
        r"Expected input batch_size \((\d+)\) to match target batch_size \((\d+)\)",
        (
            "The model answers for {0} examples and there are {1} targets: look for a reshape that mixes the batch with"
            " another dimension, or for targets of another batch."
        ),
    ),
    (
        r"0D or 1D target tensor expected, multi-target not supported",
        "The targets must be class numbers in one dimension: try .squeeze(1), or .argmax(dim=1) for one-hot rows.",
    ),
    (
        r"shape of the mask \[(.*)\] at index \d+ does not match the shape of the indexed tensor \[(.*)\]",
        "A mask has a True or False for every row (or entry) of what it picks from: it is made for [{0}], not [{1}].",
    ),
    (
        r"Index tensor must have the same number of dimensions as input tensor",
        "The index wants as many dimensions as what it picks from: gather(1, index.unsqueeze(1)) takes one per row.",
    ),
    (
        r"^self must be a matrix|^mat2 must be a matrix|^batch[12] must be a 3D tensor",
        "mm takes matrices, bmm stacks of them: `a @ b` (torch.matmul) takes vectors too.",
    ),
    (
        r"must match the size of tensor b",
        "Look at the two shapes: sizes must be equal, or one of them 1.",
    ),
    (
        r"shape '\[(.*)\]' is invalid for input of size (\d+)",
        (
            "The sizes asked for must multiply to {1}: write -1 for the batch and the true size of the rest"
            " (x.flatten(1) does it for you)."
        ),
    ),
    (
        r"view size is not compatible with input tensor's size and stride",
        "The tensor was transposed or sliced, so that its numbers are not in one row: use .reshape(...) instead.",
    ),
    (
        r"Sizes of tensors must match except in dimension (\d+)",
        "cat joins along dim={0}: all other sizes must be equal. Did you mean another dim?",
    ),
    (
        r"stack expects each tensor to be equal size",
        "Bring them to one shape first (padding, cutting), or join them with torch.cat.",
    ),
    (
        r"expected sequence of length (\d+) at dim \d+ \(got (\d+)\)",
        "The rows have different lengths ({0} and {1}): pad them to one length.",
    ),
    (
        r"Expected more than 1 value per channel when training",
        "Batch norm needs more than one example: drop the last small batch (drop_last=True) or call model.eval().",
    ),
    (
        r"input\.size\(-1\) must be equal to input_size\. Expected (\d+), got (\d+)",
        (
            "The layer was made for {0} features per step and is given {1}: change input_size to {1}, or look at the"
            " order of the dimensions."
        ),
    ),
    (
        r"cannot be converted to Scalar|only one element tensors can be converted to Python scalars",
        "There is more than one number in it: take one (x[0]), make one (.mean()), or all with .tolist().",
    ),
    (
        r"Boolean value of Tensor with more than one value is ambiguous",
        (
            "if needs one answer: ask for .any() or .all(). A loss must be made before it is called:"
            " nn.MSELoss()(out, target)."
        ),
    ),
)
_DTYPES = (
    (r"expected target dtype to be Long", "The targets of this loss are class numbers: make them so with .long()."),
    (
        r"Found dtype (?:Long|Int) but expected Float|result type Float can't be cast to the desired output type",
        "The targets of this loss are floats: make them so with .float().",
    ),
    (
        r"mat1 and mat2 must have the same dtype, but got (Long|Int|Double|Half|Bool) and (\w+)",
        "The weights are {1}, the input is {0}: convert the input, for example with .float().",
    ),
    (
        r"mean\(\): could not infer output dtype",
        "A mean of whole numbers needs another type: write .float().mean().",
    ),
    (
        r"argument #1 'indices' to have one of the following scalar types",
        "An embedding looks up by number: make the indices so with .long().",
    ),
    (
        r"all elements of input should be between 0 and 1",
        "BCELoss wants probabilities: put sigmoid before it, or use BCEWithLogitsLoss.",
    ),
    (
        r"must be Tensor, not (list|float|int|numpy\.ndarray|ndarray)",
        "Make a tensor of it first: torch.tensor(...), floats for inputs.",
    ),
    (
        r"must be Tensor, not tuple",
        "A layer before it gives several results, as an LSTM gives its states too: take the first, out, _ = lstm(x).",
    ),
    (
        r"mean\(\) got an unexpected keyword argument 'axis'",
        "NumPy asks the tensor for its own mean: write x.mean(), or hand NumPy x.detach().numpy().",
    ),
    (
        r"too many dimensions 'str'|new\(\): invalid data type 'str'",
        "A tensor holds numbers: give every word or class a number first.",
    ),
)
_INDICES = (
    (
        r"Target (-?\d+) is out of bounds",
        (
            "A target of {0} needs an output of more than {0} numbers: classes count from 0, so the last layer must"
            " have one output per class."
        ),
    ),
    (
        r"index out of range in self",
        "An index is not in the table: num_embeddings must be greater than the largest index.",
    ),
    (
        r"index (-?\d+) is out of bounds for dimension (\d+) with size (\d+)",
        "Indices of dimension {1} go from 0 to one less than {2}.",
    ),
    (
        r"Dimension out of range \(expected to be in range of \[(-?\d+), (-?\d+)\], but got (-?\d+)\)",
        "The tensor has no dimension {2}: its last is {1}, which is also -1.",
    ),
    (r"too many values to unpack|not enough values to unpack", "Count the names on the left and what is on the right."),
)
_MODULES = (
    (
        r"^Module \[(\w+)\] is missing the required",
        "Calling a module calls its forward: define `def forward(self, x):` in {0}, spelled so.",
    ),
    (
        r"params argument given to the optimizer should be an iterable",
        "Put the tensor into a list: [w].",
    ),
    (r"can't optimize a non-leaf Tensor", "Give the optimizer the leaf itself, not something computed from it."),
    (
        r"optimizer got an empty parameter list",
        (
            "The model holds no parameters: layers must be attributes made in __init__ (self.fc = ...), and several"
            " of them stand in an nn.ModuleList, not in a plain list."
        ),
    ),
    (
        r"Nesterov momentum requires a momentum",
        "Nesterov's is a kind of momentum: give one as well, momentum=0.9, and leave dampening at 0.",
    ),
    (
        r"some parameters appear in more than one parameter group",
        "Each parameter belongs to one group: leave it out of the others.",
    ),
    (
        r"LBFGS\.step\(\) missing 1 required",
        "LBFGS computes the loss several times: opt.step(closure), where closure clears, computes and goes back.",
    ),
    (r"Invalid learning rate: (.+)", "A learning rate must not be negative: the step goes downhill by itself."),
    (r"Module\.__init__\(\) call", "Call super().__init__() first."),
    (
        r"list is not a Module subclass",
        "A Sequential takes its modules one by one: nn.Sequential(*layers) spreads a list.",
    ),
    (
        r"<lambda> is not a Module subclass|torch\..*\.[a-z]\w* is not a Module subclass",
        "A function is no module: use a layer (nn.ReLU()), or call the function in a forward of your own.",
    ),
    (
        r"\.([A-Z]\w*) is not a Module subclass",
        "The layer was not made: its parentheses are missing, {0}().",
    ),
    (
        r"is not an Optimizer",
        "A scheduler changes an optimizer's learning rate: give it the optimizer first.",
    ),
    (
        r"ReduceLROnPlateau\.step\(\) missing 1 required",
        "This scheduler looks at a number: sched.step(loss.item()), best of a validation loss.",
    ),
    (
        r"embed_dim must be divisible by num_heads",
        "Each head takes an equal share of embed_dim: choose num_heads so that it divides it.",
    ),
    (
        r"Error\(s\) in loading state_dict for (\w+)",
        (
            "What was saved and this {0} do not have the same entries or shapes: build the model as it was when it was"
            " saved, or give strict=False for entries that may be missing."
        ),
    ),
    (
        r"cannot assign '.*' as parameter '(\w+)'",
        "Wrap it, nn.Parameter(...), or change the numbers in place under no_grad: {0}.copy_(...).",
    ),
    (
        r"forward\(\) takes (\d+) positional arguments? but (\d+) were given",
        "forward counts self too: look at what the module is called with.",
    ),
    (
        r"forward\(\) missing \d+ required positional argument",
        "The module was called with less than its forward asks for.",
    ),
    (
        r"Torch not compiled with CUDA enabled|Found no NVIDIA driver",
        'There is no GPU here: choose with "cuda" if torch.cuda.is_available() else "cpu".',
    ),
    (
        r"Expected all tensors to be on the same device",
        "Move the model and every batch to one device: x = x.to(device).",
    ),
)
_RULES = tuple(
    (re.compile(pattern), advice)
    for pattern, advice in (*_AUTOGRAD, *_SHAPES, *_DTYPES, *_INDICES, *_MODULES)  # the first that fits
)
_OF_SHAPES = frozenset(advice for _, advice in _SHAPES)
_METHODS = frozenset(("backward", "detach", "item", "mean", "sum", "grad", "data", "requires_grad", "reshape", "view"))
_OF_OPTIMIZERS = ("zero_grad", "step", "param_groups", "state_dict", "load_state_dict", "add_param_group", "state")
MOST_SHAPES = 4


def advise(moment: Moment, failure: Failure) -> str:
    """What to change after `failure`; empty when nothing better than the message is known."""
    message = failure.message
    for pattern, advice in _RULES:
        if (found := pattern.search(message)) is not None:
            said = advice.format(*found.groups())
            return said + _shapes(moment, message) if advice in _OF_SHAPES else said
    if "'NoneType'" in message:
        if ".grad" in moment.statement:
            return ".grad is None until a backward() has filled it."
        if "has no attribute" in message or "object is not" in message:
            return "It is None: a function that ends without return gives None."
    if failure.type == "StopIteration":
        return "The iterator has nothing left: make a new one with iter(...), or use a for loop."
    if (found := re.match(r"unsupported operand type\(s\) for (\S+): '(\w+)' and '(\w+)'", message)) is not None:
        return f"A {found[2]} and a {found[3]} cannot be combined by {found[1]}: convert one of them first."
    if re.match(r"'(method|builtin_function_or_method|function)' object", message):
        return "A method was not called: its parentheses are missing."
    if "'int' object is not iterable" in message and "milestones" in moment.statement:
        return "milestones is a list of epochs: [30, 80]."
    if message.endswith("object is not iterable") and re.search(r"optim\.\w+\(|\b(?:SGD|Adam\w*)\(", moment.statement):
        return "Give the optimizer model.parameters()."
    if failure.type in ("ModuleNotFoundError", "ImportError"):
        module = re.search(r"'([\w.]+)'", message)
        instead = "" if module is None else MISSING_MODULES.get(module[1].partition(".")[0], "")
        return f"This module is outside of what can be run here. {instead}".rstrip()
    if failure.type == "FileNotFoundError":
        if "open" in moment.statement or "load" in moment.statement or "read" in moment.statement:
            return f"A run has the files only that it has written itself. {FROM_ELSEWHERE}"
        return "A run has the files and folders only that it has made: os.makedirs(..., exist_ok=True) makes them."
    if failure.type == "UnpicklingError" and "this run" in message:
        return "Load what pickle.dumps(), pickle.dump() or torch.save() gave in the same run."
    if failure.type == "KeyError":
        return "Look at the keys that are there: print(list(d)) shows them."
    if (found := re.match(r"module '([\w.]+)' has no attribute '(\w+)'", message)) is not None:
        return f"{found[1]} has no {found[2]} here: look for a slip in the name."
    if (found := re.match(r"'(\w+)' object has no attribute '(\w+)'", message)) is not None:
        return _attribute(moment, found[1], found[2])
    return advice_on_python(message)


def _attribute(moment: Moment, owner: str, name: str) -> str:
    """A slip in an attribute's name, as far as the trace knows the names that are there."""
    known = {part for tensor in moment.tensors for part in tensor.name.split(".")[1:]}
    known |= _METHODS
    if moment.optimizers and owner in {each.type for each in moment.optimizers}:
        known = set(_OF_OPTIMIZERS)
    near = get_close_matches(name, sorted(known), 1, 0.8)
    if near and near[0] != name:
        return f"Did you mean {near[0]}?"
    return f"{owner} has no {name}: look for a slip in the name, or for the line that should have set it."


def _shapes(moment: Moment, message: str) -> str:
    """The shapes of the tensors that the failing statement names, and the lines that computed them: of those that have
    a size which the message speaks of, if there are any."""
    try:
        tree = ast.parse(moment.statement.strip().rstrip(":"))
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return ""
    names = dict.fromkeys(part.id for part in ast.walk(tree) if isinstance(part, ast.Name))
    tensors = {tensor.name: tensor for tensor in moment.tensors}
    named = [tensors[name] for name in names if name in tensors]
    sizes = set(map(int, re.findall(r"\d+", message)))
    said = [_of(tensor) for tensor in named if sizes & {*tensor.shape}] or [_of(tensor) for tensor in named]
    said = said[:MOST_SHAPES]
    return f" Here {' and '.join(said)}." if said else ""


def _of(tensor: TensorState) -> str:
    sizes = "×".join(map(str, tensor.shape)) or "one number"
    if len(tensor.shape) == 1:
        sizes = f"a vector of {sizes}"
    line = re.match(r"op:(\d+)\.", tensor.node or "")
    return f"{tensor.name} is {sizes}" + (f" (line {line[1]})" if line is not None else "")
