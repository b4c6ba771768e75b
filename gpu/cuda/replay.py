"""Kernels that a stream repeats for each frame: launched one by one, or as a CUDA graph with one call."""

from __future__ import annotations

from collections.abc import Callable

from framebrush.gpu.cuda.native import Graph, Native, Stream


class Replay:
    """The kernels of one slot. What comes for the second time in a row is captured as a graph, so that what changes
    from frame to frame, such as a look that moves, costs no captures. graph: None where there is none yet."""

    def __init__(self, native: Native, stream: Stream, label: str) -> None:
        self._native, self._stream, self._label = native, stream, label
        self._key: object = None
        self.graph: Graph | None = None
        self._kernels = 0

    def queue(self, key: object, kernels: Callable[[], int]) -> int:
        """Queue kernels, and return how many. key: equal where the same kernels are queued with the same arguments, and
        nothing else."""
        if key is not self._key and key != self._key:
            self.close()
            self._kernels = kernels()
            self._key = key
        else:
            if self.graph is None:
                self.graph = Graph(self._native, self._stream, kernels, self._label)
            self.graph.launch()
        return self._kernels

    def close(self) -> None:
        """Release the graph, which the GPU still finishes. Idempotent."""
        self._key = None
        if self.graph is not None:
            self.graph.close()
            self.graph = None
