"""ONNX Runtime on the CPU, in the stylizer's buffers."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import onnx
import onnxruntime as ort

from framebrush.gpu.cpu.graph_rewrites import blended_outside, made_constant, shuffled_by_rows
from framebrush.gpu.cpu.int8 import Int8Painter
from framebrush.gpu.cpu.stages.strips import Tensor
from framebrush.gpu.onnx_session import native_errors, session_options
from framebrush.gpu.tiles import Plan
from framebrush.models.style import Style, StyleError


@dataclass(frozen=True, slots=True)
class Tensors:
    """Input (3, H, W) and output (3, H * scale, W * scale)."""

    frame: Tensor
    styled: Tensor


def on_processor(model: bytes) -> ort.InferenceSession:
    """Open a session on all processors."""
    return ort.InferenceSession(model, session_options(), providers=["CPUExecutionProvider"])


def beside_strokes(model: bytes) -> ort.InferenceSession:
    """Open a session on all cores but one, beside strokes."""
    threads = max(1, (os.cpu_count() or 1) - 1)
    return ort.InferenceSession(model, session_options(threads), providers=["CPUExecutionProvider"])


def allocate(width: int, height: int, scale: int, precision: str) -> Tensors:
    dtype = np.dtype(precision)
    return Tensors(np.empty((3, height, width), dtype), np.empty((3, height * scale, width * scale), dtype))


class Network:
    """Network at one size, for whole frames or tiles.

    A mix becomes a constant of a new, faster session, or an input while it moves. Both round differently, so earlier
    frames never decide.
    """

    def __init__(
        self,
        style: Style,
        plan: Plan,
        mix: tuple[float, ...],
        *,
        moving: bool = False,
        opened: Callable[[bytes], ort.InferenceSession] = on_processor,
        int8: bool = False,
    ) -> None:
        """Open the sessions. mix: of the first frames. Raises StyleError if int8 fails.

        moving: the mix changes.
        """
        self._plan, self._mix, self._moves, self._opened = plan, mix, moving and bool(mix), opened
        self._size = size = plan.tile_width, plan.tile_height
        self._tile = None if plan.whole else allocate(*size, plan.scale, style.card.precision)
        self._painter: Int8Painter | None = None
        if int8:
            if self._moves:
                raise StyleError(
                    f"{style.card.title}: int8 cannot paint a blend that changes over time",
                    do="use --precision float32",
                )
            self._painter = Int8Painter.of(style)
            self._session = self._load(self._painter.network(mix, size))
            return
        with native_errors("the network could not be loaded"):
            model = onnx.load_model_from_string(style.fixed(*size))
            shuffled_by_rows(model)
            if mix:
                self._rows = blended_outside(model)
                self._weights = np.empty((1, self._rows.shape[1]), np.float32)
                if not self._moves:
                    self._model, self._constant = model, made_constant(model)
                self._blend(mix)
            self._session = self._load(model)

    def run(self, frame: Tensors, mix: tuple[float, ...]) -> int:
        """Paint a padded frame; return the number of runs."""
        plan, tensors = self._plan, self._tile
        with native_errors("the network failed"):
            self._use(mix)
            if tensors is None:
                self._paint(frame)
                return 1
            for tile in plan.tiles:
                columns = slice(tile.x, tile.x + plan.tile_width)
                np.copyto(tensors.frame, frame.frame[:, tile.y : tile.y + plan.tile_height, columns])
                self._paint(tensors)
                left, right, top, bottom = (plan.scale * at for at in (tile.left, tile.right, tile.top, tile.bottom))
                x, y = plan.scale * tile.x, plan.scale * tile.y
                frame.styled[:, y + top : y + bottom, x + left : x + right] = tensors.styled[:, top:bottom, left:right]
        return len(plan.tiles)

    def _use(self, mix: tuple[float, ...]) -> None:
        if mix == self._mix:
            return
        if self._painter:
            self._session = self._load(self._painter.network(mix, self._size))
        else:
            self._blend(mix)
            if not self._moves:
                self._session = self._load(self._model)
        self._mix = mix

    def _blend(self, mix: tuple[float, ...]) -> None:
        shares = np.array(mix, np.float32)
        used = np.flatnonzero(shares)
        np.matmul(shares[None, used], self._rows[used].astype(np.float32), out=self._weights)
        if not self._moves:
            self._constant.raw_data = self._weights.tobytes()

    def _load(self, model: onnx.ModelProto) -> ort.InferenceSession:
        with native_errors("the network could not be loaded"):
            return self._opened(model.SerializeToString())

    def _paint(self, tensors: Tensors) -> None:
        frame, styled = tensors.frame, tensors.styled
        binding = self._session.io_binding()
        binding.bind_output("styled", "cpu", 0, styled.dtype.type, (1, *styled.shape), styled.ctypes.data)
        # Bound each time: providers with memory of their own copy inputs when they are bound.
        binding.bind_input("frame", "cpu", 0, frame.dtype.type, (1, *frame.shape), frame.ctypes.data)
        if self._moves:
            weights = self._weights
            binding.bind_input("mix", "cpu", 0, np.float32, weights.shape, weights.ctypes.data)
        self._session.run_with_iobinding(binding)
