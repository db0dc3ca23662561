# type: ignore
"""rich.text: a text with styles, which nobody sees in a pipe."""

from rich.markup import plain as _plain


class Text:
    def __init__(self, text="", style="", *, justify=None, overflow=None, no_wrap=None, end="\n", **options):
        self.plain, self.style, self.justify, self.end = text, style, justify, end

    @classmethod
    def from_markup(cls, text, **options):
        return cls(_plain(text))

    @classmethod
    def assemble(cls, *parts, **options):
        said = [each if isinstance(each, str) else each[0] if isinstance(each, tuple) else each.plain for each in parts]
        return cls("".join(said))

    def append(self, text, style=None):
        self.plain += text if isinstance(text, str) else text.plain
        return self

    def stylize(self, *args, **options):
        return None

    highlight_words = highlight_regex = stylize

    def __str__(self):
        return self.plain

    def __len__(self):
        return len(self.plain)

    def __add__(self, other):
        return Text(self.plain + str(other))
