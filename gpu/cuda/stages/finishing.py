"""What a look makes of a painting at the target's size: brush, detail, relief and canvas."""

from __future__ import annotations

from framebrush.gpu.cuda.context import Context
from framebrush.gpu.cuda.stages.brush import Brush, Picture, Scratch
from framebrush.gpu.cuda.stages.relief import Relief
from framebrush.gpu.cuda.tensor import Tensor
from framebrush.gpu.stages.look import Look
from framebrush.gpu.stylizer import Settings


class Finishing:
    """Of one stylizer. Its pictures are those of the frame and the look that were queued last, whichever slot's: what
    is asked for again is not computed again."""

    def __init__(self, context: Context, settings: Settings) -> None:
        self._scratch = Scratch(context, settings)
        self._brush = Brush(context, self._scratch)
        self._relief = Relief(self._scratch, self._brush, settings.sizes)
        self._painting: object = None  # what its pictures were made of
        self._lit: object = None

    def queue(self, frame: object, painted: Tensor, film: Tensor, fine: int, flag: int, drift: int, look: Look) -> int:
        """Queue what a look, which has a brush or raises something, makes of a painting; returns the kernels run.

        frame: equal for the same content of painted, film, fine and drift. film: what the network was given. fine:
        address of the fine luma. flag: of values that are not finite. drift: `relief.Drift.pointer`, 0 where bristles
        stand still. Raises OutOfMemoryError where memory is taken for the first time.
        """
        painting = frame, look.brush, look.raises and look.detail
        lit = painting, look.relief, look.canvas, look.lamp_degrees
        kernels = 0
        if painting != self._painting:
            self.forget()
            kernels = self._brush.queue(painted, film, fine, flag, look)
            self._painting = painting
        if look.raises and lit != self._lit:
            self._lit = None
            kernels += self._relief.queue(self._brush.painting, look, drift)
            self._lit = lit
        return kernels

    def picture(self, look: Look) -> Picture:
        """Where what was queued for a look lies."""
        return self._relief.lit if look.raises else self._brush.painting

    def forget(self) -> None:
        """Recompute everything the next time: nobody knows what the pictures are of."""
        self._painting = self._lit = None

    def close(self) -> None:
        """Release it; the GPU has finished with it. Idempotent."""
        self._scratch.close()
