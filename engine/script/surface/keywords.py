"""The keyword arguments that matplotlib's drawing calls take. One that is misspelled (`plt.plot(x, lable="loss")`) is
refused as matplotlib refuses it, by the artist that should have had it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, wraps
from types import MethodType
from typing import Any

from engine.script.surface import names
from engine.script.surface.drawn import Shown

ARTIST = """agg_filter alpha animated clip_box clip_on clip_path figure gid in_layout label mouseover path_effects
picker rasterized sketch_params snap transform url visible zorder zs zdir """
LINE = (
    ARTIST
    + """aa antialiased c color dash_capstyle dash_joinstyle dashes data drawstyle ds fillstyle gapcolor linestyle
linewidth ls lw marker markeredgecolor markeredgewidth markerfacecolor markerfacecoloralt markersize markevery mec mew
mfc mfcalt ms pickradius solid_capstyle solid_joinstyle xdata ydata scalex scaley xunits yunits """
)
PATCH = (
    ARTIST
    + """aa angle antialiased bounds capstyle color ec edgecolor edgegapcolor facecolor fc fill hatch hatch_linewidth
hatchcolor height joinstyle linestyle linewidth ls lw width x xy y align data xunits yunits """
)
BAR = PATCH + "xerr yerr error_kw ecolor capsize log tick_label orientation bottom left shade "
COLLECTION = (
    ARTIST
    + """aa antialiased antialiaseds array capstyle clim cmap color dashes data ec edgecolor edgecolors facecolor
facecolors fc hatch hatch_linewidth hatchcolor joinstyle linestyle linestyles linewidth linewidths ls lw norm
offset_transform offsets paths pickradius sizes transOffset urls vmin vmax colorizer """
)
TEXT = (
    ARTIST
    + """antialiased backgroundcolor bbox c color family font font_properties fontdict fontfamily fontfeatures fontname
fontproperties fontsize fontstretch fontstyle fontvariant fontweight ha horizontalalignment language linespacing ma
math_fontfamily multialignment name parse_math position rotation rotation_mode size stretch style text
transform_rotates_text usetex va variant verticalalignment weight wrap x y z s """
)
FIGURE = (
    ARTIST
    + """num figsize dpi facecolor edgecolor linewidth frameon subplotpars tight_layout constrained_layout layout clear
FigureClass canvas constrained_layout_pads figheight figwidth layout_engine size_inches """
)
SET = "{}.set() got an unexpected keyword argument '{}'"
HAS_NO = "'{}' object has no property '{}'"

CALLS: dict[str, tuple[str, str, str]] = {
    **dict.fromkeys(("plot", "semilogx", "semilogy"), ("Line2D", SET, LINE + "base subs nonpositive")),
    "loglog": ("Line2D", SET, LINE + "base subs nonpositive"),
    "step": ("Line2D", SET, LINE + "x y where"),
    "axhline": ("Line2D", SET, LINE + "x y xmin xmax"),
    "axvline": ("Line2D", SET, LINE + "x y ymin ymax"),
    "errorbar": (
        "Line2D",
        SET,
        LINE
        + """x y z yerr xerr zerr fmt ecolor elinewidth capsize barsabove lolims uplims xlolims xuplims zlolims zuplims
errorevery capthick elinestyle""",
    ),
    "scatter": ("PathCollection", SET, COLLECTION + "x y s c marker plotnonfinite depthshade depthshade_minalpha"),
    "bar": ("Rectangle", SET, BAR),
    "barh": ("Rectangle", SET, BAR),
    "hist": ("Rectangle", SET, BAR + "bins range density weights cumulative histtype rwidth stacked"),
    "imshow": (
        "AxesImage",
        SET,
        ARTIST
        + """X array aspect clim cmap colorizer data extent filternorm filterrad interpolation interpolation_stage norm
origin resample vmin vmax""",
    ),
    "fill_between": (
        "FillBetweenPolyCollection",
        SET,
        COLLECTION + "x y1 y2 where interpolate step verts verts_and_codes x1 z1 x2 z2 mode axlim_clip",
    ),
    "set_title": ("Text", SET, TEXT + "label loc pad"),
    "set_xlabel": ("Text", HAS_NO, TEXT + "xlabel labelpad loc"),
    "set_ylabel": ("Text", HAS_NO, TEXT + "ylabel labelpad loc"),
    "text": ("Text", HAS_NO, TEXT),
    "annotate": (
        "Annotation",
        HAS_NO,
        TEXT + "xy xytext xycoords textcoords arrowprops annotation_clip anncoords",
    ),
    "figure": ("Figure", SET, FIGURE),
    "subplots": (
        "Figure",
        SET,
        FIGURE + "nrows ncols sharex sharey squeeze width_ratios height_ratios subplot_kw gridspec_kw",
    ),
}
ACCEPTED = {call: names(text) for call, (_, _, text) in CALLS.items()}
BOXPLOT = names("""notch sym vert orientation whis positions widths patch_artist bootstrap usermedians conf_intervals
meanline showmeans showcaps showbox showfliers boxprops tick_labels flierprops medianprops meanprops capprops
whiskerprops manage_ticks autorange zorder capwidths label data""")


def check(call: str, kwargs: dict[str, Any]) -> None:
    """Raises AttributeError for a keyword that `call` does not take."""
    for name in kwargs:
        if name not in ACCEPTED[call]:
            artist, told, _ = CALLS[call]
            raise AttributeError(told.format(artist, name))


def boxplot(axes: Any, x: Any, *args: Any, **kwargs: Any) -> Shown:
    """Draws nothing. Raises TypeError for keywords that it does not take."""
    for name in kwargs:
        if name not in BOXPLOT:
            raise TypeError(f"{'' if axes is None else 'Axes.'}boxplot() got an unexpected keyword argument '{name}'")
    return Shown()


def asked(axes: Any, name: str) -> Any:
    """The method `name` of axes as a script calls it."""
    if name == "boxplot":
        return MethodType(boxplot, axes)
    if name not in CALLS:
        return getattr(axes, name)
    return MethodType(_checked(getattr(type(axes), name), name), axes)


@cache
def _checked(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    @wraps(function)
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        check(name, kwargs)
        return function(self, *args, **kwargs)

    return call
