# type: ignore
"""What can be told of a graph: matrices, ways, figures of its nodes."""

import heapq

import numpy as np
from networkx._graph import NetworkXError, NetworkXNoPath, NetworkXUnfeasible, NodeNotFound


def to_numpy_array(G, nodelist=None, dtype=None, order=None, multigraph_weight=sum, weight="weight", nonedge=0.0):
    names = [*G] if nodelist is None else [*nodelist]
    at = {name: i for i, name in enumerate(names)}
    made = np.full((len(names), len(names)), nonedge, dtype=dtype or np.float64)
    for u in names:
        for v, held in G.adj[u].items():
            if v in at:
                made[at[u], at[v]] = 1 if weight is None else held.get(weight, 1)
    return made


def _whole(G, weight):
    """Whether all weights are whole numbers."""
    return all(isinstance(held.get(weight, 1), int) for _, _, held in G.edges(data=True))


def adjacency_matrix(G, nodelist=None, dtype=None, weight="weight"):
    from scipy.sparse import csr_matrix

    kind = dtype or (np.int64 if _whole(G, weight) else np.float64)
    return csr_matrix(to_numpy_array(G, nodelist, kind, weight=weight))


def laplacian_matrix(G, nodelist=None, weight="weight"):
    from scipy.sparse import csr_matrix

    edges = to_numpy_array(G, nodelist, np.int64 if _whole(G, weight) else np.float64, weight=weight)
    return csr_matrix(np.diag(edges.sum(1)) - edges)


def to_dict_of_lists(G, nodelist=None):
    return {u: [*G.adj[u]] for u in G}


def to_edgelist(G, nodelist=None):
    return G.edges(data=True)


def _there(G, *nodes):
    for each in nodes:
        if each not in G:
            raise NodeNotFound(f"Either source {nodes[0]} or target {nodes[-1]} is not in G")


def _nearest(G, source, weight):
    """How far each node is from `source`, and which is before it; those that can be reached, the nearest first."""
    far, before, count = {}, {}, 0
    waiting = [(0, count, source, None)]
    found = {source: 0}
    while waiting:
        distance, _, node, last = heapq.heappop(waiting)
        if node in far:
            continue
        far[node], before[node] = distance, last
        for each, held in G.adj[node].items():
            step = 1 if weight is None else weight(node, each, held) if callable(weight) else held.get(weight, 1)
            if each not in far and (each not in found or distance + step < found[each]):
                found[each] = distance + step
                count += 1
                heapq.heappush(waiting, (distance + step, count, each, node))
    return far, before


def _way(before, target):
    way = [target]
    while before[way[-1]] is not None:
        way.append(before[way[-1]])
    return way[::-1]


def _reached(G, source, target, weight):
    """What _nearest() tells, where `target` has to be among it."""
    _there(G, source, *([] if target is None else [target]))
    far, before = _nearest(G, source, weight)
    if target is not None and target not in far:
        raise NetworkXNoPath(f"No path between {source} and {target}.")
    return far, before


def shortest_path(G, source=None, target=None, weight=None, method="dijkstra"):
    if source is None:
        return {each: shortest_path(G, each, target, weight) for each in G}
    far, before = _reached(G, source, target, weight)
    return {each: _way(before, each) for each in far} if target is None else _way(before, target)


def shortest_path_length(G, source=None, target=None, weight=None, method="dijkstra"):
    if source is None:
        return iter([(each, shortest_path_length(G, each, target, weight)) for each in G])
    far, _ = _reached(G, source, target, weight)
    return far if target is None else far[target]


def dijkstra_path(G, source, target, weight="weight"):
    return shortest_path(G, source, target, weight)


def dijkstra_path_length(G, source, target, weight="weight"):
    return shortest_path_length(G, source, target, weight)


def has_path(G, source, target):
    _there(G, source, target)
    return target in _nearest(G, source, None)[0]


def connected_components(G):
    if G.is_directed():
        raise NetworkXError("not implemented for directed type")
    seen = set()
    for each in G:
        if each not in seen:
            found = set(_nearest(G, each, None)[0])
            seen |= found
            yield found


def number_connected_components(G):
    return len([*connected_components(G)])


def is_connected(G):
    if not len(G):
        raise NetworkXError("Connectivity is undefined for the null graph.")
    return number_connected_components(G) == 1


def average_shortest_path_length(G, weight=None, method=None):
    total = sum([sum(_nearest(G, each, weight)[0].values()) for each in G])
    return total / (len(G) * (len(G) - 1))


def diameter(G, e=None, usebounds=False, weight=None):
    lengths = [_nearest(G, each, weight)[0] for each in G]
    if any(len(each) < len(G) for each in lengths):
        raise NetworkXError("Found infinite path length because the graph is not connected")
    return max([max(each.values()) for each in lengths])


