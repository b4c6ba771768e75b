"""The kernels of brush and relief, one after another, against their float64 reference."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import win32more.Windows.Win32.Graphics.Dxgi.Common as X

from framebrush.gpu.colour import Array
from framebrush.gpu.d3d12.commands import COMMON
from framebrush.gpu.d3d12.descriptors import TypedView
from framebrush.gpu.d3d12.device import D3D12Device
from framebrush.gpu.d3d12.resources import Texture
from framebrush.gpu.d3d12.slot import Slot
from framebrush.gpu.d3d12.stages.brush import Brush
from framebrush.gpu.frame import rgba8
from framebrush.gpu.reference import brush as reference
from framebrush.gpu.reference import corners, steady
from framebrush.gpu.reference import relief as lamps
from framebrush.gpu.stages import constants
from framebrush.gpu.stages.brush import DIRECTIONS, Strokes
from framebrush.gpu.stages.look import Look
from framebrush.gpu.stages.relief import Drift, Lamp, broad_weights
from framebrush.gpu.stages.steady import BLOCK_PX
from tests.gpu.pictures import growing_noise, noise
from tests.gpu.test_steady import texture
from tests.windows.harness import (
    read_tensor,
    read_texture,
    read_view,
    run,
    slot_for,
    upload,
    write_tensor,
    write_texture,
)
from tests.windows.test_kernels import TOLERANCE
from tests.windows.test_steady_kernels import film

pytestmark = [pytest.mark.windows, pytest.mark.parity]

SIZES = {
    "half": ((96, 64), (48, 32)),
    "same": ((61, 47), (61, 47)),
    "a third": ((97, 62), (33, 21)),
    "broad": ((120, 90), (15, 11)),
    "broadest": ((64, 48), (2, 1)),
    "one pixel": ((1, 1), (1, 1)),
    "a line": ((3, 200), (2, 100)),
}
"""Of the target and before the network, so that cells have 1 to 16 pixels a side."""

BRUSH = Look(brush=1.0)


@dataclass(frozen=True)
class Easel:
    """A slot with a painting, and what draws it. picture: (3, H, W), as the GPU has it in 16 bits. left: (rows,
    columns), how much of its cells is left as it is, 0..1."""

    device: D3D12Device
    slot: Slot
    brush: Brush
    picture: Array
    left: Array

    @property
    def strokes(self) -> Strokes:
        return self.brush.strokes

    def do(self, *stages: Callable[[], None]) -> None:
        """Run stages in one list."""
        self.brush._recorder.begin()
        for stage in stages:
            stage()
        run(self.device.context.compute, self.brush._recorder.end())

    def put(self, texture_: Texture, values: Array) -> None:
        """(3, H, W) in a picture."""
        whole = np.concatenate([np.moveaxis(values, 0, -1), np.ones((*values.shape[1:], 1))], axis=-1)
        write_texture(self.device, texture_, np.rint(65535.0 * whole).astype(np.uint16))

    def show(self, values: Array) -> None:
        """(3, H, W) as the picture, with the means of its cells."""
        self.put(self.brush._picture, values)
        means = reference.cells(np.rint(65535.0 * values) / 65535.0, self.strokes)
        write_texture(self.device, self.brush._means, means.astype(np.float32)[..., None])

    def get(self, texture_: Texture) -> Array:
        """A picture, (3, H, W)."""
        return np.moveaxis(read_texture(self.device, texture_, np.uint16, 4), -1, 0)[:3] / 65535.0

    def plane(self, texture_: Texture) -> Array:
        """A plane of float32, (H, W)."""
        return read_texture(self.device, texture_, np.float32)[..., 0].astype(float)

    def tensor(self) -> Array:
        """The smoothed structure tensor, (2, rows, columns)."""
        return np.moveaxis(read_texture(self.device, self.brush._tensor, np.float32, 2), -1, 0).astype(float)

    def result(self) -> Array:
        """(3, H, W)."""
        return read_tensor(self.device, self.brush.result)


@contextmanager
def easel(device: D3D12Device, name: str, look: Look = BRUSH) -> Iterator[Easel]:
    """A painting of patches, lines and noise, whose values overshoot in places."""
    size, working = SIZES[name]
    planes = rgba8(*size)
    slot, stack = slot_for(device, planes, planes, working=working)
    with stack:
        picture = texture(*size).transpose(2, 0, 1) / 255.0
        picture = picture + np.random.default_rng(2).normal(0, 0.02, picture.shape)
        picture = (np.rint(65535.0 * picture) / 65535.0).astype(np.float32).astype(float)
        with closing(Brush(device.context, device.context.compute, slot._settings, 1)) as brush:
            brush._write(slot, look)
            upload(device, slot, noise(planes))  # clears the flag
            write_tensor(device, slot.painted, picture)
            write_tensor(device, slot.frame, growing_noise(*working))
            made = Easel(device, slot, brush, np.clip(picture, 0.0, 1.0), corners.corners(growing_noise(*working)))
            made.show(made.picture)
            write_texture(device, brush._corners, made.left.astype(np.float32)[..., None])
            yield made


def close_to(got: npt.NDArray[np.floating], want: Array, name: str) -> None:
    np.testing.assert_allclose(got, want, rtol=0, atol=TOLERANCE[name])


@pytest.mark.parametrize("name", SIZES)
def test_what_a_picture_begins_with(device: D3D12Device, name: str) -> None:
    with easel(device, name) as made:
        brush, slot = made.brush, made.slot
        made.put(brush._picture, 0 * made.picture)
        made.do(lambda: brush._begin(slot, 0))
        close_to(made.get(brush._picture), made.picture, "stroke_begin")
        close_to(made.plane(brush._means), reference.cells(made.picture, made.strokes), "stroke_cells")


@pytest.mark.parametrize("name", SIZES)
def test_the_structure_of_a_picture(device: D3D12Device, name: str) -> None:
    with easel(device, name) as made:
        brush, strokes = made.brush, made.strokes
        made.do(brush._structure)
        light = np.pad(reference.cells(made.picture, strokes), 1, "edge")
        across = 3.0 * light[:, :-2] + 10.0 * light[:, 1:-1] + 3.0 * light[:, 2:]
        down = 3.0 * light[:-2] + 10.0 * light[1:-1] + 3.0 * light[2:]
        x, y = (down[:, 2:] - down[:, :-2]) / 32.0, (across[2:] - across[:-2]) / 32.0
        parts = zip((x * x - y * y, 2.0 * x * y), reference.REST_TENSOR, strict=True)
        want = np.stack([reference.smoothed(part, strokes.tensor_weights) + rest for part, rest in parts])
        close_to(made.tensor(), want, "stroke_tensor")


def directions(made: Easel) -> npt.NDArray[np.int64]:
    """(H, W), as the kernel found them: at most one beside the reference's, where the exact angle lies at a border."""
    found = read_texture(made.device, made.brush._other, np.uint16, 4)[..., 3].astype(np.int64)
    apart = (found - reference.direction(made.picture, made.strokes) + 1) % DIRECTIONS
    assert apart.max() <= 2
    assert (apart != 1).mean() < 0.01
    return found


