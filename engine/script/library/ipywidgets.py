# type: ignore
"""ipywidgets: what notebooks show beside their numbers. Nobody moves a slider here: widgets hold their values, interact()
calls its function once, with the values that the widgets have at first."""

_USUAL = {"value": None, "min": 0, "max": 100, "step": 1, "description": "", "disabled": False}


class Widget:
    """A widget: its properties are attributes. It prints as ipywidgets' do, with what is not as usual."""

    _first = {}

    def __init__(self, *args, **kwargs):
        self._given = {**dict(zip(self._takes, args)), **kwargs}
        if "options" in self._given and not isinstance(self._given["options"], dict):
            self._given["options"] = tuple(self._given["options"])
        for name, value in {**_USUAL, **self._first, **self._given}.items():
            whole = isinstance(value, int) and isinstance(self._first.get(name), float)
            setattr(self, name, float(value) if whole else value)

    _takes = ("value", "min", "max", "step")

    def observe(self, handler, names="value"):
        pass

    unobserve = on_click = on_submit = observe

    def close(self):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False

    def __repr__(self):
        usual = {**_USUAL, **self._first}
        names = ["children", "options", "value", "description", "max", "min", "step"]
        names = names if "options" not in self._given else ["options", "value", "description"]
        told = [name for name in names if name in self._given or name == "value"]
        shown = [name for name in told if name == "value" or getattr(self, name) != usual.get(name, ())]
        shown = [name for name in shown if getattr(self, name) is not None]
        return f"{type(self).__name__}({', '.join([f'{name}={getattr(self, name)!r}' for name in shown])})"


class IntSlider(Widget):
    _first = {"value": 0}


class IntProgress(IntSlider):
    pass


class BoundedIntText(IntSlider):
    pass


class IntText(IntSlider):
    pass


class FloatSlider(Widget):
    _first = {"value": 0.0, "min": 0.0, "max": 100.0, "step": 0.1}


class FloatProgress(FloatSlider):
    pass


class FloatText(FloatSlider):
    pass


class BoundedFloatText(FloatSlider):
    pass


class FloatLogSlider(Widget):
    _first = {"value": 1.0, "min": 0.0, "max": 4.0, "step": 0.1, "base": 10.0}


class Checkbox(Widget):
    _first = {"value": False}


class ToggleButton(Checkbox):
    pass


class Text(Widget):
    _first = {"value": ""}


class Textarea(Text):
    pass


class Label(Text):
    pass


class HTML(Text):
    pass


class Dropdown(Widget):
    _takes = ("options",)

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        options = getattr(self, "options", ())
        if self.value is None and options:
            self.value = _first_value(options if isinstance(options, dict) else list(options))


class Select(Dropdown):
    pass


class RadioButtons(Dropdown):
    pass


class SelectionSlider(Dropdown):
    pass


class ToggleButtons(Dropdown):
    pass


class Button(Widget):
    def click(self):
        pass


class Output(Widget):
    def clear_output(self, wait=False):
        pass


class Layout(Widget):
    pass


class Box(Widget):
    _takes = ("children",)


class HBox(Box):
    pass


class VBox(Box):
    pass


class Tab(Box):
    def set_title(self, place, title):
        pass


class Accordion(Tab):
    pass


class fixed:
    """A value that interact() gives on as it is."""

    def __init__(self, value):
        self.value = value


def _first_value(given):
    """The value that a widget made from `given` has at first."""
    if isinstance(given, (Widget, fixed)):
        return given.value
    if isinstance(given, tuple) and given:
        if len(given) in (2, 3) and all([isinstance(each, (int, float)) for each in given]):
            low, high = given[:2]
            whole = all([isinstance(each, int) for each in given])
            step = given[2] if len(given) == 3 else 1 if whole else 0.1
            middle = low + (high - low) // 2 if whole else low + (high - low) / 2
            return low + (middle - low) // step * step if whole else middle
        return given[0]
    if isinstance(given, list):
        return given[0]
    return next(iter(given.values())) if isinstance(given, dict) else given


def interactive(function, *args, **kwargs):
    function(**{name: _first_value(given) for name, given in kwargs.items()})
    return VBox()


def interact(*args, **kwargs):
    """interact(function, name=...) and @interact(name=...): the function is called once."""
    if not args:
        return lambda function: interact(function, **kwargs)
    args[0](**{name: _first_value(given) for name, given in kwargs.items()})
    return args[0]


def interact_manual(*args, **kwargs):
    """As interact(), with a button that nobody presses here."""
    return args[0] if args else lambda function: function


def interactive_output(function, controls):
    function(**{name: _first_value(given) for name, given in controls.items()})
    return Output()


def link(*ends):
    pass


jslink = link
