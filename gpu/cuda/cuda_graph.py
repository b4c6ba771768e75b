"""Repeated launches of a slot as a CUDA graph."""

from __future__ import annotations

from collections.abc import Callable

from framebrush.gpu.cuda.native import Graph, Native, Stream


class CudaGraph:
    """Kernels of a slot, captured when calls repeat."""

    def __init__(self, native: Native, stream: Stream, label: str) -> None:
        self._native, self._stream, self._label = native, stream, label
        self._key: object = None
        self.graph: Graph | None = None
        self._kernels = 0

    def queue(self, key: object, kernels: Callable[[], int]) -> int:
        """Queue kernels, by graph if possible; return their number."""
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
        """Release the graph. Queued launches still run."""
        self._key = None
        if self.graph is not None:
            self.graph.close()
            self.graph = None
