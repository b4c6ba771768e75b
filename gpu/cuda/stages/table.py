"""Tables of colours on the GPU. What a table does: `models.colours.table`; the reference is `gpu.reference.table`."""

from __future__ import annotations

from contextlib import ExitStack, closing

import numpy as np

from framebrush.gpu.cuda.context import Context
from framebrush.gpu.cuda.kernels import Arguments
from framebrush.gpu.cuda.native import Event, PinnedMemory
from framebrush.gpu.cuda.tensor import Tensor
from framebrush.gpu.kernel_sources import Variant
from framebrush.gpu.stages import constants
from framebrush.gpu.stylizer import Settings
from framebrush.models.colours.table import ColourTable

APART = ("APART", "1")


class Colours:
    """One table in the GPU's memory, each point of its grid as sixteen bytes, which one load moves.

    table: the one that is there for what is queued from now on."""

    def __init__(self, context: Context, table: ColourTable, label: str) -> None:
        self._context, self.table, self._label = context, table, label
        points = np.zeros((*table.grid.shape[:3], 4), np.float32)
        points[..., :3] = table.grid
        self._pinned: PinnedMemory | None = None  # of the grid's size, where it was changed
        self._stack = ExitStack()
        keep = self._stack.enter_context
        try:
            self._grid = keep(closing(context.constant(points, label))).pointer
            self._curves = 0
            if table.curves is not None:
                self._curves = keep(closing(context.constant(table.curves, f"{label}: curves"))).pointer
            self._copied = keep(closing(Event(context.native, f"{label}: copied")))
        except BaseException:
            self._stack.close()
            raise

    def change(self, table: ColourTable) -> None:
        """Queue the copy of another table, which is plain as this one is and has a grid of the same size: behind all
        kernels that use this one, and ahead of those that will use the other."""
        compute = self._context.compute
        if self._pinned is None:
            pinned = PinnedMemory(self._context.native, 16 * table.size**3, f"{self._label}: upload")
            self._pinned = self._stack.enter_context(closing(pinned))
        elif not self._copied.reached:
            self._copied.block()  # of a frame that was let go, before the GPU had come to it
        self._pinned.mapped.view(np.float32).reshape(-1, 4)[:, :3] = table.grid.reshape(-1, 3)
        compute.upload(self._grid, self._pinned, 0, self._pinned.size_bytes)
        compute.record(self._copied)
        self.table = table

    def queue(self, picture: Tensor, into: Tensor, flag: int) -> int:
        """Queue what the table makes of a picture clipped to 0..1; returns the kernels run. into: the picture itself,
        or a float32 tensor, which may leave out its padding. flag: of values that are not finite, which count as 0."""
        record = constants.table(self.table, into.size_px, picture.size_px)
        defines = (picture.element,) if into is picture else (picture.element, APART)
        arguments = Arguments(picture.pointer, self._grid, self._curves, into.pointer, flag, record)
        self._context.kernel(Variant("table", defines)).launch(self._context.compute, into.size_px, arguments)
        return 1

    def close(self) -> None:
        """Release it; the GPU has finished with it. Idempotent."""
        self._stack.close()


class Tables:
    """Those of a stylizer's style. after: that behind the painting, until a slot takes another for its frames, None
    where there is none. painting: what `queue_after` makes, float32 of the target's size, None where there is no table.
    All slots share it, since the compute stream works in order; their own paintings, which are shown again with other
    looks, stay as they are."""

    def __init__(self, context: Context, settings: Settings) -> None:
        style = settings.style
        self._before: Colours | None = None
        self.after: Colours | None = None
        self.painting: Tensor | None = None
        self._stack = ExitStack()
        keep = self._stack.enter_context
        try:
            if style.before:
                self._before = keep(closing(Colours(context, style.before, "colours before")))
            if style.after:
                self.after = keep(closing(Colours(context, style.after, "colours after")))
                target = settings.sizes.target
                self.painting = keep(closing(Tensor(context.native, target, "float32", "painting in other colours")))
        except BaseException:
            self._stack.close()
            raise

    def queue_before(self, source: Tensor, flag: int) -> int:
        """Queue the colours of the source, in place; returns the kernels run."""
        return self._before.queue(source, source, flag) if self._before else 0

    def queue_after(self, colours: Colours | None, painted: Tensor, flag: int) -> int:
        """Queue `painting`, of a painting at the target's size; returns the kernels run. colours: `after`, or what a
        slot has in its place. flag: of values that are not finite."""
        return colours.queue(painted, self.painting, flag) if colours and self.painting else 0

    def close(self) -> None:
        """Release them; the GPU has finished with them. Idempotent."""
        self._stack.close()
