# type: ignore
"""attrs: classes whose fields are told once, in the names that are newer than attr's."""

from attr import (
    NOTHING,
    Attribute,
    Factory,
    asdict,
    astuple,
    converters,
    define,
    evolve,
    exceptions,
    field,
    fields,
    fields_dict,
    frozen,
    has,
    make_class,
    mutable,
    validate,
)
