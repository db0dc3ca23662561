# type: ignore
"""hydra.core.config_store: configs that a script gives as classes."""


class ConfigStore:
    held = {}

    @classmethod
    def instance(cls):
        return _store

    def store(self, name, node, group=None, package=None, provider=None):
        ConfigStore.held[f"{group}/{name}" if group else name] = node


_store = ConfigStore()
