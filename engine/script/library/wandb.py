# type: ignore
"""wandb: what is logged is sent nowhere and kept nowhere; a run's config and summary are there while it lasts."""


class Error(Exception):
    pass


CommError = UsageError = Error


class _Items:
    """Values under names, as attributes too."""

    def __init__(self, values=None):
        object.__setattr__(self, "_items", {})
        self.update(values or {})

    def update(self, values, allow_val_change=False):
        self._items.update(values if isinstance(values, dict) else vars(values))

    setdefaults = update

    def __getattr__(self, name):
        if name.startswith("_") or name not in self._items:
            raise AttributeError(f"{type(self)!r} object has no attribute {name!r}")
        return self._items[name]

    def __setattr__(self, name, value):
        self._items[name] = value

    def __getitem__(self, name):
        return self._items[name]

    def __setitem__(self, name, value):
        self._items[name] = value

    def __contains__(self, name):
        return name in self._items

    def __iter__(self):
        return iter(self._items)

    def __len__(self):
        return len(self._items)

    def get(self, name, default=None):
        return self._items.get(name, default)

    def keys(self):
        return self._items.keys()

    def values(self):
        return self._items.values()

    def items(self):
        return self._items.items()

    def as_dict(self):
        return dict(self._items)

    def __repr__(self):
        return str(self._items)


class Config(_Items):
    pass


class Run:
    def __init__(
        self, config=None, name=None, id=None, project=None, entity=None, group=None, tags=None, notes=None, **_
    ):
        self.config, self.summary = Config(config), _Items()
        self.name, self.id = name or "run", id or "00000000"
        self.project, self.entity, self.group, self.tags = project or "uncategorized", entity, group, tuple(tags or ())
        self.notes, self.url, self.dir, self.step = notes, None, "wandb", 0
        self.mode, self.disabled, self.sweep_id, self.resumed = "disabled", True, None, False

    def log(self, data, step=None, commit=None, sync=None):
        if not isinstance(data, dict):
            raise TypeError("Data must be a dictionary")
        self.summary.update(data)
        self.step = self.step + 1 if step is None else step

    def watch(self, *models, **options):
        return None

    unwatch = save = define_metric = log_code = alert = restore = mark_preempting = watch

    def log_artifact(self, artifact, **options):
        return artifact

    def use_artifact(self, artifact, **options):
        raise NotImplementedError("wandb has no network here: make the data in the script")

    def finish(self, exit_code=None, quiet=None):
        _begin(None)

    def get_url(self):
        return None

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.finish()


run, config, summary = None, Config(), _Items()


def _begin(made):
    """Let wandb.run, wandb.config and wandb.summary be those of a run, or of none."""
    import wandb

    wandb.run = made
    wandb.config = Config() if made is None else made.config
    wandb.summary = _Items() if made is None else made.summary


def _run(what):
    import wandb

    if wandb.run is None:
        raise Error(f"You must call wandb.init() before wandb.{what}")
    return wandb.run


def init(config=None, **options):
    if not isinstance(config, dict) and config is not None:
        config = dict(config) if hasattr(config, "keys") else vars(config)
    made = Run(config=config, **options)
    _begin(made)
    return made


def login(*args, **options):
    return True


def log(data, step=None, commit=None, sync=None):
    _run("log()").log(data, step, commit)


def watch(models=None, *args, **options):
    _run("watch()")


def _ignored(*args, **options):
    return None


unwatch = save = define_metric = alert = setup = ensure_configured = termlog = termwarn = _ignored


def finish(exit_code=None, quiet=None):
    _begin(None)


def log_artifact(artifact, **options):
    return artifact


def use_artifact(artifact, **options):
    return _run("use_artifact()").use_artifact(artifact)


class _Shown:
    """Pictures, tables and other things that are only logged."""

    def __init__(self, *args, **options):
        self.args, self.options = args, options


class Image(_Shown):
    pass


class Video(_Shown):
    pass


class Audio(_Shown):
    pass


class Histogram(_Shown):
    pass


class Html(_Shown):
    pass


class Table(_Shown):
    def __init__(self, columns=None, data=None, dataframe=None, **options):
        self.columns, self.data = list(columns or ()), [list(row) for row in data or ()]

    def add_data(self, *values):
        self.data.append(list(values))

    def add_column(self, name, data, optional=False):
        self.columns.append(name)


class Artifact(_Shown):
    def __init__(self, name, type, description=None, metadata=None, **options):
        self.name, self.type, self.description, self.metadata = name, type, description, metadata or {}

    def add_file(self, local_path, name=None, **options):
        return None

    add_dir = add_reference = add = add_file


class Settings(_Shown):
    pass


class _Plot:
    line = line_series = scatter = bar = histogram = confusion_matrix = roc_curve = pr_curve = _Shown


plot = _Plot()


class Api:
    def __init__(self, *args, **options):
        raise NotImplementedError("wandb has no network here: nothing was logged before")


_NO_SWEEPS = "wandb has no network here, where sweeps are kept: call the function once for each config"


def sweep(sweep, entity=None, project=None, prior_runs=None):
    raise NotImplementedError(_NO_SWEEPS)


def agent(sweep_id, function=None, entity=None, project=None, count=None):
    raise NotImplementedError(_NO_SWEEPS)
