# type: ignore
"""optparse: a script has no command line here, so every option has its default, unless a list of words is given."""

import sys

SUPPRESS_HELP, SUPPRESS_USAGE = "SUPPRESSHELP", "SUPPRESSUSAGE"
NO_DEFAULT = ("NO", "DEFAULT")


class OptParseError(Exception):
    pass


class OptionError(OptParseError):
    pass


class OptionValueError(OptParseError):
    pass


class BadOptionError(OptParseError):
    pass


class Values:
    def __init__(self, defaults=None):
        for name, value in (defaults or {}).items():
            setattr(self, name, value)

    def __repr__(self):
        return f"<Values: {vars(self)}>"

    def __str__(self):
        return str(vars(self))

    def __eq__(self, other):
        return vars(self) == (vars(other) if isinstance(other, Values) else other)

    def ensure_value(self, name, value):
        if getattr(self, name, None) is None:
            setattr(self, name, value)
        return getattr(self, name)


_CALLED = {"int": "integer", "long": "integer", "float": "floating-point", "complex": "complex"}


class Option:
    def __init__(self, *flags, **options):
        if not flags:
            raise TypeError("at least one option string must be supplied")
        self.flags = flags
        self._long_opts = [each for each in flags if each.startswith("--")]
        self._short_opts = [each for each in flags if not each.startswith("--")]
        self.action = options.get("action", "store")
        kind = options.get("type")
        self.type = kind.__name__ if isinstance(kind, type) else kind
        self.choices = options.get("choices")
        if self.type is None and self.action in ("store", "append"):
            self.type = "choice" if self.choices else "string"
        self.type = {"str": "string"}.get(self.type, self.type)
        self.default = options.get("default", NO_DEFAULT)
        self.nargs, self.const, self.help = options.get("nargs", 1), options.get("const"), options.get("help")
        self.metavar, self.callback = options.get("metavar"), options.get("callback")
        named = (self._long_opts or self._short_opts)[0].lstrip("-").replace("-", "_")
        self.dest = options.get("dest") or named

    @property
    def takes_value(self):
        return self.action in ("store", "append") or (self.action == "callback" and self.type is not None)

    def converted(self, flag, text):
        if self.type == "choice":
            if text not in self.choices:
                shown = ", ".join([repr(each) for each in self.choices])
                raise OptionValueError(f"option {flag}: invalid choice: {text!r} (choose from {shown})")
            return text
        kind = {"int": int, "long": int, "float": float, "complex": complex}.get(self.type)
        if kind is None:
            return text
        try:
            return int(text, 0) if kind is int else kind(text)
        except ValueError:
            raise OptionValueError(f"option {flag}: invalid {_CALLED[self.type]} value: {text!r}") from None

    def done(self, flag, value, values, parser):
        action = self.action
        if action == "store":
            setattr(values, self.dest, value)
        elif action in ("store_true", "store_false"):
            setattr(values, self.dest, action == "store_true")
        elif action == "store_const":
            setattr(values, self.dest, self.const)
        elif action in ("append", "append_const"):
            values.ensure_value(self.dest, []).append(value if action == "append" else self.const)
        elif action == "count":
            setattr(values, self.dest, values.ensure_value(self.dest, 0) + 1)
        elif action == "callback":
            self.callback(self, flag, value, parser)
        elif action == "help":
            parser.print_help()
            parser.exit()
        elif action == "version":
            print(parser.version)
            parser.exit()


make_option = Option


class _Holder:
    def _begin(self):
        self.option_list = []

    def add_option(self, *flags, **options):
        made = flags[0] if flags and isinstance(flags[0], Option) else Option(*flags, **options)
        self.option_list.append(made)
        return made

    def add_options(self, options):
        for each in options:
            self.add_option(each)


class OptionGroup(_Holder):
    def __init__(self, parser, title, description=None):
        self._begin()
        self.parser, self.title, self.description = parser, title, description


