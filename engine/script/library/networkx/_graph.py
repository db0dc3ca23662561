# type: ignore
"""Graphs, with what their nodes and edges hold."""


class NetworkXException(Exception):
    pass


class NetworkXError(NetworkXException):
    pass


class NetworkXUnfeasible(NetworkXException):
    pass


class NetworkXNoPath(NetworkXUnfeasible):
    pass


class NodeNotFound(NetworkXException):
    pass


class _Nodes:
    """graph.nodes: the nodes, and by a node what it holds."""

    def __init__(self, graph):
        self._graph = graph

    def __call__(self, data=False, default=None):
        if data is False:
            return self
        held = self._graph._node.items()
        return _Shown("NodeDataView", [(n, d if data is True else d.get(data, default)) for n, d in held])

    def data(self, data=True, default=None):
        return self(data, default)

    def __getitem__(self, node):
        return self._graph._node[node]

    def __iter__(self):
        return iter([*self._graph._node])

    def __len__(self):
        return len(self._graph._node)

    def __contains__(self, node):
        return node in self._graph._node

    def items(self):
        return self._graph._node.items()

    def __str__(self):
        return str([*self])

    def __repr__(self):
        return f"NodeView({tuple(self)})"


class _Shown(list):
    """A list that a graph tells, with the name of its view."""

    def __init__(self, name, items):
        super().__init__(items)
        self._name = name

    def __repr__(self):
        return f"{self._name}({[*self]})"

    def __str__(self):
        return str([*self])


class _Edges:
    """graph.edges: the edges, and by an edge what it holds."""

    def __init__(self, graph):
        self._graph = graph

    def __call__(self, nbunch=None, data=False, default=None):
        graph = self._graph
        wanted = graph.nodes if nbunch is None else [nbunch] if nbunch in graph else nbunch
        found, seen = [], set()
        for u in wanted:
            for v, held in graph._adj[u].items():
                if graph.is_directed() or v not in seen:
                    found.append((u, v) if data is False else (u, v, held if data is True else held.get(data, default)))
            seen.add(u)
        return _Shown("EdgeView" if data is False else "EdgeDataView", found)

    def data(self, data=True, default=None):
        return self(None, data, default)

    def __getitem__(self, edge):
        return self._graph._adj[edge[0]][edge[1]]

    def __iter__(self):
        return iter(self())

    def __len__(self):
        return len(self())

    def __contains__(self, edge):
        return self._graph.has_edge(*edge)

    def __str__(self):
        return str([*self])

    def __repr__(self):
        return f"EdgeView({[*self]})"


class _Degrees:
    """graph.degree: how many edges a node has, a loop counting twice."""

    def __init__(self, graph, of):
        self._graph, self._of = graph, of

    def __call__(self, nbunch=None, weight=None):
        if nbunch is None and weight is None:
            return self
        if nbunch is not None and nbunch in self._graph:
            return self._of(nbunch, weight)
        return _Shown("DegreeView", [(n, self._of(n, weight)) for n in (self._graph if nbunch is None else nbunch)])

    def __getitem__(self, node):
        return self._of(node, None)

    def __iter__(self):
        return iter([(node, self._of(node, None)) for node in self._graph])

    def __len__(self):
        return len(self._graph)

    def __str__(self):
        return str([*self])

    def __repr__(self):
        return f"DegreeView({dict(self)})"


