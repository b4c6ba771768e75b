"""Relief and canvas as HLSL and WGSL passes. Reference: `gpu.stages.relief.reference`."""

from __future__ import annotations

from framebrush.gpu.layouts import Record
from framebrush.gpu.look import Look
from framebrush.gpu.passes import Buffer, Pass, PerFrame, Tensor, Texture, packed_define
from framebrush.gpu.settings import Settings
from framebrush.gpu.stages.cells import Cells
from framebrush.gpu.stages.relief import broad_weights, gpu_record
from framebrush.gpu.stages.strokes import layout_of


class Relief:
    """Passes that light a picture (record "relief")."""

    def __init__(self, settings: Settings, painted: Tensor, flag: Buffer | PerFrame) -> None:
        self._settings, self._painted, self._flag = settings, painted, flag
        self._size, strokes = settings.sizes.target, Cells.of(settings.sizes)
        self._cells, self._weights = strokes.cells(*self._size), broad_weights(strokes)
        # finer than float16 in 0..1, and no driver truncates it; alpha: height of strokes by 2
        self.picture = Texture("picture", "unorm16x4", self._size)
        self.sums = Buffer("luma of cells", "uint32", self._cells[0] * self._cells[1])
        self.around = Texture("surroundings of cells", "float32", self._cells)
        self.thickness = Texture("thickness of the paint", "float32", self._cells)

    def begin(self, fine: Buffer | None) -> Pass:
        """Return the pass for a painting without strokes. fine: luma to add."""
        reads, writes = (self._painted, fine or self._painted), (self.picture, self._flag, self.sums)
        defines = packed_define(self._painted)
        return Pass("relief_begin", reads, writes, self._size, "relief", defines, clears=(self.sums,))

    def passes(self, left: Texture | None, into: Tensor | PerFrame | None) -> tuple[Pass, ...]:
        """Return the passes. into: result; None if the output lights."""
        columns, rows = self._cells
        radius = ("RADIUS", str(len(self._weights) // 2))
        smoothed = columns, -(-rows // 2)  # a thread makes two samples of a column
        brushed, pictures = (("BRUSHED", "1"),) if left else (), self.pictures(left)
        return (
            Pass("relief_smooth", (self.sums, self.sums), (self.around,), smoothed, "relief", (radius,)),
            Pass(
                "relief_smooth",
                (self.sums, self.around),
                (self.thickness,),
                smoothed,
                "relief",
                (radius, ("DEVIATION", "1")),
            ),
            *([Pass("relief_light", pictures, (into,), self._size, "relief", brushed)] if into else ()),
        )

    def pictures(self, left: Texture | None) -> tuple[Texture, ...]:
        """Return the inputs of light."""
        return self.picture, self.around, self.thickness, left or self.around

    def record(self, look: Look) -> Record:
        """Make the record for a look with relief or canvas."""
        return gpu_record(self._settings.sizes, layout_of(self._settings), self._painted.size_px, look)
