# type: ignore
"""termcolor: what is printed here goes to no terminal, so that texts stay as they are, as they do in a pipe."""

ATTRIBUTES = {"bold": 1, "dark": 2, "italic": 3, "underline": 4, "blink": 5, "reverse": 7, "concealed": 8, "strike": 9}
RESET = "\033[0m"
COLORS = {
    name: number
    for first, names in (
        (30, "black red green yellow blue magenta cyan light_grey"),
        (90, "dark_grey light_red light_green light_yellow light_blue light_magenta light_cyan white"),
    )
    for number, name in enumerate(names.split(), first)
} | {"grey": 30}
HIGHLIGHTS = {f"on_{name}": number + 10 for name, number in COLORS.items()}


def can_colorize(*, no_color=None, force_color=None):
    return bool(force_color) and not no_color


def colored(text, color=None, on_color=None, attrs=None, *, no_color=None, force_color=None):
    said = str(text)
    if not can_colorize(no_color=no_color, force_color=force_color):
        return said
    for table, name in ((COLORS, color), (HIGHLIGHTS, on_color)):
        if isinstance(name, str):
            said = f"\033[{table[name]}m{said}"
        elif isinstance(name, tuple):
            said = f"\033[{38 if table is COLORS else 48};2;{name[0]};{name[1]};{name[2]}m{said}"
    for name in attrs or ():
        said = f"\033[{ATTRIBUTES[name]}m{said}"
    return said + RESET


def cprint(text, color=None, on_color=None, attrs=None, *, no_color=None, force_color=None, **options):
    print(colored(text, color, on_color, attrs, no_color=no_color, force_color=force_color), **options)
