"""ONNX Runtime on the CPU, reading and writing the stylizer's own buffers."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import onnx
import onnxruntime as ort

from framebrush.gpu.cpu.graph import blended_outside, shuffled_by_rows
from framebrush.gpu.cpu.session import native_errors, session_options
from framebrush.gpu.cpu.strips import Tensor
from framebrush.gpu.tiles import Plan
from framebrush.models.style import Style

RUNS_AT_REST = 8
"""A mix that has stayed the same for this many runs becomes a constant, which takes a few hundredths of a second
once."""


@dataclass(slots=True)
class Binding:
    """A pair of tensors, frame (3, H, W) and styled (3, H * scale, W * scale), and what ONNX Runtime knows of them for
    one session."""

    frame: Tensor
    styled: Tensor
    session: ort.InferenceSession | None = None
    native: ort.IOBinding | None = None


def on_processor(model: bytes) -> ort.InferenceSession:
    """A session for a model, on the processor."""
    return ort.InferenceSession(model, session_options(), providers=["CPUExecutionProvider"])


def beside_strokes(model: bytes) -> ort.InferenceSession:
    """The same on all processors but one, for a network whose next frame is painted while strokes are drawn: its
    threads wait for each other in a loop, which takes a tenth of the network's time where another stage is at work."""
    threads = max(1, (os.cpu_count() or 1) - 1)
    return ort.InferenceSession(model, session_options(threads), providers=["CPUExecutionProvider"])


def allocate(width: int, height: int, scale: int, precision: str) -> Binding:
    """Tensors for a network's input of this size."""
    dtype = np.dtype(precision)
    return Binding(np.empty((3, height, width), dtype), np.empty((3, height * scale, width * scale), dtype))


class Network:
    """One network at one size, run by one thread at a time on whole frames or tile by tile.

    A mix of paintings that stays the same is made a constant: ONNX Runtime then blends the weights once and lays them
    out for the processor, which is faster. While the mix moves, another session takes the blended weights, made here
    for every mix.
    """

    def __init__(
        self,
        style: Style,
        plan: Plan,
        mix: tuple[float, ...],
        *,
        moving: bool = False,
        opened: Callable[[bytes], ort.InferenceSession] = on_processor,
    ) -> None:
        """mix: as of `run`, what the first frames will have. moving: it is never made a constant: the two sessions
        round differently. opened: a session for a model; what it runs on takes tensors of the processor's memory.
        Raises DeviceError, or OutOfMemoryError."""
        self._style, self._plan, self._mix, self._always_moves = style, plan, mix, moving and bool(mix)
        self._opened = opened
        self._rows = self._weights = np.empty((0, 0), np.float32)
        self._runs_alike = 0
        self._moving: ort.InferenceSession | None = None
        if self._always_moves:
            self._session = self._moving = self._load(())
            self._blend(mix)
        else:
            self._session = self._load(mix)
        size = plan.tile_width, plan.tile_height
        self._tile = None if plan.whole else allocate(*size, plan.scale, style.card.precision)

    def run(self, frame: Binding, mix: tuple[float, ...]) -> int:
        """Paint a padded frame; returns how many times the network ran.

        mix: a weight for each painting, empty for a network without that input. Raises DeviceError, or
        OutOfMemoryError.
        """
        plan, tensors = self._plan, self._tile
        with native_errors("the network failed"):
            session = self._session_for(mix)
            if tensors is None:
                self._paint(session, frame)
                return 1
            for tile in plan.tiles:
                columns = slice(tile.x, tile.x + plan.tile_width)
                np.copyto(tensors.frame, frame.frame[:, tile.y : tile.y + plan.tile_height, columns])
                self._paint(session, tensors)
                left, right, top, bottom = (plan.scale * at for at in (tile.left, tile.right, tile.top, tile.bottom))
                x, y = plan.scale * tile.x, plan.scale * tile.y
                frame.styled[:, y + top : y + bottom, x + left : x + right] = tensors.styled[:, top:bottom, left:right]
        return len(plan.tiles)

    def _session_for(self, mix: tuple[float, ...]) -> ort.InferenceSession:
        if mix != self._mix:
            self._mix, self._runs_alike = mix, 0
            self._session = self._moving = self._moving or self._load(())
            self._blend(mix)
        self._runs_alike += 1
        if self._session is self._moving and self._runs_alike > RUNS_AT_REST and not self._always_moves:
            self._session = self._load(mix)
        return self._session

    def _blend(self, mix: tuple[float, ...]) -> None:
        shares = np.array(mix, np.float32)
        used = np.flatnonzero(shares)
        np.matmul(shares[None, used], self._rows[used], out=self._weights)

    def _load(self, mix: tuple[float, ...]) -> ort.InferenceSession:
        """A session with the mix fixed, or with an input for it."""
        with native_errors("the network could not be loaded"):
            fixed = self._style.fixed(self._plan.tile_width, self._plan.tile_height, mix)
            model = onnx.load_model_from_string(fixed)
            shuffled_by_rows(model)
            if self._mix and not mix:
                self._rows = blended_outside(model)
                self._weights = np.empty((1, self._rows.shape[1]), np.float32)
            return self._opened(model.SerializeToString())

    def _paint(self, session: ort.InferenceSession, tensors: Binding) -> None:
        if tensors.native is None or tensors.session is not session:
            tensors.session, tensors.native = session, session.io_binding()
            styled = tensors.styled
            shape = 1, *styled.shape
            tensors.native.bind_output("styled", "cpu", 0, styled.dtype.type, shape, styled.ctypes.data)
        # Each time: to what has memory of its own, inputs are copied when they are bound.
        frame, weights = tensors.frame, self._weights
        tensors.native.bind_input("frame", "cpu", 0, frame.dtype.type, (1, *frame.shape), frame.ctypes.data)
        if session is self._moving:
            tensors.native.bind_input("mix", "cpu", 0, np.float32, weights.shape, weights.ctypes.data)
        session.run_with_iobinding(tensors.native)
