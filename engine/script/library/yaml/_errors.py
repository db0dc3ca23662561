# type: ignore
"""What may be wrong with a text of YAML."""


class YAMLError(Exception):
    pass


class MarkedYAMLError(YAMLError):
    def __init__(self, problem, line=None):
        self.problem, self.problem_mark = problem, line
        super().__init__(problem if line is None else f'{problem}\n  in "<unicode string>", line {line}')


class ScannerError(MarkedYAMLError):
    pass


class ParserError(MarkedYAMLError):
    pass


class ComposerError(MarkedYAMLError):
    pass


class ConstructorError(MarkedYAMLError):
    pass
