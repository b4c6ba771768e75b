"""ONNX Runtime on the CPU, reading and writing the stylizer's own buffers."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import numpy.typing as npt
import onnxruntime as ort

from gpu.cpu.blocks import Tensor
from gpu.device import GpuError, OutOfMemory
from gpu.tiles import Plan


class Network:
    """One network at one size, run by one thread at a time on whole frames or tile by tile."""

    def __init__(self, model: bytes, plan: Plan, dtype: npt.DTypeLike, paintings: int) -> None:
        """model: serialised ONNX whose size is the plan's tile. Raises GpuError, or OutOfMemory."""
        options = ort.SessionOptions()
        options.log_severity_level = 4  # what goes wrong is raised; nothing is printed beside it
        # Threads that spin, or that are bound to cores as those are that ONNX Runtime counts itself, hinder the
        # conversions and the codecs.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        options.intra_op_num_threads = os.cpu_count() or 1
        with native_errors("the network could not be loaded"):
            self._session = ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        self._plan = plan
        self.mix: npt.NDArray[np.float32] | None = None
        if any(value.name == "mix" for value in self._session.get_inputs()):
            self.mix = np.zeros((1, paintings), np.float32)
        if not plan.whole:
            shape = (3, plan.tile_height, plan.tile_width)
            self._source, self._styled = np.empty(shape, dtype), np.empty(shape, dtype)
            self._tile = self._bind(self._source, self._styled)

    def bind(self, source: Tensor, styled: Tensor) -> Binding:
        """Tensors (3, H, W) of the padded frame that `run` reads and writes; keep them as long as the binding."""
        return Binding(source, styled, self._bind(source, styled) if self._plan.whole else None)

    def run(self, binding: Binding) -> int:
        """Paint a frame; how many times the network ran. Raises GpuError, or OutOfMemory."""
        with native_errors("the network failed"):
            if binding.native is not None:
                self._session.run_with_iobinding(binding.native)
                return 1
            for tile in self._plan.tiles:
                columns = slice(tile.x, tile.x + self._plan.tile_width)
                np.copyto(self._source, binding.source[:, tile.y : tile.y + self._plan.tile_height, columns])
                self._session.run_with_iobinding(self._tile)
                binding.styled[
                    :, tile.y + tile.top : tile.y + tile.bottom, tile.x + tile.left : tile.x + tile.right
                ] = self._styled[:, tile.top : tile.bottom, tile.left : tile.right]
        return len(self._plan.tiles)

    def _bind(self, source: Tensor, styled: Tensor) -> ort.IOBinding:
        native = self._session.io_binding()
        shape = (1, *source.shape)
        native.bind_input("frame", "cpu", 0, source.dtype.type, shape, source.ctypes.data)
        native.bind_output("styled", "cpu", 0, styled.dtype.type, shape, styled.ctypes.data)
        if self.mix is not None:
            native.bind_input("mix", "cpu", 0, np.float32, self.mix.shape, self.mix.ctypes.data)
        return native


class Binding:
    """A pair of tensors, and what ONNX Runtime knows of them; None where they are cut into tiles."""

    def __init__(self, source: Tensor, styled: Tensor, native: ort.IOBinding | None) -> None:
        self.source, self.styled, self.native = source, styled, native


@contextmanager
def native_errors(what: str) -> Iterator[None]:
    """The gate for the errors of numpy and ONNX Runtime, whose types share no base but Exception."""
    try:
        yield
    except GpuError:
        raise
    except MemoryError as error:
        raise OutOfMemory(f"{what}: out of memory; try --tile or --max-size") from error
    except Exception as error:
        text = str(error)
        if "bad allocation" in text or "bad_alloc" in text or "allocate memory" in text:
            raise OutOfMemory(f"{what}: out of memory; try --tile or --max-size") from error
        raise GpuError(f"{what}: {text}") from error
