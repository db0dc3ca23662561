# type: ignore
"""help(): what the script says of its own functions, as pydoc prints it. Of the rest there is no text here."""

import inspect


def told(value):
    if inspect.isfunction(value):
        _write("function", value, "")
    elif inspect.ismethod(value):
        _write(
            "method",
            value,
            f" method of {type(value.__self__).__module__}.{type(value.__self__).__qualname__} instance",
        )
    elif isinstance(value, type) and value.__module__ == "__main__":
        print(f"Help on class {value.__name__} in module __main__:\n\nclass {value.__name__}")
        _doc(value.__doc__, "    ")
        for name, each in vars(value).items():
            if inspect.isfunction(each):
                print(f"    {name}{inspect.signature(each)}")
                _doc(each.__doc__, "        ")
        print()
    else:
        name = getattr(value, "__name__", None) or type(value).__name__
        print(
            f"No help for {name} is kept here: what it does stands in the documentation of the library that it is of."
        )


def _write(kind, value, of):
    print(f"Help on {kind} {value.__name__} in module __main__:\n\n{value.__name__}{inspect.signature(value)}{of}")
    _doc(value.__doc__, "    ")
    print()


def _doc(doc, indent):
    if doc:
        for line in inspect.cleandoc(doc).split("\n"):
            print(f"{indent}{line}")
