"""The CPU device beyond the contract (test_conformance.py): threads, errors, memory."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import numpy as np
import numpy.typing as npt
import onnxruntime as ort
import pytest

from framebrush.gpu import tiles
from framebrush.gpu.cpu import network
from framebrush.gpu.cpu.device import CpuDevice
from framebrush.gpu.cpu.network import Network, allocate
from framebrush.gpu.cpu.stages import steady
from framebrush.gpu.cpu.stages.finishing import Finishing, finishing_bytes
from framebrush.gpu.cpu.stages.relief import TABLE_SIZE
from framebrush.gpu.cpu.stages.strips import LEAST_PIXELS, Arguments, Tensor, Workers, strips
from framebrush.gpu.cpu.stages.stroke_kernels import BAND_PIXELS
from framebrush.gpu.cpu.stages.strokes import StrokePainter
from framebrush.gpu.cpu.stylizer import CpuStylizer
from framebrush.gpu.device import Diagnosis, list_devices
from framebrush.gpu.errors import DeviceError, NonFiniteError, OutOfMemoryError
from framebrush.gpu.frame import Frame, rgba8
from framebrush.gpu.look import Look
from framebrush.gpu.sizes import Sizes
from framebrush.gpu.stage_times import STAGES
from framebrush.gpu.stages.steady import BLOCK_PX
from framebrush.gpu.stages.strokes import OIL, StrokeLayout
from framebrush.gpu.temporal_window import NO_WINDOW, PAST_ONE, PAST_ONLY
from framebrush.gpu.tiles import Tiling
from framebrush.models.reading.load import load_style
from framebrush.models.style import Style
from tests import networks
from tests.gpu.pictures import noise, scene
from tests.gpu.test_steady import noisy, results

pytestmark = pytest.mark.unit

SOURCE = rgba8(61, 47)


@pytest.fixture
def device() -> Iterator[CpuDevice]:
    with CpuDevice(list_devices()[-1]) as opened:
        yield opened


def codes(frame: Frame) -> npt.NDArray[np.int64]:
    """R, G and B of an RGBA frame, as a copy."""
    return frame.planes[0][..., :3].astype(np.int64)


class Parts(Workers):
    """Workers that compute parts of `rows` rows one after the other."""

    def __init__(self, rows: int) -> None:
        super().__init__()
        self._rows = rows

    def run(self, rows: int, width: int, work: Callable[[*Arguments, int, int], None], *arguments: *Arguments) -> None:
        for part in strips(rows, self._rows):
            work(*arguments, *part)


@pytest.mark.parametrize("width", [643, 8])
def test_strokes_are_the_same_in_any_parts_of_rows(width: int) -> None:
    """In parts smaller than a band of rows, and in one that has several."""
    size = width, BAND_PIXELS // width + 60
    sizes = Sizes.of(size, None, size, stroke_px=80.0)
    picture = np.random.default_rng(0).random((3, size[1], size[0]), np.float32)
    made = []
    for rows in (size[1], 100):
        with closing(Parts(rows)) as workers:
            painter = StrokePainter(StrokeLayout.of(OIL, sizes), sizes, workers)
            made.append(painter.run(picture, picture, None))
            assert painter.count > 100
    np.testing.assert_array_equal(*made)


@pytest.mark.parametrize(
    ("rows", "width", "processors", "of_film", "parts"),
    [
        (100, LEAST_PIXELS // 100, 4, False, 1),
        (100, LEAST_PIXELS, 4, False, 4),
        (0, 1, 4, False, 0),
        (100, LEAST_PIXELS, 4, True, 2),
        (100, LEAST_PIXELS, 1, True, 1),
    ],
)
def test_rows_are_shared_out_where_that_is_worth_a_thread(
    monkeypatch: pytest.MonkeyPatch, rows: int, width: int, processors: int, of_film: bool, parts: int
) -> None:
    """Rows of a film take half of the processors."""
    monkeypatch.setattr(os, "cpu_count", lambda: processors)
    done = list[range]()
    with closing(Workers(of_film=of_film)) as workers:
        workers.run(rows, width, lambda y0, y1: done.append(range(y0, y1)))
    assert len(done) == parts
    assert sorted(y for part in done for y in part) == list(range(rows))


@pytest.mark.parametrize(("processors", "threads"), [(8, 7), (2, 1), (1, 1)])
def test_a_network_leaves_a_processor_to_strokes(
    device: CpuDevice, monkeypatch: pytest.MonkeyPatch, processors: int, threads: int
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: processors)
    net = networks.Net([1, 3, "H", "W"], name="frame")
    net.add("Relu")
    found, session = list[int](), ort.InferenceSession

    def noted(model: bytes, options: ort.SessionOptions, **more: Any) -> ort.InferenceSession:  # noqa: ANN401
        found.append(options.intra_op_num_threads)
        return session(model, options, **more)

    monkeypatch.setattr(ort, "InferenceSession", noted)
    for window in (PAST_ONE, NO_WINDOW):
        carries = window is PAST_ONE
        with device.stylizer(networks.canonical(net), SOURCE, SOURCE, window=window, carries=carries):
            pass
    assert found == [threads, processors]


def test_a_painting_is_the_same_to_the_last_bit_after_another() -> None:
    """A sum that is rounded otherwise decides where a stroke ends, which can be seen."""
    style, size = load_style("realtime"), (160, 96)
    first, second = ((*mix, *(0.0,) * 14) for mix in ((0.25, 0.75), (1.0, 0.0)))
    plan = tiles.plan(*size, style.card, "off")

    def painted(network: Network, mix: tuple[float, ...]) -> Tensor:
        tensors = allocate(*size, 1, "float32")
        tensors.frame[:] = np.random.default_rng(0).random(tensors.frame.shape, np.float32)
        network.run(tensors, mix)
        return tensors.styled

    for moving in (False, True):
        network = Network(style, plan, first, moving=moving)
        for mix in (first, second, first):
            alone = Network(style, plan, mix, moving=moving)
            np.testing.assert_array_equal(painted(network, mix), painted(alone, mix))


def test_infinity_is_not_finite_and_large_numbers_are(device: CpuDevice) -> None:
    for offset, bad in ((np.inf, True), (-np.inf, True), (3e38, False)):
        net = networks.Net([1, 3, "H", "W"], name="frame")
        net.add("Add", [net.last, net.constant(offset)])
        with device.stylizer(networks.canonical(net), SOURCE, SOURCE) as stylizer:
            ticket = stylizer.submit(noise(SOURCE))
            if bad:
                with pytest.raises(NonFiniteError, match="NaN or infinity"):
                    stylizer.fetch(ticket)
            else:
                assert np.all(codes(stylizer.fetch(ticket)) == 255)


def test_tiles_of_a_strided_network_equal_the_whole_frame(device: CpuDevice) -> None:
    net = networks.Net([1, 3, "H", "W"], name="frame")
    networks.johnson(net, norm=False)
    net.add("Sigmoid")
    style = networks.canonical(net, stride=4, radius_px=44)  # 4 + 1 + 2 + 4 + 4 px at 1, 1/2 and 1/4 scale, and more
    frame = scene(322, 181)
    with device.stylizer(style, frame.format, frame.format, tiling="off") as whole:
        expected = codes(whole.fetch(whole.submit(frame)))
    with device.stylizer(style, frame.format, frame.format, tiling=128) as tiled:
        actual = codes(tiled.fetch(tiled.submit(frame)))
        assert tiled.counters.runs > 4
    assert expected.std() > 5
    assert np.abs(actual - expected).max() <= 1


def test_brush_and_relief_show_no_border_of_tiles(device: CpuDevice) -> None:
    frame, look = scene(322, 181), Look(brush=1.0, relief=1.0, canvas=0.5)
    pictures = []
    for tiling in ("off", 64):
        with device.stylizer(
            networks.strided_identity(), frame.format, frame.format, look=look, tiling=tiling
        ) as stylizer:
            pictures.append(codes(stylizer.fetch(stylizer.submit(frame))))
            assert (stylizer.counters.runs > 4) is (tiling == 64)
    np.testing.assert_array_equal(*pictures)
    assert (pictures[0] != codes(frame)).any()


def test_strokes_and_relief_take_the_memory_that_is_reckoned_with() -> None:
    sizes = Sizes.of((320, 180), None, (320, 180))
    layout, look = StrokeLayout.of(OIL, sizes), Look(brush=1.0, relief=1.0, canvas=1.0)
    painting = np.random.default_rng(1).random((3, 180, 320), np.float32)
    taken = []
    for _ in range(2):  # tables are there the second time
        tracemalloc.start()
        with closing(Workers()) as workers:
            finishing = Finishing(sizes, layout, workers)
            finishing.run(painting, painting, look, None, None)
            taken.append(tracemalloc.get_traced_memory()[0])
        tracemalloc.stop()
    tables = 2 * 4 * TABLE_SIZE
    assert 0.7 < (taken[1] - tables) / finishing_bytes(sizes, layout) < 1.1


def test_an_error_of_the_network_is_raised_by_fetch(device: CpuDevice) -> None:
    """An index that depends on the picture is found out when the network runs."""
    net = networks.Net([1, 3, "H", "W"], name="frame")
    brightest = net.add("ReduceMax", ["frame"], keepdims=0)
    index = net.add("Cast", [net.add("Mul", [brightest, net.constant(np.float32(100))])], to=networks.TensorProto.INT64)
    net.add("Add", ["frame", net.add("Gather", [net.constant(np.zeros(2, np.float32)), index])])
    with device.stylizer(networks.canonical(net), SOURCE, SOURCE) as stylizer:
        for _ in range(4):  # each gives its slot back
            ticket = stylizer.submit(noise(SOURCE))
            with pytest.raises(DeviceError, match=r"the network failed: .*indices element out of data bounds"):
                stylizer.fetch(ticket)


def greedy() -> Style:
    """A network that needs about 400 kB for each pixel."""
    net = networks.Net([1, 3, "H", "W"], name="frame")
    net.conv(np.zeros((50_000, 3, 1, 1), np.float32))
    net.add("Relu")
    net.conv(np.zeros((3, 50_000, 1, 1), np.float32))
    return networks.canonical(net)


def test_a_network_larger_than_the_memory_is_refused_unless_tiled(device: CpuDevice) -> None:
    source = rgba8(3000, 2000)
    with pytest.raises(OutOfMemoryError, match=r"Test at 3000x2000 needs about .* GiB more .*; try --tile or --stroke"):
        device.stylizer(greedy(), source, source, tiling="off")
    with device.stylizer(greedy(), source, source) as stylizer:
        assert stylizer.notes[0].startswith("tiles of ")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="only POSIX limits the memory of a process")
@pytest.mark.parametrize(
    ("size", "tiling", "what"), [((8000, 4000), 64, "8000x4000 on the CPU"), ((1280, 960), "off", "the network failed")]
)
def test_running_out_of_memory_says_what_to_do(size: tuple[int, int], tiling: Tiling, what: str) -> None:
    """A child process may take 300 MB more: less than the larger frame or the network needs.

    The tensors of the larger frame take 768 MB, the network at the smaller one 983 MB.
    """
    code = f"""
