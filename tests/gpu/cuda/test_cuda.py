"""CUDA beyond the device contract: no wait in `submit`, one memory pool, the painter's kernels."""

from __future__ import annotations

import ctypes
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from framebrush.gpu.cuda.device import CudaDevice
from framebrush.gpu.cuda.finishing import finishing_bytes
from framebrush.gpu.cuda.stylizer import CudaStylizer
from framebrush.gpu.device import Device, Diagnosis, list_devices, open_device
from framebrush.gpu.frame import Frame, nv12, rgba8, yuv420p
from framebrush.gpu.look import Look
from framebrush.gpu.stages.masks import MASK_SAMPLES
from framebrush.gpu.stages.strokes import layout_of
from framebrush.gpu.stages.strokes.brush_maps import MAPS
from framebrush.gpu.stylizer import Stylizer, Ticket
from framebrush.gpu.surface import View
from framebrush.gpu.temporal_window import PAST_ONLY, TemporalWindow
from framebrush.models.colours.colour_table import ColourTable
from framebrush.models.library import bundled
from framebrush.models.reading.load import load_style
from framebrush.models.soft_masks import NO_MASKS, Masks
from framebrush.models.style import Style
from tests import networks
from tests.app.jobs import jobs
from tests.cuda import needs_cuda
from tests.gpu.pictures import masks, noise, scene
from tests.inside import slot_of

if TYPE_CHECKING:
    from framebrush.gpu.cuda.native import Event

pytestmark = [pytest.mark.parity, pytest.mark.cuda, needs_cuda]


@pytest.fixture(scope="module")
def device() -> Iterator[Device]:
    with open_device("cuda") as opened:
        yield opened


def painter(name: str) -> Style:
    return load_style(next(path for path in bundled().values() if path.stem == name))


@pytest.mark.parametrize("name", ["realtime", "quality"])
@pytest.mark.parametrize("size", [(64, 48), (200, 120), (641, 363)])
@pytest.mark.parametrize("tiling", ["off", 128])
def test_the_painters_kernels_paint_as_onnx_runtime_does(
    device: Device, name: str, size: tuple[int, int], tiling: str | int
) -> None:
    style, frame = painter(name), scene(*size)
    count = len(style.card.paintings)
    halves = tuple(0.5 * (n in (1, count - 1)) for n in range(count))
    for mix in ((), halves):
        look = Look(mix=mix, dither=False, brush=0.0, relief=0.0)  # strokes make much of a little
        with open_device("cpu") as cpu, cpu.stylizer(style, frame.format, rgba8(*size), look=look) as stylizer:
            expected = stylizer.fetch(stylizer.submit(frame)).planes[0].astype(int)
        with device.stylizer(style, frame.format, rgba8(*size), look=look, tiling=tiling) as stylizer:
            assert stylizer.settings.style.card.precision == "float16"
            assert type(stylizer._network.engine).__name__ == "PainterEngine"
            actual = stylizer.fetch(stylizer.submit(frame)).planes[0].astype(int)
        difference = np.abs(actual - expected)
        assert difference.max() <= 12  # 11 on the processor, when each result of these layers is rounded to half
        assert np.quantile(difference, 0.99) <= 1
        assert difference.mean() < 0.2


def test_a_mix_that_moves_is_that_of_each_frame(device: Device) -> None:
    style, frame = painter("realtime"), scene(96, 64)
    count = len(style.card.paintings)
    mixes = [tuple(float(n == k) for n in range(count)) for k in (0, 3, 3, 5, 0)]
    with device.stylizer(style, frame.format, rgba8(96, 64), look=Look(mix=mixes[0], dither=False), slots=5) as moving:
        tickets = []
        for mix in mixes:
            moving.look = Look(mix=mix, dither=False)
            tickets.append(moving.submit(frame))
        for ticket, mix in zip(tickets, mixes, strict=True):
            moving.look = Look(mix=mix, dither=False)
            actual = moving.fetch(ticket)
            with device.stylizer(style, frame.format, rgba8(96, 64), look=Look(mix=mix, dither=False)) as alone:
                np.testing.assert_array_equal(actual.planes[0], alone.fetch(alone.submit(frame)).planes[0])


