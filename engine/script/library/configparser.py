# type: ignore
"""configparser: settings in sections, read from a text or from a file of the run."""


class Error(Exception):
    pass


class NoSectionError(Error):
    def __init__(self, section):
        super().__init__(f"No section: {section!r}")
        self.section = section


class NoOptionError(Error):
    def __init__(self, option, section):
        super().__init__(f"No option {option!r} in section: {section!r}")
        self.option, self.section = option, section


class DuplicateSectionError(Error):
    def __init__(self, section):
        super().__init__(f"Section {section!r} already exists")
        self.section = section


class MissingSectionHeaderError(Error):
    pass


_MISSING = object()
_TRUTHS = {"1": True, "yes": True, "true": True, "on": True, "0": False, "no": False, "false": False, "off": False}
_DEEPEST = 10


class SectionProxy:
    """One section, as a dict of texts."""

    def __init__(self, parser, name):
        self.parser, self.name = parser, name

    def __getitem__(self, key):
        if not self.parser.has_option(self.name, key):
            raise KeyError(key)
        return self.parser.get(self.name, key)

    def __setitem__(self, key, value):
        self.parser.set(self.name, key, value)

    def __delitem__(self, key):
        if not self.parser.remove_option(self.name, key):
            raise KeyError(key)

    def __contains__(self, key):
        return self.parser.has_option(self.name, key)

    def __iter__(self):
        return iter(self.parser._all(self.name))

    def __len__(self):
        return len(self.parser._all(self.name))

    def __repr__(self):
        return f"<Section: {self.name}>"

    def keys(self):
        return list(self)

    def values(self):
        return [self[key] for key in self]

    def items(self):
        return [(key, self[key]) for key in self]

    def get(self, option, fallback=None):
        return self.parser.get(self.name, option, fallback=fallback)

    def getint(self, option, fallback=None):
        return self.parser.getint(self.name, option, fallback=fallback)

    def getfloat(self, option, fallback=None):
        return self.parser.getfloat(self.name, option, fallback=fallback)

    def getboolean(self, option, fallback=None):
        return self.parser.getboolean(self.name, option, fallback=fallback)


