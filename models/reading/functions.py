"""Expansion of functions into nodes, with a limit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from graphlib import CycleError, TopologicalSorter

import onnx.inliner
from onnx import ModelProto, NodeProto

from framebrush.models.style import StyleError

MAX_NODES = 1 << 16
"""Most nodes of an expanded network: a hundred times what exporters write."""

MAX_BYTES = 512 << 20
"""Size limit of its nodes in bytes, because they may hold tensors."""

_Id = tuple[str, str, str]
"""Domain, name and overload of a function."""

_MAIN: _Id = ("", "", "")


def expand(model: ModelProto, label: str) -> None:
    """Replace calls of functions by nodes, in place. Raises StyleError for too many."""
    if model.functions:
        _check_growth(model, label)
        model.CopyFrom(onnx.inliner.inline_local_functions(model))


def _check_growth(model: ModelProto, label: str) -> None:
    nodes = {_id(one.domain, one.name, one.overload): list(_all(one.node)) for one in model.functions}
    nodes[_MAIN] = list(_all(model.graph.node))
    calls = {name: [_id(node.domain, node.op_type, node.overload) for node in body] for name, body in nodes.items()}
    try:
        order = list(TopologicalSorter({name: nodes.keys() & called for name, called in calls.items()}).static_order())
    except CycleError:
        raise StyleError(f"{label}: its functions call each other in a circle; refused") from None
    costs: dict[_Id, tuple[int, int]] = {}  # nodes and bytes
    for name in order:
        pairs = zip(nodes[name], calls[name], strict=True)
        each = [costs[call] if call in costs else (1, node.ByteSize()) for node, call in pairs]
        costs[name] = sum(count for count, _ in each), sum(size for _, size in each)
    count, size = costs[_MAIN]
    if count > MAX_NODES or size > MAX_BYTES:
        raise StyleError(
            f"{label}: its functions call each other so often that together they are more than {MAX_NODES} operators "
            f"or {MAX_BYTES >> 20} MB; refused"
        )


def _id(domain: str, name: str, overload: str) -> _Id:
    return "" if domain == "ai.onnx" else domain, name, overload


def _all(nodes: Iterable[NodeProto]) -> Iterator[NodeProto]:
    left = list(nodes)
    while left:
        node = left.pop()
        yield node
        for attribute in node.attribute:
            for graph in [attribute.g] if attribute.HasField("g") else attribute.graphs:
                left.extend(graph.node)
