# type: ignore
"""yaml: texts of YAML 1.1 read and written, without the tags that make objects of classes. Rules: yaml.org/spec/1.1."""

from yaml._blocks import documents
from yaml._errors import ComposerError, ConstructorError, MarkedYAMLError, ParserError, ScannerError, YAMLError
from yaml._write import RepresenterError, written


class _Class:
    def __init__(self, stream=None):
        self.stream = stream


class SafeLoader(_Class):
    pass


class BaseLoader(SafeLoader):
    pass


class FullLoader(SafeLoader):
    pass


class UnsafeLoader(FullLoader):
    pass


class Loader(UnsafeLoader):
    pass


class SafeDumper(_Class):
    pass


class Dumper(SafeDumper):
    pass


CLoader, CSafeLoader, CDumper, CSafeDumper = Loader, SafeLoader, Dumper, SafeDumper


def _text(stream):
    given = stream.read() if hasattr(stream, "read") else stream
    return given.decode("utf-8") if isinstance(given, bytes) else given


def load(stream, Loader):
    found = documents(_text(stream))
    if len(found) > 1:
        raise ComposerError("expected a single document in the stream, but found another document")
    return found[0] if found else None


def load_all(stream, Loader):
    return iter(documents(_text(stream)))


def safe_load(stream):
    return load(stream, SafeLoader)


def safe_load_all(stream):
    return load_all(stream, SafeLoader)


def full_load(stream):
    return load(stream, FullLoader)


def unsafe_load(stream):
    return load(stream, UnsafeLoader)


def dump_all(
    documents,
    stream=None,
    Dumper=Dumper,
    default_style=None,
    default_flow_style=False,
    canonical=None,
    indent=None,
    width=None,
    allow_unicode=None,
    line_break=None,
    encoding=None,
    explicit_start=None,
    explicit_end=None,
    version=None,
    tags=None,
    sort_keys=True,
):
    texts = []
    for i, each in enumerate(documents):
        safe = Dumper in (SafeDumper, CSafeDumper)
        text = written(each, default_flow_style, indent or 2, width or 80, bool(allow_unicode), sort_keys, safe)
        texts.append(("---\n" if explicit_start or i else "") + text)
    text = "".join(texts)
    if stream is None:
        return text if encoding is None else text.encode(encoding)
    stream.write(text)
    return None


def dump(data, stream=None, Dumper=Dumper, **options):
    return dump_all([data], stream, Dumper=Dumper, **options)


def safe_dump(data, stream=None, **options):
    return dump_all([data], stream, Dumper=SafeDumper, **options)


def safe_dump_all(documents, stream=None, **options):
    return dump_all(documents, stream, Dumper=SafeDumper, **options)


def add_representer(data_type, representer, Dumper=Dumper):
    raise NotImplementedError("yaml writes plain values here: give dump() dicts, lists, texts and numbers")


def add_constructor(tag, constructor, Loader=None):
    raise NotImplementedError("yaml reads plain values here: tags that make objects do not exist")
