"""Frames in a window: drawn without a readback, in the right place and shape."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import win32more.Windows.Win32.Graphics.Direct3D12 as D
import win32more.Windows.Win32.Graphics.Dxgi as G
import win32more.Windows.Win32.Graphics.Dxgi.Common as X

from framebrush.gpu import colour
from framebrush.gpu.d3d12.commands import COMMON
from framebrush.gpu.d3d12.device import D3D12Device
from framebrush.gpu.d3d12.swapchain import DIVIDER_PX, fit
from framebrush.gpu.errors import DeviceError
from framebrush.gpu.frame import Frame, FrameFormat, Layout, Matrix, nv12, rgba8
from framebrush.gpu.stages import detail, planes_to_tensor, resample, tensor_to_planes
from framebrush.gpu.stages.look import Look
from framebrush.gpu.stages.resample import TO_WORKING
from framebrush.gpu.surface import LOUPE_FACTOR, LOUPE_RADIUS_PX, View, Viewport
from tests.gpu.pictures import noise
from tests.networks import identity
from tests.windows.harness import on_screen, read_tensor, write_tensor
from tests.windows.styles import blur, brighten

pytestmark = pytest.mark.windows

SOURCE = FrameFormat(96, 64, Layout.PLANAR, subsample=(1, 1))


def linear(picture: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    """(3, H, W) at another size, linear between the middles of samples, the edge repeated."""
    for axis, count in ((2, size[0]), (1, size[1])):
        length = picture.shape[axis]
        position = (np.arange(count) + 0.5) * (length / count) - 0.5
        low = np.floor(position).astype(int)
        near, far = (picture.take(np.clip(low + k, 0, length - 1), axis) for k in (0, 1))
        weight = (position - low).reshape([count if k == axis else 1 for k in range(3)])
        picture = near * (1 - weight) + far * weight
    return picture


def expected(
    source: np.ndarray,
    styled: np.ndarray,
    look: Look,
    size: tuple[int, int],
    aspect: float,
    bits: int,
    coarse: tuple[int, int] | None = None,
) -> Frame:
    """What a window of this size shows: the picture as large as it fits, black around it. coarse: of the low-pass,
    where the look adds detail."""
    x, y, width, height = fit((source.shape[2], source.shape[1]), size, aspect)
    column = colour.split_column(look.split, source.shape[2])
    plain = replace(look, split=None)
    original = linear(source, (width, height))
    fine = linear(detail.detail(source, coarse or (1, 1))[None], (width, height))[0]
    shown = tensor_to_planes.look(original, linear(np.clip(styled, 0, 1), (width, height)), plain, fine)
    samples_per_pixel = source.shape[2] / width
    centre = (np.arange(width) + 0.5) * samples_per_pixel
    left = np.floor(centre) < column
    shown[:, :, left] = original[:, :, left]
    if look.split is not None:
        shown[:, :, np.abs(centre - column) < DIVIDER_PX * samples_per_pixel] = 0.92
    canvas = np.zeros((3, size[1], size[0]))
    canvas[:, y : y + height, x : x + width] = shown
    target = FrameFormat(*size, Layout.RGBA, bits, matrix=Matrix.RGB, full_range=True)
    return tensor_to_planes.rgb_to_output(canvas, target, look.dither)


def test_fit_keeps_the_shape() -> None:
    assert fit((1920, 1080), (1280, 1024)) == (0, 152, 1280, 720)
    assert fit((1920, 1080), (3000, 720)) == (860, 0, 1280, 720)
    assert fit((720, 576), (1024, 576), 64 / 45) == (0, 0, 1024, 576)
    assert fit((10000, 1), (50, 50)) == (0, 24, 50, 1)


@pytest.mark.parametrize("bits", [8, 10])
def test_what_is_shown(device: D3D12Device, window: int, bits: int) -> None:
    frame = noise(SOURCE)
    source = planes_to_tensor.planes_to_rgb(frame)
    surface = device.surface(View(96, 64, window=window, bits=bits))
    with device.stylizer(brighten(), SOURCE, nv12(96, 64)) as stylizer:
        ticket = stylizer.submit(frame)
        for size in ((96, 64), (200, 100), (50, 80), (31, 200)):
            surface.resize(*size)
            for aspect in (1.0, 4 / 3):
                surface.sample_aspect = aspect
                for look in (
                    Look(),
                    Look(strength=0.5, split=0.4, keep_colours=True),
                    Look(exposure_ev=1.0),
                    Look(detail=0.8),
                ):
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
def test_levels_of_a_gradient(device: D3D12Device, window: int, bits: int) -> None:
    source = FrameFormat(1024, 64, Layout.PLANAR, 10)
    luma, *chroma = (np.full(shape, 512, np.uint16) for shape in source.plane_shapes)
    luma[:] = np.linspace(64, 940, 1024).round()
    surface = device.surface(View(1024, 64, window=window, bits=bits))
    look = Look(dither=False)
    with device.stylizer(identity(), source, rgba8(1024, 64), look=look) as stylizer:
        stylizer.show(stylizer.submit(Frame(source, (luma, *chroma))), surface)
        levels = np.unique(on_screen(device, surface)[32, :, 1]).size
    surface.close()
    assert levels <= 256 if bits == 8 else levels > 800


def seen(picture: np.ndarray, viewport: Viewport, size: tuple[int, int]) -> np.ndarray:
    """(3, H, W) through a viewport, in one pane of this size; black around it."""
    x, y, width, height = fit(picture.shape[2:0:-1], size, viewport=viewport)
    across, down = np.meshgrid(np.arange(size[0]) + 0.5, np.arange(size[1]) + 0.5)
    ring = np.zeros(across.shape, bool)
    if viewport.loupe is not None:
        left, top = viewport.loupe
        gap = np.hypot(across - left, down - top)
        near, ring = gap < LOUPE_RADIUS_PX, np.abs(gap - LOUPE_RADIUS_PX) < 1
        across = np.where(near, left + (across - left) / LOUPE_FACTOR, across)
        down = np.where(near, top + (down - top) / LOUPE_FACTOR, down)
    place = [(across - x) * picture.shape[2] / width - 0.5, (down - y) * picture.shape[1] / height - 0.5]
    outside = (across < x) | (across >= x + width) | (down < y) | (down >= y + height)
    low = [np.floor(axis).astype(int) for axis in place]
    weight = [
        axis - floor if viewport.smooth else np.floor(axis - floor + 0.5)
        for axis, floor in zip(place, low, strict=True)
    ]
    corner = {
        (i, j): picture[:, np.clip(low[1] + j, 0, picture.shape[1] - 1), np.clip(low[0] + i, 0, picture.shape[2] - 1)]
        for i in (0, 1)
        for j in (0, 1)
    }
    upper, lower = (corner[0, j] * (1 - weight[0]) + corner[1, j] * weight[0] for j in (0, 1))
    made = np.where(outside, 0.0, upper * (1 - weight[1]) + lower * weight[1])
    return np.where(ring, 0.92, made)


@pytest.mark.parametrize(
    "viewport",
    [
        Viewport(1.0),
        Viewport(0.5),
        Viewport(8.0, (0.3, 0.7)),
        Viewport(8.0, (0.0, 1.0), smooth=False),
        Viewport(3.3, (0.9, 0.1), smooth=False),
        Viewport(side_by_side=True),
        Viewport(4.0, (0.4, 0.5), side_by_side=True),
        Viewport(2.0, loupe=(140.5, 90.5)),
        Viewport(loupe=(30.5, 90.5), smooth=False),
        Viewport(2.0, side_by_side=True, loupe=(250.5, 60.5)),
    ],
    ids=str,
)
def test_through_a_viewport(device: D3D12Device, window: int, viewport: Viewport) -> None:
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
    pane = int(viewport.pane(size[0]))
    if viewport.loupe is not None:
        viewport = replace(viewport, loupe=(viewport.loupe[0] % pane, viewport.loupe[1]))
    panes = [seen(part, viewport, (pane, size[1])) for part in ((source, styled) if pane < size[0] else (styled,))]
    want = np.zeros((size[1], size[0], 3))
    want[:, : pane * len(panes)] = np.concatenate(panes, axis=2).transpose(1, 2, 0)
    wrong = (np.abs(shown - np.floor(want * 255 + 0.5)) > 1).any(axis=2)
    # Where two samples are equally near, or at a ring's edge, float32 may take the other one.
    assert wrong.mean() < 0.004, f"{wrong.mean():.4f} at {np.argwhere(wrong)[:5].tolist()}"


def test_the_chain_says_that_it_is_sdr(device: D3D12Device, window: int, monkeypatch: pytest.MonkeyPatch) -> None:
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
def test_a_turned_picture_is_shown_upright(device: D3D12Device, window: int, degrees: int, mirrored: bool) -> None:
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


def test_the_picture_of_the_target_is_shown(device: D3D12Device, window: int) -> None:
    """Here of another size and shape than the source, which is mixed with it."""
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


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_what_is_not_finite_is_black_on_the_screen(device: D3D12Device, window: int, bad: float) -> None:
    surface = device.surface(View(96, 64, window=window))
    with device.stylizer(identity(), SOURCE, nv12(96, 64), look=Look(dither=False)) as stylizer:
        ticket = stylizer.submit(noise(SOURCE))
        slot = stylizer._tickets[ticket].slot
        device.context.wait_idle()
        values = read_tensor(device, slot.styled)
        values[:, 10:20, 30:50] = bad
        write_tensor(device, slot.styled, values)
        stylizer.show(ticket, surface)
        assert not on_screen(device, surface)[10:20, 30:50, :3].any()
    surface.close()


def test_bits_that_no_chain_has_are_refused(device: D3D12Device, window: int) -> None:
    live = device.context.live_count
    with pytest.raises(DeviceError, match="shows pictures of 8 or 10 bits per colour, not of 12"):
        device.surface(View(96, 64, window=window, bits=12))
    assert device.context.live_count == live


def test_showing_reads_nothing_back(device: D3D12Device, window: int) -> None:
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


def test_a_paused_frame_follows_the_look(device: D3D12Device, window: int) -> None:
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


def test_surfaces_leave_nothing_behind(device: D3D12Device, window: int) -> None:
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