import resource
from framebrush.gpu.device import open_device
from framebrush.gpu.errors import OutOfMemoryError
from framebrush.gpu.frame import rgba8
from tests import networks

net = networks.Net([1, 3, "H", "W"], name="frame")
net.conv(networks.np.zeros((200, 3, 1, 1), "f"))
net.conv(networks.np.zeros((3, 200, 1, 1), "f"))
style, small, large = networks.canonical(net), rgba8(16, 16), rgba8{size}
device = open_device("cpu")
with device.stylizer(style, small, small) as stylizer:
    stylizer.fetch(stylizer.submit(small.allocate()))  # loads what is loaded late
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (300 << 20), -1))
try:
    stylizer = device.stylizer(style, large, large, tiling={tiling!r}, slots=1)
    stylizer.fetch(stylizer.submit(large.allocate()))
except OutOfMemoryError as error:
    print(error)
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert run.stdout == f"{what}: out of memory; try --tile or --stroke\n", run.stderr


def test_a_slot_released_unfinished_is_waited_for(device: CpuDevice, monkeypatch: pytest.MonkeyPatch) -> None:
    gate, run = threading.Event(), network.Network.run

    def late(self: network.Network, *arguments: Any) -> int:  # noqa: ANN401
        gate.wait()
        return run(self, *arguments)

    monkeypatch.setattr(network.Network, "run", late)
    with device.stylizer(networks.identity(), SOURCE, SOURCE, slots=1) as stylizer:
        stylizer.release(stylizer.submit(noise(SOURCE, 1)))
        opener = threading.Timer(0.1, gate.set)
        opener.start()
        ticket = stylizer.submit(noise(SOURCE, 2))
        assert gate.is_set()
        assert stylizer.counters.cpu_waits == 1
        np.testing.assert_array_equal(codes(stylizer.fetch(ticket)), codes(noise(SOURCE, 2)))
        opener.join()