@pytest.mark.parametrize("name", SIZES)
def test_means_along_strokes_and_edges_across(device: D3D12Device, name: str) -> None:
    with easel(device, name) as made:
        brush, strokes = made.brush, made.strokes
        made.do(brush._structure, brush._along)
        found = directions(made)
        assert found.max() < DIRECTIONS
        softened = made.get(brush._other)
        close_to(softened, reference.along(made.picture, found, strokes.along), "stroke_along")
        close_to(made.plane(brush._softened), reference.cells(softened, strokes), "stroke_cells")

        made.do(brush._sharpen)
        close_to(made.plane(brush._means), reference.cells(made.get(brush._picture), strokes), "stroke_cells")
        want = reference.sharpened(softened, found, strokes)
        apart = np.abs(made.get(brush._picture) - want).max(axis=0)
        # Of two pixels as light as each other to the last bit of float32, either is right.
        assert (apart > TOLERANCE["stroke_sharpen"]).mean() < 0.002


@pytest.mark.parametrize("name", SIZES)
def test_what_is_left_as_it_is(device: D3D12Device, name: str) -> None:
    with easel(device, name) as made:
        brush, working = made.brush, SIZES[name][1]
        find, share = brush._of_corners(made.slot)
        write_texture(device, brush._corners, np.full((*made.left.shape, 1), 0.5, np.float32))
        made.do(lambda: brush._run(find), lambda: brush._run(share))
        found = read_texture(device, brush._corner_structure, np.float32, 4)[..., :3]
        close_to(np.moveaxis(found, -1, 0), corners.structure(growing_noise(*working)), "corner_cells")
        close_to(made.plane(brush._corners), made.left, "corner_share")
    if name in ("half", "same"):
        assert made.left.min() == 0.0
        assert made.left.max() > 0.9


