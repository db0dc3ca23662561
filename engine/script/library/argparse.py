# type: ignore
"""argparse: a script has no command line here, so every argument has its default."""

import sys

SUPPRESS = "==SUPPRESS=="
OPTIONAL, ZERO_OR_MORE, ONE_OR_MORE, REMAINDER = "?", "*", "+", "..."


class ArgumentTypeError(Exception):
    pass


class ArgumentError(Exception):
    pass


class HelpFormatter:
    def __init__(self, *args, **keywords):
        return


ArgumentDefaultsHelpFormatter = RawTextHelpFormatter = RawDescriptionHelpFormatter = MetavarTypeHelpFormatter = (
    HelpFormatter
)


class Action:
    pass


class BooleanOptionalAction(Action):
    pass


class Namespace:
    def __init__(self, **values):
        for name, value in values.items():
            setattr(self, name, value)

    def __repr__(self):
        return f"Namespace({', '.join([f'{name}={value!r}' for name, value in vars(self).items()])})"

    def __eq__(self, other):
        return isinstance(other, Namespace) and vars(self) == vars(other)

    def __contains__(self, name):
        return name in vars(self)


class _Argument:
    def __init__(self, flags, options):
        self.flags = flags
        self.positional = not flags[0].startswith("-")
        self.action = options.get("action", "store")
        self.type = options.get("type")
        self.nargs = options.get("nargs")
        self.choices = options.get("choices")
        self.const = options.get("const")
        self.required = options.get("required", self.positional and self.nargs not in ("?", "*"))
        default = options.get("default")
        if default is None and self.action in ("store_true", "store_false"):
            default = self.action == "store_false"
        self.default = default
        name = options.get("dest")
        if name is None:
            long = [flag for flag in flags if flag.startswith("--")]
            name = (long[0] if long else flags[0]).lstrip("-").replace("-", "_")
        self.name = name

    def converted(self, text):
        value = text if self.type is None else self.type(text)
        if self.choices is not None and value not in self.choices:
            listed = ", ".join([repr(each) for each in self.choices])
            raise ValueError(f"invalid choice: {value!r} (choose from {listed})")
        return value


class _Commands:
    """What add_subparsers() gives: parsers by the word that stands before their arguments."""

    def __init__(self, kind, dest, required):
        self.kind, self.dest, self.required = kind, dest, required
        self.parsers = {}

    def add_parser(self, name, *, help=None, aliases=(), **options):
        made = self.kind(**options)
        for each in (name, *aliases):
            self.parsers[each] = made
        return made

    def values(self, word, words, parser):
        if word not in self.parsers:
            listed = ", ".join([repr(each) for each in self.parsers])
            parser.error(f"argument {self.dest}: invalid choice: {word!r} (choose from {listed})")
        found = vars(self.parsers[word].parse_args(words))
        return found if self.dest is None else {self.dest: word, **found}


