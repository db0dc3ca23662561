# type: ignore
"""unittest.mock: objects that take every call and tell which there were."""


class _Call(tuple):
    def __repr__(self):
        shown = [repr(each) for each in self[0]] + [f"{name}={value!r}" for name, value in self[1].items()]
        return f"call({', '.join(shown)})"


def call(*args, **kwargs):
    return _Call((args, kwargs))


class Mock:
    def __init__(self, return_value=None, side_effect=None, name=None, spec=None, **attributes):
        self._given, self._parts = return_value, {}
        self.side_effect, self.call_args, self.call_args_list = side_effect, None, []
        for key, value in attributes.items():
            setattr(self, key, value)

    @property
    def called(self):
        return bool(self.call_args_list)

    @property
    def call_count(self):
        return len(self.call_args_list)

    @property
    def return_value(self):
        if self._given is None:
            self._given = Mock()
        return self._given

    @return_value.setter
    def return_value(self, value):
        self._given = value

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return self.__dict__.setdefault("_parts", {}).setdefault(name, Mock())

    def __call__(self, *args, **kwargs):
        self.call_args = call(*args, **kwargs)
        self.call_args_list.append(self.call_args)
        effect = self.side_effect
        if isinstance(effect, BaseException) or (isinstance(effect, type) and issubclass(effect, BaseException)):
            raise effect
        if callable(effect):
            return effect(*args, **kwargs)
        return self.return_value if effect is None else next(effect)

    def assert_called(self):
        if not self.called:
            raise AssertionError("Expected 'mock' to have been called.")

    def assert_called_once(self):
        if self.call_count != 1:
            raise AssertionError(f"Expected 'mock' to have been called once. Called {self.call_count} times.")

    def assert_not_called(self):
        if self.called:
            raise AssertionError(f"Expected 'mock' to not have been called. Called {self.call_count} times.")

    def assert_called_with(self, *args, **kwargs):
        if self.call_args != call(*args, **kwargs):
            raise AssertionError(
                f"expected call not found.\nExpected: mock{repr(call(*args, **kwargs))[4:]}\n  Actual: mock{repr(self.call_args)[4:]}"
            )

    def assert_called_once_with(self, *args, **kwargs):
        self.assert_called_once()
        self.assert_called_with(*args, **kwargs)

    def reset_mock(self):
        self.call_args, self.call_args_list = None, []


MagicMock = NonCallableMock = Mock


def patch(*args, **kwargs):
    raise NotImplementedError("unittest.mock.patch() does not exist here: give what is to be called as an argument")