@pytest.mark.parametrize("tiling", ["off", 128])
def test_a_graph_paints_what_single_launches_do(device: Device, tiling: str | int) -> None:
    style, frames = painter("realtime"), [noise(yuv420p(200, 120), seed) for seed in range(2)]
    plain, split = Look(dither=False), Look(dither=False, split=0.4)
    with device.stylizer(style, frames[0].format, nv12(200, 120), look=plain, tiling=tiling, slots=1) as stylizer:
        assert isinstance(stylizer, CudaStylizer)
        (slot,) = stylizer._slots

        def painted(look: Look, seed: int) -> list[list[int]]:
            stylizer.look = look
            return [plane.tolist() for plane in stylizer.fetch(stylizer.submit(frames[seed])).planes]

        single = {}
        for seed in range(2):
            for look in (plain, split):
                single[look, seed] = painted(look, seed)
                assert slot.replay.graph is None
        for look in (plain, split):
            painted(look, 0)
            for seed in range(2):
                assert painted(look, seed) == single[look, seed]
                assert slot.replay.graph is not None


@pytest.mark.parametrize("second", [0.0, 0.7])
@pytest.mark.parametrize("tiling", ["off", 128])
def test_a_graph_mixes_in_the_film_and_the_second_style_of_its_own_masks(
    device: Device, tiling: str | int, second: float
) -> None:
    """Masks of the same shares change from frame to frame with no new graph; other shares, and none, need another."""
    style, frame = painter("realtime"), noise(yuv420p(200, 120))
    other = tuple(float(number == 3) for number in range(len(style.card.paintings)))
    style = replace(style, second=replace(style, mix=other))
    look = Look(faces=0.6, film_inside=0.3, second_inside=second, brush=0.0, relief=0.0, dither=False)
    some = masks()
    turned = Masks(*(codes and codes[::-1] for codes in (some.faces, some.area, some.luma)))
    face = Masks(some.faces, None, some.luma)

    def alone(given: Masks) -> list[list[int]]:
        with device.stylizer(style, frame.format, nv12(200, 120), look=look, tiling=tiling, slots=1) as stylizer:
            return painted(stylizer, given)

    def painted(stylizer: Stylizer[Any], given: Masks) -> list[list[int]]:
        stylizer.masks = given
        return [plane.tolist() for plane in stylizer.fetch(stylizer.submit(frame)).planes]

    single = {given: alone(given) for given in (some, turned, face, NO_MASKS)}
    assert all(one != single[NO_MASKS] for given, one in single.items() if given != NO_MASKS)
    with device.stylizer(style, frame.format, nv12(200, 120), look=look, tiling=tiling, slots=1) as stylizer:
        assert isinstance(stylizer, CudaStylizer)
        (slot,) = stylizer._slots
        for given in (some, turned, some, face, face, NO_MASKS, NO_MASKS, turned, some):
            assert painted(stylizer, given) == single[given]
        assert slot.replay.graph is not None


FINISHED = Look(brush=0.6, relief=0.7, canvas=0.4, detail=0.3, dither=False)


