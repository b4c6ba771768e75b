"""Tables of colours on the GPU. What a table does: `models.table`; the reference is `gpu.reference.table`."""

from __future__ import annotations

from contextlib import ExitStack, closing

import numpy as np

from framebrush.gpu import constants
from framebrush.gpu.cuda.context import Context
from framebrush.gpu.cuda.kernels import Arguments, Variant
from framebrush.gpu.cuda.tensor import Tensor
from framebrush.gpu.stylizer import Settings
from framebrush.models.table import ColourTable

APART = ("APART", "1")


class Colours:
    """One table in the GPU's memory, each point of its grid as sixteen bytes, which one load moves."""

    def __init__(self, context: Context, table: ColourTable, label: str) -> None:
        self._context, self._table = context, table
        points = np.zeros((*table.grid.shape[:3], 4), np.float32)
        points[..., :3] = table.grid
        self._stack = ExitStack()
        keep = self._stack.enter_context
        try:
            self._grid = keep(closing(context.constant(points, label))).pointer
            self._curves = 0
            if table.curves is not None:
                self._curves = keep(closing(context.constant(table.curves, f"{label}: curves"))).pointer
        except BaseException:
            self._stack.close()
            raise

    def queue(self, picture: Tensor, into: Tensor, flag: int) -> int:
        """Queue what the table makes of a picture clipped to 0..1; returns the kernels run. into: the picture itself,
        or a float32 tensor, which may leave out its padding. flag: of values that are not finite, which count as 0."""
        record = constants.table(self._table, into.size_px, picture.size_px)
        defines = (picture.element,) if into is picture else (picture.element, APART)
        arguments = Arguments(picture.pointer, self._grid, self._curves, into.pointer, flag, record)
        self._context.kernel(Variant("table", defines)).launch(self._context.compute, into.size_px, arguments)
        return 1

    def close(self) -> None:
        """Release it; the GPU has finished with it. Idempotent."""
        self._stack.close()


class Tables:
    """Those of a stylizer's style. painting: what `queue_after` makes, float32 of the target's size, None where there
    is no such table. All slots share it, since the compute stream works in order; their own paintings, which are shown
    again with other looks, stay as they are."""

    def __init__(self, context: Context, settings: Settings) -> None:
        style = settings.style
        self._before: Colours | None = None
        self._after: Colours | None = None
        self.painting: Tensor | None = None
        self._stack = ExitStack()
        keep = self._stack.enter_context
        try:
            if style.before:
                self._before = keep(closing(Colours(context, style.before, "colours before")))
            if style.after:
                self._after = keep(closing(Colours(context, style.after, "colours after")))
                target = settings.sizes.target
                self.painting = keep(closing(Tensor(context.native, target, "float32", "painting in other colours")))
        except BaseException:
            self._stack.close()
            raise

    def queue_before(self, source: Tensor, flag: int) -> int:
        """Queue the colours of the source, in place; returns the kernels run."""
        return self._before.queue(source, source, flag) if self._before else 0

    def queue_after(self, painted: Tensor, flag: int) -> int:
        """Queue `painting`, of a painting at the target's size; returns the kernels run. flag: of values that are not
        finite."""
        return self._after.queue(painted, self.painting, flag) if self._after and self.painting else 0

    def close(self) -> None:
        """Release them; the GPU has finished with them. Idempotent."""
        self._stack.close()
