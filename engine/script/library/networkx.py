# type: ignore
"""networkx: graphs as dicts of neighbours. Layouts put nodes on a circle, and drawing draws nothing."""

from networkx._graph import DiGraph, Graph, NetworkXError, NetworkXNoPath, NetworkXUnfeasible, NodeNotFound
from networkx._made import (
    complete_bipartite_graph,
    complete_graph,
    cycle_graph,
    empty_graph,
    erdos_renyi_graph,
    from_edgelist,
    from_numpy_array,
    gnp_random_graph,
    grid_2d_graph,
    karate_club_graph,
    path_graph,
    star_graph,
)
from networkx._told import (
    adjacency_matrix,
    average_clustering,
    average_shortest_path_length,
    bfs_edges,
    circular_layout,
    clustering,
    compose,
    connected_components,
    degree_centrality,
    density,
    dfs_preorder_nodes,
    diameter,
    dijkstra_path,
    dijkstra_path_length,
    draw,
    get_edge_attributes,
    get_node_attributes,
    has_path,
    is_connected,
    is_directed_acyclic_graph,
    laplacian_matrix,
    number_connected_components,
    pagerank,
    relabel_nodes,
    set_edge_attributes,
    set_node_attributes,
    shortest_path,
    shortest_path_length,
    to_dict_of_lists,
    to_edgelist,
    to_numpy_array,
    topological_sort,
)

fast_gnp_random_graph = binomial_graph = gnp_random_graph
draw_networkx = draw_networkx_nodes = draw_networkx_edges = draw_networkx_labels = draw
draw_networkx_edge_labels = draw_spring = draw_circular = draw
spring_layout = kamada_kawai_layout = random_layout = shell_layout = spectral_layout = circular_layout
