"""Which names of a graph of definitions lead back to themselves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


def circular(edges: Mapping[str, Iterable[str]]) -> frozenset[str]:
    """The names that can be reached from themselves; `edges` lead from a name to those it uses.

    Kosaraju's algorithm, without recursion: linear in the size of the graph, however deep it is.
    """
    graph = {name: [other for other in others if other in edges] for name, others in edges.items()}
    backwards: dict[str, list[str]] = {name: [] for name in graph}
    for name, others in graph.items():
        for other in others:
            backwards[other].append(name)
    found = {name for name, others in graph.items() if name in others}
    seen: set[str] = set()
    for start in reversed(_finished(graph)):
        component = []
        waiting = [start]
        while waiting:
            name = waiting.pop()
            if name not in seen:
                seen.add(name)
                component.append(name)
                waiting.extend(backwards[name])
        if len(component) > 1:
            found.update(component)
    return frozenset(found)


def _finished(graph: Mapping[str, list[str]]) -> list[str]:
    """The names in the order in which a depth-first search is done with them."""
    order: list[str] = []
    seen: set[str] = set()
    for start in graph:
        stack = [(start, iter(graph[start]))] if start not in seen else []
        seen.add(start)
        while stack:
            name, rest = stack[-1]
            following = next((other for other in rest if other not in seen), None)
            if following is None:
                order.append(name)
                stack.pop()
            else:
                seen.add(following)
                stack.append((following, iter(graph[following])))
    return order