def test_a_graph_finishes_what_single_launches_do(device: Device) -> None:
    """A film that carries strokes, against a device that measures and so captures nothing; looks that move in
    between."""
    style, size = networks.identity(), (90, 62)
    film = scene(size[0] + 80, size[1]).planes[0]
    frames = [Frame(rgba8(*size), (film[:, 3 * number :][:, : size[0]].copy(),)) for number in range(20)]
    results = []
    with open_device("cuda", Diagnosis(timing=True)) as measuring:
        for one in (device, measuring):
            with one.stylizer(style, frames[0].format, rgba8(121, 83), look=FINISHED, window=PAST_ONLY) as stylizer:
                made = []
                for number, frame in enumerate(frames):
                    stylizer.look = replace(FINISHED, relief=0.2) if number in (4, 5, 11) else FINISHED
                    made.append(stylizer.fetch(stylizer.submit(frame)).planes[0])
                captured = [slot.result_replay.graph is not None for slot in stylizer._slots]
                assert any(captured) == (one is device)
                results.append(made)
    for ours, theirs in zip(*results, strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_what_a_look_leaves_as_it_is_is_not_made_again(device: Device) -> None:
    """Two frames alternate. Brush and relief share memory, and leftovers must not show."""
    style, frames = networks.identity(), [noise(rgba8(61, 47), seed) for seed in range(2)]
    shown: list[np.ndarray] = []
    view = View(61, 47, paint=lambda picture: shown.append(picture.copy()))
    with closing(device.surface(view)) as surface, device.stylizer(style, frames[0].format, nv12(61, 47)) as stylizer:
        tickets = [stylizer.submit(frame) for frame in frames]

        def kernels(ticket: Ticket, look: Look) -> int:
            stylizer.look, before = look, stylizer.counters.dispatches
            stylizer.show(ticket, surface)
            return stylizer.counters.dispatches - before

        one, two = tickets
        whole = kernels(one, FINISHED)
        assert kernels(one, FINISHED) == 1
        assert kernels(one, replace(FINISHED, strength=0.5)) == 1
        assert kernels(one, replace(FINISHED, lamp_degrees=20.0)) == 6
        assert kernels(one, replace(FINISHED, relief=0.0, canvas=0.0)) == 14  # the output adds the detail
        assert kernels(two, FINISHED) == whole
        assert kernels(one, FINISHED) == 19
        assert kernels(two, FINISHED) == 19
        for first, second in ((0, 1), (0, 6), (5, 7)):
            np.testing.assert_array_equal(shown[first], shown[second])
        assert (shown[0] != shown[5]).any()


def test_a_frame_is_shown_again_after_a_graph_finished_another(device: Device) -> None:
    style, frames = networks.identity(), [noise(rgba8(61, 47), seed) for seed in range(12)]
    shown: list[np.ndarray] = []
    view = View(61, 47, paint=lambda picture: shown.append(picture.copy()))
    settings = {"look": FINISHED, "window": TemporalWindow(before=1), "slots": 2}
    with (
        closing(device.surface(view)) as surface,
        device.stylizer(style, frames[0].format, nv12(61, 47), **settings) as stylizer,
    ):
        for frame in frames[:9]:
            stylizer.fetch(stylizer.submit(frame))
        kept, other = (stylizer.submit(frame) for frame in frames[9:11])
        stylizer.show(kept, surface)
        stylizer.fetch(other)
        last = stylizer.submit(frames[11])
        assert slot_of(stylizer, last).result_replay.graph is not None
        stylizer.show(kept, surface)
        np.testing.assert_array_equal(*shown)


def test_frames_that_stay_on_the_gpu_are_not_downloaded_ahead(device: Device) -> None:
    frame = noise(yuv420p(64, 48))
    with device.stylizer(painter("realtime"), frame.format, nv12(64, 48)) as stylizer:
        into = device.allocate(stylizer.target)
        for ahead in (True, False, False):
            ticket = stylizer.submit(frame)
            assert slot_of(stylizer, ticket).downloaded == ahead
            stylizer.store(ticket, into)
        into.release()


SPIN = 'extern "C" __global__ void spin(long long cycles) { long long t = clock64(); while (clock64() - t < cycles); }'


@contextmanager
def spinning(device: CudaDevice) -> Iterator[Callable[[], Event]]:
    """What occupies the compute stream for two seconds, and gives the end of that."""
    from cuda.bindings import driver
    from cuda.core import Program, ProgramOptions

    from framebrush.gpu.cuda.native import Event, check

    device.context.native.use()
    arch = f"sm_{device.context.native.in_use.capability}"
    code = Program(SPIN, "c++", ProgramOptions(arch=arch)).compile("cubin").code
    module = check(driver.cuModuleLoadData(code), "cuModuleLoadData")
    function = check(driver.cuModuleGetFunction(module, b"spin"), "cuModuleGetFunction")
    cycles, compute = ctypes.c_longlong(4_000_000_000), device.context.compute
    arguments = (ctypes.c_void_p * 1)(ctypes.addressof(cycles))
    after = Event(device.context.native, "spin")

    def spin() -> Event:
        result = driver.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, compute.handle, ctypes.addressof(arguments), 0)
        check(result, "cuLaunchKernel")
        compute.record(after)
        return after

    yield spin
    after.close()
    driver.cuModuleUnload(module)


@pytest.mark.parametrize("style", [networks.box_blur(), painter("realtime")], ids=["onnxruntime", "painter"])
def test_submit_returns_while_the_gpu_is_busy(device: Device, style: Style) -> None:
    """A kernel occupies the compute stream; frames are submitted behind it, and it is still running afterwards."""
    frame = noise(yuv420p(320, 180))
    assert isinstance(device, CudaDevice)
    with device.stylizer(style, frame.format, nv12(320, 180)) as stylizer, spinning(device) as spin:
        for _ in range(4):
            stylizer.fetch(stylizer.submit(frame))
        waits = stylizer.counters.cpu_waits
        after = spin()
        tickets = [stylizer.submit(frame) for _ in range(3)]
        assert not after.reached
        assert stylizer.counters.cpu_waits == waits
        for ticket in tickets:
            stylizer.fetch(ticket)
        assert after.reached


