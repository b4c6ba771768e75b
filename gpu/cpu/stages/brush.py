"""The brush on the CPU. The reference is `gpu.reference.brush`, the loops are in `gpu.cpu.stages.kernels`."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from framebrush.gpu.colour import Array
from framebrush.gpu.cpu.stages import kernels
from framebrush.gpu.cpu.stages.kernels import Grid, Samples
from framebrush.gpu.cpu.strips import Floats, Workers
from framebrush.gpu.sizes import Size
from framebrush.gpu.stages.brush import DIRECTIONS, PASSES, Line, Strokes

Whole = npt.NDArray[np.int32]


class Cells:
    """What brush and relief find of a picture in its cells. light: (rows, columns), their mean luma. tensor: (2, rows,
    columns)."""

    def __init__(self, strokes: Strokes, size: Size, workers: Workers) -> None:
        """size: width and height of the pictures."""
        columns, rows = strokes.cells(*size)
        margin, side = strokes.margin_px, strokes.cell_px
        places = (np.arange(-margin, size[0] + margin) + 0.5) / side - 0.5
        low = np.floor(places).astype(np.int32)
        first, second = (np.clip(low + step, 0, columns - 1) for step in (0, 1))
        self.grid = Grid(side, margin, first, second, floats(places - low))
        self.light = np.empty((rows, columns), np.float32)
        self.tensor = np.empty((2, rows, columns), np.float32)
        self._weights, self._workers = floats(strokes.tensor_weights), workers

    def find_light(self, picture: Floats) -> None:
        """Of a picture, whose margins are filled with its edge before."""
        margin = self.grid.margin
        self._workers.run(picture.shape[1] - 2 * margin, kernels.repeat_edge, picture, margin)
        self._workers.run(len(self.light), kernels.cell_means, picture, self.grid, self.light)

    def find_tensor(self, picture: Floats) -> None:
        """And its light."""
        self.find_light(picture)
        self._workers.run(len(self.light), kernels.structure_tensor, self.light, self._weights, self.tensor)

    def smoothed(self, weights: Floats) -> Floats:
        """(rows, columns): light."""
        made = np.empty_like(self.light)
        self._workers.run(len(made), kernels.blur, self.light, weights, made)
        return made


class Brush:
    """Draws pictures of one size out to strokes. For one thread at a time."""

    def __init__(self, strokes: Strokes, cells: Cells, painting: Floats, plane: Floats, workers: Workers) -> None:
        """painting: (3, H, W), with margins: what `run` takes. plane: (H, W), with margins: memory for use in `run`."""
        self._cells, self._painting, self._light, self._workers = cells, painting, plane, workers
        self._pictures = np.empty_like(painting), np.empty_like(painting)
        stride, margin = painting.shape[2], cells.grid.margin
        self._height = painting.shape[1] - 2 * margin
        self._directions = np.empty((self._height, stride - 2 * margin), np.uint8)
        self._along, self._finish = samples(strokes.along, stride), samples(strokes.finish, stride)
        self._across, self._far = (
            np.roll(offsets(places, stride), -(DIRECTIONS // 2), axis=0)
            for places in (strokes.across.offsets, strokes.far[:, None])
        )
        self._luma_weights = floats(strokes.luma_weights)

    def run(self) -> Floats:
        """Returns the painting with its strokes, (3, H, W) with margins, valid until the next call."""
        picture, (here, there) = self._painting, self._pictures
        for _ in range(PASSES):
            self._mean(picture, self._along, there)
            self._sharpen(there, here)
            picture = here
        self._mean(picture, self._finish, there)
        return there

    def _mean(self, picture: Floats, line: Samples, made: Floats) -> None:
        cells, height = self._cells, self._height
        cells.find_tensor(picture)
        self._workers.run(height, kernels.mean_along, picture, cells.tensor, cells.grid, line, self._directions, made)

    def _sharpen(self, picture: Floats, made: Floats) -> None:
        cells, light, directions, margin = self._cells, self._light, self._directions, self._cells.grid.margin
        cells.find_light(picture)
        smooth = cells.smoothed(self._luma_weights)
        self._workers.run(len(light), kernels.enlarge, smooth, cells.grid, light)
        self._workers.run(
            self._height, kernels.sharpen, picture, directions, light, self._far, self._across, margin, made
        )


def samples(line: Line, stride: int, gain: float = 1.0) -> Samples:
    """Of a line in a plane whose rows are so long. gain: what the weights are multiplied with."""
    steps = np.pad(offsets(line.offsets, stride), ((0, 0), (1, 0)))
    return Samples(steps, floats(gain * np.array([line.centre, *line.weights])))


def offsets(places: npt.NDArray[np.int32], stride: int) -> Whole:
    """(DIRECTIONS, n): y and x of samples of a line, (DIRECTIONS, n, 2), as steps in a plane."""
    found: Whole = places[..., 0] * np.int32(stride) + places[..., 1]
    return found


def floats(values: Array) -> Floats:
    """As kernels take them."""
    return values.astype(np.float32)
