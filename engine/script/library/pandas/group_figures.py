# type: ignore
"""pandas.group_figures: what groups of rows tell, each of them one figure or several."""

import numpy as np
from pandas.functions import figure_of, names_of, of_groups
from pandas.labels import Labels


class GroupFigures:
    """What is told of each group."""

    def _figures(self, figure, numeric_only=False):
        figure = of_groups(figure)
        found = {
            name: [figure(part.iloc[places]) for places in self.indices.values()]
            for name, part in self._parts(numeric_only).items()
        }
        return self._made(found, not self._several)

    def mean(self, numeric_only=False):
        return self._figures(figure_of("mean"), numeric_only)

    def sum(self, numeric_only=False):
        return self._figures(figure_of("sum"), numeric_only)

    def min(self, numeric_only=False):
        return self._figures(figure_of("min"), numeric_only)

    def max(self, numeric_only=False):
        return self._figures(figure_of("max"), numeric_only)

    def std(self, numeric_only=False):
        return self._figures(figure_of("std"), numeric_only)

    def var(self, numeric_only=False):
        return self._figures(figure_of("var"), numeric_only)

    def median(self, numeric_only=False):
        return self._figures(figure_of("median"), numeric_only)

    def count(self):
        return self._figures(figure_of("count"))

    def nunique(self):
        return self._figures(figure_of("nunique"))

    def first(self):
        return self._figures(figure_of("first"))

    def last(self):
        return self._figures(figure_of("last"))

    def prod(self, numeric_only=False):
        return self._figures(figure_of("prod"), numeric_only)

    def sem(self, numeric_only=False):
        return self._figures(figure_of("sem"), numeric_only)

    def skew(self, numeric_only=False):
        return self._figures(figure_of("skew"), numeric_only)

    def any(self):
        return self._figures(figure_of("any"))

    def all(self):
        return self._figures(figure_of("all"))

    def idxmax(self):
        return self._figures(lambda part: part.idxmax())

    def idxmin(self):
        return self._figures(lambda part: part.idxmin())

    def quantile(self, q=0.5, numeric_only=False):
        if not isinstance(q, (list, tuple, np.ndarray)):
            return self._figures(lambda part: part.quantile(q), numeric_only)
        from pandas.frame import DataFrame
        from pandas.levels import named
        from pandas.series import Series

        labels = named([(*key, share) for key in self.indices for share in q], [*self._names, None])
        made = {
            name: [part.iloc[places].quantile(share) for places in self.indices.values() for share in q]
            for name, part in self._parts(numeric_only).items()
        }
        if not self._several:
            ((name, values),) = made.items()
            return Series(values, labels, name=name)
        return DataFrame(made, index=labels)

    def size(self):
        counts = [len(places) for places in self.indices.values()]
        if not self._as_index:
            return self._made({"size": counts}, False)
        made = self._made({"size": counts}, True)
        made.name = None if self._several else self._one.name
        return made

    def agg(self, function=None, **named):
        if named and not self._several:
            return self._beside({name: self._alone().agg(how) for name, how in named.items()})
        if named:
            return self._beside({name: self._alone(column).agg(how) for name, (column, how) in named.items()})
        if isinstance(function, dict):
            if any([isinstance(how, list) for how in function.values()]):
                made = {}
                for name, how in function.items():
                    made.update(self._named([name], how if isinstance(how, list) else [how]))
                return self._made(made, False)
            return self._beside({name: self._alone(name).agg(how) for name, how in function.items()})
        if isinstance(function, list):
            if self._several:
                return self._made(self._named(self._columns(), function), False)
            return self._beside({name: self._alone().agg(how) for name, how in zip(names_of(function), function)})
        return self.size() if function == "size" else self._figures(figure_of(function))

    aggregate = agg

    def _beside(self, figures):
        """A table of columns of figures."""
        return self._made({name: part._values for name, part in figures.items()}, False)

    def _named(self, names, functions):
        """Columns of figures under the names of their columns and of the functions."""
        made = {}
        for name in names:
            column = self._alone(name)
            for called, how in zip(names_of(functions), functions):
                made[name, called] = column.agg(how)._values
        return made

    def value_counts(self, normalize=False, sort=True, ascending=False, dropna=True):
        """How often each value occurs in each group."""
        from pandas.series import Series

        labels, counts = [], []
        for key, places in self.indices.items():
            found = self._one.iloc[places].value_counts(normalize, sort, ascending, None, dropna)
            labels += [(*key, label) for label in found.index]
            counts += found.tolist()
        made = Labels(labels)
        made.names = [*self._names, self._one.name]
        return Series(counts, made, name="proportion" if normalize else "count")

    def describe(self):
        if self._several:
            made = {}
            for name in self._columns(True):
                part = self._alone(name).describe()
                made.update({(name, each): held for each, held in part._columns.items()})
            return self._made(made, False)
        found = [self._one.iloc[places].describe() for places in self.indices.values()]
        return self._made({name: [part[name] for part in found] for name in found[0].index}, False)