@pytest.mark.parametrize("share", [1.0, 0.4])
@pytest.mark.parametrize("name", SIZES)
def test_the_last_means_are_mixed_with_the_painting(device: D3D12Device, name: str, share: float) -> None:
    with easel(device, name, Look(brush=share)) as made:
        brush, strokes = made.brush, made.strokes
        other = made.picture[::-1]  # what is mixed is another picture than what is drawn
        made.show(other)
        means = reference.along(other, reference.direction(other, strokes), strokes.finish)
        drawn = share * (1.0 - corners.at_target(made.left, SIZES[name][1], SIZES[name][0]))
        want = made.picture + drawn * (means - made.picture)
        made.do(brush._structure)
        for raised in (False, True):
            made.do(lambda raised=raised: brush._finish(made.slot, raised=raised))
            got = made.get(brush._other) if raised else made.result()
            apart = np.abs(got - want).max(axis=0)
            assert (apart > TOLERANCE["stroke_finish"]).mean() < 0.01  # where the direction is the one beside
            if raised:
                close_to(made.plane(brush._means), reference.cells(got, strokes), "stroke_cells")


def test_only_what_others_use_changes_its_state_at_either_end(device: D3D12Device) -> None:
    """Each change costs as much as a small kernel on some drivers."""
    changes: list[tuple[Any, int, int]] = []
    with easel(device, "half") as made, pytest.MonkeyPatch.context() as patch:
        brush, slot = made.brush, made.slot
        recorder, barrier = brush._recorder, brush._recorder._barrier

        def noted(found: list[tuple[Any, int, int]]) -> None:
            changes.extend(found)
            barrier(found)

        patch.setattr(recorder, "_barrier", noted)
        brush.lists(slot, Look(brush=1.0, relief=0.5))
        at_an_end = {resource.value for resource, *states in changes if COMMON in states}
        assert at_an_end == {each.buffer.com.value for each in (slot.painted, slot.frame, slot.flag, brush.result)}
    assert len(changes) <= 60


def flag_of(made: Easel) -> int:
    """Of a painting that is begun with."""
    made.do(lambda: made.brush._begin(made.slot, 0))
    return int(read_view(made.device, made.slot.flag.view, np.uint32, (1,))[0])


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_what_is_not_finite_is_black_and_flagged(device: D3D12Device, bad: float) -> None:
    for place in ((0, 46, 60), (1, 0, 0), (2, 33, 40)):
        with easel(device, "same") as made:
            assert flag_of(made) == 0
            picture = made.picture.copy()
            picture[place] = bad
            write_tensor(device, made.slot.painted, picture)
            assert flag_of(made) == 1
            picture[place] = 0.0
            close_to(made.get(made.brush._picture), picture, "stroke_begin")


