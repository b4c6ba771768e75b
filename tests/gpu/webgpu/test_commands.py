"""Recorded commands of a frame: order (with late clears and dispatches), errors, and their small number."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import numpy as np
import numpy.typing as npt
import pytest

from framebrush.gpu.device import open_device
from framebrush.gpu.errors import DeviceError
from framebrush.gpu.hlsl.hlsl_records import BLEND
from framebrush.gpu.kernel_sources import Variant
from framebrush.gpu.look import Look
from framebrush.gpu.temporal_window import TemporalWindow
from framebrush.gpu.webgpu.commands import Recorder
from framebrush.gpu.webgpu.device import WebGpuDevice
from framebrush.gpu.webgpu.native import Buffer, Native, Readback, Upload
from framebrush.gpu.webgpu.pass_executor import uniform
from framebrush.models.library import bundled
from framebrush.models.reading.load import load_style
from tests.gpu.pictures import noise
from tests.gpu.webgpu.harness import needs_vulkan
from tests.gpu.webgpu.test_device import SOURCE, opened

pytestmark = [pytest.mark.unit, needs_vulkan]

FOURS = 8


@pytest.fixture(scope="module")
def device() -> Iterator[WebGpuDevice]:
    with opened() as made:
        yield made


class Doubling:
    """A kernel, "blend" of one painting with weight 2, on two buffers."""

    def __init__(self, device: WebGpuDevice) -> None:
        context = device.context
        self.source, self.made = (Buffer(context.native, 16 * FOURS, name) for name in ("source", "made"))
        self.source.write(np.ones(4 * FOURS, np.float32))
        record = np.zeros((), BLEND)
        record["paintings"], record["fours"] = 1, FOURS
        self._kernel = context.kernel(Variant("blend"))
        mix = context.constant(np.full(4, 2.0, np.float32), "mix")
        constants = uniform(context, record.tobytes(), "constants")
        self._bindings = self._kernel.bind((self.source.bound(), mix.bound()), (self.made.bound(),), constants.bound())

    def dispatch(self, recorder: Recorder) -> None:
        """Record it."""
        recorder.dispatch(self._kernel, self._bindings, self._kernel.groups((FOURS, 1)))


def brought(native: Native, recorder: Recorder, buffer: Buffer) -> npt.NDArray[np.float32]:
    """Return a buffer's contents after all recorded commands."""
    with closing(Readback(native, buffer.size_bytes, "back")) as back:
        recorder.copy(back.buffer, buffer, buffer.size_bytes)
        recorder.submit(back)
        return back.read().view(np.float32).copy()


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        (("run",), 2.0),
        (("run", "clear made"), 0.0),
        (("clear made", "run"), 2.0),
        (("run", "clear source"), 2.0),
        (("clear source", "run"), 0.0),
        (("run", "clear source", "run"), 0.0),
        (("run", "clear made", "clear source", "run", "clear made"), 0.0),
    ],
)
def test_what_is_cleared_keeps_its_place(device: WebGpuDevice, order: tuple[str, ...], expected: float) -> None:
    native, doubling = device.context.native, Doubling(device)
    recorder = Recorder(native, "order")
    for one in order:
        if one == "run":
            doubling.dispatch(recorder)
        else:
            recorder.clear((doubling.made if one == "clear made" else doubling.source).bound())
    assert (brought(native, recorder, doubling.made) == expected).all()


def test_what_cannot_be_recorded_is_said(device: WebGpuDevice) -> None:
    native, doubling = device.context.native, Doubling(device)
    recorder = Recorder(native, "too much")
    recorder.copy(doubling.made, doubling.source, 32 * FOURS)
    with pytest.raises(DeviceError, match=r"^too much: .*"):
        recorder.submit()
    assert (brought(native, Recorder(native, "next"), doubling.source) == 1.0).all()


def test_memory_of_the_host_goes_up_again_and_again(device: WebGpuDevice) -> None:
    native, doubling = device.context.native, Doubling(device)
    with closing(Upload(native, 16 * FOURS, "up")) as up:
        for value in (3.0, 5.0):
            up.room().view(np.float32)[:] = value
            up.free()
            recorder = Recorder(native, "up")
            recorder.upload(doubling.source, up, 16 * FOURS)
            doubling.dispatch(recorder)
            assert (brought(native, recorder, doubling.made) == 2 * value).all()


@pytest.mark.slow
@pytest.mark.parametrize("after", [0, 1])
def test_a_frame_is_one_submission(monkeypatch: pytest.MonkeyPatch, after: int) -> None:
    """With strokes, steadying and relief, too; and all frames come where a window looks ahead."""
    look, submitted, submit = Look(brush=1.0, relief=0.5, steady=0.5), list[str](), Native.submit

    def counted(native: Native, commands: object, what: str) -> int:
        submitted.append(what)
        return submit(native, commands, what)

    monkeypatch.setattr(Native, "submit", counted)
    window = TemporalWindow(1, after)
    with (
        open_device("webgpu") as device,
        device.stylizer(
            load_style(bundled()["oil"]), SOURCE, SOURCE, look=look, window=window, carries=True
        ) as stylizer,
    ):
        submitted.clear()
        tickets = [stylizer.submit(noise(SOURCE, seed)) for seed in range(3)]
        assert len(submitted) == 3
        stylizer.flush()
        for ticket in tickets:
            stylizer.fetch(ticket)
        assert len(submitted) == 3 + after  # the first and the last painting have no result to go with
