# type: ignore
"""codecs: texts as bytes, by the methods that texts and bytes have."""

_open = open
BOM_UTF8 = b"\xef\xbb\xbf"
_TURNED = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", "nopqrstuvwxyzabcdefghijklmNOPQRSTUVWXYZABCDEFGHIJKLM"
)
_ROT13 = ("rot13", "rot_13", "rot-13")


def encode(obj, encoding="utf-8", errors="strict"):
    if encoding in _ROT13:
        return obj.translate(_TURNED)
    return obj.hex().encode() if encoding in ("hex", "hex_codec") else obj.encode(encoding, errors)


def decode(obj, encoding="utf-8", errors="strict"):
    if encoding in _ROT13:
        return obj.translate(_TURNED)
    return bytes.fromhex(obj.decode()) if encoding in ("hex", "hex_codec") else obj.decode(encoding, errors)


def open(filename, mode="r", encoding=None, errors="strict", buffering=-1):
    return _open(filename, mode, encoding=encoding, errors=errors)
