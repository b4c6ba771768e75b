"""ONNX Runtime on the CPU, reading and writing the stylizer's own buffers."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
import onnxruntime as ort

from framebrush.gpu.cpu.blocks import Tensor
from framebrush.gpu.device import DeviceError, OutOfMemoryError
from framebrush.gpu.tiles import Plan
from framebrush.models.style import Style

RUNS_AT_REST = 8
"""A mix that stayed the same for so many runs is made a constant, which takes some hundredths of a second once."""


@dataclass(slots=True)
class Binding:
    """A pair of tensors (3, H, W), and what ONNX Runtime knows of them for one session."""

    source: Tensor
    styled: Tensor
    session: ort.InferenceSession | None = None
    native: ort.IOBinding | None = None


class Network:
    """One network at one size, run by one thread at a time on whole frames or tile by tile.

    A mix of paintings that rests is made a constant: ONNX Runtime then blends the weights once and lays them out for
    the processor, which is a quarter faster. While the mix moves, another session blends them anew for every frame.
    """

    def __init__(self, style: Style, plan: Plan, mix: tuple[float, ...] = ()) -> None:
        """mix: as of `run`, what the first frames will have. Raises DeviceError, or OutOfMemoryError."""
        self._style, self._plan = style, plan
        paintings = len(style.card.paintings)
        self._alone = (1.0, *(0.0,) * (paintings - 1)) if paintings > 1 else ()
        self._mix = mix or self._alone
        self._weights = np.array([self._mix], np.float32)
        self._runs_alike = 0
        self._session = self._load(self._mix)
        self._moving: ort.InferenceSession | None = None
        shape, dtype = (3, plan.tile_height, plan.tile_width), np.dtype(style.card.precision)
        self._tile = None if plan.whole else Binding(np.empty(shape, dtype), np.empty(shape, dtype))

    def run(self, frame: Binding, mix: tuple[float, ...] = ()) -> int:
        """Paint a padded frame; how many times the network ran. mix: a weight for each painting of the file, the first
        alone where it is empty. Raises DeviceError, or OutOfMemoryError."""
        with native_errors("the network failed"):
            session, tensors = self._session_for(mix or self._alone), self._tile
            if tensors is None:
                self._paint(session, frame)
                return 1
            for tile in self._plan.tiles:
                columns = slice(tile.x, tile.x + self._plan.tile_width)
                np.copyto(tensors.source, frame.source[:, tile.y : tile.y + self._plan.tile_height, columns])
                self._paint(session, tensors)
                frame.styled[:, tile.y + tile.top : tile.y + tile.bottom, tile.x + tile.left : tile.x + tile.right] = (
                    tensors.styled[:, tile.top : tile.bottom, tile.left : tile.right]
                )
        return len(self._plan.tiles)

    def _session_for(self, mix: tuple[float, ...]) -> ort.InferenceSession:
        if mix != self._mix:
            self._mix, self._runs_alike = mix, 0
            self._weights[:] = mix
            self._session = self._moving = self._moving or self._load(())
        self._runs_alike += 1
        if self._session is self._moving and self._runs_alike > RUNS_AT_REST:
            self._session = self._load(mix)
        return self._session

    def _load(self, mix: tuple[float, ...]) -> ort.InferenceSession:
        """A session with the mix fixed, or with an input for it."""
        options = ort.SessionOptions()
        options.log_severity_level = 4  # what goes wrong is raised; nothing is printed beside it
        # Threads that spin, or that are bound to cores as those are that ONNX Runtime counts itself, hinder the
        # conversions and the codecs.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        options.intra_op_num_threads = os.cpu_count() or 1
        with native_errors("the network could not be loaded"):
            model = self._style.fixed(self._plan.tile_width, self._plan.tile_height, mix)
            return ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])

    def _paint(self, session: ort.InferenceSession, tensors: Binding) -> None:
        if tensors.native is None or tensors.session is not session:
            tensors.session, tensors.native = session, session.io_binding()
            source, styled, weights = tensors.source, tensors.styled, self._weights
            shape = (1, *source.shape)
            tensors.native.bind_input("frame", "cpu", 0, source.dtype.type, shape, source.ctypes.data)
            tensors.native.bind_output("styled", "cpu", 0, styled.dtype.type, shape, styled.ctypes.data)
            if session is self._moving:
                tensors.native.bind_input("mix", "cpu", 0, np.float32, weights.shape, weights.ctypes.data)
        session.run_with_iobinding(tensors.native)


@contextmanager
def native_errors(what: str) -> Iterator[None]:
    """The gate for the errors of numpy and ONNX Runtime, whose types share no base but Exception."""
    try:
        yield
    except DeviceError:
        raise
    except MemoryError as error:
        raise OutOfMemoryError(f"{what}: out of memory; try --tile or --max-size") from error
    except Exception as error:
        text = str(error)
        if "bad allocation" in text or "bad_alloc" in text or "allocate memory" in text:
            raise OutOfMemoryError(f"{what}: out of memory; try --tile or --max-size") from error
        raise DeviceError(f"{what}: {text}") from error