def test_steadying_in_many_strips_is_as_in_one(device: CpuDevice, monkeypatch: pytest.MonkeyPatch) -> None:
    """A strip of one row of blocks needs half of the rows beside it."""
    frames, chance = noisy(5), np.random.default_rng(3)
    for frame in frames:
        frame.planes[0][2 * BLOCK_PX : 3 * BLOCK_PX] ^= chance.integers(0, 2, (BLOCK_PX, 90, 4), np.uint8) << 2
    look = Look(steady=1.0, dither=False)
    whole = results(device, frames, look, style=networks.contrast(8.0))
    monkeypatch.setattr(steady, "strip_rows", lambda _: BLOCK_PX)
    strips = results(device, frames, look, style=networks.contrast(8.0))
    for ours, theirs in zip(strips, whole, strict=True):
        np.testing.assert_array_equal(codes(ours), codes(theirs))


@pytest.mark.slow
def test_closing_leaves_no_thread() -> None:
    before = threading.active_count()
    with CpuDevice(list_devices()[-1]) as device:
        for _ in range(32):
            stylizer = device.stylizer(networks.box_blur(8), SOURCE, SOURCE)
            for seed in range(3):
                stylizer.submit(noise(SOURCE, seed))
        assert threading.active_count() > before
        stylizer.close()
    assert threading.active_count() == before


