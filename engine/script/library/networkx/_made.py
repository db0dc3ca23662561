# type: ignore
"""Graphs that are made by a rule, and Zachary's karate club (1977)."""

import random
from itertools import combinations, permutations

from networkx._graph import DiGraph, Graph

_KARATE = (
    "1:4 2:5 3:3 4:3 5:3 6:3 7:2 8:2 10:2 11:3 12:1 13:3 17:2 19:2 21:2 31:2|2:6 3:3 7:4 13:5 17:1 19:2 21:2 30:2|"
    "3:3 7:4 8:5 9:1 13:3 27:2 28:2 32:2|7:3 12:3 13:3|6:2 10:3|6:5 10:3 16:3|16:3||30:3 32:3 33:4|33:2||||33:3|"
    "32:3 33:2|32:3 33:4|||32:1 33:2|33:1|32:3 33:1||32:2 33:3|25:5 27:4 29:3 32:5 33:4|25:2 27:3 31:2|31:7|"
    "29:4 33:2|33:4|31:2 33:2|32:4 33:2|32:3 33:3|32:4 33:4|33:5|"
)
"""For each member those after it, and how much they had to do with each other."""
_CLUBS = "HHHHHHHHHOHHHHOOHHOHOHOOOOOOOOOOOO"


def _begun(create_using, directed=False):
    if create_using is None:
        return DiGraph() if directed else Graph()
    made = create_using() if isinstance(create_using, type) else create_using
    made.clear()
    return made


def empty_graph(n=0, create_using=None):
    made = _begun(create_using)
    made.add_nodes_from(range(n) if isinstance(n, int) else n)
    return made


def path_graph(n, create_using=None):
    made = empty_graph(n, create_using)
    names = [*made]
    made.add_edges_from(zip(names, names[1:]))
    return made


def cycle_graph(n, create_using=None):
    made = path_graph(n, create_using)
    names = [*made]
    made.add_edge(names[-1], names[0])
    return made


def complete_graph(n, create_using=None):
    made = empty_graph(n, create_using)
    made.add_edges_from((permutations if made.is_directed() else combinations)([*made], 2))
    return made


def star_graph(n, create_using=None):
    made = empty_graph(n + 1 if isinstance(n, int) else n, create_using)
    first, *rest = made
    made.add_edges_from([(first, each) for each in rest])
    return made


def complete_bipartite_graph(n1, n2, create_using=None):
    made = _begun(create_using)
    made.add_nodes_from(range(n1), bipartite=0)
    made.add_nodes_from(range(n1, n1 + n2), bipartite=1)
    made.add_edges_from([(u, v) for u in range(n1) for v in range(n1, n1 + n2)])
    made.graph["name"] = f"complete_bipartite_graph({n1}, {n2})"
    return made


def grid_2d_graph(m, n, periodic=False, create_using=None):
    made = _begun(create_using)
    made.add_nodes_from([(i, j) for i in range(m) for j in range(n)])
    made.add_edges_from([((i - 1, j), (i, j)) for i in range(1, m) for j in range(n)])
    made.add_edges_from([((i, j - 1), (i, j)) for i in range(m) for j in range(1, n)])
    if periodic:
        made.add_edges_from([((0, j), (m - 1, j)) for j in range(n) if m > 2])
        made.add_edges_from([((i, 0), (i, n - 1)) for i in range(m) if n > 2])
    return made


def gnp_random_graph(n, p, seed=None, directed=False, *, create_using=None):
    """Each edge that there can be, with probability p."""
    draw = random if seed is None else random.Random(seed) if isinstance(seed, int) else seed
    made = _begun(create_using, directed)
    made.add_nodes_from(range(n))
    if p >= 1:
        return complete_graph(n, made)
    for edge in (permutations if directed else combinations)(range(n), 2) if p > 0 else ():
        if draw.random() < p:
            made.add_edge(*edge)
    return made


erdos_renyi_graph = gnp_random_graph


def karate_club_graph():
    made = Graph(name="Zachary's Karate Club")
    made.add_nodes_from(range(len(_CLUBS)))
    rows = [{} for _ in _CLUBS]
    for u, row in enumerate(_KARATE.split("|")):
        for each in row.split():
            v, weight = [int(part) for part in each.split(":")]
            rows[u][v] = rows[v][u] = weight
    for u, row in enumerate(rows):
        for v in sorted(row):
            made.add_edge(u, v, weight=row[v])
    for u, club in enumerate(_CLUBS):
        made.nodes[u]["club"] = "Mr. Hi" if club == "H" else "Officer"
    return made


def from_numpy_array(A, parallel_edges=False, create_using=None, edge_attr="weight", nodelist=None):
    made = _begun(create_using)
    names = [*range(len(A))] if nodelist is None else [*nodelist]
    made.add_nodes_from(names)
    for u, row in enumerate(A.tolist()):
        for v, weight in enumerate(row):
            if weight:
                made.add_edge(names[u], names[v], **({} if edge_attr is None else {edge_attr: weight}))
    return made


def from_edgelist(edgelist, create_using=None):
    made = _begun(create_using)
    made.add_edges_from(edgelist)
    return made