def test_a_table_for_each_frame_waits_for_nothing_and_takes_no_memory(device: Device) -> None:
    """A kernel occupies the compute stream; the first table of a slot enters its graph."""
    grid, frame = ColourTable.identity(33).grid, noise(yuv420p(320, 180))
    tables = [ColourTable(grid**power) for power in (0.5, 1.0, 1.5, 2.0)]
    style = replace(painter("realtime"), after=tables[0])
    assert isinstance(device, CudaDevice)
    with device.stylizer(style, frame.format, nv12(320, 180), slots=3) as stylizer, spinning(device) as spin:
        assert isinstance(stylizer, CudaStylizer)

        def submit(number: int) -> Ticket:
            assert stylizer.use_table(tables[number % 4])
            return stylizer.submit(frame)

        for number in range(12):
            stylizer.fetch(submit(number))
        graphs = [slot.replay.graph for slot in stylizer._slots]
        assert all(graphs)
        taken, waits = (
            (device.context.native.pool_bytes(), dict(device.context.native.live)),
            stylizer.counters.cpu_waits,
        )
        after = spin()
        tickets = [submit(number) for number in range(3)]
        assert not after.reached
        assert stylizer.counters.cpu_waits == waits
        for ticket in tickets:
            stylizer.fetch(ticket)
        assert (device.context.native.pool_bytes(), dict(device.context.native.live)) == taken
        assert [slot.replay.graph for slot in stylizer._slots] == graphs


def test_nothing_is_printed(device: Device, capfd: pytest.CaptureFixture[str]) -> None:
    frame = noise(yuv420p(64, 48))
    with device.stylizer(networks.box_blur(), frame.format, nv12(64, 48)) as stylizer:
        stylizer.fetch(stylizer.submit(frame))
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("style", [networks.box_blur(), painter("realtime")], ids=["onnxruntime", "painter"])
def test_memory_is_flat(device: Device, style: Style) -> None:
    frame, into = noise(yuv420p(160, 96)), nv12(160, 96).allocate()
    with device.stylizer(style, frame.format, into.format) as stylizer:

        def paint(count: int) -> None:
            for number in range(count):
                stylizer.look = Look(split=0.5, brush=0.5, relief=0.5) if number % 50 == 0 else Look()
                stylizer.fetch(stylizer.submit(frame), into)

        paint(200)
        before = device.context.native.pool_bytes(), dict(device.context.native.live)
        free = device.context.native.free_bytes()
        paint(10_000)
        assert (device.context.native.pool_bytes(), dict(device.context.native.live)) == before
        assert device.context.native.free_bytes() >= free - (64 << 20)  # other programs use the GPU, too


