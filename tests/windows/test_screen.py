"""Frames in a window: drawn without a readback, in the right place and shape."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import win32more.Windows.Win32.Graphics.Direct3D12 as D
import win32more.Windows.Win32.Graphics.Dxgi as G
import win32more.Windows.Win32.Graphics.Dxgi.Common as X

from framebrush.gpu.d3d12.commands import COMMON
from framebrush.gpu.d3d12.device import D3D12Device
from framebrush.gpu.errors import DeviceError
from framebrush.gpu.frame import Frame, FrameFormat, PlaneOrder, nv12, rgba8
from framebrush.gpu.look import Look
from framebrush.gpu.stages import planes_to_tensor, resample
from framebrush.gpu.stages.resample import TO_WORKING
from framebrush.gpu.surface import NativeWindow, View, Viewport
from tests.gpu.pictures import masks, noise
from tests.gpu.screens import ASPECTS, LOOKS, SIZES, VIEWPORTS, expected, through
from tests.inside import slot_of
from tests.networks import identity
from tests.windows.harness import on_screen, read_tensor, write_tensor
from tests.windows.styles import blur, brighten

pytestmark = pytest.mark.windows

SOURCE = FrameFormat(96, 64, PlaneOrder.PLANAR, subsample=(1, 1))


@pytest.mark.parametrize("bits", [8, 10])
def test_what_is_shown(device: D3D12Device, window: NativeWindow, bits: int) -> None:
    frame = noise(SOURCE)
    source = planes_to_tensor.planes_to_rgb(frame)
    surface = device.surface(View(96, 64, window=window, bits=bits))
    with device.stylizer(brighten(), SOURCE, nv12(96, 64)) as stylizer:
        ticket = stylizer.submit(frame)
        for size in SIZES:
            surface.resize(*size)
            for aspect in ASPECTS:
                surface.sample_aspect = aspect
                for look in LOOKS:
                    stylizer.look = look
                    stylizer.show(ticket, surface)
                    want = expected(source, source + 0.25, look, size, aspect, bits, (48, 32)).planes[0].astype(int)
                    codes = np.abs(on_screen(device, surface)[..., :3].astype(int) - want[..., :3])
                    # 2 codes of 10 bits; a column whose middle falls on the split may round to either side of it
                    assert (codes > (1 if bits == 8 else 2)).any(axis=(0, 2)).sum() <= (look.split is not None)
        assert stylizer.counters.readbacks == 0
        assert stylizer.counters.presents == 32
    surface.close()


@pytest.mark.parametrize("bits", [8, 10])
def test_levels_of_a_gradient(device: D3D12Device, window: NativeWindow, bits: int) -> None:
    source = FrameFormat(1024, 64, PlaneOrder.PLANAR, 10)
    luma, *chroma = (np.full(shape, 512, np.uint16) for shape in source.plane_shapes)
    luma[:] = np.linspace(64, 940, 1024).round()
    surface = device.surface(View(1024, 64, window=window, bits=bits))
    look = Look(dither=False)
    with device.stylizer(identity(), source, rgba8(1024, 64), look=look) as stylizer:
        stylizer.show(stylizer.submit(Frame(source, (luma, *chroma))), surface)
        levels = np.unique(on_screen(device, surface)[32, :, 1]).size
    surface.close()
    assert levels <= 256 if bits == 8 else levels > 800


@pytest.mark.parametrize("viewport", VIEWPORTS, ids=str)
def test_through_a_viewport(device: D3D12Device, window: NativeWindow, viewport: Viewport) -> None:
    frame, size = noise(SOURCE), (301, 200)
    source = planes_to_tensor.planes_to_rgb(frame)
    styled = np.clip(source + 0.25, 0, 1)
    surface = device.surface(View(*size, window=window))
    surface.viewport = viewport
    with device.stylizer(brighten(), SOURCE, nv12(96, 64), look=Look(dither=False)) as stylizer:
        stylizer.show(stylizer.submit(frame), surface)
        assert (stylizer.counters.readbacks, stylizer.counters.presents) == (0, 1)
        shown = on_screen(device, surface)[..., :3].astype(int)
    surface.close()
    want = through(viewport, source, styled, size)
    wrong = (np.abs(shown - np.floor(want * 255 + 0.5)) > 1).any(axis=2)
    # Where two samples are equally near, or at a ring's edge, float32 may take the other one.
    assert wrong.mean() < 0.004, f"{wrong.mean():.4f} at {np.argwhere(wrong)[:5].tolist()}"


def test_the_chain_says_that_it_is_sdr(
    device: D3D12Device, window: NativeWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = []
    say = G.IDXGISwapChain3.SetColorSpace1

    def record(chain: G.IDXGISwapChain3, space: int) -> int:
        told.append(space)
        return say(chain, space)

    monkeypatch.setattr(G.IDXGISwapChain3, "SetColorSpace1", record)
    for bits in (8, 10):
        device.surface(View(96, 64, window=window, bits=bits)).close()
    assert told == [X.DXGI_COLOR_SPACE_RGB_FULL_G22_NONE_P709] * 2


@pytest.mark.parametrize("degrees", [0, 90, 180, 270, -90])
@pytest.mark.parametrize("mirrored", [False, True])
def test_a_turned_picture_is_shown_upright(
    device: D3D12Device, window: NativeWindow, degrees: int, mirrored: bool
) -> None:
    frame = noise(SOURCE)
    stored = planes_to_tensor.planes_to_rgb(frame)
    source = np.rot90(stored[:, :, ::-1] if mirrored else stored, degrees // 90, (1, 2))
    surface = device.surface(View(96, 64, window=window))
    surface.rotation_degrees, surface.mirrored, surface.sample_aspect = degrees, mirrored, 4 / 3
    upright_aspect = 3 / 4 if degrees % 180 else 4 / 3
    with device.stylizer(brighten(), SOURCE, nv12(96, 64)) as stylizer:
        ticket = stylizer.submit(frame)
        for size in ((96, 64), (50, 80)):
            surface.resize(*size)
            stylizer.show(ticket, surface)
            want = expected(source, source + 0.25, Look(), size, upright_aspect, 8).planes[0].astype(int)
            assert np.abs(on_screen(device, surface)[..., :3].astype(int) - want[..., :3]).max() <= 1
    surface.close()


def test_the_picture_of_the_target_is_shown(device: D3D12Device, window: NativeWindow) -> None:
    """The target differs in size and shape from the source mixed into it."""
    frame = noise(SOURCE)
    rgb = planes_to_tensor.planes_to_rgb(frame)
    painted = resample.to_target(resample.resample(rgb, (48, 32), TO_WORKING) + 0.25, (64, 64))
    original = resample.to_target(rgb, (64, 64))
    surface = device.surface(View(96, 64, window=window))
    with device.stylizer(brighten(), SOURCE, nv12(64, 64), working=(48, 32)) as stylizer:
        ticket = stylizer.submit(frame)
        for look in (Look(), Look(strength=0.4), Look(strength=0.7, keep_colours=True), Look(detail=1.0)):
            stylizer.look = look
            for size in ((96, 64), (120, 50)):
                surface.resize(*size)
                stylizer.show(ticket, surface)
                want = expected(original, painted, look, size, 1.0, 8, (24, 16)).planes[0].astype(int)
                assert np.abs(on_screen(device, surface)[..., :3].astype(int) - want[..., :3]).max() <= 1
    surface.close()


@pytest.mark.parametrize("brush", [0.0, 1.0])
def test_a_photograph_is_shown_as_it_is_fetched(device: D3D12Device, window: NativeWindow, brush: float) -> None:
    """And gone from the screen with the next look."""
    frame, form = noise(SOURCE), rgba8(96, 64)
    surface = device.surface(View(96, 64, window=window))
    look = Look(brush=brush, dither=False, detail=0.5)
    with device.stylizer(brighten(), SOURCE, form, look=look) as stylizer:
        stylizer.masks = masks()
        ticket = stylizer.submit(frame)
        pictures = []
        looks: list[dict[str, Any]] = [{}, {"photo_inside": 1.0}, {"photo_outside": 0.5, "strength": 0.8}]
        for more in (*looks, {}):
            stylizer.look = replace(look, **more)
            stylizer.show(ticket, surface)
            pictures.append(on_screen(device, surface)[..., :3].astype(int))
        for more, shown in zip(looks, pictures[:3], strict=True):
            stylizer.look = replace(look, **more)
            again = stylizer.submit(frame)
            want = stylizer.fetch(again).planes[0][..., :3].astype(int)
            assert np.abs(shown - want).max() <= 1, more
    surface.close()
    np.testing.assert_array_equal(pictures[0], pictures[3])
    assert np.abs(pictures[0] - pictures[1]).max() > 20


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_what_is_not_finite_is_black_on_the_screen(device: D3D12Device, window: NativeWindow, bad: float) -> None:
    surface = device.surface(View(96, 64, window=window))
    with device.stylizer(identity(), SOURCE, nv12(96, 64), look=Look(dither=False)) as stylizer:
        ticket = stylizer.submit(noise(SOURCE))
        slot = slot_of(stylizer, ticket)
        device.context.wait_idle()
        values = read_tensor(device, slot.styled)
        values[:, 10:20, 30:50] = bad
        write_tensor(device, slot.styled, values)
        stylizer.show(ticket, surface)
        assert not on_screen(device, surface)[10:20, 30:50, :3].any()
    surface.close()


def test_bits_that_no_chain_has_are_refused(device: D3D12Device, window: NativeWindow) -> None:
    live = device.context.live_count
    with pytest.raises(DeviceError, match="shows pictures of 8 or 10 bits per colour, not of 12"):
        device.surface(View(96, 64, window=window, bits=12))
    assert device.context.live_count == live


def test_showing_reads_nothing_back(device: D3D12Device, window: NativeWindow) -> None:
    surface = device.surface(View(160, 120, window=window))
    with device.stylizer(blur(), SOURCE, rgba8(96, 64)) as stylizer:
        for index in range(12):
            ticket = stylizer.submit(noise(SOURCE, index))
            stylizer.show(ticket, surface)
            stylizer.release(ticket)
        counters = stylizer.counters
        assert (counters.uploads, counters.runs, counters.presents, counters.readbacks) == (12, 12, 12, 0)
        assert counters.dispatches == 24
        # A frame that is shown can still be fetched (a screenshot), and only that costs a readback.
        ticket = stylizer.submit(noise(SOURCE))
        stylizer.show(ticket, surface)
        stylizer.fetch(ticket)
        assert counters.readbacks == 1
    surface.close()


def test_a_paused_frame_follows_the_look(device: D3D12Device, window: NativeWindow) -> None:
    frame = noise(SOURCE)
    surface = device.surface(View(96, 64, window=window))
    with device.stylizer(brighten(), SOURCE, nv12(96, 64)) as stylizer:
        ticket = stylizer.submit(frame)
        pictures = []
        for strength in (0.0, 1.0):
            stylizer.look = Look(strength=strength, dither=False)
            stylizer.show(ticket, surface)
            pictures.append(on_screen(device, surface).astype(int))
        assert (pictures[1] - pictures[0])[..., :3].mean() > 30
        assert stylizer.counters.runs == 1
    surface.close()


def test_surfaces_leave_nothing_behind(device: D3D12Device, window: NativeWindow) -> None:
    with device.stylizer(identity(), SOURCE, nv12(96, 64)) as stylizer:
        surface = device.surface(View(96, 64, window=window))
        stylizer.show(stylizer.submit(noise(SOURCE)), surface)
        surface.close()
    live = device.context.live_count
    for _ in range(8):
        surface = device.surface(View(96, 64, window=window))
        with device.stylizer(identity(), SOURCE, nv12(96, 64)) as stylizer:
            stylizer.show(stylizer.submit(noise(SOURCE)), surface)
            surface.resize(64, 48)
            surface.close()
            surface.close()
        assert device.context.live_count == live


def test_state_of_textures_is_common_between_lists() -> None:
    assert COMMON == D.D3D12_RESOURCE_STATE_PRESENT  # the chain's images are handed to the screen in this state
