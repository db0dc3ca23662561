# type: ignore
"""urllib.parse: addresses in parts, and texts as they stand in addresses."""

from collections import namedtuple

_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-~")


class _Located:
    """What is told of `user:password@host:port`."""

    @property
    def _place(self):
        return self.netloc.rpartition("@")[2]

    @property
    def hostname(self):
        host, _, port = self._place.rpartition(":")
        return (host if host and port.isdigit() else self._place).lower() or None

    @property
    def port(self):
        host, _, port = self._place.rpartition(":")
        return int(port) if host and port.isdigit() else None

    @property
    def username(self):
        user = self.netloc.rpartition("@")[0]
        return user.partition(":")[0] if user else None

    @property
    def password(self):
        user = self.netloc.rpartition("@")[0]
        return user.partition(":")[2] if ":" in user else None

    def geturl(self):
        return urlunparse(self)


class SplitResult(namedtuple("SplitResult", "scheme netloc path query fragment"), _Located):
    def geturl(self):
        return urlunsplit(self)


class ParseResult(namedtuple("ParseResult", "scheme netloc path params query fragment"), _Located):
    pass


def urlsplit(url, scheme="", allow_fragments=True):
    url = url.strip()
    head, colon, rest = url.partition(":")
    if colon and head[:1].isalpha() and all([each.isalnum() or each in "+-." for each in head]):
        scheme, url = head.lower(), rest
    netloc = query = fragment = ""
    if url.startswith("//"):
        ends = [place for place in (url.find(each, 2) for each in "/?#") if place >= 0]
        end = min(ends, default=len(url))
        netloc, url = url[2:end], url[end:]
    if allow_fragments:
        url, _, fragment = url.partition("#")
    url, _, query = url.partition("?")
    return SplitResult(scheme, netloc, url, query, fragment)


def urlparse(url, scheme="", allow_fragments=True):
    scheme, netloc, path, query, fragment = urlsplit(url, scheme, allow_fragments)
    start, slash, last = path.rpartition("/")
    last, _, params = last.partition(";")
    return ParseResult(scheme, netloc, start + slash + last, params, query, fragment)


def urlunsplit(parts):
    scheme, netloc, path, query, fragment = parts
    url = path
    if netloc:
        url = "//" + netloc + ("/" if url and not url.startswith("/") else "") + url
    if scheme:
        url = scheme + ":" + url
    return url + ("?" + query if query else "") + ("#" + fragment if fragment else "")


def urlunparse(parts):
    scheme, netloc, path, params, query, fragment = parts
    return urlunsplit((scheme, netloc, path + (";" + params if params else ""), query, fragment))


def urljoin(base, url, allow_fragments=True):
    if not base or not url:
        return url or base
    above, given = urlsplit(base), urlsplit(url)
    if given.scheme and given.scheme != above.scheme:
        return url
    if given.netloc:
        return urlunsplit((above.scheme, *given[1:]))
    if not given.path:
        query = given.query or above.query
        return urlunsplit((above.scheme, above.netloc, above.path, query, given.fragment))
    path = given.path if given.path.startswith("/") else above.path.rpartition("/")[0] + "/" + given.path
    kept = []
    for part in path.split("/")[1:]:
        if part == "..":
            kept = kept[:-1]
        elif part != ".":
            kept.append(part)
    if path.endswith(("/..", "/.")):
        kept.append("")
    return urlunsplit((above.scheme, above.netloc, "/" + "/".join(kept), given.query, given.fragment))


def quote(string, safe="/", encoding="utf-8", errors="strict"):
    data = string if isinstance(string, bytes) else str(string).encode(encoding, errors)
    plain = _PLAIN | set(safe)
    return "".join([chr(each) if chr(each) in plain else f"%{each:02X}" for each in data])


def quote_plus(string, safe="", encoding="utf-8", errors="strict"):
    return quote(string, safe + " ", encoding, errors).replace(" ", "+")


def unquote(string, encoding="utf-8", errors="replace"):
    if "%" not in string:
        return string
    first, *rest = string.split("%")
    data = [first.encode(encoding)]
    for each in rest:
        pair = each[:2]
        if len(pair) == 2 and all([digit in "0123456789abcdefABCDEF" for digit in pair]):
            data += [bytes([int(pair, 16)]), each[2:].encode(encoding)]
        else:
            data.append(("%" + each).encode(encoding))
    return b"".join(data).decode(encoding, errors)


def unquote_plus(string, encoding="utf-8", errors="replace"):
    return unquote(string.replace("+", " "), encoding, errors)


def urlencode(query, doseq=False, safe="", encoding="utf-8", errors="strict", quote_via=quote_plus):
    pairs = []
    for key, value in query.items() if hasattr(query, "items") else query:
        many = value if doseq and isinstance(value, (list, tuple)) else [value]
        pairs += [quote_via(key, safe) + "=" + quote_via(each, safe) for each in many]
    return "&".join(pairs)


def parse_qsl(qs, keep_blank_values=False, separator="&"):
    found = []
    for each in qs.split(separator):
        name, _, value = each.partition("=")
        if each and (value or keep_blank_values):
            found.append((unquote_plus(name), unquote_plus(value)))
    return found


def parse_qs(qs, keep_blank_values=False, separator="&"):
    found = {}
    for name, value in parse_qsl(qs, keep_blank_values, separator):
        found.setdefault(name, []).append(value)
    return found
