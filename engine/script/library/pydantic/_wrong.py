# type: ignore
"""What pydantic says of values that do not fit."""


class Wrong:
    """One thing that is wrong: its code, where it is, what is said, and the value."""

    def __init__(self, code, place, said, value):
        self.code, self.place, self.said, self.value = code, place, said, value

    @staticmethod
    def of_error(error, place, value):
        """What a check raised."""
        if isinstance(error, AssertionError):
            return Wrong("assertion_error", place, f"Assertion failed, {error}", value)
        return Wrong("value_error", place, f"Value error, {error}", value)

    def text(self):
        shown = repr(self.value)
        if len(shown) > 50:
            shown = f"{shown[:25]}...{shown[-24:]}"
        kind = type(self.value).__name__
        where = ".".join([str(part) for part in self.place])
        return (
            f"{where}{chr(10) if where else ''}  {self.said} [type={self.code}, input_value={shown}, input_type={kind}]\n"
            f"    For further information visit https://errors.pydantic.dev/2.14/v/{self.code}"
        )


class ValidationError(ValueError):
    def __init__(self, title, wrong):
        self.title, self._wrong = title, wrong
        count = len(wrong)
        head = f"{count} validation error{'s' * (count > 1)} for {title}"
        super().__init__("\n".join([head, *[each.text() for each in wrong]]))

    def error_count(self):
        return len(self._wrong)

    def errors(self, **options):
        return [{"type": e.code, "loc": tuple(e.place), "msg": e.said, "input": e.value} for e in self._wrong]
