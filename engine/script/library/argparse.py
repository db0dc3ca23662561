# type: ignore
"""argparse: a script has no command line here, so every argument has its default."""

import sys

from _usage import (
    FLAGS_ALONE,
    SUPPRESS,
    ArgumentDefaultsHelpFormatter,
    HelpFormatter,
    MetavarTypeHelpFormatter,
    RawDescriptionHelpFormatter,
    RawTextHelpFormatter,
)

OPTIONAL, ZERO_OR_MORE, ONE_OR_MORE, REMAINDER = "?", "*", "+", "..."


class ArgumentTypeError(Exception):
    pass


class ArgumentError(Exception):
    pass


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


class _Argument(Action):
    def __init__(self, flags, options):
        self.option_strings = [flag for flag in flags if flag.startswith("-")]
        self.positional = not self.option_strings
        self.action = options.get("action", "store")
        self.type = options.get("type")
        self.nargs = options.get("nargs")
        self.choices = options.get("choices")
        self.const = options.get("const")
        self.metavar, self.help = options.get("metavar"), options.get("help")
        self.required = options.get("required", self.positional and self.nargs not in ("?", "*"))
        default = options.get("default")
        if default is None and self.action in ("store_true", "store_false"):
            default = self.action == "store_false"
        self.negatable = self.action is BooleanOptionalAction
        if self.negatable:
            self.option_strings += [f"--no-{flag[2:]}" for flag in flags if flag.startswith("--")]
        if self.action in ("help", "version"):
            default = SUPPRESS
            self.help = self.help or "show program's version number and exit"
        self.default = default
        self.alone = self.negatable or self.action in FLAGS_ALONE
        self.below, self.excludes = [], None
        name = options.get("dest")
        if name is None:
            long = [flag for flag in flags if flag.startswith("--")]
            name = (long[0] if long else flags[0]).lstrip("-").replace("-", "_")
        self.dest = name

    def called(self):
        """Its name in errors."""
        return "/".join(self.option_strings) or (self.metavar if isinstance(self.metavar, str) else self.dest)

    def converted(self, text):
        try:
            value = text if self.type is None else self.type(text)
        except (TypeError, ValueError):
            kind = getattr(self.type, "__name__", repr(self.type))
            raise ValueError(f"invalid {kind} value: {text!r}") from None
        if self.choices is not None and value not in self.choices:
            listed = ", ".join([repr(each) for each in self.choices])
            raise ValueError(f"invalid choice: {value!r} (choose from {listed})")
        return value


class _Commands(_Argument):
    """What add_subparsers() gives: parsers by the word that stands before their arguments."""

    def __init__(self, kind, prog, options):
        super().__init__([], {**options, "nargs": "A...", "dest": options.get("dest") or SUPPRESS})
        self.kind, self.prog, self.choices = kind, prog, {}
        self.required = options.get("required", False)

    def add_parser(self, name, *, aliases=(), **options):
        listed = "help" in options
        help = options.pop("help", None)
        options.setdefault("prog", f"{self.prog} {name}")
        made = self.kind(**options)
        if listed:
            told = name + (f" ({', '.join(aliases)})" if aliases else "")
            self.below.append(_Argument([told], {"dest": name, "metavar": told, "help": help}))
        for each in (name, *aliases):
            self.choices[each] = made
        return made

    def values(self, word, words, parser):
        if word not in self.choices:
            listed = ", ".join([repr(each) for each in self.choices])
            parser.error(f"argument {self.dest}: invalid choice: {word!r} (choose from {listed})")
        found = vars(self.choices[word].parse_args(words))
        return found if self.dest == SUPPRESS else {self.dest: word, **found}


class _Group:
    """Arguments that help lists under a title of their own."""

    def __init__(self, parser, title=None, description=None):
        self.parser, self.title, self.description, self.own = parser, title, description, []

    def add_argument(self, *flags, **options):
        return self.parser._added(flags, options, self)

    def add_argument_group(self, *args, **keywords):
        return self.parser.add_argument_group(*args, **keywords)

    def add_mutually_exclusive_group(self, *, required=False):
        return _Either(self.parser, required, self)

    def set_defaults(self, **values):
        self.parser.set_defaults(**values)


class _Either(_Group):
    """Arguments of which a command line has one at most."""

    def __init__(self, parser, required, inside=None):
        super().__init__(parser)
        self.required, self.inside = required, inside

    def add_argument(self, *flags, **options):
        made = self.parser._added(flags, options, self.inside)
        made.excludes = self
        self.own.append(made)
        return made