class OptionParser(_Holder):
    def __init__(
        self, usage=None, option_list=None, option_class=Option, version=None, conflict_handler="error",
        description=None, formatter=None, add_help_option=True, prog=None, epilog=None,
    ):  # fmt: skip
        self._begin()
        self.usage, self.version, self.description, self.epilog = usage, version, description, epilog
        self.prog, self.option_groups, self.defaults, self.values = prog or "script.py", [], {}, None
        if version:
            self.add_option("--version", action="version", help="show program's version number and exit")
        if add_help_option:
            self.add_option("-h", "--help", action="help", help="show this help message and exit")
        self.add_options(option_list or ())

    def add_option_group(self, group, description=None):
        made = group if isinstance(group, OptionGroup) else OptionGroup(self, group, description)
        self.option_groups.append(made)
        return made

    def _all(self):
        return [*self.option_list, *[each for group in self.option_groups for each in group.option_list]]

    def get_option(self, flag):
        for each in self._all():
            if flag in each.flags:
                return each
        return None

    def has_option(self, flag):
        return self.get_option(flag) is not None

    def set_defaults(self, **values):
        self.defaults.update(values)

    def set_usage(self, usage):
        self.usage = usage

    def get_default_values(self):
        found = {}
        for each in self._all():
            if each.action in ("help", "version"):
                continue
            if each.default is not NO_DEFAULT:
                found[each.dest] = each.default
            else:
                found.setdefault(each.dest, None)
        for name, value in {**found, **self.defaults}.items():
            option = next((each for each in self._all() if each.dest == name), None)
            convert = option is not None and isinstance(value, str) and option.takes_value
            found[name] = option.converted(option.flags[0], value) if convert else value
        return Values(found)

    def parse_args(self, args=None, values=None):
        rest = [*(sys.argv[1:] if args is None else args)]
        self.values = values = self.get_default_values() if values is None else values
        left = []
        try:
            while rest:
                word = rest.pop(0)
                if word == "--":
                    left += rest
                    break
                if word.startswith("--"):
                    self._long(word, rest, values)
                elif word.startswith("-") and len(word) > 1:
                    self._short(word, rest, values)
                else:
                    left.append(word)
        except (BadOptionError, OptionValueError) as error:
            self.error(str(error))
        return values, left

    def _long(self, word, rest, values):
        flag, equal, value = word.partition("=")
        names = [each for option in self._all() for each in option._long_opts if each.startswith(flag)]
        if flag not in names:
            if len(names) > 1:
                raise BadOptionError(f"ambiguous option: {flag} ({', '.join(sorted(names))}?)")
            if not names:
                raise BadOptionError(f"no such option: {flag}")
            flag = names[0]
        option = self.get_option(flag)
        if not option.takes_value:
            if equal:
                raise BadOptionError(f"{flag} option does not take a value")
            option.done(flag, None, values, self)
            return
        self._take(option, flag, [value] if equal else [], rest, values)

    def _short(self, word, rest, values):
        for at, letter in enumerate(word[1:], 1):
            flag = f"-{letter}"
            option = self.get_option(flag)
            if option is None:
                raise BadOptionError(f"no such option: {flag}")
            if option.takes_value:
                self._take(option, flag, [word[at + 1 :]] if word[at + 1 :] else [], rest, values)
                return
            option.done(flag, None, values, self)

    def _take(self, option, flag, given, rest, values):
        while len(given) < option.nargs:
            if not rest:
                many = option.nargs > 1
                raise BadOptionError(f"{flag} option requires {option.nargs} argument{'s' * many}")
            given.append(rest.pop(0))
        found = tuple([option.converted(flag, each) for each in given])
        option.done(flag, found if option.nargs > 1 else found[0], values, self)

    def get_prog_name(self):
        return self.prog

    def get_usage(self):
        if self.usage == SUPPRESS_USAGE:
            return ""
        usage = (self.usage or "%prog [options]").removeprefix("usage: ").replace("%prog", self.prog)
        return f"Usage: {usage}\n"

    def print_usage(self, file=None):
        print(self.get_usage(), file=file)

    def error(self, message):
        sys.stderr.write(f"{self.get_usage()}\n{self.prog}: error: {message}\n")
        raise SystemExit(2)

    def exit(self, status=0, message=None):
        if message:
            sys.stderr.write(message)
        raise SystemExit(status)

    def format_help(self, formatter=None):
        raise NotImplementedError("optparse prints no help here: the options stand in the script")

    def print_help(self, file=None):
        self.format_help()
