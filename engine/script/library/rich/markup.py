# type: ignore
"""rich.markup: the marks of styles in texts, [bold red]so[/], which are left out."""

import re

_TAG = re.compile(r"((\\*)\[([a-z#/@][^\[]*?)])")


class MarkupError(Exception):
    pass


def escape(text):
    return re.sub(r"(\\*)(\[[a-z#/@][^\[]*?])", lambda found: f"{found[1] * 2}\\{found[2]}", text)


def plain(text):
    """The text without marks. Raises MarkupError for an end that has no beginning."""
    open_ones = []

    def read(found):
        whole, slashes, tag = found[1], found[2], found[3]
        if slashes:
            count, odd = divmod(len(slashes), 2)
            kept = "\\" * count
            if odd:
                return f"{kept}[{tag}]"
            return kept
        if tag.startswith("/"):
            name = tag[1:].strip()
            if not open_ones:
                raise MarkupError(f"closing tag '{whole}' at position {found.start()} has nothing to close")
            if name and name not in open_ones:
                raise MarkupError(f"closing tag '{whole}' at position {found.start()} doesn't match any open tag")
            open_ones.remove(name) if name else open_ones.pop()
            return ""
        open_ones.append(tag.partition("=")[0].strip())
        return ""

    return _TAG.sub(read, text)
