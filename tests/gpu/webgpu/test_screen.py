"""Frames in a window of X11: drawn without a readback, in the right place and shape, as the X server shows it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from framebrush.gpu.device import open_device
from framebrush.gpu.errors import DeviceError, DeviceLostError, NoWindowError
from framebrush.gpu.frame import FrameFormat, PlaneOrder, nv12, rgba8
from framebrush.gpu.look import Look
from framebrush.gpu.stages import planes_to_tensor, resample
from framebrush.gpu.stages.resample import TO_WORKING
from framebrush.gpu.surface import NativeWindow, View, Viewport
from framebrush.gpu.webgpu.device import WebGpuDevice
from framebrush.models.library import bundled
from framebrush.models.reading.load import load_style
from tests.gpu.pictures import noise
from tests.gpu.screens import ASPECTS, LOOKS, SIZES, VIEWPORTS, expected, through
from tests.gpu.webgpu.harness import needs_vulkan
from tests.networks import box_blur, contrast, identity
from tests.x11 import Window, needs_x11, screen

pytestmark = [pytest.mark.unit, needs_vulkan, needs_x11]

SOURCE = FrameFormat(96, 64, PlaneOrder.PLANAR, subsample=(1, 1))
GAIN = 1.25
PATIENCE_S = 20.0


def contrasted(rgb: np.ndarray, gain: float = GAIN) -> np.ndarray:
    """Apply the network `contrast` to a picture."""
    return 0.5 + gain * (rgb - 0.5)


def comes(window: Window, want: np.ndarray, wrong: Callable[[np.ndarray], bool] = np.any) -> None:
    """Until the server shows this, (H, W, 3) in codes, by one code; a driver may hand pictures over a little later.
    wrong: of where it is something else, (H, W), whether that is too much."""
    end = time.monotonic() + PATIENCE_S
    while wrong((np.abs(window.picture - want.astype(float)) > 1.001).any(axis=2)):
        assert time.monotonic() < end, f"{np.abs(window.picture - want.astype(float)).max()} codes"
        time.sleep(0.01)


@pytest.fixture(scope="module")
def display() -> Iterator[str]:
    with screen() as name:
        yield name


@pytest.fixture
def window(display: str) -> Iterator[Window]:
    made = Window(display, (96, 64))
    yield made
    made.close()


@pytest.fixture(scope="module")
def device(display: str) -> Iterator[WebGpuDevice]:
    with open_device("webgpu") as made:
        assert isinstance(made, WebGpuDevice)
        yield made


def test_a_server_that_gets_the_name_of_another_is_connected_anew() -> None:
    """A module's tests may come twice to one process; Xlib would end it."""
    for _ in range(2):
        with screen() as name:
            window = Window(name, (96, 64))
            assert window.picture[30, 40].tolist() == [255, 0, 0]
            window.close()


@pytest.mark.slow
def test_what_is_shown(device: WebGpuDevice, window: Window) -> None:
    frame = noise(SOURCE)
    source = planes_to_tensor.planes_to_rgb(frame)
    surface = device.surface(View(96, 64, window.native))
    with device.stylizer(contrast(GAIN), SOURCE, nv12(96, 64)) as stylizer:
        ticket = stylizer.submit(frame)
        for size in SIZES:
            window.resize(size)
            surface.resize(*size)
            for aspect in ASPECTS:
                surface.sample_aspect = aspect
                for look in LOOKS:
                    stylizer.look = look
                    stylizer.show(ticket, surface)
                    want = expected(source, contrasted(source), look, size, aspect, 8, (48, 32)).planes[0]
                    # a column whose middle falls on the split may round to either side of it
                    most = look.split is not None
                    comes(window, want[..., :3], lambda wrong, most=most: wrong.any(axis=0).sum() > most)
        assert (stylizer.counters.readbacks, stylizer.counters.presents) == (0, 32)
    surface.close()


