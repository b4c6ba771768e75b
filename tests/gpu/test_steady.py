"""The temporal filter, on every backend: its effect and limits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from framebrush.gpu.device import Device
from framebrush.gpu.errors import NonFiniteError
from framebrush.gpu.frame import Frame, FrameFormat, Transfer, nv12, rgba8, yuv420p
from framebrush.gpu.look import Look
from framebrush.gpu.stages.steady import BLOCK_PX
from framebrush.gpu.stylizer import Stylizer, Ticket
from framebrush.gpu.temporal_window import CENTRED, PAST_ONLY, TemporalWindow
from framebrush.models.brushes import NO_MAPS, Maps
from framebrush.models.style import Style
from tests import networks
from tests.gpu.contract import codes
from tests.gpu.pictures import FORMATS, noise

pytestmark = pytest.mark.unit

SIZE = (90, 62)
HALF = Look(steady=0.5, dither=False)


def texture(width: int, height: int, seed: int = 0) -> npt.NDArray[np.float64]:
    """(height, width, 3), codes within 40..215: noise without detail finer than some pixels."""
    rough = np.random.default_rng(seed).random((height + 8, width + 8, 3))
    for axis in (0, 1):
        rough = sum(np.roll(rough, shift, axis) for shift in range(-4, 5)) / 9
    rough = rough[4:-4, 4:-4]
    return 40 + 175 * (rough - rough.min()) / (rough.max() - rough.min())


def rgba(picture: npt.NDArray[np.floating]) -> Frame:
    frame = rgba8(picture.shape[1], picture.shape[0]).allocate()
    frame.planes[0][..., :3] = np.clip(np.rint(picture), 0, 255)
    frame.planes[0][..., 3] = 255
    return frame


def noisy(count: int, size: tuple[int, int] = SIZE, amount: float = 2.0) -> list[Frame]:
    """A scene that stands still, with noise that does not."""
    scene, chance = texture(*size), np.random.default_rng(7)
    return [rgba(scene + chance.normal(0, amount, scene.shape)) for _ in range(count)]


def moving(count: int, step: tuple[int, int], size: tuple[int, int] = SIZE, amount: float = 0.0) -> list[Frame]:
    """Move a textured square by `step` pixels (x, y) a frame before a still scene."""
    scene, square, chance = texture(*size), texture(30, 30, 1)[..., ::-1], np.random.default_rng(8)
    frames = []
    for number in range(count):
        picture = scene.copy()
        x, y = (10 + number * along for along in step)
        picture[y : y + 30, x : x + 30] = square
        frames.append(rgba(picture + chance.normal(0, amount, picture.shape)))
    return frames


def results(
    device: Device,
    frames: Sequence[Frame],
    look: Look = HALF,
    *,
    style: Style | None = None,
    target: FrameFormat | None = None,
    window: TemporalWindow = CENTRED,
    **settings: Any,  # noqa: ANN401
) -> list[Frame]:
    """Paint a film in a new stylizer."""
    style, source = style or networks.identity(), frames[0].format
    with device.stylizer(style, source, target or source, look=look, window=window, **settings) as stylizer:
        return fed(stylizer, frames)


def fed(
    stylizer: Stylizer[Any],
    frames: Sequence[Frame],
    first: int = 0,
    maps_of: Callable[[int], Maps] = lambda _: NO_MAPS,
) -> list[Frame]:
    """Every frame in order, as the pipeline does it. first: the place of the first one in the film. maps_of: gives the
    maps of a frame by its place."""
    waiting: list[Ticket] = []
    done: list[Frame] = []
    for place, frame in enumerate(frames, first):
        if len(waiting) == stylizer.slots:
            done.append(stylizer.fetch(waiting.pop(0)))
        stylizer.maps = maps_of(place)
        waiting.append(stylizer.submit(frame, place=place))
    stylizer.flush()
    return done + [stylizer.fetch(ticket) for ticket in waiting]


def apart(ours: Frame, theirs: Frame) -> int:
    """The largest difference of two frames, in codes."""
    return max(int(np.abs(a - b).max()) for a, b in zip(codes(ours), codes(theirs), strict=True))


def assert_alike(ours: Sequence[Frame], theirs: Sequence[Frame], tolerance: int = 1) -> None:
    assert len(ours) == len(theirs)
    assert [apart(a, b) <= tolerance for a, b in zip(ours, theirs, strict=True)] == [True] * len(ours)


# The same as the reference


@pytest.mark.parametrize("strength", [0.2, 0.5, 1.0])
@pytest.mark.parametrize("window", [CENTRED, PAST_ONLY, TemporalWindow(0, 1)])
def test_every_device_steadies_alike(tested: Device, exact: Device, strength: float, window: TemporalWindow) -> None:
    frames = moving(7, (4, 1), amount=2.0)
    look = Look(steady=strength)
    expected = results(exact, frames, look, window=window)
    assert_alike(results(tested, frames, look, window=window), expected)
    assert_alike(results(tested, frames, look, window=window, tiling=32), expected)
    assert max(apart(a, b) for a, b in zip(expected, frames, strict=True)) > 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "working", "target"),
    [
        ((61, 47), (30, 24), (61, 47)),
        ((40, 30), (60, 45), (31, 24)),
        ((5, 7), (1, 1), (9, 3)),
        ((17, 16), None, (17, 16)),
        ((150, 33), None, (75, 66)),
    ],
)
def test_at_every_size(
    tested: Device, exact: Device, size: tuple[int, int], working: tuple[int, int] | None, target: tuple[int, int]
) -> None:
    frames = noisy(5, size)
    for style in (networks.strided_identity(4), networks.enlarger(2)):
        settings: dict[str, Any] = {"style": style, "working": working, "target": yuv420p(*target)}
        for look in (HALF, Look(steady=1.0, strength=0.6, split=0.3, keep_colours=True)):
            assert_alike(results(tested, frames, look, **settings), results(exact, frames, look, **settings))


@pytest.mark.slow
@pytest.mark.parametrize("scale", [2, 3, 4])
def test_what_enlarges(tested: Device, exact: Device, scale: int) -> None:
    frames = moving(5, (2, 3), amount=1.0)
    settings: dict[str, Any] = {"style": networks.enlarger(scale), "target": rgba8(SIZE[0] * scale, SIZE[1] * scale)}
    expected = results(exact, frames, **settings)
    assert_alike(results(tested, frames, **settings), expected)
    assert_alike(results(tested, frames, tiling=40, **settings), expected)


@pytest.mark.parametrize("name", ["yuv420p odd", "p010", "grey", "hdr10", "hlg"])
def test_every_kind_of_source(tested: Device, exact: Device, name: str) -> None:
    """Noise, where no neighbour is alike, and one repeated picture, where all are."""
    picture = FORMATS[name]
    target = nv12(picture.width, picture.height, bits=10)
    tolerance = 2 if picture.transfer is Transfer.SDR else 4
    for frames in ([noise(picture, seed) for seed in range(4)], [noise(picture)] * 4):
        expected = results(exact, frames, target=target)
        assert_alike(results(tested, frames, target=target), expected, tolerance)
        assert_alike(expected, results(exact, frames, target=target, window=TemporalWindow()), tolerance)


def test_half_precision(tested: Device, exact: Device) -> None:
    frames = noisy(5)
    expected = results(exact, frames, style=networks.identity(half=True))
    assert_alike(results(tested, frames, style=networks.identity(half=True)), expected)


# What it is for


def test_noise_of_what_stands_still_is_halved(device: Device) -> None:
    frames = noisy(9)

    def flicker(film: Sequence[Frame]) -> float:
        return float(np.mean([np.abs(codes(a)[0] - codes(b)[0]).mean() for a, b in pairwise(film)]))

    assert flicker(results(device, frames)[2:-2]) < 0.3 * flicker(frames[2:-2])


@pytest.mark.parametrize("step", [(1, 0), (3, 2), (8, 0), (5, -1)])
def test_moving_edges_stay(device: Device, step: tuple[int, int]) -> None:
    """A coloured square on another colour leaves no trace where it was or will be."""
    frames = []
    for number in range(7):
        picture = np.full((62, 90, 3), 90.0) + np.linspace(0, 20, 90)[:, None]
        x, y = 10 + number * step[0], 20 + number * step[1]
        picture[y : y + 24, x : x + 24] = (150, 190, 60)
        frames.append(rgba(picture))
    assert_alike(results(device, frames), frames, 2)


def test_noise_along_a_motion_is_halved(device: Device) -> None:
    clean, frames = panned(9, (4, 2)), panned(9, (4, 2), amount=2.0)
    inside = slice(BLOCK_PX, -BLOCK_PX), slice(BLOCK_PX, -BLOCK_PX)
    before, after = (
        float(np.mean([np.abs(codes(film[n])[0][inside] - codes(clean[n])[0][inside]).mean() for n in range(2, 7)]))
        for film in (frames, results(device, frames))
    )
    assert after < 0.6 * before


def panned(count: int, step: tuple[int, int], size: tuple[int, int] = SIZE, amount: float = 0.0) -> list[Frame]:
    """Pan over a scene by `step` pixels (x, y) a frame."""
    (width, height), chance = size, np.random.default_rng(8)
    scene = texture(width + count * step[0], height + count * step[1])
    parts = [scene[n * step[1] : n * step[1] + height, n * step[0] : n * step[0] + width] for n in range(count)]
    return [rgba(part + chance.normal(0, amount, part.shape)) for part in parts]


def sky(count: int, step: tuple[int, int], size: tuple[int, int] = SIZE, *, boils: bool = False) -> list[Frame]:
    """Pan over an almost flat scene, in which `networks.contrast` makes strokes.

    Args:
        boils: whether strokes differ in each frame, rather than move along.
    """
    width, height = size
    far = texture(width + count * abs(step[0]), height + count * abs(step[1]), 5)
    frames = []
    for number in range(count):
        x, y = (number * along for along in step)
        part = texture(width, height, 20 + number) if boils else far[y : y + height, x : x + width]
        frames.append(rgba(126 + 4 * (part - 40) / 175))
    return frames


STROKES: dict[str, Any] = {"style": networks.contrast(40.0)}


def strokes_of(film: Sequence[Frame]) -> list[npt.NDArray[np.int64]]:
    return [codes(frame)[0][..., :3] for frame in film]


@pytest.mark.parametrize("step", [(5, 2), (3, 0), (11, 7)])
@pytest.mark.parametrize("window", [CENTRED, PAST_ONLY])
def test_strokes_on_what_is_flat_move_along(device: Device, step: tuple[int, int], window: TemporalWindow) -> None:
    """The source alone does not tell: it differs by less than noise, moved or not."""
    frames = sky(7, step)
    plain = strokes_of(results(device, frames, window=TemporalWindow(), **STROKES))
    steadied = strokes_of(results(device, frames, window=window, **STROKES))
    for own, calm in zip(plain[2:5], steadied[2:5], strict=True):
        assert own.std() > 20
        assert np.abs(calm - own).mean() < 0.15 * own.std()
        assert calm.std() > 0.9 * own.std()


def test_strokes_that_follow_nothing_stay(device: Device) -> None:
    frames = sky(7, (5, 2), boils=True)
    plain, steadied = (
        strokes_of(results(device, frames, window=window, **STROKES)) for window in (TemporalWindow(), CENTRED)
    )
    for own, calm in zip(plain[2:5], steadied[2:5], strict=True):
        assert calm.std() > 0.9 * own.std()


def test_a_cut_shows_nothing_of_the_other_scene(device: Device) -> None:
    """Each side of it is what that side alone would be, to the last bit."""
    one = noisy(4)
    other = [rgba(255 - codes(frame)[0][..., :3]) for frame in one]
    together = results(device, one + other)
    assert_alike(together, results(device, one) + results(device, other), 0)


def test_a_flash_lights_no_other_frame(device: Device) -> None:
    scene = texture(*SIZE)
    frames = [rgba(scene)] * 3 + [rgba(scene / 4 + 190)] + [rgba(scene)] * 3
    assert_alike(results(device, frames), frames, 0)


def test_what_was_lost_on_the_way_is_not_looked_for(device: Device) -> None:
    """Behind a frame without known motion, the motion is unknown, too."""
    one, between, other = noisy(3)
    between.planes[0][:, 48:, :3] = 128
    lost = np.s_[:, 64:]
    for window, number in ((TemporalWindow(0, 2), 0), (TemporalWindow(2, 0), 2)):
        frames = [one, between, other]
        made, own = (codes(film[number])[0] for film in (results(device, frames, window=window), frames))
        np.testing.assert_array_equal(made[lost], own[lost])
        assert (made != own).any()


# What it must not touch


def test_strength_0_is_as_without_a_window(device: Device) -> None:
    frames = moving(6, (3, 1), amount=3.0)
    settings: dict[str, Any] = {"style": networks.enlarger(2), "target": nv12(64, 48)}
    look = Look(strength=0.7, steady=0.0)
    expected = results(device, frames, look, window=TemporalWindow(), **settings)
    assert_alike(results(device, frames, look, **settings), expected, 0)


@pytest.mark.slow
def test_a_range_with_its_neighbours_is_that_of_the_whole(device: Device) -> None:
    frames = moving(10, (2, 1), amount=3.0)
    for window in (CENTRED, PAST_ONLY):
        whole = results(device, frames, window=window)
        for first, end in ((0, 3), (1, 2), (4, 9), (6, 10)):
            begin, stop = max(0, first - window.before), min(len(frames), end + window.after)
            part = results(device, frames[begin:stop], window=window)
            assert_alike(part[first - begin : end - begin], whole[first:end], 0)


def test_a_flush_separates(device: Device) -> None:
    frames = noisy(5)
    with device.stylizer(networks.identity(), frames[0].format, rgba8(*SIZE), look=HALF, window=CENTRED) as stylizer:
        twice = [*fed(stylizer, frames[:3]), *fed(stylizer, frames[3:])]
    assert_alike(twice, results(device, frames[:3]) + results(device, frames[3:]), 0)


def test_neighbours_that_were_painted_otherwise_take_no_part(device: Device) -> None:
    frames = noisy(4)
    # Nearly the same: what is unlike takes no part for that reason alone.
    looks = [Look(steady=1.0, mix=(1.0, 0.0), dither=False), Look(steady=1.0, mix=(0.98, 0.02), dither=False)]
    with device.stylizer(networks.blend(), frames[0].format, rgba8(*SIZE), look=looks[0], window=CENTRED) as stylizer:
        tickets = []
        for frame, look in zip(frames, [looks[0]] * 2 + [looks[1]] * 2, strict=True):
            stylizer.look = look
            tickets.append(stylizer.submit(frame))
        stylizer.flush()
        mixed = [stylizer.fetch(ticket) for ticket in tickets]
    expected = [
        *results(device, frames[:2], looks[0], style=networks.blend()),
        *results(device, frames[2:], looks[1], style=networks.blend()),
    ]
    assert_alike(mixed, expected, 0)


def test_neighbours_take_part_where_weights_move_with_the_film(device: Device) -> None:
    frames = noisy(4)
    looks = [Look(steady=1.0, mix=(1.0 - share, share), dither=False) for share in (0.0, 0.01, 0.02, 0.03)]
    found = []
    for moves in (False, True):
        with device.stylizer(
            networks.blend(), frames[0].format, rgba8(*SIZE), look=looks[0], window=CENTRED, moving=moves
        ) as stylizer:
            tickets = [stylizer.submit(frame, look=look) for frame, look in zip(frames, looks, strict=True)]
            stylizer.flush()
            found.append([stylizer.fetch(ticket) for ticket in tickets])
    alone = [
        results(device, [frame], look, style=networks.blend())[0] for frame, look in zip(frames, looks, strict=True)
    ]
    assert_alike(found[0], alone, 0)
    assert all(apart(a, b) > 1 for a, b in zip(found[1], alone, strict=True))


def test_the_steadiness_of_a_frame_is_that_of_its_own_look(device: Device) -> None:
    frames = noisy(5)
    strong, none = Look(steady=1.0, dither=False), Look(steady=0.0, dither=False)
    looks = [none, none, strong, none, none]
    with device.stylizer(networks.identity(), frames[0].format, rgba8(*SIZE), look=none, window=CENTRED) as stylizer:
        tickets = [stylizer.submit(frame, look=look) for frame, look in zip(frames, looks, strict=True)]
        stylizer.flush()
        found = [stylizer.fetch(ticket) for ticket in tickets]
    assert_alike(found, [*frames[:2], results(device, frames, strong)[2], *frames[3:]], 0)


def test_the_strength_is_that_when_the_neighbours_are_there(device: Device) -> None:
    frames = noisy(5)
    strong = results(device, frames, Look(steady=1.0, dither=False))
    none = Look(dither=False, steady=0.0)
    with device.stylizer(networks.identity(), frames[0].format, rgba8(*SIZE), look=none, window=CENTRED) as stylizer:
        tickets = [stylizer.submit(frame) for frame in frames[:4]]
        stylizer.look = Look(steady=1.0, dither=False)
        tickets.append(stylizer.submit(frames[4]))
        stylizer.look = none
        stylizer.flush()
        assert_alike([stylizer.fetch(ticket) for ticket in tickets], [*frames[:2], strong[2], *frames[3:]], 0)


def test_what_is_not_finite_stays_in_its_frame(device: Device) -> None:
    bright = rgba(np.full((48, 64, 3), 200.0))
    dark = rgba(np.full((48, 64, 3), 200.0))
    dark.planes[0][40:, 50:, :3] = 24  # of which the logarithm is none, and at a tenth of it alike in no way
    style = networks.not_finite()
    with device.stylizer(style, bright.format, nv12(64, 48), look=HALF, window=CENTRED) as stylizer:
        tickets = [stylizer.submit(frame) for frame in (bright, dark, dark, bright)]
        stylizer.flush()
        expected = results(device, [bright], style=style, target=nv12(64, 48))[0]
        assert apart(stylizer.fetch(tickets[0]), expected) == 0
        for ticket in tickets[1:3]:
            with pytest.raises(NonFiniteError):
                stylizer.fetch(ticket)
        assert apart(stylizer.fetch(tickets[3]), expected) == 0


def test_no_readback_and_no_copy_more(device: Device) -> None:
    frames = noisy(8)
    counters = []
    for window in (TemporalWindow(), CENTRED):
        with device.stylizer(networks.identity(), frames[0].format, nv12(*SIZE), look=HALF, window=window) as stylizer:
            fed(stylizer, frames)
            counters.append(stylizer.counters)
    plain, steadied = counters
    for name in ("uploads", "runs", "presents", "readbacks", "host_copies"):
        assert getattr(plain, name) == getattr(steadied, name), name
