# type: ignore
"""PIL.Image: pictures of the modes 1, L, LA, RGB, RGBA, I and F."""

import pickle
import warnings
from enum import IntEnum

import numpy as np
from PIL import UnidentifiedImageError
from PIL._resized import resized
from PIL._turned import affine, rotation


class Resampling(IntEnum):
    NEAREST = 0
    BOX = 4
    BILINEAR = 2
    HAMMING = 5
    BICUBIC = 3
    LANCZOS = 1


class Transpose(IntEnum):
    FLIP_LEFT_RIGHT = 0
    FLIP_TOP_BOTTOM = 1
    ROTATE_90 = 2
    ROTATE_180 = 3
    ROTATE_270 = 4
    TRANSPOSE = 5
    TRANSVERSE = 6


class Transform(IntEnum):
    AFFINE = 0
    EXTENT = 1
    PERSPECTIVE = 2
    QUAD = 3
    MESH = 4


class Dither(IntEnum):
    NONE = 0
    FLOYDSTEINBERG = 3


NEAREST, BOX, BILINEAR = Resampling.NEAREST, Resampling.BOX, Resampling.BILINEAR
HAMMING, BICUBIC, LANCZOS = Resampling.HAMMING, Resampling.BICUBIC, Resampling.LANCZOS
FLIP_LEFT_RIGHT, FLIP_TOP_BOTTOM = Transpose.FLIP_LEFT_RIGHT, Transpose.FLIP_TOP_BOTTOM
AFFINE = Transform.AFFINE
ROTATE_90, ROTATE_180, ROTATE_270 = Transpose.ROTATE_90, Transpose.ROTATE_180, Transpose.ROTATE_270
BANDS = {"1": 1, "L": 1, "LA": 2, "RGB": 3, "RGBA": 4, "I": 1, "F": 1}
KINDS = {"1": bool, "I": np.int32, "F": np.float32}
OF_ARRAYS = {
    ((1, 1), "|b1"): "1",
    ((1, 1), "|u1"): "L",
    ((1, 1), "<i4"): "I",
    ((1, 1), "<f4"): "F",
    ((1, 1), "<f8"): "F",
    ((1, 1, 2), "|u1"): "LA",
    ((1, 1, 3), "|u1"): "RGB",
    ((1, 1, 4), "|u1"): "RGBA",
}
WRITTEN = {"bmp": "BMP", "gif": "GIF", "jpeg": "JPEG", "jpg": "JPEG", "png": "PNG", "tif": "TIFF", "tiff": "TIFF"}
WRITTEN |= {"webp": "WEBP", "ppm": "PPM", "pgm": "PPM"}
COLORS = {
    "black": (0, 0, 0),
    "white": (255, 255, 255),
    "red": (255, 0, 0),
    "green": (0, 128, 0),
    "lime": (0, 255, 0),
    "blue": (0, 0, 255),
    "yellow": (255, 255, 0),
    "cyan": (0, 255, 255),
    "magenta": (255, 0, 255),
    "gray": (128, 128, 128),
    "grey": (128, 128, 128),
    "orange": (255, 165, 0),
    "purple": (128, 0, 128),
}


def _gray(colors):
    colors = colors.astype(np.int64)
    return colors[..., 0] * 19595 + colors[..., 1] * 38470 + colors[..., 2] * 7471 + 0x8000 >> 16


def _color(color, mode):
    if isinstance(color, str):
        name = color.lower()
        if name.startswith("#") and len(name) == 7:
            found = tuple(int(name[at : at + 2], 16) for at in (1, 3, 5))
        elif name in COLORS:
            found = COLORS[name]
        else:
            raise ValueError(f"unknown color specifier: {color!r}")
        color = found if mode in ("RGB", "RGBA") else int(_gray(np.array(found)))
        color = color + (255,) if mode == "RGBA" else (color, 255) if mode == "LA" else color
    if isinstance(color, (int, float)) and BANDS[mode] > 1:
        color = (color,) + (0,) * (BANDS[mode] - 1) if mode != "LA" else (color, 255)
    if mode == "RGBA" and len(color) == 3:
        color = (*color, 255)
    return color


