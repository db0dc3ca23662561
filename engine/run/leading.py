"""The calls that lead to the training loop or to its phases: wherever they stand they are entered, so that the loop
can be driven: `main()`, `print(train(5))`, `total += train_step(batch)`, `[fit(rate) for rate in rates]`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from engine.script.reading.phases import called_name
from engine.script.reading.reach import calls_in

if TYPE_CHECKING:
    from engine.run.session import Session
    from engine.script.executing.steps import Into
    from engine.script.frames import Code


class Leading:
    """How the next statement of a session is to be executed, so that no call that leads to the loop is passed by."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.names, self.lines = session.script.reach.leading, session.script.reach.lines
        self._known: dict[int, Into] = {}

    def leads(self, statement: ast.stmt) -> bool:
        """Whether a call of `statement` leads to the phases."""
        return self.way_in(statement) is not False

    def way_in(self, statement: ast.stmt) -> Into:
        """ "whole": the call that is the statement's value is entered; a function: those that it accepts, call by call;
        False: none leads there."""
        key = id(statement)
        if key not in self._known:
            way: Into = False
            if called_name(statement) in self.names:
                way = "whole"
            elif self.names and any(name in self.names for name in calls_in(statement)):
                way = self.accepts
            self._known[key] = way
        return self._known[key]

    def accepts(self, code: Code) -> bool:
        return bool(code.info) and code.info[0].where.line in self.lines

    def goes_on(self, statement: ast.stmt) -> bool:
        """Whether `statement` may be the last of a function that was called within an expression, of which another call
        may lead there, too."""
        stack = self.session.interpreter.machine.stack
        return len(stack) > 1 and stack[-2].code.through and isinstance(statement, (ast.Return, ast.For, ast.Break))
