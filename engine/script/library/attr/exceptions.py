# type: ignore
"""attr.exceptions."""


class FrozenError(AttributeError):
    msg = "can't set attribute"

    def __init__(self):
        super().__init__("can't set attribute")


class FrozenInstanceError(FrozenError):
    pass


class FrozenAttributeError(FrozenError):
    pass


class AttrsAttributeNotFoundError(ValueError):
    pass


class NotAnAttrsClassError(ValueError):
    pass


class DefaultAlreadySetError(RuntimeError):
    pass


class UnannotatedAttributeError(RuntimeError):
    pass


class NotCallableError(TypeError):
    pass
