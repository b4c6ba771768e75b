"""The network between a slot's tensors: the whole frame in one run, or tile by tile."""

from __future__ import annotations

from contextlib import ExitStack, closing

from framebrush.gpu.cuda.context import Context
from framebrush.gpu.cuda.kernels import Arguments
from framebrush.gpu.cuda.networks.engines import OpenRuntime, open_engine
from framebrush.gpu.cuda.slot import Slot
from framebrush.gpu.cuda.tensor import Tensor
from framebrush.gpu.kernel_sources import Variant
from framebrush.gpu.stages import tile_copies
from framebrush.gpu.tiles import Plan, Tile
from framebrush.models.style import Style


class Network:
    """One engine of the plan's tile size, bound to each slot's tensors, or to a tile's that all slots share.

    The compute stream works in order, so one tile at a time is in them. Making it runs the network once: a network that
    does not fit is found here and not in the middle of a film.
    """

    def __init__(
        self, context: Context, open_runtime: OpenRuntime, style: Style, plan: Plan, slots: list[Slot]
    ) -> None:
        self._context, self._plan = context, plan
        self._stack = ExitStack()
        keep = self._stack.enter_context
        size, precision = (plan.tile_width, plan.tile_height), style.card.precision
        label = f"'{style.card.name}' at {size[0]}x{size[1]}"
        try:
            if not plan.whole:
                tile_in = keep(closing(Tensor(context.native, size, precision, "tile frame")))
                enlarged = (size[0] * plan.scale, size[1] * plan.scale)
                tile_out = keep(closing(Tensor(context.native, enlarged, precision, "tile styled")))
            engine = self.engine = keep(
                closing(open_engine(context, open_runtime, style.fixed(*size), size, precision, label))
            )
            if plan.whole:
                self._runs = [engine.bind(slot.frame, slot.styled, slot.mix) for slot in slots]
            else:
                self._copy = context.kernel(Variant("copy_window", (slots[0].frame.element,)))
                self._runs = [engine.bind(tile_in, tile_out, slot.mix) for slot in slots]
                self._windows = [
                    [_windows(plan, tile, slot, tile_in, tile_out) for tile in plan.tiles] for slot in slots
                ]
            self._runs[0]()
            context.compute.block()
        except BaseException:
            self.close()
            raise

    @property
    def runs(self) -> int:
        """Runs of the engine for a frame."""
        return len(self._plan.tiles)

    def queue(self, slot: Slot) -> int:
        """Queue the network on a slot whose source tensor and weights are queued before; returns the kernels run."""
        run = self._runs[slot.index]
        if self._plan.whole:
            return run()
        scale, size, kernels = self._plan.scale, (self._plan.tile_width, self._plan.tile_height), 0
        for tile, (bring, take) in zip(self._plan.tiles, self._windows[slot.index], strict=True):
            self._copy.launch(self._context.compute, size, bring)
            kernels += run() + 2
            kept = (scale * (tile.right - tile.left), scale * (tile.bottom - tile.top))
            self._copy.launch(self._context.compute, kept, take)
        return kernels

    def close(self) -> None:
        """Release the engine and the tensors; the device is idle. Idempotent."""
        self._stack.close()


def _windows(plan: Plan, tile: Tile, slot: Slot, tile_in: Tensor, tile_out: Tensor) -> tuple[Arguments, Arguments]:
    """What brings a tile in, and takes what is kept of it out."""
    bring, take = tile_copies.tile_windows(plan, tile)
    return (
        Arguments(slot.frame.pointer, tile_in.pointer, bring),
        Arguments(tile_out.pointer, slot.styled.pointer, take),
    )