class _Pixels:
    """What load() gives: pixels by their places, to be read and set."""

    def __init__(self, image):
        self._image = image

    def __getitem__(self, place):
        return self._image.getpixel(place)

    def __setitem__(self, place, value):
        self._image.putpixel(place, value)


class Image:
    format = None

    def __init__(self, mode="", table=None):
        self.mode, self._table, self.info = mode, np.zeros((0, 0), np.uint8) if table is None else table, {}

    def _like(self, table, mode=None):
        return Image(mode or self.mode, np.ascontiguousarray(table))

    @property
    def size(self):
        return (self._table.shape[1], self._table.shape[0])

    @property
    def width(self):
        return self.size[0]

    @property
    def height(self):
        return self.size[1]

    def __array__(self, dtype=None, copy=None):
        return self._table.copy() if dtype is None else self._table.astype(dtype)

    def __repr__(self):
        return f"<PIL.Image.Image image mode={self.mode} size={self.width}x{self.height} at {hex(id(self))}>"

    def __eq__(self, other):
        if not isinstance(other, Image):
            return NotImplemented
        return self.mode == other.mode and self.size == other.size and bool((self._table == other._table).all())

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass

    def close(self):
        pass

    def verify(self):
        pass

    def show(self, title=None):
        pass

    def load(self):
        return _Pixels(self)

    def copy(self):
        return self._like(self._table.copy())

    def getbands(self):
        return {"LA": ("L", "A")}.get(self.mode) or (tuple(self.mode) if BANDS[self.mode] > 1 else (self.mode,))

    def getpixel(self, xy):
        x, y = xy
        if not (-self.width <= x < self.width and -self.height <= y < self.height):
            raise IndexError("image index out of range")
        value = self._table[y, x].tolist()
        return tuple(value) if isinstance(value, list) else 255 * value if self.mode == "1" else value

    def putpixel(self, xy, value):
        x, y = xy
        if not (-self.width <= x < self.width and -self.height <= y < self.height):
            raise IndexError("image index out of range")
        self._table[y, x] = _color(value, self.mode)

    def get_flattened_data(self, band=None):
        table = self._table.reshape(self.width * self.height, -1).tolist()
        if band is not None:
            return tuple(each[band] for each in table)
        return tuple(tuple(each) if len(each) > 1 else each[0] for each in table)

    def getdata(self, band=None):
        warnings.warn(
            "Image.Image.getdata is deprecated and will be removed in Pillow 14 (2027-10-15). Use "
            "get_flattened_data instead.",
            DeprecationWarning,
            stacklevel=2,
        )
        return list(self.get_flattened_data(band))

    def putdata(self, data, scale=1.0, offset=0.0):
        table = self._table.reshape(self.width * self.height, -1)
        given = np.asarray(list(data)).reshape(len(data), -1)
        table[: len(given)] = given * scale + offset if (scale, offset) != (1.0, 0.0) else given

    def tobytes(self, encoder_name="raw", *args):
        return (np.packbits(self._table, 1) if self.mode == "1" else self._table).tobytes()

    def getextrema(self):
        flat = self._table.reshape(-1, BANDS[self.mode])
        found = [(each.min().item(), each.max().item()) for each in flat.T]
        return found[0] if len(found) == 1 else tuple(found)

    def getbbox(self, *, alpha_only=True):
        held = self._table.reshape(*self._table.shape[:2], -1)
        held = (held[..., -1:] if alpha_only and self.mode in ("LA", "RGBA") else held).any(2)
        rows, cols = np.nonzero(held.any(1))[0], np.nonzero(held.any(0))[0]
        return (int(cols[0]), int(rows[0]), int(cols[-1]) + 1, int(rows[-1]) + 1) if len(rows) else None

    def histogram(self, mask=None, extrema=None):
        flat = self._table.reshape(-1, BANDS[self.mode]).astype(np.uint8)
        return [count for band in flat.T for count in np.bincount(band, minlength=256).tolist()]

    def convert(self, mode=None, matrix=None, dither=Dither.FLOYDSTEINBERG, palette=0, colors=256):
        if mode is None or mode == self.mode:
            return self.copy()
        if mode not in BANDS or (mode == "1" and dither):
            raise ValueError(f"conversion from {self.mode} to {mode} not supported here")
        table = self._table
        if self.mode == "1":
            table = table.astype(np.uint8) * np.uint8(255)
        if self.mode in ("RGB", "RGBA"):
            if mode in ("RGB", "RGBA"):
                full = np.full((*table.shape[:2], 1), 255, np.uint8)
                return self._like(table[..., :3] if mode == "RGB" else np.concatenate([table, full], 2), mode)
            if mode == "F":
                whole = table[..., :3].astype(np.int64) @ np.array([299, 587, 114])
                return self._like((whole / 1000).astype(np.float32), mode)
            alpha = table[..., 3:] if self.mode == "RGBA" else np.full((*table.shape[:2], 1), 255, np.uint8)
            table = _gray(table).astype(np.uint8)
        else:
            alpha = table[..., 1:] if self.mode == "LA" else np.full((*table.shape[:2], 1), 255, np.uint8)
            table = table[..., 0] if self.mode == "LA" else table
            if self.mode in ("I", "F"):
                table = np.clip(table, 0, 255).astype(np.uint8) if mode not in ("I", "F") else table
        if mode == "1":
            return self._like(table >= 128, "1")
        if mode in ("RGB", "RGBA", "LA"):
            table = np.concatenate([table[..., None]] * (3 if mode != "LA" else 1) + [alpha] * (mode != "RGB"), 2)
        return self._like(table, mode)._cast()

    def _cast(self):
        self._table = self._table.astype(KINDS.get(self.mode, np.uint8))
        return self

    def resize(self, size, resample=None, box=None, reducing_gap=None):
        if resample is None:
            resample = NEAREST if self.mode == "1" else BICUBIC
        if resample not in tuple(Resampling):
            raise ValueError(f"Unknown resampling filter ({resample}).")
        size = tuple(int(each) for each in size)
        if min(size) <= 0:
            raise ValueError("height and width must be > 0")
        box = (0, 0, *self.size) if box is None else tuple(box)
        if self.size == size and box == (0, 0, *self.size):
            return self.copy()
        if self.mode == "1":
            resample = NEAREST
        if self.mode not in ("LA", "RGBA") or resample == NEAREST:
            return self._like(resized(self._table, size, int(resample), box))
        alpha = self._table[..., -1:].astype(np.int64)
        weighed = self._table[..., :-1] * alpha + 128
        weighed = ((weighed >> 8) + weighed >> 8).astype(np.uint8)
        made = resized(np.concatenate([weighed, self._table[..., -1:]], 2), size, int(resample), box).astype(np.int64)
        alpha = made[..., -1:]
        plain = np.where((alpha == 0) | (alpha == 255), made[..., :-1], 255 * made[..., :-1] // np.maximum(alpha, 1))
        return self._like(np.concatenate([np.clip(plain, 0, 255), alpha], 2))._cast()

    def crop(self, box=None):
        left, top, right, bottom = (0, 0, *self.size) if box is None else (int(round(each)) for each in box)
        if right < left:
            raise ValueError("Coordinate 'right' is less than 'left'")
        if bottom < top:
            raise ValueError("Coordinate 'lower' is less than 'upper'")
        made = np.zeros((bottom - top, right - left, *self._table.shape[2:]), self._table.dtype)
        inside = self._table[max(top, 0) : max(bottom, 0), max(left, 0) : max(right, 0)]
        made[max(-top, 0) :, max(-left, 0) :][: inside.shape[0], : inside.shape[1]] = inside
        return self._like(made)

    def transpose(self, method):
        table = self._table
        ways = {
            0: lambda: table[:, ::-1],
            1: lambda: table[::-1],
            2: lambda: np.rot90(table),
            3: lambda: np.rot90(table, 2),
            4: lambda: np.rot90(table, 3),
            5: lambda: table.swapaxes(0, 1),
            6: lambda: np.rot90(table, 2).swapaxes(0, 1),
        }
        return self._like(ways[int(method)]())

    def rotate(self, angle, resample=NEAREST, expand=0, center=None, translate=None, fillcolor=None):
        angle = angle % 360.0
        if center is None and not translate:
            if angle == 0:
                return self.copy()
            if angle == 180:
                return self.transpose(ROTATE_180)
            if angle in (90, 270) and (expand or self.width == self.height):
                return self.transpose(ROTATE_90 if angle == 90 else ROTATE_270)
        matrix, size = rotation(self.size, angle, expand, center, translate)
        return self.transform(size, Transform.AFFINE, matrix, resample, fillcolor=fillcolor)

    def transform(self, size, method, data=None, resample=NEAREST, fill=1, fillcolor=None):
        if method != Transform.AFFINE:
            raise ValueError("transform() takes Transform.AFFINE here")
        if resample not in (NEAREST, BILINEAR, BICUBIC):
            raise ValueError(f"Unknown resampling filter ({resample}). Use NEAREST (0), BILINEAR (2) or BICUBIC (3)")
        color = _color(0 if fillcolor is None else fillcolor, self.mode)
        color = (0,) * BANDS[self.mode] if fillcolor is None and BANDS[self.mode] > 1 else color
        return self._like(affine(self._table, tuple(size), data[:6], NEAREST if self.mode == "1" else resample, color))

    def split(self):
        if BANDS[self.mode] == 1:
            return (self.copy(),)
        return tuple(self._like(self._table[..., at], "L") for at in range(BANDS[self.mode]))

    def getchannel(self, channel):
        return self.split()[self.getbands().index(channel) if isinstance(channel, str) else channel]

    def point(self, lut, mode=None):
        if callable(lut):
            if self.mode in ("I", "F"):
                raise ValueError("point() takes pictures of bytes here")
            lut = [lut(value) for value in range(256)] * BANDS[self.mode]
        table = np.clip([int(round(each)) for each in lut], 0, 255).astype(np.uint8).reshape(-1, 256)
        if BANDS[self.mode] == 1:
            return self._like(table[0][self._table])
        return self._like(np.stack([table[at][self._table[..., at]] for at in range(BANDS[self.mode])], 2))

    def putalpha(self, alpha):
        made = self.convert("LA" if self.mode in ("1", "L", "LA") else "RGBA")
        made._table[..., -1] = alpha._table if isinstance(alpha, Image) else alpha
        self.mode, self._table = made.mode, made._table

    def paste(self, im, box=None, mask=None):
        left, top = (0, 0) if box is None else box[:2]
        given = isinstance(im, Image)
        wide, high = im.size if given else self.size if box is None or len(box) == 2 else (box[2] - left, box[3] - top)
        if box is not None and len(box) == 4 and given and (box[2] - left, box[3] - top) != im.size:
            raise ValueError("images do not match")
        rows, cols = slice(max(top, 0), max(top + high, 0)), slice(max(left, 0), max(left + wide, 0))
        into = self._table[rows, cols]
        part = slice(max(-top, 0), None), slice(max(-left, 0), None)
        new = im.convert(self.mode)._table[part] if given else np.asarray(_color(im, self.mode), self._table.dtype)
        new = np.broadcast_to(new[: into.shape[0], : into.shape[1]] if given else new, into.shape)
        if mask is None:
            into[...] = new
            return
        share = (mask._table[..., -1] if mask.mode in ("LA", "RGBA") else mask.convert("L")._table)[part]
        share = (
            share[: into.shape[0], : into.shape[1]].astype(np.int64).reshape(*into.shape[:2], *[1] * (into.ndim - 2))
        )
        mixed = into.astype(np.int64) * (255 - share) + new.astype(np.int64) * share + 128
        into[...] = (mixed >> 8) + mixed >> 8

    def save(self, fp, format=None, **params):
        name = fp if isinstance(fp, str) else str(fp) if hasattr(fp, "__fspath__") else getattr(fp, "name", "")
        if format is None:
            end = name.rpartition(".")[2].lower() if "." in name else ""
            if end not in WRITTEN:
                raise ValueError(f"unknown file extension: {'.' + end if end else ''}")
            format = WRITTEN[end]
        elif format.upper() not in WRITTEN.values() and format.upper() != "JPG":
            raise KeyError(format.upper())
        if format.upper() == "JPEG" and self.mode in ("RGBA", "LA", "F", "I"):
            raise OSError(f"cannot write mode {self.mode} as JPEG")
        if self.mode == "F" and format.upper() != "TIFF":
            raise OSError(f"cannot write mode F as {format.upper()}")
        held = ("PIL", format.upper(), self.mode, self._table.copy())
        if hasattr(fp, "write"):
            pickle.dump(held, fp)
            return
        with _file(name, "wb") as file:
            pickle.dump(held, file)


_file = open


def _open(fp, mode="r", formats=None):
    """A picture that this run saved."""
    name = fp if isinstance(fp, str) else str(fp) if hasattr(fp, "__fspath__") else repr(fp)
    try:
        if hasattr(fp, "read"):
            held = pickle.load(fp)
        else:
            with _file(name, "rb") as file:
                held = pickle.load(file)
    except (pickle.UnpicklingError, EOFError):
        held = None
    if not isinstance(held, tuple) or len(held) != 4 or held[0] != "PIL":
        raise UnidentifiedImageError(f"cannot identify image file {name!r}")
    made = Image(held[2], held[3])
    made.format, made.filename = held[1], name
    return made


open = _open


def new(mode, size, color=0):
    if mode not in BANDS:
        raise ValueError(f"unrecognized image mode: {mode}")
    if len(size) != 2:
        raise ValueError("Size must be a sequence of length 2")
    if min(size) < 0:
        raise ValueError("Width and height must be >= 0")
    bands = () if BANDS[mode] == 1 else (BANDS[mode],)
    table = np.zeros((size[1], size[0], *bands), KINDS.get(mode, np.uint8))
    if color is not None:
        table[...] = _color(color, mode)
    return Image(mode, table)


def fromarray(obj, mode=None):
    """A picture of an array, of the mode that its shape and its type say."""
    array = np.asarray(obj)
    key = (1, 1, *array.shape[2:]), array.dtype.str
    if key not in OF_ARRAYS or array.ndim < 2:
        raise TypeError(f"Cannot handle this data type: {key[0]}, {key[1]}")
    made = Image(OF_ARRAYS[key], np.array(array))._cast()
    return made if mode in (None, made.mode) else Image(mode, made._table)


def frombytes(mode, size, data, decoder_name="raw", *args):
    made = new(mode, size)
    table = np.frombuffer(data, made._table.dtype)
    if table.size < made._table.size:
        raise ValueError("not enough image data")
    return Image(mode, table[: made._table.size].reshape(made._table.shape).copy())


def merge(mode, bands):
    if BANDS[mode] != len(bands):
        raise ValueError("wrong number of bands")
    if any(each.size != bands[0].size for each in bands):
        raise ValueError("size mismatch")
    return Image(mode, np.stack([each._table for each in bands], 2))


def blend(im1, im2, alpha):
    one, other = im1._table.astype(np.float32), im2._table.astype(np.float32)
    return Image(im1.mode, np.clip(one + np.float32(alpha) * (other - one), 0, 255).astype(np.uint8))
