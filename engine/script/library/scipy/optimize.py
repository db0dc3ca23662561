# type: ignore
"""scipy.optimize: who goes with whom."""

import numpy as np


def linear_sum_assignment(cost_matrix, maximize=False):
    """Rows and columns paired so that the costs have the smallest sum, by shortest augmenting paths (Crouse 2016)."""
    cost = np.asarray(cost_matrix, dtype=np.float64)
    if cost.ndim != 2:
        raise ValueError(f"expected a matrix (2-D array), got a {cost.ndim} array")
    if np.any(np.isnan(cost)):
        raise ValueError("matrix contains invalid numeric entries")
    turned = cost.shape[1] < cost.shape[0]
    cost = (-cost if maximize else cost).T if turned else (-cost if maximize else cost)
    rows, columns = cost.shape
    of_row, of_column = np.zeros(rows), np.zeros(columns)
    column_of, row_of = [-1] * rows, [-1] * columns
    for start in range(rows):
        shortest, before = np.full(columns, np.inf), np.full(columns, -1)
        left = np.ones(columns, dtype=bool)
        seen, row, least = [], start, 0.0
        while row >= 0:
            seen.append(row)
            length = least + cost[row] - of_row[row] - of_column
            closer = left & (length < shortest)
            shortest, before = np.where(closer, length, shortest), np.where(closer, row, before)
            open_ones = np.where(left, shortest, np.inf)
            least = open_ones.min()
            if least == np.inf:
                raise ValueError("cost matrix is infeasible")
            ties = np.where(open_ones == least)[0]
            free = [int(each) for each in ties if row_of[each] < 0]
            sink = free[0] if free else int(ties[0])
            left[sink] = False
            row = row_of[sink]
        for each in seen:
            of_row[each] += least - (0.0 if each == start else shortest[column_of[each]])
        reached = ~left
        of_column[reached] -= least - shortest[reached]
        column = sink
        while True:
            row = int(before[column])
            row_of[column] = row
            column_of[row], column = column, column_of[row]
            if row == start:
                break
    first, second = np.arange(rows), np.array(column_of, dtype=np.int64)
    if not turned:
        return first, second
    order = np.argsort(second)
    return second[order], first[order]
