"""Choice of a network's fastest engine on a card."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import ExitStack, closing
from functools import partial

import win32more.Windows.Win32.Graphics.Direct3D12 as D

from framebrush.gpu.d3d12 import adapters, compiled
from framebrush.gpu.d3d12.context import Context
from framebrush.gpu.d3d12.directml import LEVERS
from framebrush.gpu.d3d12.engines import D3D12Engine, DirectMLEngine, PainterEngine
from framebrush.gpu.d3d12.hlsl_sources import source
from framebrush.gpu.d3d12.native_check import painted
from framebrush.gpu.d3d12.resources import Buffer
from framebrush.gpu.d3d12.tensor import TensorBuffer
from framebrush.gpu.errors import DeviceError
from framebrush.gpu.fastest import Opened, Ways, frame_s, is_slow
from framebrush.gpu.hlsl.half_check import check_halves, opened_in_halves
from framebrush.gpu.hlsl.painter_dispatches import HALVES, NATIVE_TILES, TILES, plans, stored_in
from framebrush.gpu.painter import Painter, read_painter
from framebrush.gpu.settings import EngineName
from framebrush.gpu.sizes import Size
from framebrush.models.style import ModelCard, Precision


def open_engine(
    context: Context,
    card: ModelCard,
    model: bytes,
    size: Size,
    label: str,
    wanted: EngineName,
    precision: Precision = "auto",
) -> Opened[D3D12Engine]:
    """Open the engine for a network."""
    ways: dict[str, Callable[[], D3D12Engine]] = {}
    if wanted != "shader":
        name: EngineName = "directml" if wanted == "auto" else wanted
        ways[name] = partial(DirectMLEngine, context, model, label, LEVERS[name])
    painter = read_painter(model) if wanted in ("auto", "shader") else None
    stored = stored_in(card, precision)
    halves = stored == "float16" and context.native.has_halves
    if painter is not None:
        for tile, dispatches in plans(painter, size, native=halves).items():
            make = partial(PainterEngine, context, painter, dispatches, stored, label)
            ways[f"shader {tile}"] = partial(opened_in_halves, make) if tile in NATIVE_TILES else make
    if not ways:
        raise DeviceError(f"the network {label} cannot run in our shaders", do="use --engine auto")
    found = Ways(ways, _words)
    # On software adapters shaders take minutes to compile and measure; DirectML supports processors well.
    if painter is None or len(ways) == 1 or context.info.software:
        return found.first()
    bench = _Bench(context, size, card.precision, painter)
    return found.fastest((*_facts(context, model), stored), bench.frame_s, bench.is_enough)


def _words(way: str) -> str:
    if way == "directml":
        return "DirectML"
    return "a shader of our own" + (HALVES if way.endswith(HALVES) else "")


class _Bench:
    def __init__(self, context: Context, size: Size, precision: str, painter: Painter) -> None:
        self._context, self._size, self._precision, self._painter = context, size, precision, painter

    def is_enough(self, way: str, seconds: float) -> bool:
        return way == "directml" and is_slow(seconds, self._size[0] * self._size[1])

    def frame_s(self, engine: D3D12Engine) -> float:
        if isinstance(engine, PainterEngine) and engine.native:
            check_halves(self._context.info.name, self._painter, engine.dispatches, partial(painted, self._context))
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
            run = engine.bind(frame, styled, mix)
            seconds = frame_s(lambda: run(()), lambda: wait().block(), self._size[0] * self._size[1])
            engine.close()  # before the tensors that it is bound to
            return seconds


def _facts(context: Context, model: bytes) -> tuple[object, ...]:
    info, network = context.info, hashlib.sha256(model).hexdigest()
    kernels = source("conv"), compiled.digest(), TILES, NATIVE_TILES
    return info.name, info.vendor, adapters.driver_version(info), network, *kernels