class ArgumentParser:
    def __init__(
        self,
        prog=None,
        usage=None,
        description=None,
        epilog=None,
        parents=(),
        formatter_class=HelpFormatter,
        prefix_chars="-",
        fromfile_prefix_chars=None,
        argument_default=None,
        conflict_handler="error",
        add_help=True,
        allow_abbrev=True,
        exit_on_error=True,
    ):
        self.prog = sys.argv[0].rpartition("/")[2] if prog is None else prog
        self.usage, self.description, self.epilog, self.formatter_class = usage, description, epilog, formatter_class
        self.argument_default, self.conflict_handler = argument_default, conflict_handler
        self.arguments, self.fixed, self.commands = [], {}, None
        self.positionals, self.optionals = _Group(self, "positional arguments"), _Group(self, "options")
        self.groups, self.shown = [self.positionals, self.optionals], []
        if add_help:
            flags = {"action": "help", "help": "show this help message and exit"}
            self._list(_Argument(["-h", "--help"], flags), self.optionals)
        for parent in parents:
            self.arguments += parent.arguments
            self.fixed.update(parent.fixed)
            for group in parent.groups:
                place = [each for each in self.groups if each.title == group.title and group.title is not None]
                if not place:
                    place = [self.add_argument_group(group.title, group.description)]
                for each in group.own:
                    if each.action != "help":
                        self._list(each, place[0])

    def add_argument(self, *flags, **options):
        return self._added(flags, options, None)

    def _added(self, flags, options, group):
        if self.argument_default is not None:
            options.setdefault("default", self.argument_default)
        made = _Argument(flags, options)
        for each in list(self.arguments):
            clash = [flag for flag in made.option_strings if flag in each.option_strings]
            if clash and self.conflict_handler == "resolve":
                each.option_strings = [flag for flag in each.option_strings if flag not in clash]
            elif clash:
                raise ArgumentError(f"argument {'/'.join(flags)}: conflicting option string: {', '.join(clash)}")
        self.arguments.append(made)
        self._list(made, group or (self.positionals if made.positional else self.optionals))
        return made

    def _list(self, argument, group):
        self.shown.append(argument)
        group.own.append(argument)

    def add_subparsers(self, *, title=None, description=None, prog=None, parser_class=None, **options):
        group = self.positionals
        if title is not None or description is not None:
            group = self.add_argument_group(title or "subcommands", description)
        if prog is None:
            formatter = self._formatter()
            before = [each for each in self.shown if each.positional]
            prog = " ".join([self.prog, *formatter.pieces(before, self)])
        self.commands = _Commands(parser_class or type(self), prog, options)
        self._list(self.commands, group)
        return self.commands

    def add_argument_group(self, title=None, description=None, **keywords):
        made = _Group(self, title, description)
        self.groups.append(made)
        return made

    def add_mutually_exclusive_group(self, *, required=False):
        return _Either(self, required)

    def set_defaults(self, **values):
        self.fixed.update(values)

    def get_default(self, name):
        for each in self.arguments:
            if each.dest == name:
                return self.fixed.get(name, each.default)
        return self.fixed.get(name)

    def _formatter(self):
        return self.formatter_class(prog=self.prog)

    def format_usage(self):
        return self._formatter().usage(self).strip("\n") + "\n"

    def format_help(self):
        return self._formatter().help(self)

    def print_usage(self, file=None):
        print(self.format_usage(), end="", file=file or sys.stdout)

    def print_help(self, file=None):
        print(self.format_help(), end="", file=file or sys.stdout)

    def error(self, message):
        self.print_usage(sys.stderr)
        self.exit(2, f"{self.prog}: error: {message}\n")

    def exit(self, status=0, message=None):
        if message:
            print(message, end="", file=sys.stderr)
        raise SystemExit(status)

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
            default = self.fixed.get(each.dest, each.default)
            if isinstance(default, str) and each.type is not None:
                default = each.converted(default) if each.choices is None else each.type(default)
            if each.dest not in values or values[each.dest] is None:
                values[each.dest] = default
        for name, value in self.fixed.items():
            values.setdefault(name, value)
        if self.commands is not None and self.commands.dest != SUPPRESS:
            values.setdefault(self.commands.dest, None)
        rest, given = [], set()
        waiting = [each for each in self.arguments if each.positional]
        while words:
            word = words.pop(0)
            if word[:1] == "-" and word[1:2] not in ("", "-") and not _is_number(word):
                word, words = self._short(word, words)
            if word in ("-h", "--help") and any([each.action == "help" for each in self.shown]):
                self.print_help()
                self.exit()
            flag, _, inline = word.partition("=")
            match = [each for each in self.arguments if flag in each.option_strings and not each.positional]
            negated = [
                each
                for each in self.arguments
                if each.action is BooleanOptionalAction
                and flag.startswith("--no-")
                and "--" + flag[5:] in each.option_strings
            ]
            if negated:
                values[negated[0].dest] = False
                continue
            if not match and self.commands is not None and not word.startswith("-") and not waiting:
                given.add(self.commands.dest)
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
            given.add(each.dest)
            try:
                self._take(each, values, words, inline)
            except (ValueError, TypeError, ArgumentTypeError) as error:
                self.error(f"argument {each.called()}: {error}")
        if args is not None:
            missing = [each for each in self.shown if each.required and each.dest not in given]
            if missing:
                self.error(f"the following arguments are required: {', '.join([each.called() for each in missing])}")
            for group in [each.excludes for each in self.arguments if each.excludes is not None]:
                one_of = [each for each in group.own if each.dest in given]
                if len(one_of) > 1:
                    self.error(f"argument {one_of[1].called()}: not allowed with argument {one_of[0].called()}")
                if group.required and not one_of:
                    listed = " ".join([each.called() for each in group.own if each.help != SUPPRESS])
                    self.error(f"one of the arguments {listed} is required")
        made = namespace if namespace is not None else Namespace()
        for name, value in values.items():
            setattr(made, name, value)
        return made, rest

    def _short(self, word, words):
        """-vq is -v and -q, -n5 is -n and 5: the first of them, and what is left to read."""
        known = {flag: each for each in self.arguments for flag in each.option_strings}
        if word.partition("=")[0] in known or word[:2] not in known:
            return word, words
        alone = known[word[:2]].action in ("store_true", "store_false", "store_const", "count")
        return word[:2], ["-" + word[2:] if alone else word[2:], *words]

    def _take(self, each, values, words, inline):
        if each.action in ("store_true", "store_false"):
            values[each.dest] = each.action == "store_true"
        elif each.action is BooleanOptionalAction:
            values[each.dest] = True
        elif each.action == "store_const":
            values[each.dest] = each.const
        elif each.action == "count":
            values[each.dest] = (values.get(each.dest) or 0) + 1
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
                value = [*(values.get(each.dest) or []), value]
            values[each.dest] = value


def _is_number(word):
    try:
        float(word)
        return True
    except ValueError:
        return False


def FileType(*args, **keywords):
    return str