@pytest.mark.parametrize("viewport", VIEWPORTS, ids=str)
def test_through_a_viewport(device: WebGpuDevice, window: Window, viewport: Viewport) -> None:
    frame, size = noise(SOURCE), (301, 200)
    source = planes_to_tensor.planes_to_rgb(frame)
    window.resize(size)
    surface = device.surface(View(*size, window.native))
    surface.viewport = viewport
    with device.stylizer(contrast(GAIN), SOURCE, nv12(96, 64), look=Look(dither=False)) as stylizer:
        stylizer.show(stylizer.submit(frame), surface)
        assert (stylizer.counters.readbacks, stylizer.counters.presents) == (0, 1)
    want = np.floor(through(viewport, source, np.clip(contrasted(source), 0, 1), size) * 255 + 0.5)
    # Where two samples are equally near, or at a ring's edge, float32 may take the other one.
    comes(window, want, lambda wrong: wrong.mean() >= 0.004)
    surface.close()


@pytest.mark.parametrize("degrees", [90, 180, -90])
def test_a_turned_picture_is_shown_upright(device: WebGpuDevice, window: Window, degrees: int) -> None:
    frame = noise(SOURCE)
    source = np.rot90(planes_to_tensor.planes_to_rgb(frame)[:, :, ::-1], degrees // 90, (1, 2))
    surface = device.surface(View(96, 64, window.native))
    surface.rotation_degrees, surface.mirrored, surface.sample_aspect = degrees, True, 4 / 3
    with device.stylizer(identity(), SOURCE, nv12(96, 64)) as stylizer:
        stylizer.show(stylizer.submit(frame), surface)
        aspect = 3 / 4 if degrees % 180 else 4 / 3
        comes(window, expected(source, source, Look(), (96, 64), aspect, 8).planes[0][..., :3])
    surface.close()


def test_the_picture_of_the_target_is_shown(device: WebGpuDevice, window: Window) -> None:
    """The target differs in size and shape from the source mixed into it."""
    frame, look = noise(SOURCE), Look(strength=0.7, keep_colours=True)
    rgb = planes_to_tensor.planes_to_rgb(frame)
    painted = resample.to_target(contrasted(resample.resample(rgb, (48, 32), TO_WORKING)), (64, 64))
    surface = device.surface(View(96, 64, window.native))
    with device.stylizer(contrast(GAIN), SOURCE, nv12(64, 64), working=(48, 32), look=look) as stylizer:
        stylizer.show(stylizer.submit(frame), surface)
        original = resample.to_target(rgb, (64, 64))
        comes(window, expected(original, painted, look, (96, 64), 1.0, 8).planes[0][..., :3])
    surface.close()


@pytest.mark.slow
def test_showing_reads_nothing_back(device: WebGpuDevice, window: Window) -> None:
    """A frame that is shown can still be fetched (a screenshot), and only that costs a readback."""
    surface = device.surface(View(96, 64, window.native))
    style = load_style(bundled()["oil"])  # whose network is a copy
    with device.stylizer(style, SOURCE, rgba8(96, 64)) as stylizer:
        for index in range(12):
            ticket = stylizer.submit(noise(SOURCE, index))
            stylizer.show(ticket, surface)
            stylizer.release(ticket)
        counters = stylizer.counters
        assert (counters.uploads, counters.runs, counters.presents) == (12, 12, 12)
        assert (counters.readbacks, counters.cpu_waits) == (0, 0)
        ticket = stylizer.submit(noise(SOURCE))
        stylizer.show(ticket, surface)
        stylizer.fetch(ticket)
        assert counters.readbacks == 1
    surface.close()


def test_a_window_serves_one_stylizer_after_the_other(device: WebGpuDevice, window: Window) -> None:
    """As when another style is chosen; a frame that stands still follows the look without being painted again."""
    surface, frame = device.surface(View(96, 64, window.native)), noise(SOURCE)
    source = planes_to_tensor.planes_to_rgb(frame)
    for gain in (1.0, 0.5, 0.25):
        style = contrast(gain)
        with device.stylizer(style, SOURCE, nv12(96, 64)) as stylizer:
            ticket = stylizer.submit(frame)
            for strength in (0.0, 1.0):
                stylizer.look = Look(strength=strength, dither=False)
                stylizer.show(ticket, surface)
                shown = contrasted(source, gain) if strength else source
                comes(window, np.clip(shown, 0, 1).transpose(1, 2, 0) * 255)
            assert stylizer.counters.runs == 1
    surface.close()
    surface.close()


def test_a_window_whose_size_has_changed_is_followed(device: WebGpuDevice, window: Window) -> None:
    """Presenting before the new size is known does no harm."""
    surface, frame = device.surface(View(96, 64, window.native)), noise(SOURCE)
    with device.stylizer(identity(), SOURCE, nv12(96, 64)) as stylizer:
        ticket = stylizer.submit(frame)
        stylizer.show(ticket, surface)
        for size in ((150, 90), (20, 20), (400, 300), (1, 1)):
            window.resize(size)
            stylizer.show(ticket, surface)
            surface.resize(*size)
            stylizer.show(ticket, surface)
            source = planes_to_tensor.planes_to_rgb(frame)
            comes(window, expected(source, source, Look(), size, 1.0, 8).planes[0][..., :3])
        with pytest.raises(DeviceError, match=r"^the window of 99999x10 has a side of more than \d+, which is all"):
            surface.resize(99999, 10)
        stylizer.show(ticket, surface)
    surface.close()


def test_a_network_of_the_processor_is_shown_too(device: WebGpuDevice, window: Window) -> None:
    surface, frame = device.surface(View(96, 64, window.native)), noise(SOURCE)
    with device.stylizer(box_blur(), SOURCE, rgba8(96, 64), look=Look(dither=False)) as stylizer:
        ticket = stylizer.submit(frame)
        stylizer.show(ticket, surface)
        assert stylizer.counters.readbacks == 0
        comes(window, stylizer.fetch(ticket).planes[0][..., :3])
    surface.close()


def test_what_cannot_be_presented_to_is_said(
    device: WebGpuDevice, window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A window of another card, which Mesa's adapter of the processor has none of; bits that this one does not have; a
    window of another system."""
    from wgpu.backends.wgpu_native import GPUCanvasContext

    nothing = {"usages": 0, "formats": []}
    with monkeypatch.context() as patch:
        patch.setattr(GPUCanvasContext, "_get_capabilities_screen", lambda *_: nothing)
        with pytest.raises(NoWindowError, match=r"cannot present to this window$"):
            device.surface(View(96, 64, window.native))
    with pytest.raises(DeviceError, match=r"shows no 10 bits per colour in this window$") as refused:
        device.surface(View(96, 64, window.native, bits=10))
    assert not isinstance(refused.value, NoWindowError)
    with pytest.raises(DeviceError, match="shows pictures of 8 or 10 bits per colour, not of 12"):
        device.surface(View(96, 64, window.native, bits=12))
    with pytest.raises(DeviceError, match="hands pictures to a callback, and this view has none"):
        device.surface(View(96, 64, NativeWindow("windows", 1)))


def test_a_device_that_is_lost_is_said(display: str, window: Window) -> None:
    with open_device("webgpu") as lost:
        assert isinstance(lost, WebGpuDevice)
        surface = lost.surface(View(96, 64, window.native))
        with lost.stylizer(identity(), SOURCE, nv12(96, 64)) as stylizer:
            ticket = stylizer.submit(noise(SOURCE))
            stylizer.show(ticket, surface)
            lost.context.native.device.destroy()
            with pytest.raises(DeviceLostError, match=r"the GPU was lost .*; restart the program"):
                stylizer.show(ticket, surface)
        with pytest.raises(DeviceLostError):
            lost.surface(View(96, 64, window.native))
        surface.close()
        with pytest.raises(DeviceError, match=r"^this surface is closed$"):
            surface.resize(1, 2)
