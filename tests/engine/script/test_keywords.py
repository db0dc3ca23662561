"""Keyword arguments of drawing calls: those that matplotlib takes, and its refusals of others."""

from __future__ import annotations

import pytest

from tests.engine.script.compare import in_interpreter

START = "import matplotlib.pyplot as plt\nx = [1, 2, 3]\n"
NOT_TAKEN = [
    ("plt.plot(x, x, lable='a')", "Line2D.set() got an unexpected keyword argument 'lable'"),
    ("plt.plot(x, 'r-', label='a', lwd=2)", "Line2D.set() got an unexpected keyword argument 'lwd'"),
    ("plt.gca().semilogy(x, colour='r')", "Line2D.set() got an unexpected keyword argument 'colour'"),
    ("plt.axhline(1, colour='r')", "Line2D.set() got an unexpected keyword argument 'colour'"),
    ("plt.errorbar(x, x, lable='a')", "Line2D.set() got an unexpected keyword argument 'lable'"),
    ("plt.step(x, x, lable='a')", "Line2D.set() got an unexpected keyword argument 'lable'"),
    ("plt.scatter(x, x, size=3)", "PathCollection.set() got an unexpected keyword argument 'size'"),
    ("plt.subplots(1, 2)[1][0].bar(x, x, colour='r')", "Rectangle.set() got an unexpected keyword argument 'colour'"),
    ("plt.hist(x, normed=True)", "Rectangle.set() got an unexpected keyword argument 'normed'"),
    ("plt.imshow([[1, 2]], colormap='gray')", "AxesImage.set() got an unexpected keyword argument 'colormap'"),
    ("plt.fill_between(x, x, lable='a')", "FillBetweenPolyCollection.set() got an unexpected keyword argument 'lable'"),
    ("plt.title('a', font_size=3)", "Text.set() got an unexpected keyword argument 'font_size'"),
    ("plt.xlabel('a', font_size=3)", "'Text' object has no property 'font_size'"),
    ("plt.text(1, 1, 'a', font_size=3)", "'Text' object has no property 'font_size'"),
    ("plt.annotate('a', (1, 1), font_size=3)", "'Annotation' object has no property 'font_size'"),
    ("plt.figure(fig_size=(3, 3))", "Figure.set() got an unexpected keyword argument 'fig_size'"),
    ("plt.subplots(1, 2, fig_size=(3, 3))", "Figure.set() got an unexpected keyword argument 'fig_size'"),
]
REMOVED = [
    ("plt.boxplot([x, x], labels=['a', 'b'])", "boxplot() got an unexpected keyword argument 'labels'"),
    ("plt.gca().boxplot([x, x], labels=['a', 'b'])", "Axes.boxplot() got an unexpected keyword argument 'labels'"),
]
"""What matplotlib 3.11 does not take any more."""
TAKEN = """
plt.boxplot([x, x], tick_labels=["a", "b"], patch_artist=True, showfliers=False)["boxes"]
fig, ax = plt.subplots(1, 2, figsize=(8, 3), sharey=True, constrained_layout=True)
ax[0].plot(x, x, "o--", lw=2, ms=3, mfc="w", alpha=0.5, label="a", zorder=3)
ax[0].step(x, x, where="mid", color="r")
ax[0].stem(x, x, linefmt="r-", basefmt=" ")
ax[0].errorbar(x, x, yerr=[1, 1, 1], fmt="o", capsize=3, ls="none")
ax[0].scatter(x=x, y=x, s=9, c=x, cmap="viridis", marker="x", edgecolors="k", vmin=0)
ax[1].bar(x, x, width=0.5, align="edge", yerr=x, tick_label=["a", "b", "c"], ec="k")
ax[1].barh(x, x, left=1, hatch="/")
ax[1].hist(x, bins=3, density=True, histtype="step", rwidth=0.5, log=True)
ax[1].annotate("a", xy=(1, 1), xytext=(2, 2), arrowprops={"arrowstyle": "->"}, fontsize=8)
ax[1].set_title("t", fontdict={"size": 3}, loc="left", pad=3, fontweight="bold")
plt.imshow([[1, 2]], cmap="gray", interpolation="nearest", origin="lower", extent=(0, 1, 0, 1), aspect="auto")
plt.fill_between(x, x, 0, where=[True, True, False], alpha=0.3, interpolate=True)
plt.xlabel("x", fontsize=12, labelpad=3)
plt.axvline(x=1, ymin=0, ymax=1, ls=":")
plt.figure(figsize=(3, 3), dpi=80, facecolor="w", num=3, layout="tight")
print(ax[0].plot)
"""


@pytest.mark.parametrize(("call", "said"), NOT_TAKEN)
def test_keywords_that_matplotlib_does_not_take(call: str, said: str) -> None:
    ending = in_interpreter(START + call)
    assert (ending.type, ending.message) == ("AttributeError", said)


@pytest.mark.parametrize(("call", "said"), REMOVED)
def test_keywords_that_matplotlib_took(call: str, said: str) -> None:
    ending = in_interpreter(START + call)
    assert (ending.type, ending.message) == ("TypeError", said)


def test_keywords_that_matplotlib_takes() -> None:
    ending = in_interpreter(START + TAKEN)
    assert ending.type is None, ending
    assert ending.stdout.startswith("<bound method Axes.plot of <Axes")