@pytest.mark.parametrize("size", [(61, 47), (320, 180)])
def test_a_frame_that_comes_again_is_written_by_the_gpu(size: tuple[int, int]) -> None:
    """From its second time on it is page-locked: no copy by the processor, rows with gaps included."""
    style, target = networks.identity(), nv12(*size)
    wide = nv12(size[0] + 33, size[1] + 3).allocate()
    views = (wide.planes[0][: size[1], : size[0]], wide.planes[1][: -(-size[1] // 2), : -(-size[0] // 2)])
    again = [target.allocate(), Frame(target, views)]
    with open_device("cuda") as device:
        with device.stylizer(style, yuv420p(*size), target, look=Look(dither=False)) as stylizer:
            expected = [stylizer.fetch(stylizer.submit(noise(yuv420p(*size), seed))) for seed in range(3)]
            for turn in range(4):
                copies = stylizer.counters.host_copies
                intos = [*again, target.allocate()]
                tickets = [stylizer.submit(noise(yuv420p(*size), seed), into) for seed, into in enumerate(intos)]
                for ticket, into, frame in zip(tickets, intos, expected, strict=True):
                    assert stylizer.fetch(ticket, into) is into
                    for actual, plane in zip(into.planes, frame.planes, strict=True):
                        np.testing.assert_array_equal(actual, plane)
                assert stylizer.counters.host_copies - copies == (6 if turn == 0 else 4)
            for late in (again[1], target.allocate()):  # another frame than `submit` was told
                ticket = stylizer.submit(noise(yuv420p(*size), 0), again[0])
                stylizer.fetch(ticket, late)
                for actual, plane in zip(late.planes, expected[0].planes, strict=True):
                    np.testing.assert_array_equal(actual, plane)
            ticket = stylizer.submit(noise(yuv420p(*size), 0), again[0])
            stylizer.look = Look(dither=False, strength=0.0)
            source = stylizer.fetch(stylizer.submit(noise(yuv420p(*size), 0)))
            for actual, plane in zip(stylizer.fetch(ticket, again[0]).planes, source.planes, strict=True):
                np.testing.assert_array_equal(actual, plane)
            ticket = stylizer.submit(noise(yuv420p(*size), 1), again[0])
            stylizer.release(ticket)  # from now on nobody but the caller writes to it
            kept = [plane.copy() for plane in again[0].planes]
            device.context.wait_idle()
            for actual, plane in zip(again[0].planes, kept, strict=True):
                np.testing.assert_array_equal(actual, plane)
            assert sum(count for label, count in device.context.native.live.items() if label.startswith("lock")) == 4
        assert not [label for label in device.context.native.live if label.startswith("lock")]
    assert not device.context.native.live


@pytest.mark.parametrize("working", [(640, 360), (160, 90), (40, 23)])
def test_brush_and_relief_take_the_memory_that_is_reckoned_with(device: Device, working: tuple[int, int]) -> None:
    """Once for all slots, when a look first asks for it, and maps and masks of each slot."""
    size, frame = (640, 360), noise(rgba8(640, 360))
    with device.stylizer(networks.identity(), frame.format, nv12(*size), working=working, tiling="off") as stylizer:
        assert isinstance(device, CudaDevice)
        stylizer.fetch(stylizer.submit(frame))
        before = device.context.native.pool_bytes()
        for _ in range(4):
            stylizer.look = Look(brush=0.5, relief=0.5)
            stylizer.fetch(stylizer.submit(frame))
        taken, tables = device.context.native.pool_bytes() - before, 64 << 10
        maps = stylizer.settings.slots * (MAPS.make().nbytes + MASK_SAMPLES.make().nbytes)
        assert 0 <= taken - finishing_bytes(stylizer.sizes, layout_of(stylizer.settings)) - maps < tables


def test_nothing_is_left() -> None:
    with open_device("cuda") as device:
        native = device.context.native
        frame = noise(yuv420p(61, 47))
        kept = device.upload(frame)
        look = Look(split=0.5, brush=0.5, relief=0.5, detail=0.5)
        for style in (networks.blend(), painter("realtime")):
            with device.stylizer(style, frame.format, nv12(80, 60), look=look, tiling=64, window=PAST_ONLY) as stylizer:
                stylizer.submit(frame)
                stylizer.fetch(stylizer.submit(device.upload(frame)))
        assert native.pool_bytes() > 0
    assert not native.live
    kept.release()


def test_the_device_in_use_is_the_one_asked_for() -> None:
    for info in list_devices():
        if info.kind == "cuda":
            names = (f"cuda:{info.index}", info.uuid, str(info.index))
            for name in names:
                with open_device(name) as device:
                    assert device.context.native.in_use.uuid == info.uuid == device.info.uuid


def test_hidden_gpus_do_not_exist() -> None:
    code = "from framebrush.gpu.device import open_device; open_device('cuda')"
    environment = {**__import__("os").environ, "CUDA_VISIBLE_DEVICES": ""}
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, timeout=120)
    assert "CUDA_VISIBLE_DEVICES" in run.stderr.splitlines()[-1]


LOST = """
from framebrush.gpu.device import open_device
from framebrush.gpu.errors import DeviceError, DeviceLostError
from framebrush.gpu.frame import nv12, yuv420p
from framebrush.gpu.settings import StylizerPlan
from framebrush.media.video import VideoFrame
from framebrush.jobs.frame_pipeline import FramePipeline
from framebrush.jobs.pipeline import Pipeline
from tests import networks
from tests.gpu.pictures import noise
from cuda.bindings import driver
from cuda.core import Program, ProgramOptions
from framebrush.gpu.cuda.native import check

TRAP = 'extern "C" __global__ void trap() { asm volatile("trap;"); }'
device = open_device("cuda")
code = Program(TRAP, "c++", ProgramOptions(arch=f"sm_{device.context.native.in_use.capability}")).compile("cubin").code

def frames():
    for number in range(12):
        if number == 5:
            device.context.native.use()
            module = check(driver.cuModuleLoadData(code), "load")
            function = check(driver.cuModuleGetFunction(module, b"trap"), "get")
            check(driver.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, device.context.compute.handle, 0, 0), "launch")
        yield VideoFrame(number, number, 1, noise(yuv420p(61, 47), number))

def another(lost):
    print("lost:", lost)
    try:
        open_device("cuda")
    except DeviceError as error:
        print("again:", error)
    return open_device("cpu")

plan = StylizerPlan(networks.box_blur(), yuv420p(61, 47), nv12(61, 47))
pipeline = Pipeline(FramePipeline(device, plan), replace_device=another)
with pipeline:
    painted = list(pipeline.frames(frames()))
with open_device("cpu") as cpu, cpu.stylizer(networks.box_blur(), yuv420p(61, 47), nv12(61, 47)) as stylizer:
    for number, one in enumerate(painted):
        want = stylizer.fetch(stylizer.submit(noise(yuv420p(61, 47), number)))
        assert one.number == number
        for a, b in zip(one.frame.planes, want.planes):
            assert abs(a.astype(int) - b).max() <= 1
print("painted", len(painted))
device.close()
"""


def test_a_lost_gpu_loses_no_frame() -> None:
    """A kernel traps in mid-film, in a child process: the context is lost for good."""
    run = subprocess.run([sys.executable, "-c", LOST], capture_output=True, text=True, timeout=200)
    assert run.stdout.splitlines()[-1:] == ["painted 12"], run.stdout + run.stderr
    assert "the GPU was lost (CUDA_ERROR" in run.stdout
    assert run.returncode == 0, run.stderr


LOST_WITH_ITS_DECODER = """
import sys
from pathlib import Path
from framebrush.gpu.device import open_device
from framebrush.jobs.workers.doing import do_job
from framebrush.jobs.workers.run import OneDevice
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.spec import DecodeOptions, JobSpec
from framebrush.styles.specs import StyleSpec
from framebrush.jobs.transcode import Listener
from framebrush.media.writing.output_plan import OutputOptions
from framebrush.styles.style_names import OpenedStyle
from tests import networks
from tests.app.jobs import jobs
from cuda.bindings import driver
from cuda.core import Program, ProgramOptions
from framebrush.gpu.cuda.native import check

folder, segments = Path(sys.argv[1]), int(sys.argv[2]) or "off"
TRAP = 'extern "C" __global__ void trap() { asm volatile("trap;"); }'
film, target = jobs.make_film(folder / "film.mp4"), folder / "out.mkv"
device = open_device("cuda")
code = Program(TRAP, "c++", ProgramOptions(arch=f"sm_{device.context.native.in_use.capability}")).compile("cubin").code
spec = JobSpec(str(film), str(target), Recipe(StyleSpec("identity")), segments=segments,
               decode=DecodeOptions(hwaccel="cuda"),
               output=OutputOptions(codec="libx264", crf=0, preset="ultrafast"))
lost = []

def lose(state):
    if state.frames >= 65 and not lost:
        lost.append(state.frames)
        device.context.native.use()
        module = check(driver.cuModuleLoadData(code), "load")
        function = check(driver.cuModuleGetFunction(module, b"trap"), "get")
        check(driver.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, device.context.compute.handle, 0, 0), "launch")

with OneDevice(device, lambda: open_device("auto")) as painter:
    outcome = do_job(spec, painter, Listener(print, lose), style=OpenedStyle(networks.identity()))
assert lost, "the GPU was not lost"
assert list(jobs.numbers(target)) == list(range(jobs.FRAMES))
print(outcome.status.name)
device.close()
"""


@pytest.mark.parametrize("segments", [jobs.SEGMENT, 0])
def test_a_gpu_lost_with_the_frames_of_nvdec_loses_none(segments: int, tmp_path: Path) -> None:
    """The job, in a child process, begins again elsewhere and keeps complete segments."""
    command = [sys.executable, "-c", LOST_WITH_ITS_DECODER, str(tmp_path), str(segments)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=200)
    assert run.stdout.splitlines()[-1:] == ["DONE"], run.stdout + run.stderr
    assert "the GPU was lost (CUDA_ERROR" in run.stdout
    assert "; continuing on " in run.stdout
    assert bool(re.search("segments (is|are) done", run.stdout)) == bool(segments)
    assert run.returncode == 0, run.stderr


def test_memory_that_is_not_there_is_refused_with_advice(device: Device) -> None:
    from framebrush.gpu.cuda.native import DeviceMemory
    from framebrush.gpu.errors import OutOfMemoryError

    with pytest.raises(OutOfMemoryError, match=r"too much: out of memory; try --tile, --stroke or --max-size$"):
        DeviceMemory(device.context.native, 1 << 42, "too much")
