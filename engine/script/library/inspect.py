# type: ignore
"""inspect: what the functions of a script take."""

from collections import namedtuple

import _inspect
from _inspect import isbuiltin, isclass, isfunction, ismethod
from _waiting import isasyncgen, isasyncgenfunction, isawaitable, iscoroutine, iscoroutinefunction


class _empty:
    pass


class Parameter:
    empty = _empty
    POSITIONAL_ONLY = "POSITIONAL_ONLY"
    POSITIONAL_OR_KEYWORD = "POSITIONAL_OR_KEYWORD"
    VAR_POSITIONAL = "VAR_POSITIONAL"
    KEYWORD_ONLY = "KEYWORD_ONLY"
    VAR_KEYWORD = "VAR_KEYWORD"

    def __init__(self, name, kind, *, default=_empty, annotation=_empty):
        self.name, self.kind, self.default, self.annotation = name, kind, default, annotation

    def __str__(self):
        text = {"VAR_POSITIONAL": "*", "VAR_KEYWORD": "**"}.get(str(self.kind), "") + self.name
        annotated = self.annotation is not _empty
        if annotated:
            text += f": {_note(self.annotation)}"
        if self.default is not _empty:
            text += f" = {self.default!r}" if annotated else f"={self.default!r}"
        return text

    def __repr__(self):
        return f'<Parameter "{self}">'


class _Kind(str):
    """How a parameter is given: Python has an enum of ints there, which shows its names."""

    @property
    def name(self):
        return str(self)


for _name in ("POSITIONAL_ONLY", "POSITIONAL_OR_KEYWORD", "VAR_POSITIONAL", "KEYWORD_ONLY", "VAR_KEYWORD"):
    setattr(Parameter, _name, _Kind(_name))


def _note(annotation):
    if isinstance(annotation, type):
        home = annotation.__module__
        return annotation.__qualname__ if home == "builtins" else f"{home}.{annotation.__qualname__}"
    return repr(annotation).replace("typing.", "")


class Signature:
    empty = _empty

    def __init__(self, parameters=None, *, return_annotation=_empty):
        self.parameters = {each.name: each for each in parameters or ()}
        self.return_annotation = return_annotation

    def __str__(self):
        parts, star, bare = [], False, False
        for each in self.parameters.values():
            if bare and each.kind != "POSITIONAL_ONLY":
                parts.append("/")
                bare = False
            bare = bare or each.kind == "POSITIONAL_ONLY"
            if each.kind == "KEYWORD_ONLY" and not star:
                parts.append("*")
                star = True
            star = star or each.kind == "VAR_POSITIONAL"
            parts.append(str(each))
        if bare:
            parts.append("/")
        text = f"({', '.join(parts)})"
        return text if self.return_annotation is _empty else f"{text} -> {_note(self.return_annotation)}"

    def __repr__(self):
        return f"<Signature {self}>"

    def bind(self, *args, **kwargs):
        return BoundArguments(self, self._bound(args, kwargs, False))

    def bind_partial(self, *args, **kwargs):
        return BoundArguments(self, self._bound(args, kwargs, True))

    def _bound(self, args, kwargs, partly):
        found, given, left = {}, list(args), dict(kwargs)
        for each in self.parameters.values():
            if each.kind == "VAR_POSITIONAL":
                if given:
                    found[each.name] = tuple(given)
                given = []
            elif each.kind == "VAR_KEYWORD":
                if left:
                    found[each.name] = left
                left = {}
            elif given and each.kind != "KEYWORD_ONLY":
                if each.name in left:
                    raise TypeError(f"multiple values for argument {each.name!r}")
                found[each.name] = given.pop(0)
            elif each.name in left and each.kind != "POSITIONAL_ONLY":
                found[each.name] = left.pop(each.name)
            elif each.default is _empty and not partly:
                raise TypeError(f"missing a required argument: {each.name!r}")
        if given:
            raise TypeError("too many positional arguments")
        for name in left:
            raise TypeError(f"got an unexpected keyword argument {name!r}")
        return found


class BoundArguments:
    def __init__(self, signature, arguments):
        self.signature, self.arguments = signature, arguments

    @property
    def args(self):
        found = []
        for each in self.signature.parameters.values():
            if each.name in self.arguments and each.kind in ("POSITIONAL_ONLY", "POSITIONAL_OR_KEYWORD"):
                found.append(self.arguments[each.name])
            elif each.name in self.arguments and each.kind == "VAR_POSITIONAL":
                found.extend(self.arguments[each.name])
        return tuple(found)

    @property
    def kwargs(self):
        found = {}
        for each in self.signature.parameters.values():
            if each.name in self.arguments and each.kind == "KEYWORD_ONLY":
                found[each.name] = self.arguments[each.name]
            elif each.name in self.arguments and each.kind == "VAR_KEYWORD":
                found.update(self.arguments[each.name])
        return found

    def apply_defaults(self):
        full = {}
        for each in self.signature.parameters.values():
            if each.name in self.arguments:
                full[each.name] = self.arguments[each.name]
            elif each.default is not _empty:
                full[each.name] = each.default
            elif each.kind in ("VAR_POSITIONAL", "VAR_KEYWORD"):
                full[each.name] = () if each.kind == "VAR_POSITIONAL" else {}
        self.arguments = full


