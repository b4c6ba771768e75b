"""Which engine runs a network: of those asked for, the fastest on this card, measured once and kept."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from functools import partial
from typing import NamedTuple

import win32more.Windows.Win32.Graphics.Direct3D12 as D

from framebrush.gpu import kernel_cache
from framebrush.gpu.d3d12 import adapters, kernels
from framebrush.gpu.d3d12.context import Context
from framebrush.gpu.d3d12.networks.directml import LEVERS
from framebrush.gpu.d3d12.networks.engines import DirectMLEngine, Engine, PainterEngine
from framebrush.gpu.d3d12.networks.painter_plan import TILES, plan_dispatches, stored_in
from framebrush.gpu.d3d12.resources import Buffer
from framebrush.gpu.d3d12.tensor import TensorBuffer
from framebrush.gpu.errors import DeviceError, DeviceLostError, OutOfMemoryError
from framebrush.gpu.painter import Painter, read_painter
from framebrush.gpu.sizes import Size
from framebrush.gpu.stylizer import EngineName
from framebrush.models.style import ModelCard

MEASURED_S = 0.3
"""How long each engine runs to be measured, after a first frame."""

BATCH = 8  # frames between two waits
PROCESSOR_S = 1e-5
"""Seconds for a pixel that no graphics card takes: an adapter that computes on the processor does not always say so."""

Ways = dict[str, Callable[[], Engine]]
"""What opens each engine, by its name, the one to take unmeasured first."""


class Opened(NamedTuple):
    """An engine, its name, and what the user should know about it, '' for nothing."""

    engine: Engine
    name: str
    note: str = ""


def open_engine(context: Context, card: ModelCard, model: bytes, size: Size, label: str, wanted: EngineName) -> Opened:
    """The engine for a canonical network of a fixed size. Raises DeviceError where none that was asked for can run it,
    OutOfMemoryError, DeviceLostError."""
    ways: Ways = {}
    if wanted != "shader":
        name: EngineName = "directml" if wanted == "auto" else wanted
        ways[name] = partial(DirectMLEngine, context, model, label, LEVERS[name])
    painter = read_painter(model) if wanted in ("auto", "shader") else None
    for tile in TILES if painter else ():
        assert painter is not None
        dispatches = plan_dispatches(painter, size, TILES[tile])
        if dispatches is not None:
            ways[f"shader {tile}"] = partial(PainterEngine, context, painter, dispatches, stored_in(card), label)
    if not ways:
        raise DeviceError(f"the network {label} cannot run in our shaders; use --engine auto")
    # On a processor shaders take minutes to compile and to measure, and DirectML is made for processors, too.
    if painter is None or len(ways) == 1 or context.info.software:
        return _first(ways, next(iter(ways)))
    return _open_fastest(context, ways, model, _Bench(context, size, card.precision, painter))


def _open_fastest(context: Context, ways: Ways, model: bytes, bench: _Bench) -> Opened:
    kept = kernel_cache.cache_folder("engines") / _key(context, model, list(ways))
    name = (kernel_cache.read(kept) or b"").decode()
    if name in ways:
        return _first(ways, name)
    measured: dict[str, float] = {}
    failed: dict[str, DeviceError] = {}
    for way, opened in ways.items():
        try:
            with closing(opened()) as engine:
                measured[way] = bench.frame_s(engine)
            if way == "directml" and measured[way] > PROCESSOR_S * bench.pixels:
                break
        except (OutOfMemoryError, DeviceLostError):
            raise
        except DeviceError as error:
            failed[way] = error
    if not measured:
        raise next(iter(failed.values()))
    fastest = min(measured, key=lambda way: measured[way])
    if not failed:
        kernel_cache.keep(kept, fastest.encode())
    return Opened(ways[fastest](), fastest, _note(fastest, failed))


def _first(ways: Ways, name: str) -> Opened:
    """The engine of that name, or the next that works."""
    failed: dict[str, DeviceError] = {}
    for way in sorted(ways, key=lambda way: way != name):
        try:
            return Opened(ways[way](), way, _note(way, failed))
        except (OutOfMemoryError, DeviceLostError):
            raise
        except DeviceError as error:
            failed[way] = error
    raise next(iter(failed.values()))


def _note(way: str, failed: dict[str, DeviceError]) -> str:
    return "".join(f"{_words(way)} paints instead of {_words(other)}: {why}" for other, why in list(failed.items())[:1])


def _words(way: str) -> str:
    return "DirectML" if way == "directml" else "a shader of our own"


class _Bench:
    """Tensors of a painter's size to measure engines with."""

    def __init__(self, context: Context, size: Size, precision: str, painter: Painter) -> None:
        self._context, self._size, self._precision, self._painter = context, size, precision, painter

    @property
    def pixels(self) -> int:
        """Of a frame."""
        return self._size[0] * self._size[1]

    def frame_s(self, engine: Engine) -> float:
        """Seconds that a frame takes."""
        native, wait = self._context.native, self._context.compute.signal
        with ExitStack() as stack:
            keep = stack.enter_context
            frame, styled = (
                keep(closing(TensorBuffer(native, self._size, self._precision, f"measured {name}")))
                for name in ("frame", "styled")
            )
            mix = None
            if self._painter.mixed:
                count, heap = self._painter.rows.shape[0], D.D3D12_HEAP_TYPE_DEFAULT
                mix = keep(closing(Buffer(native, 4 * count, "measured mix", heap=heap, unordered=True)))
            run, best = engine.bind(frame, styled, mix), float("inf")
            run(())
            wait().block()
            end, frames = time.perf_counter() + MEASURED_S, 1
            while best == float("inf") or time.perf_counter() < end:
                begin = time.perf_counter()
                for _ in range(frames):
                    run(())
                wait().block()
                best, frames = min(best, (time.perf_counter() - begin) / frames), BATCH
                if best > PROCESSOR_S * self.pixels:
                    break
            engine.close()  # what it bound, before that is gone
            return best


def _key(context: Context, model: bytes, ways: list[str]) -> str:
    """What the measurement depends on: the card, its driver, the network at its size, our shaders."""
    info = context.info
    facts = info.name, info.vendor, adapters.driver_version(info), kernels.source("conv"), ways, TILES
    return hashlib.sha256(hashlib.sha256(model).digest() + repr(facts).encode()).hexdigest()[:32]