class ArgumentParser:
    def __init__(self, *args, **keywords):
        self.arguments = []
        self.fixed = {}
        self.commands = None
        self.description = keywords.get("description")

    def add_argument(self, *flags, **options):
        made = _Argument(flags, options)
        for each in self.arguments:
            if not made.positional and set(each.flags) & set(flags):
                clash = [flag for flag in flags if flag in each.flags]
                raise ArgumentError(f"argument {'/'.join(flags)}: conflicting option string: {', '.join(clash)}")
        self.arguments.append(made)
        return made

    def add_subparsers(self, *, dest=None, required=False, parser_class=None, **options):
        made = _Commands(parser_class or type(self), dest, required)
        self.commands = made
        return made

    def add_argument_group(self, *args, **keywords):
        return self

    add_mutually_exclusive_group = add_argument_group

    def set_defaults(self, **values):
        self.fixed.update(values)

    def get_default(self, name):
        for each in self.arguments:
            if each.name == name:
                return self.fixed.get(name, each.default)
        return self.fixed.get(name)

    def error(self, message):
        print(f"error: {message}", file=sys.stderr)
        raise SystemExit(2)

    def exit(self, status=0, message=None):
        raise SystemExit(status)

    def print_help(self, *args):
        return None

    print_usage = format_help = format_usage = print_help

    def parse_args(self, args=None, namespace=None):
        found, rest = self.parse_known_args(args, namespace)
        if rest:
            self.error(f"unrecognized arguments: {' '.join(rest)}")
        return found

    def parse_known_args(self, args=None, namespace=None):
        words = list(args) if args is not None else list(sys.argv[1:])
        values = {}
        for each in self.arguments:
            if each.default is SUPPRESS or each.action in ("help", "version"):
                continue
            default = self.fixed.get(each.name, each.default)
            if isinstance(default, str) and each.type is not None:
                default = each.converted(default) if each.choices is None else each.type(default)
            if each.name not in values or values[each.name] is None:
                values[each.name] = default
        for name, value in self.fixed.items():
            values.setdefault(name, value)
        if self.commands is not None and self.commands.dest is not None:
            values.setdefault(self.commands.dest, None)
        rest, given = [], set()
        waiting = [each for each in self.arguments if each.positional]
        while words:
            word = words.pop(0)
            if word[:1] == "-" and word[1:2] not in ("", "-") and not _is_number(word):
                word, words = self._short(word, words)
            flag, _, inline = word.partition("=")
            match = [each for each in self.arguments if flag in each.flags and not each.positional]
            negated = [
                each
                for each in self.arguments
                if each.action is BooleanOptionalAction and flag.startswith("--no-") and "--" + flag[5:] in each.flags
            ]
            if negated:
                values[negated[0].name] = False
                continue
            if not match and self.commands is not None and not word.startswith("-") and not waiting:
                values.update(self.commands.values(word, words, self))
                words = []
                continue
            if not match:
                if word.startswith("-") and not word[1:].replace(".", "").isdigit() or not waiting:
                    rest.append(word)
                    continue
                match, words = [waiting.pop(0)], [word, *words]
                inline = ""
            each = match[0]
            given.add(each.name)
            try:
                self._take(each, values, words, inline)
            except (ValueError, TypeError) as error:
                self.error(f"argument {'/'.join(each.flags)}: {error}")
        if args is not None:
            missing = [each for each in self.arguments if each.required and each.name not in given]
            if missing:
                listed = ", ".join(["/".join(each.flags) for each in missing])
                self.error(f"the following arguments are required: {listed}")
        made = namespace if namespace is not None else Namespace()
        for name, value in values.items():
            setattr(made, name, value)
        return made, rest

    def _short(self, word, words):
        """-vq is -v and -q, -n5 is -n and 5: the first of them, and what is left to read."""
        known = {flag: each for each in self.arguments for flag in each.flags}
        if word.partition("=")[0] in known or word[:2] not in known:
            return word, words
        alone = known[word[:2]].action in ("store_true", "store_false", "store_const", "count")
        return word[:2], ["-" + word[2:] if alone else word[2:], *words]

    def _take(self, each, values, words, inline):
        if each.action in ("store_true", "store_false"):
            values[each.name] = each.action == "store_true"
        elif each.action is BooleanOptionalAction:
            values[each.name] = True
        elif each.action == "store_const":
            values[each.name] = each.const
        elif each.action == "count":
            values[each.name] = (values.get(each.name) or 0) + 1
        else:
            taken = [inline] if inline else []
            most = {None: 1, "?": 1}.get(each.nargs, each.nargs if isinstance(each.nargs, int) else 10**6)
            while words and len(taken) < most and not (words[0].startswith("-") and not _is_number(words[0])):
                taken.append(words.pop(0))
            items = [each.converted(text) for text in taken]
            if each.nargs is None:
                if not items:
                    raise ValueError("expected one argument")
                value = items[0]
            elif each.nargs == "?":
                value = items[0] if items else each.const
            else:
                if not items and each.nargs == "+":
                    raise ValueError("expected at least one argument")
                value = items
            if each.action == "append":
                value = [*(values.get(each.name) or []), value]
            values[each.name] = value


def _is_number(word):
    try:
        float(word)
        return True
    except ValueError:
        return False


def FileType(*args, **keywords):
    return str