@pytest.mark.parametrize("look", [Look(relief=1.0), Look(canvas=1.0), Look(relief=0.4, canvas=0.7, lamp_degrees=20.0)])
@pytest.mark.parametrize("name", SIZES)
def test_height_and_light(device: D3D12Device, monkeypatch: pytest.MonkeyPatch, name: str, look: Look) -> None:
    for module in (constants, lamps):  # threads of some pixels, as large pictures have
        monkeypatch.setattr(module, "weave_pitch_px", lambda _: 3.7)
    with easel(device, name, look) as made:
        brush, strokes, slot = made.brush, made.strokes, made.slot
        made.do(brush._ground)
        light = reference.cells(made.picture, strokes)
        broad = reference.smoothed(light, broad_weights(strokes))
        close_to(made.plane(brush._broad), broad, "stroke_smooth")
        variance = reference.smoothed((light - broad) ** 2, broad_weights(strokes))
        thick = np.clip(np.sqrt(variance) / lamps.THICK_LUMA, lamps.THIN, 1.0)
        np.testing.assert_allclose(made.plane(brush._thickness), thick, rtol=0, atol=1e-5)

        made.do(lambda: brush._height(slot, brush._picture))
        relief = look.relief or 0.0
        want = lamps.height(made.picture, strokes, relief, look.canvas or 0.0, None, (1, 1))
        got = made.plane(brush._heights)
        apart = np.abs(got - want)
        assert (apart > TOLERANCE["relief_height"]).mean() < 0.01  # where the direction is the one beside
        assert np.abs(want).max() > 0.01 or name == "one pixel"

        made.do(lambda: brush._light(slot, brush._picture))
        lamp = Lamp.at(look.lamp_degrees)
        monkeypatch.setattr(lamps, "height", lambda *_: got)
        shown = lamps.lit(made.picture, strokes, relief, look.canvas or 0.0, lamp)
        close_to(made.result(), shown, "relief_light")


@pytest.mark.parametrize("place", [0, 6, 14])
@pytest.mark.parametrize("scale", [1, 2, 3])
def test_ways_of_bristles(device: D3D12Device, scale: int, place: int) -> None:
    """Of three frames, of which the last one may begin a way anew."""
    size = (90, 62)
    with film(device, size, scale) as made:
        slots, frames = made.slots, made.frames
        drift = Drift.still(place, frames[0].source.shape[:0:-1])
        for number, slot in enumerate(slots):
            before = [number - 1] if number else []
            run(device.context.compute, *made.lists(number, before, [], 0.5))
            last = slots[number - 1] if number else None
            run(device.context.compute, *made.drifting.lists(slot, last, place + number))
            if number:
                drift = drift.next(steady.motion(made.levels(number), made.levels(number - 1)))
            assert slot.drift == drift.place == place + number
            assert slot.ways
            shape = (*drift.ways.shape[2:], 2, 4)
            got = read_view(device, slot.ways, np.int32, shape).astype(int)
            want = np.stack([drift.ways[0, 1], drift.ways[0, 0], drift.ways[1, 1], drift.ways[1, 0]], axis=-1)
            np.testing.assert_array_equal(got[..., 0, :], want)
            np.testing.assert_array_equal(got[..., 1, :], np.floor(scale * want + 0.5).astype(int))
        assert drift.ways.any()


@pytest.mark.parametrize("name", ["half", "broad"])
def test_bristles_that_drift(device: D3D12Device, name: str) -> None:
    """Two ways, of which each block has its own."""
    with easel(device, name, Look(relief=1.0)) as made:
        brush, slot, strokes = made.brush, made.slot, made.strokes
        working = SIZES[name][1]
        columns, rows = (-(-side // BLOCK_PX) for side in working)
        ways = np.random.default_rng(4).integers(-300, 300, (2, 2, rows, columns))
        drift = Drift(21, ways)
        factors = np.array([here / there for here, there in zip(SIZES[name][0], working, strict=True)])
        both = np.zeros((rows, columns, 2, 4), np.int32)
        for way in range(2):
            moved = np.floor(factors * np.moveaxis(ways[way, ::-1], 0, -1) + 0.5)
            both[..., 1, 2 * way : 2 * way + 2] = moved
        with closing(device.context.constant(both, "test ways")) as memory:
            slot.ways = TypedView(memory, X.DXGI_FORMAT_R32G32B32A32_SINT, both.size // 4)
            slot.drift = drift.place
            brush._write(slot, Look(relief=1.0))
            made.do(
                brush._ground,
                lambda: brush._height(slot, brush._picture),
            )
            got = made.plane(brush._heights)
        want = lamps.height(made.picture, strokes, 1.0, 0.0, drift, working)
        assert (np.abs(got - want) > TOLERANCE["relief_height"]).mean() < 0.01
        still = lamps.height(made.picture, strokes, 1.0, 0.0, None, working)
        assert np.abs(still - want).max() > 0.1