def test_every_stage_is_timed() -> None:
    with (
        CpuDevice(list_devices()[-1], Diagnosis(timing=True)) as device,
        device.stylizer(networks.identity(), SOURCE, SOURCE, look=Look(steady=1.0), window=PAST_ONLY) as stylizer,
    ):
        for _ in range(2):
            stylizer.fetch(stylizer.submit(noise(SOURCE)))
        assert list(stylizer.stage_ms) == list(STAGES)
        assert all(ms > 0 for ms in stylizer.stage_ms.values())


def test_a_fetched_frame_can_be_read_while_later_frames_are_made(device: CpuDevice) -> None:
    """Their destinations are known, so that they are made as soon as an output is free."""
    look, frames = Look(brush=1.0, dither=False), [scene(161, 121) for _ in range(6)]
    for number, frame in enumerate(frames):
        np.copyto(frame.planes[0], np.roll(frame.planes[0], 20 * number, axis=1))
    settings: dict[str, Any] = {"look": look, "carries": True, "window": PAST_ONE, "slots": 6}
    with device.stylizer(networks.identity(), frames[0].format, frames[0].format, **settings) as stylizer:
        assert isinstance(stylizer, CpuStylizer)
        expected = []
        for place, frame in enumerate(frames):
            painted = stylizer.fetch(stylizer.submit(frame, place=place))
            expected.append((codes(painted), stylizer.read_layers()))
        stylizer.flush()
        intos = [frame.format.allocate() for frame in frames]
        tickets = [
            stylizer.submit(frame, into, place=n) for n, (frame, into) in enumerate(zip(frames, intos, strict=True))
        ]
        for ticket, into, (picture, layers) in zip(tickets, intos, expected, strict=True):
            stylizer.fetch(ticket, into)
            time.sleep(0.1)  # all that can be made meanwhile is
            np.testing.assert_array_equal(codes(into), picture)
            read = stylizer.read_layers()
            np.testing.assert_array_equal(read.height_px, layers.height_px)
            np.testing.assert_array_equal(read.strokes.records, layers.strokes.records)