def density(G):
    n, m = len(G), G.number_of_edges()
    if m == 0 or n <= 1:
        return 0
    found = m / (n * (n - 1))
    return found if G.is_directed() else found * 2


def _clustering_of(G, node):
    near = [each for each in G.adj[node] if each != node]
    if len(near) < 2:
        return 0
    pairs = sum([G.has_edge(u, v) for i, u in enumerate(near) for v in near[i + 1 :]])
    return 2 * pairs / (len(near) * (len(near) - 1))


def clustering(G, nodes=None, weight=None):
    if nodes is not None and nodes in G:
        return _clustering_of(G, nodes)
    return {each: _clustering_of(G, each) for each in (G if nodes is None else nodes)}


def average_clustering(G, nodes=None, weight=None, count_zeros=True):
    found = [*clustering(G, nodes).values()]
    return sum(found) / len(found)


def degree_centrality(G):
    if len(G) <= 1:
        return dict.fromkeys(G, 1)
    return {node: degree * (1.0 / (len(G) - 1.0)) for node, degree in G.degree}


def pagerank(G, alpha=0.85, personalization=None, max_iter=100, tol=1e-06, nstart=None, weight="weight", dangling=None):
    n = len(G)
    if n == 0:
        return {}
    steps = to_numpy_array(G, weight=weight)
    out = steps.sum(1)
    lonely = out == 0
    steps = steps / np.where(lonely, 1, out)[:, None]
    at = np.full(n, 1 / n)
    for _ in range(max_iter):
        new = alpha * (at @ steps + at[lonely].sum() / n) + (1 - alpha) / n
        if np.abs(new - at).sum() < n * tol:
            return dict(zip(G, new.tolist()))
        at = new
    raise NetworkXError(f"power iteration failed to converge in {max_iter} iterations")


def topological_sort(G):
    if not G.is_directed():
        raise NetworkXError("Topological sort not defined on undirected graphs.")
    left = {node: degree for node, degree in G.in_degree}
    ready = [node for node in G if not left[node]]
    count = 0
    while ready:
        batch, ready = ready, []
        for node in batch:
            yield node
            count += 1
            for each in G.adj[node]:
                left[each] -= 1
                if not left[each]:
                    ready.append(each)
    if count < len(G):
        raise NetworkXUnfeasible("Graph contains a cycle or graph changed during iteration")


def is_directed_acyclic_graph(G):
    if not G.is_directed():
        return False
    try:
        return len([*topological_sort(G)]) == len(G)
    except NetworkXUnfeasible:
        return False


def bfs_edges(G, source, reverse=False, depth_limit=None, sort_neighbors=None):
    seen, waiting = {source}, [source]
    while waiting:
        node = waiting.pop(0)
        for each in G.adj[node]:
            if each not in seen:
                seen.add(each)
                waiting.append(each)
                yield node, each


def dfs_preorder_nodes(G, source=None, depth_limit=None):
    seen, waiting = set(), [source]
    while waiting:
        node = waiting.pop()
        if node not in seen:
            seen.add(node)
            yield node
            waiting.extend([each for each in reversed([*G.adj[node]]) if each not in seen])


def set_node_attributes(G, values, name=None):
    for node, value in values.items() if isinstance(values, dict) else [(node, values) for node in G]:
        if node in G:
            G.nodes[node].update(value if name is None else {name: value})


def get_node_attributes(G, name, default=None):
    return {node: held.get(name, default) for node, held in G.nodes(data=True) if name in held or default is not None}


def set_edge_attributes(G, values, name=None):
    for (u, v, *_), value in values.items() if isinstance(values, dict) else [(edge, values) for edge in G.edges]:
        if G.has_edge(u, v):
            G.adj[u][v].update(value if name is None else {name: value})


def get_edge_attributes(G, name, default=None):
    return {(u, v): held.get(name, default) for u, v, held in G.edges(data=True) if name in held or default is not None}


def relabel_nodes(G, mapping, copy=True):
    new = mapping if callable(mapping) else lambda node: mapping.get(node, node)
    made = type(G)()
    made.graph.update(G.graph)
    made.add_nodes_from([(new(node), held) for node, held in G.nodes(data=True)])
    made.add_edges_from([(new(u), new(v), dict(held)) for u, v, held in G.edges(data=True)])
    return made


def compose(G, H):
    made = type(G)(G)
    made.add_nodes_from(H.nodes(data=True))
    made.add_edges_from(H.edges(data=True))
    return made


def circular_layout(G, scale=1, center=None, dim=2, **options):
    names = [*G]
    turns = np.linspace(0, 1, len(names) + 1)[:-1] * 2 * np.pi
    return {node: np.array([np.cos(turn), np.sin(turn)]) * scale for node, turn in zip(names, turns)}


def draw(G, pos=None, ax=None, **options):
    """Nothing: what it would draw is no plot."""
    return None
