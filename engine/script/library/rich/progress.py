# type: ignore
"""rich.progress: bars, which are not drawn: their last line tells how long it took."""


def track(sequence, description="Working...", total=None, **options):
    for each in sequence:
        yield each


class _Task:
    def __init__(self, id, description, total, completed):
        self.id, self.description, self.total, self.completed, self.fields = id, description, total, completed, {}
        self.finished = False


class Progress:
    def __init__(self, *columns, console=None, **options):
        self.tasks = []
        if console is None:
            from rich.console import Console

            console = Console()
        self.console = console

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None

    def start(self):
        return None

    stop = refresh = start

    def add_task(self, description, start=True, total=100.0, completed=0, visible=True, **fields):
        self.tasks.append(_Task(len(self.tasks), description, total, completed))
        self.tasks[-1].fields = fields
        return len(self.tasks) - 1

    def update(self, task_id, *, total=None, completed=None, advance=None, description=None, **fields):
        task = self.tasks[task_id]
        task.total = task.total if total is None else total
        task.completed = task.completed if completed is None else completed
        task.completed += advance or 0
        task.description = task.description if description is None else description
        task.finished = task.total is not None and task.completed >= task.total
        task.fields.update(fields)

    def advance(self, task_id, advance=1):
        self.update(task_id, advance=advance)

    def reset(self, task_id, **options):
        self.tasks[task_id].completed = options.get("completed", 0)

    def remove_task(self, task_id):
        return None

    start_task = stop_task = remove_task

    @property
    def finished(self):
        return all(task.finished for task in self.tasks)

    def track(self, sequence, total=None, task_id=None, description="Working...", **options):
        task = self.add_task(description, total=total or (len(sequence) if hasattr(sequence, "__len__") else None))
        for each in sequence:
            yield each
            self.advance(task)

    def print(self, *objects, **options):
        self.console.print(*objects, **options)

    log = print


class _Column:
    def __init__(self, *args, **options):
        pass


class BarColumn(_Column):
    pass


class TextColumn(_Column):
    pass


class TimeElapsedColumn(_Column):
    pass


class TimeRemainingColumn(_Column):
    pass


class SpinnerColumn(_Column):
    pass


class MofNCompleteColumn(_Column):
    pass


class TaskProgressColumn(_Column):
    pass


class ProgressColumn(_Column):
    pass