class Graph:
    def __init__(self, incoming_graph_data=None, **attributes):
        self.graph, self._node, self._adj = dict(attributes), {}, {}
        self._pred = {} if self.is_directed() else self._adj
        given = incoming_graph_data
        if isinstance(given, Graph):
            self.graph.update(given.graph)
            self.add_nodes_from(given.nodes(data=True))
            self.add_edges_from(given.edges(data=True))
            if self.is_directed() and not given.is_directed():
                self.add_edges_from([(v, u, held) for u, v, held in given.edges(data=True)])
        elif isinstance(given, dict):
            for u, inner in given.items():
                self.add_node(u)
                for v in inner:
                    self.add_edge(u, v, **(inner[v] if isinstance(inner, dict) and isinstance(inner[v], dict) else {}))
        elif hasattr(given, "shape"):
            from networkx._made import from_numpy_array

            from_numpy_array(given, create_using=self)
        elif given is not None:
            self.add_edges_from(given)

    def is_directed(self):
        return False

    def is_multigraph(self):
        return False

    @property
    def name(self):
        return self.graph.get("name", "")

    @property
    def nodes(self):
        return _Nodes(self)

    @property
    def edges(self):
        return _Edges(self)

    @property
    def adj(self):
        return self._adj

    @property
    def degree(self):
        return _Degrees(self, self._degree_of)

    def _degree_of(self, node, weight):
        held = self._adj[node]
        total = sum([1 if weight is None else each.get(weight, 1) for each in held.values()])
        if node in held:
            total += 1 if weight is None else held[node].get(weight, 1)
        return total

    def add_node(self, node_for_adding, **attributes):
        if node_for_adding is None:
            raise ValueError("None cannot be a node")
        if node_for_adding not in self._node:
            self._node[node_for_adding], self._adj[node_for_adding] = {}, {}
            self._pred.setdefault(node_for_adding, {})
        self._node[node_for_adding].update(attributes)

    def add_nodes_from(self, nodes_for_adding, **attributes):
        for each in nodes_for_adding:
            if isinstance(each, tuple) and len(each) == 2 and isinstance(each[1], dict):
                self.add_node(each[0], **{**attributes, **each[1]})
            else:
                self.add_node(each, **attributes)

    def add_edge(self, u_of_edge, v_of_edge, **attributes):
        u, v = u_of_edge, v_of_edge
        self.add_node(u)
        self.add_node(v)
        held = self._adj[u].get(v, {})
        held.update(attributes)
        self._adj[u][v] = self._pred[v][u] = held

    def add_edges_from(self, ebunch_to_add, **attributes):
        for each in ebunch_to_add:
            u, v, *held = each
            self.add_edge(u, v, **{**attributes, **(held[0] if held else {})})

    def add_weighted_edges_from(self, ebunch_to_add, weight="weight", **attributes):
        self.add_edges_from([(u, v, {weight: w}) for u, v, w in ebunch_to_add], **attributes)

    def remove_node(self, n):
        if n not in self._node:
            raise NetworkXError(f"The node {n} is not in the graph.")
        for v in [*self._adj[n]]:
            self._pred[v].pop(n, None)
        for u in [*self._pred[n]]:
            self._adj[u].pop(n, None)
        del self._node[n], self._adj[n]
        self._pred.pop(n, None)

    def remove_nodes_from(self, nodes):
        for each in [*nodes]:
            if each in self._node:
                self.remove_node(each)

    def remove_edge(self, u, v):
        if not self.has_edge(u, v):
            raise NetworkXError(f"The edge {u}-{v} is not in the graph")
        del self._adj[u][v]
        self._pred[v].pop(u, None)

    def remove_edges_from(self, ebunch):
        for u, v, *_ in [*ebunch]:
            if self.has_edge(u, v):
                self.remove_edge(u, v)

    def has_node(self, n):
        return n in self._node

    def has_edge(self, u, v):
        return v in self._adj.get(u, {})

    def get_edge_data(self, u, v, default=None):
        return self._adj.get(u, {}).get(v, default)

    def neighbors(self, n):
        if n not in self._adj:
            raise NetworkXError(f"The node {n} is not in the graph.")
        return iter([*self._adj[n]])

    def adjacency(self):
        return iter([*self._adj.items()])

    def number_of_nodes(self):
        return len(self._node)

    order = number_of_nodes

    def number_of_edges(self, u=None, v=None):
        return len(self.edges) if u is None else int(self.has_edge(u, v))

    def size(self, weight=None):
        return len(self.edges) if weight is None else sum([held for _, _, held in self.edges(data=weight, default=1)])

    def clear(self):
        self._node.clear()
        self._adj.clear()
        self._pred.clear()

    def copy(self):
        return type(self)(self)

    def subgraph(self, nodes):
        wanted = set(nodes)
        made = type(self)()
        made.graph.update(self.graph)
        made.add_nodes_from([(n, held) for n, held in self._node.items() if n in wanted])
        made.add_edges_from([(u, v, d) for u, v, d in self.edges(data=True) if u in wanted and v in wanted])
        return made

    def to_undirected(self):
        return Graph(self)

    def to_directed(self):
        return DiGraph(self)

    def __iter__(self):
        return iter([*self._node])

    def __len__(self):
        return len(self._node)

    def __contains__(self, n):
        return n in self._node

    def __getitem__(self, n):
        return self._adj[n]

    def __str__(self):
        named = f" named {self.name!r}" if self.name else ""
        return f"{type(self).__name__}{named} with {len(self)} nodes and {self.number_of_edges()} edges"


class DiGraph(Graph):
    def is_directed(self):
        return True

    def _degree_of(self, node, weight):
        return self._in(node, weight) + self._out(node, weight)

    def _in(self, node, weight):
        return sum([1 if weight is None else each.get(weight, 1) for each in self._pred[node].values()])

    def _out(self, node, weight):
        return sum([1 if weight is None else each.get(weight, 1) for each in self._adj[node].values()])

    @property
    def in_degree(self):
        return _Degrees(self, self._in)

    @property
    def out_degree(self):
        return _Degrees(self, self._out)

    def successors(self, n):
        return self.neighbors(n)

    def predecessors(self, n):
        return iter([*self._pred[n]])

    def reverse(self, copy=True):
        made = DiGraph()
        made.add_nodes_from(self.nodes(data=True))
        made.add_edges_from([(v, u, held) for u, v, held in self.edges(data=True)])
        return made
