"""Which filters a stylizer needs between the sizes of its frames."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack, closing
from typing import Generic, Protocol, TypeVar

from framebrush.gpu.sizes import Size, Sizes
from framebrush.gpu.stages.detail import coarse_size
from framebrush.gpu.stages.resample import TO_DETAIL, TO_TARGET, TO_WORKING, Filter


class _Closable(Protocol):
    def close(self) -> None: ...


ResamplingT = TypeVar("ResamplingT", bound=_Closable)


class Scaling(Generic[ResamplingT]):
    """The filters between the sizes of a frame, which the slots share. None where two sizes are the same."""

    def __init__(self, sizes: Sizes, make: Callable[[Size, Size, Filter, str], ResamplingT]) -> None:
        """make: a device's filter from one size to another, with a label."""
        self._sizes, self._new = sizes, make
        self._stack = ExitStack()
        self.to_working: ResamplingT | None = None
        self.to_target: ResamplingT | None = None
        self._source_to_target: ResamplingT | None = None
        self._detail: tuple[ResamplingT, ResamplingT] | None = None
        if sizes.source != sizes.working:
            self.to_working = self._make(sizes.source, sizes.working, TO_WORKING, "source to working size")
        if sizes.output != sizes.target:
            self.to_target = self._make(sizes.output, sizes.target, TO_TARGET, "output to target size")

    def source_to_target(self) -> ResamplingT | None:
        """Of the source that a look mixes with the painting: made when it is first needed."""
        sizes = self._sizes
        if self._source_to_target is None and sizes.source != sizes.target:
            self._source_to_target = self._make(sizes.source, sizes.target, TO_TARGET, "source to target size")
        return self._source_to_target

    def detail(self) -> tuple[ResamplingT, ResamplingT]:
        """Of the low-pass that `gpu.stages.detail` needs: down and up. Made when they are first needed."""
        if self._detail is None:
            whole, coarse = self._sizes.target, coarse_size(self._sizes)
            down = self._make(whole, coarse, TO_DETAIL, "luma to its low-pass")
            self._detail = down, self._make(coarse, whole, TO_DETAIL, "low-pass to target size")
        return self._detail

    def _make(self, size: Size, resized: Size, shape: Filter, label: str) -> ResamplingT:
        return self._stack.enter_context(closing(self._new(size, resized, shape, label)))

    def close(self) -> None:
        """Release them; the device has finished with them. Idempotent."""
        self._stack.close()
