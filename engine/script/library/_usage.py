# type: ignore
"""How argparse shows the arguments of a parser: usage, help, and what an error says first."""

import re
import textwrap

SUPPRESS = "==SUPPRESS=="
WIDTH = 78  # of a terminal of 80 columns
FLAGS_ALONE = ("store_true", "store_false", "store_const", "append_const", "count", "help", "version")


class HelpFormatter:
    """Lays help out as CPython 3.11 does. What the other formatters do otherwise is a method each."""

    def __init__(self, prog, indent_increment=2, max_help_position=24, width=None):
        self.prog, self.step, self.width = prog, indent_increment, WIDTH if width is None else width
        self.furthest = min(max_help_position, max(self.width - 20, indent_increment * 2))

    def filled(self, text, indent):
        """A description."""
        wide = max(self.width - indent, 11)
        return textwrap.fill(" ".join(text.split()), wide, initial_indent=" " * indent, subsequent_indent=" " * indent)

    def lines(self, text, width):
        """An argument's help."""
        return textwrap.wrap(" ".join(text.split()), width)

    def told(self, argument):
        """An argument's help before its %(default)s and others are put in."""
        return argument.help

    def metavar(self, argument, otherwise):
        return otherwise

    # -- arguments -------------------------------------------------------------------------------------------------

    def name(self, argument, otherwise, count):
        """What stands for `count` values of an argument."""
        if argument.metavar is not None:
            given = argument.metavar
        elif argument.choices is not None:
            given = "{" + ",".join([str(each) for each in argument.choices]) + "}"
        else:
            given = otherwise
        return given if isinstance(given, tuple) else (given,) * count

    def values(self, argument, otherwise):
        """FILE [FILE ...]."""
        nargs = argument.nargs
        if nargs is None:
            return self.name(argument, otherwise, 1)[0]
        if nargs == "?":
            return f"[{self.name(argument, otherwise, 1)[0]}]"
        if nargs == "*":
            names = self.name(argument, otherwise, 1)
            return f"[{names[0]} [{names[1]} ...]]" if len(names) == 2 else f"[{names[0]} ...]"
        if nargs == "+":
            names = self.name(argument, otherwise, 2)
            return f"{names[0]} [{names[1]} ...]"
        if nargs == "...":
            return "..."
        if nargs == "A...":
            return f"{self.name(argument, otherwise, 1)[0]} ..."
        return " ".join(self.name(argument, otherwise, nargs))

    def otherwise(self, argument):
        return self.metavar(argument, argument.dest if argument.positional else argument.dest.upper())

    def invocation(self, argument):
        """An argument as the list of them begins its lines."""
        if argument.positional:
            return self.name(argument, self.otherwise(argument), 1)[0]
        if argument.alone:
            return ", ".join(argument.option_strings)
        values = self.values(argument, self.otherwise(argument))
        return ", ".join([f"{flag} {values}" for flag in argument.option_strings])

    def in_usage(self, argument):
        if argument.positional:
            return self.values(argument, self.otherwise(argument))
        if argument.negatable:
            return " | ".join(argument.option_strings)
        flag = argument.option_strings[0]
        return flag if argument.alone else f"{flag} {self.values(argument, self.otherwise(argument))}"

    # -- usage -----------------------------------------------------------------------------------------------------

    def usage(self, parser, prefix="usage: "):
        if parser.usage is not None:
            return f"{prefix}{parser.usage % {'prog': self.prog}}\n\n"
        shown = [each for each in parser.shown if each.help != SUPPRESS]
        optional = self.pieces([each for each in shown if not each.positional], parser)
        positional = self.pieces([each for each in shown if each.positional], parser)
        line = " ".join([self.prog, *optional, *positional])
        if len(prefix) + len(line) > self.width:
            line = "\n".join(self.wrapped(_parts(optional), _parts(positional), prefix))
        return f"{prefix}{line}\n\n"

    def pieces(self, arguments, parser):
        """The arguments of a usage, those that exclude one another in one pair of brackets."""
        found, done = [], []
        for each in arguments:
            group = each.excludes
            beside = [] if group is None else [other for other in arguments if other.excludes is group]
            if len(beside) > 1 and all([other in parser.shown for other in group.own]):
                if group not in done:
                    done.append(group)
                    text = " | ".join([self.in_usage(other) for other in beside])
                    found.append(f"({text})" if group.required else f"[{text}]")
            elif each.positional or each.required or (group is not None and group.required):
                found.append(self.in_usage(each))
            else:
                found.append(f"[{self.in_usage(each)}]")
        return [each for each in found if each]

    def wrapped(self, optional, positional, prefix):
        if len(prefix) + len(self.prog) <= 0.75 * self.width:
            indent = " " * (len(prefix) + len(self.prog) + 1)
            if optional:
                return self.rows([self.prog, *optional], indent, prefix) + self.rows(positional, indent)
            return self.rows([self.prog, *positional], indent, prefix) if positional else [self.prog]
        indent = " " * len(prefix)
        rows = self.rows(optional + positional, indent)
        if len(rows) > 1:
            rows = self.rows(optional, indent) + self.rows(positional, indent)
        return [self.prog, *rows]

    def rows(self, parts, indent, prefix=None):
        """Parts in lines. The first line has its prefix already."""
        found, line, wide = [], [], len(indent if prefix is None else prefix) - 1
        for part in parts:
            if line and wide + 1 + len(part) > self.width:
                found.append(indent + " ".join(line))
                line, wide = [], len(indent) - 1
            line.append(part)
            wide += len(part) + 1
        if line:
            found.append(indent + " ".join(line))
        if prefix is not None:
            found[0] = found[0][len(indent) :]
        return found

    # -- help ------------------------------------------------------------------------------------------------------

    def help(self, parser):
        groups = [(group, [each for each in group.own if each.help != SUPPRESS]) for group in parser.groups]
        widths = [
            len(self.invocation(each)) + depth
            for _, listed in groups
            for one in listed
            for each, depth in [(one, self.step), *[(below, 2 * self.step) for below in one.below]]
        ]
        place = min(max(widths, default=0) + 2, self.furthest)
        parts = [self.usage(parser), self.text(parser.description, 0)]
        for group, listed in groups:
            inside = [self.text(group.description, self.step)]
            for each in listed:
                inside.append(self.entry(each, self.step, place))
                inside += [self.entry(below, 2 * self.step, place) for below in each.below]
            body = "".join(inside)
            if body:
                title = f"{group.title}:\n" if group.title is not None and group.title != SUPPRESS else ""
                parts.append(f"\n{title}{body}\n")
        parts.append(self.text(parser.epilog, 0))
        return re.sub(r"\n\n\n+", "\n\n", "".join(parts)).strip("\n") + "\n"

    def text(self, given, indent):
        if not given:
            return ""
        return self.filled(given % {"prog": self.prog} if "%(prog)" in given else given, indent) + "\n\n"

    def entry(self, argument, indent, place):
        """An argument's lines: what is written, and what it does."""
        head, room = self.invocation(argument), place - indent - 2
        if not argument.help or not argument.help.strip():
            return f"{' ' * indent}{head}\n"
        lines = self.lines(self.expanded(argument), max(self.width - place, 11))
        if len(head) <= room:
            begun, first = f"{' ' * indent}{head.ljust(room)}  ", f"{lines[0]}\n" if lines else "\n"
            lines = lines[1:]
        else:
            begun, first = f"{' ' * indent}{head}\n", ""
        return begun + first + "".join([f"{' ' * place}{line}\n" for line in lines])

    def expanded(self, argument):
        values = {name: value for name, value in vars(argument).items() if not _is(value, SUPPRESS)}
        values = {name: getattr(value, "__name__", value) for name, value in values.items()}
        values["prog"] = self.prog
        if values.get("choices") is not None:
            values["choices"] = ", ".join([str(each) for each in values["choices"]])
        return self.told(argument) % values


def _is(value, text):
    return isinstance(value, str) and value == text


def _parts(pieces):
    """Where a usage may be broken: between words that stand in no brackets."""
    found, deep = [], 0
    for word in " ".join(pieces).split():
        if deep:
            found[-1] += " " + word
        else:
            found.append(word)
        deep += sum([(each in "([") - (each in ")]") for each in word])
    return found


class RawDescriptionHelpFormatter(HelpFormatter):
    def filled(self, text, indent):
        return "".join([" " * indent + line for line in text.splitlines(True)])


class RawTextHelpFormatter(RawDescriptionHelpFormatter):
    def lines(self, text, width):
        return text.splitlines()


class ArgumentDefaultsHelpFormatter(HelpFormatter):
    def told(self, argument):
        text = argument.help or ""
        told = "%(default)" in text or _is(argument.default, SUPPRESS)
        if not told and (not argument.positional or argument.nargs in ("?", "*")):
            text += " (default: %(default)s)"
        return text


class MetavarTypeHelpFormatter(HelpFormatter):
    def metavar(self, argument, otherwise):
        return argument.type.__name__