def signature(function):
    rows, returns, returned = _inspect.parameters(function)
    listed = []
    for name, kind, has, default, annotated, annotation in rows:
        listed.append(
            Parameter(
                name,
                getattr(Parameter, kind),
                default=default if has else _empty,
                annotation=annotation if annotated else _empty,
            )
        )
    return Signature(listed, return_annotation=returned if returns else _empty)


FullArgSpec = namedtuple("FullArgSpec", "args varargs varkw defaults kwonlyargs kwonlydefaults annotations")


def getfullargspec(function):
    listed = list(_listed(function))
    plain = [each for each in listed if each.kind in ("POSITIONAL_ONLY", "POSITIONAL_OR_KEYWORD")]
    only = [each for each in listed if each.kind == "KEYWORD_ONLY"]
    notes = {each.name: each.annotation for each in listed if each.annotation is not _empty}
    returned = signature(function).return_annotation
    return FullArgSpec(
        [*(["self"] if ismethod(function) or isclass(function) else []), *[each.name for each in plain]],
        next((each.name for each in listed if each.kind == "VAR_POSITIONAL"), None),
        next((each.name for each in listed if each.kind == "VAR_KEYWORD"), None),
        tuple([each.default for each in plain if each.default is not _empty]) or None,
        [each.name for each in only],
        {each.name: each.default for each in only if each.default is not _empty} or None,
        notes if returned is _empty else {"return": returned, **notes},
    )


def _listed(function):
    return signature(function).parameters.values()


def getmembers(object, predicate=None):
    found = []
    for name in dir(object):
        try:
            value = getattr(object, name)
        except AttributeError:
            continue
        if predicate is None or predicate(value):
            found.append((name, value))
    return found


def getmro(cls):
    return cls.__mro__


def isroutine(object):
    return isfunction(object) or ismethod(object) or isbuiltin(object)


def iscoroutinefunction(object):
    return False


iscoroutine = isawaitable = isasyncgenfunction = iscoroutinefunction
GEN_CREATED, GEN_RUNNING, GEN_SUSPENDED, GEN_CLOSED = "GEN_CREATED", "GEN_RUNNING", "GEN_SUSPENDED", "GEN_CLOSED"


def getgeneratorstate(generator):
    return "GEN_" + _inspect.generator_state(generator)


def getdoc(thing):
    text = thing.__doc__
    return None if text is None else cleandoc(text)


def cleandoc(text):
    lines = text.expandtabs().split("\n")
    margin = min([len(line) - len(line.lstrip()) for line in lines[1:] if line.strip()], default=0)
    lines = [lines[0].lstrip(), *[line[margin:] for line in lines[1:]]]
    while lines and not lines[-1]:
        lines.pop()
    while lines and not lines[0]:
        lines.pop(0)
    return "\n".join(lines)


class _Code:
    def __init__(self, name, parameters, variables):
        self.co_name = self.co_qualname = name
        self.co_filename = "script.py"
        self.co_argcount = len(parameters)
        self.co_varnames = tuple(variables)


class _Frame:
    """A frame as it was when it was looked at."""

    def __init__(self, told, back):
        name, self.f_lineno, self.f_locals, parameters, varargs, keywords = told
        self.f_code, self.f_back = _Code(name, parameters, self.f_locals), back
        self._taken = parameters, varargs, keywords

    @property
    def f_globals(self):
        return self._outermost().f_locals

    def _outermost(self):
        return self if self.f_back is None else self.f_back._outermost()

    def __repr__(self):
        return f"<frame, file {self.f_code.co_filename!r}, line {self.f_lineno}, code {self.f_code.co_name}>"


def currentframe():
    found = None
    for told in reversed(_inspect.frames()):
        found = _Frame(told, found)
    return found


ArgInfo = namedtuple("ArgInfo", "args varargs keywords locals")
FrameInfo = namedtuple("FrameInfo", "frame filename lineno function code_context index")


def getargvalues(frame):
    return ArgInfo(*frame._taken, frame.f_locals)


def getframeinfo(frame, context=1):
    return Traceback(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name, None, None)


Traceback = namedtuple("Traceback", "filename lineno function code_context index")


def stack(context=1):
    found, frame = [], currentframe()
    while frame is not None:
        found.append(FrameInfo(frame, frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name, None, None))
        frame = frame.f_back
    return found


def isframe(object):
    return isinstance(object, _Frame)