class RawConfigParser:
    _fills = False

    def __init__(self, defaults=None, *, allow_no_value=False, default_section="DEFAULT", **options):
        self._default, self._sections = default_section, {}
        self._defaults = {self.optionxform(key): str(value) for key, value in (defaults or {}).items()}
        self._bare = allow_no_value

    def optionxform(self, option):
        return option.lower()

    def defaults(self):
        return self._defaults

    def sections(self):
        return list(self._sections)

    def _of(self, section):
        if section == self._default:
            return self._defaults
        if section not in self._sections:
            raise NoSectionError(section)
        return self._sections[section]

    def _all(self, section):
        own = self._of(section)
        return {**own, **{key: value for key, value in self._defaults.items() if key not in own}}

    def __getitem__(self, section):
        if section != self._default and section not in self._sections:
            raise KeyError(section)
        return SectionProxy(self, section)

    def __setitem__(self, section, values):
        made = {self.optionxform(key): value if value is None else str(value) for key, value in dict(values).items()}
        if section == self._default:
            self._defaults = made
        else:
            self._sections[section] = made

    def __delitem__(self, section):
        if not self.remove_section(section):
            raise KeyError(section)

    def __contains__(self, section):
        return section == self._default or section in self._sections

    def __iter__(self):
        return iter([self._default, *self._sections])

    def __len__(self):
        return len(self._sections) + 1

    def has_section(self, section):
        return section in self._sections

    def add_section(self, section):
        if section in self._sections:
            raise DuplicateSectionError(section)
        self._sections[section] = {}

    def remove_section(self, section):
        return self._sections.pop(section, None) is not None

    def options(self, section):
        return list(self._all(section))

    def has_option(self, section, option):
        return section in self and self.optionxform(option) in self._all(section)

    def remove_option(self, section, option):
        return self._of(section).pop(self.optionxform(option), _MISSING) is not _MISSING

    def set(self, section, option, value=None):
        if value is not None and not isinstance(value, str):
            raise TypeError("option values must be strings")
        self._of(section)[self.optionxform(option)] = value

    def get(self, section, option, *, raw=False, vars=None, fallback=_MISSING):
        try:
            known = {**self._all(section), **(vars or {})}
        except NoSectionError:
            if fallback is _MISSING:
                raise
            return fallback
        key = self.optionxform(option)
        if key in known:
            value = known[key]
            return value if raw or not self._fills or value is None else self._filled(value, known, 0)
        if fallback is _MISSING:
            raise NoOptionError(option, section)
        return fallback

    def _filled(self, value, known, depth):
        if "%" not in value:
            return value
        if depth > _DEEPEST:
            raise Error("Value interpolation is nested too deeply")
        first, *rest = value.replace("%%", "\0").split("%(")
        for each in rest:
            name, end, after = each.partition(")s")
            if not end or self.optionxform(name) not in known:
                raise Error(f"Bad value substitution: {value!r}")
            first += self._filled(known[self.optionxform(name)], known, depth + 1) + after
        return first.replace("\0", "%")

    def _as(self, kind, section, option, fallback, options):
        value = self.get(section, option, fallback=fallback, **options)
        return value if value is fallback and fallback is not _MISSING else kind(value)

    def getint(self, section, option, *, fallback=_MISSING, **options):
        return self._as(int, section, option, fallback, options)

    def getfloat(self, section, option, *, fallback=_MISSING, **options):
        return self._as(float, section, option, fallback, options)

    def getboolean(self, section, option, *, fallback=_MISSING, **options):
        return self._as(_truth, section, option, fallback, options)

    def items(self, section=_MISSING, raw=False, vars=None):
        if section is _MISSING:
            return [(name, self[name]) for name in self]
        self._of(section)
        return [(key, self.get(section, key, raw=raw)) for key in {**self._defaults, **self._all(section)}]

    def read_string(self, string, source="<string>"):
        here = last = None
        for number, line in enumerate(string.split("\n"), 1):
            bare = line.strip()
            if not bare or bare[0] in "#;":
                continue
            if line[:1].isspace() and last is not None and here[last] is not None:
                here[last] += "\n" + bare
            elif bare.startswith("[") and "]" in bare:
                name = bare[1 : bare.rindex("]")]
                here = self._defaults if name == self._default else self._sections.setdefault(name, {})
                last = None
            elif here is None:
                raise MissingSectionHeaderError(
                    f"File contains no section headers.\nfile: {source!r}, line: {number}\n{line!r}"
                )
            else:
                ends = [place for place in (bare.find("="), bare.find(":")) if place >= 0]
                if not ends and not self._bare:
                    raise Error(f"Source contains parsing errors: {source!r}\n\t[line {number:2d}]: {line!r}")
                end = min(ends, default=len(bare))
                last = self.optionxform(bare[:end].rstrip())
                here[last] = bare[end + 1 :].strip() if ends else None

    def read_file(self, f, source=None):
        self.read_string("".join([line for line in f]))

    def read_dict(self, dictionary, source="<dict>"):
        for name, values in dictionary.items():
            self[name] = values

    def read(self, filenames, encoding=None):
        found = []
        for name in [filenames] if isinstance(filenames, str) or hasattr(filenames, "parts") else filenames:
            try:
                with open(name) as file:
                    self.read_string(file.read())
            except OSError:
                continue
            found.append(name)
        return found

    def write(self, fp, space_around_delimiters=True):
        between = " = " if space_around_delimiters else "="
        every = [(self._default, self._defaults)] if self._defaults else []
        for name, values in [*every, *self._sections.items()]:
            fp.write(f"[{name}]\n")
            for key, value in values.items():
                told = "" if value is None else between + value.replace("\n", "\n\t")
                fp.write(f"{key}{told}\n")
            fp.write("\n")


def _truth(value):
    if value.lower() not in _TRUTHS:
        raise ValueError(f"Not a boolean: {value}")
    return _TRUTHS[value.lower()]


class ConfigParser(RawConfigParser):
    _fills = True


SafeConfigParser = ConfigParser
