"""The CPU device: slots, looks, errors, tiles, the end."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import pytest

from framebrush.gpu.cpu.device import CpuDevice
from framebrush.gpu.cpu.network import RUNS_AT_REST
from framebrush.gpu.cpu.surface import PictureSurface
from framebrush.gpu.device import list_devices
from framebrush.gpu.errors import DeviceError, NonFiniteError, OutOfMemoryError
from framebrush.gpu.frame import Frame, FrameFormat, Layout, nv12, rgba8
from framebrush.gpu.look import Look, ToneMap
from framebrush.gpu.reference import kernels as reference
from framebrush.gpu.stylizer import Ticket
from framebrush.gpu.tiles import Tiling
from framebrush.models.style import Style
from tests import networks
from tests.gpu.pictures import FORMATS, noise, scene

pytestmark = pytest.mark.unit

SOURCE = rgba8(61, 47)


@pytest.fixture
def device() -> Iterator[CpuDevice]:
    with CpuDevice(list_devices()[-1]) as opened:
        yield opened


def codes(frame: Frame) -> npt.NDArray[np.int64]:
    """R, G and B of an RGBA frame, as a copy."""
    return frame.planes[0][..., :3].astype(np.int64)


def reflected_conv(radius: int, seed: int) -> Style:
    """A network that sees far, with more than one layer, and pads by reflection."""
    net = networks.Net([1, 3, "H", "W"], name="frame")
    for step in range(2):
        side = 2 * radius + 1
        net.add("Pad", [net.last, net.constant([0, 0, radius, radius] * 2, np.int64)], mode="reflect")
        net.conv(networks.random_weight((3, 3, side, side), seed + step))
        net.add("Sigmoid")
    return networks.canonical(net, radius_px=2 * radius)


def test_frames_come_back_in_any_order(device: CpuDevice) -> None:
    frames = [noise(SOURCE, seed) for seed in range(7)]
    with device.stylizer(networks.identity(), SOURCE, SOURCE) as stylizer:
        for first in (0, 3):
            tickets = [stylizer.submit(frames[first + index]) for index in range(3)]
            for index in (2, 0, 1):
                np.testing.assert_array_equal(codes(stylizer.fetch(tickets[index])), codes(frames[first + index]))
        assert stylizer.counters.uploads == stylizer.counters.readbacks == stylizer.counters.runs == 6
        assert stylizer.counters.presents == 0
        assert stylizer.stage_ms.keys() == {"upload", "convert", "network", "tone-map"}
        assert all(ms > 0 for ms in stylizer.stage_ms.values())


def test_planes_are_free_when_submit_returns(device: CpuDevice) -> None:
    frame = noise(SOURCE)
    kept = codes(frame)
    with device.stylizer(networks.box_blur(0), SOURCE, SOURCE) as stylizer:
        ticket = stylizer.submit(frame)
        frame.planes[0][:] = 0
        np.testing.assert_array_equal(codes(stylizer.fetch(ticket)), kept)


def test_slots_run_out_and_are_given_back(device: CpuDevice) -> None:
    with device.stylizer(networks.identity(), SOURCE, SOURCE, slots=2) as stylizer:
        first, second = stylizer.submit(noise(SOURCE)), stylizer.submit(noise(SOURCE))
        with pytest.raises(RuntimeError, match="all 2 slots are taken"):
            stylizer.submit(noise(SOURCE))
        stylizer.release(first)
        third = stylizer.submit(noise(SOURCE, 3))
        stylizer.fetch(second)
        np.testing.assert_array_equal(codes(stylizer.fetch(third)), codes(noise(SOURCE, 3)))
        for gone in (first, second, Ticket(99)):
            with pytest.raises(ValueError, match="is not in flight"):
                stylizer.fetch(gone)


def test_a_slot_released_unfinished_is_waited_for(device: CpuDevice) -> None:
    with device.stylizer(networks.identity(), SOURCE, SOURCE, slots=1) as stylizer:
        gate = threading.Event()
        stylizer._presenter.submit(gate.wait)  # nothing is painted until the gate opens
        stylizer.release(stylizer.submit(noise(SOURCE, 1)))
        opener = threading.Timer(0.1, gate.set)
        opener.start()
        ticket = stylizer.submit(noise(SOURCE, 2))
        assert gate.is_set()
        assert stylizer.counters.cpu_waits == 1
        np.testing.assert_array_equal(codes(stylizer.fetch(ticket)), codes(noise(SOURCE, 2)))
        opener.join()


def test_a_frame_of_another_format_is_refused(device: CpuDevice) -> None:
    with (
        device.stylizer(networks.identity(), SOURCE, SOURCE) as stylizer,
        pytest.raises(ValueError, match="for a stylizer of"),
    ):
        stylizer.submit(noise(rgba8(61, 46)))


@pytest.mark.parametrize(
    ("target", "message"),
    [
        (rgba8(60, 47), "nothing scales"),
        (FrameFormat(61, 47, Layout.PLANAR, subsample=(1, 1)), "NV12, P010 or RGBA8"),
        (FrameFormat(61, 47, Layout.SEMI_PLANAR), "NV12, P010 or RGBA8"),
    ],
)
def test_a_target_that_cannot_be_is_refused(device: CpuDevice, target: FrameFormat, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        device.stylizer(networks.identity(), SOURCE, target)


@pytest.mark.parametrize("size", [(64, 48), (61, 47), (3, 2)])
def test_padding_to_the_stride_repeats_the_edge_and_is_cut_off(device: CpuDevice, size: tuple[int, int]) -> None:
    source = rgba8(*size)
    with device.stylizer(networks.strided_identity(8), source, source) as stylizer:
        np.testing.assert_array_equal(codes(stylizer.fetch(stylizer.submit(noise(source)))), codes(noise(source)))
        height, width = stylizer._slots[0].binding.source.shape[1:]
        assert height % 8 == width % 8 == 0
        rgb = reference.planes_to_rgb(noise(source))
        np.testing.assert_allclose(stylizer._slots[0].binding.source, reference.pad(rgb, 8), atol=1e-6)


def test_the_look_is_that_of_the_moment(device: CpuDevice) -> None:
    """A frame in flight is shown again with another look, without another run of the network."""
    shown: list[npt.NDArray[np.int64]] = []
    surface = PictureSurface(lambda picture: shown.append(picture[..., :3].astype(np.int64)))
    frame = noise(SOURCE)
    with device.stylizer(networks.blend(), SOURCE, SOURCE, look=Look(mix=(0.0, 1.0))) as stylizer:
        ticket = stylizer.submit(frame)
        stylizer.show(ticket, surface)
        stylizer.look = Look(strength=0.0, mix=(0.0, 1.0))
        stylizer.show(ticket, surface)
        stylizer.look = Look(split=0.5, mix=(0.0, 1.0))
        fetched = codes(stylizer.fetch(ticket))
        assert stylizer.counters.runs == 1
        assert stylizer.counters.presents == 2
        assert stylizer.counters.readbacks == 1
    np.testing.assert_allclose(shown[0], 255 - codes(frame), atol=1)
    np.testing.assert_array_equal(shown[1], codes(frame))
    np.testing.assert_array_equal(fetched[:, :31], codes(frame)[:, :31])  # 0.5 * 61 rounded half up
    np.testing.assert_allclose(fetched[:, 31:], 255 - codes(frame)[:, 31:], atol=1)


@pytest.mark.parametrize("tiling", ["off", 64])
def test_a_mix_paints_alike_at_rest_and_moving(device: CpuDevice, tiling: Tiling) -> None:
    """At rest, while it moves, and at rest again the same mix gives the same picture."""
    frame = noise(SOURCE)
    pictures = []
    with device.stylizer(networks.blend(), SOURCE, SOURCE, look=Look(mix=(0.25, 0.75)), tiling=tiling) as stylizer:
        for number in range(2 * RUNS_AT_REST + 8):
            stylizer.look = Look(mix=(1.0, 0.0) if number == 1 else (0.25, 0.75))
            pictures.append(stylizer.fetch(stylizer.submit(frame)).planes[0].astype(int))
    assert np.abs(pictures[1] - pictures[0]).max() > 20
    assert all(np.abs(picture - pictures[0]).max() <= 1 for picture in pictures[2:])


def test_the_mix_is_that_of_submit(device: CpuDevice) -> None:
    frame = noise(SOURCE)
    with device.stylizer(networks.blend(), SOURCE, SOURCE) as stylizer:
        plain = stylizer.submit(frame)
        stylizer.look = Look(mix=(0.5, 0.5))
        grey = stylizer.submit(frame)
        np.testing.assert_array_equal(codes(stylizer.fetch(plain)), codes(frame))
        assert np.all(np.abs(codes(stylizer.fetch(grey)) - 127.5) <= 1)
        with pytest.raises(ValueError, match="3 weights for Test, which holds 2 paintings"):
            stylizer.look = Look(mix=(0.2, 0.4, 0.4))


def test_tone_mapping_is_that_of_submit(device: CpuDevice) -> None:
    picture = FORMATS["hdr10"]
    frame = noise(picture)
    with device.stylizer(networks.identity(), picture, rgba8(64, 48)) as stylizer:
        for method in (ToneMap.HABLE, ToneMap.BT2390):
            stylizer.look = Look(tone_map=method, dither=False)
            expected = reference.rgb_to_output(reference.planes_to_rgb(frame, method), rgba8(64, 48), dither=False)
            np.testing.assert_allclose(codes(stylizer.fetch(stylizer.submit(frame))), codes(expected), atol=1)


def test_a_closed_surface_gets_nothing(device: CpuDevice) -> None:
    shown: list[object] = []
    surface = PictureSurface(shown.append)
    surface.resize(100, 50)
    with device.stylizer(networks.identity(), SOURCE, SOURCE) as stylizer:
        ticket = stylizer.submit(noise(SOURCE))
        surface.close()
        stylizer.show(ticket, surface)
    assert shown == []


def test_what_is_not_finite_is_an_error_and_the_next_frame_is_none(device: CpuDevice) -> None:
    dark, one_bright = scene(64, 48), scene(64, 48)
    dark.planes[0][:] = 100
    one_bright.planes[0][:] = 100
    one_bright.planes[0][47, 63, 2] = 255
    with device.stylizer(networks.not_finite(), dark.format, nv12(64, 48)) as stylizer:
        first, second, third = (stylizer.submit(frame) for frame in (dark, one_bright, dark))
        stylizer.fetch(first)
        with pytest.raises(NonFiniteError, match="NaN or infinity"):
            stylizer.fetch(second)
        stylizer.fetch(third)
        stylizer.fetch(stylizer.submit(dark))


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


@pytest.mark.parametrize("size", [(320, 180), (257, 131)])
@pytest.mark.parametrize("side", [48, 100])
@pytest.mark.parametrize("radius", [3, 8])
def test_tiles_equal_the_whole_frame(device: CpuDevice, size: tuple[int, int], side: int, radius: int) -> None:
    frame = scene(*size)
    style = reflected_conv(radius, seed=radius)
    with device.stylizer(style, frame.format, frame.format, tiling="off") as whole:
        expected = codes(whole.fetch(whole.submit(frame)))
        assert whole.notes == ()
    with device.stylizer(style, frame.format, frame.format, tiling=side) as tiled:
        actual = codes(tiled.fetch(tiled.submit(frame)))
        assert tiled.counters.runs > 4
        assert len(tiled.notes) == 1
    assert expected.std() > 5  # there is something to see
    assert np.abs(actual - expected).max() <= 1


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


def test_tiles_of_a_network_with_frame_statistics_say_so(device: CpuDevice) -> None:
    frame = scene(128, 96)
    with device.stylizer(networks.instance_norm(), frame.format, frame.format, tiling=64) as stylizer:
        stylizer.fetch(stylizer.submit(frame))
        assert "statistics of the picture, so tiles change its look" in stylizer.notes[-1]


def test_a_network_that_onnx_runtime_refuses(device: CpuDevice) -> None:
    net = networks.Net([1, 3, "H", "W"], name="frame")
    net.add("NoSuchOperator")
    with pytest.raises(DeviceError, match=r"the network could not be loaded: .*NoSuchOperator"):
        device.stylizer(networks.canonical(net), SOURCE, SOURCE)


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


def test_frames_larger_than_the_memory_are_refused(device: CpuDevice) -> None:
    huge = rgba8(65000, 65000)
    with pytest.raises(OutOfMemoryError, match=r"3 frames of 65000x65000 need .* GiB more; try --max-size"):
        device.stylizer(networks.identity(), huge, huge)


def greedy() -> Style:
    """A network that needs about 400 kB for each pixel."""
    net = networks.Net([1, 3, "H", "W"], name="frame")
    net.conv(np.zeros((50_000, 3, 1, 1), np.float32))
    net.add("Relu")
    net.conv(np.zeros((3, 50_000, 1, 1), np.float32))
    return networks.canonical(net)


def test_a_network_larger_than_the_memory_is_refused_unless_tiled(device: CpuDevice) -> None:
    source = rgba8(3000, 2000)
    with pytest.raises(OutOfMemoryError, match=r"Test at 3000x2000 needs about .* GiB more than are free; try --tile"):
        device.stylizer(greedy(), source, source, tiling="off")
    with device.stylizer(greedy(), source, source) as stylizer:
        assert stylizer.notes[0].startswith("tiles of ")


@pytest.mark.skipif(sys.platform == "win32", reason="only POSIX limits the memory of a process")
@pytest.mark.parametrize(
    ("size", "tiling", "what"), [((8000, 4000), 64, "8000x4000 on the CPU"), ((1280, 960), "off", "the network failed")]
)
def test_running_out_of_memory_says_what_to_do(size: tuple[int, int], tiling: Tiling, what: str) -> None:
    """In a process of its own that may take 300 MB more: too little for the tensors of the larger frame (768 MB), and
    for what the network needs at the smaller one (983 MB)."""
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
    assert run.stdout == f"{what}: out of memory; try --tile or --max-size\n", run.stderr


def test_closing_in_the_middle_leaves_no_thread(device: CpuDevice) -> None:
    before = threading.active_count()
    stylizer = device.stylizer(reflected_conv(8, seed=1), rgba8(320, 180), nv12(320, 180))
    for _ in range(3):
        ticket = stylizer.submit(scene(320, 180))
    assert threading.active_count() > before
    stylizer.close()
    stylizer.close()
    assert threading.active_count() == before
    with pytest.raises(RuntimeError, match="closed"):
        stylizer.fetch(ticket)
    with pytest.raises(RuntimeError, match="closed"):
        stylizer.submit(scene(320, 180))


def test_the_device_closes_what_was_made_on_it() -> None:
    device = CpuDevice(list_devices()[-1])
    before = threading.active_count()
    made = [device.stylizer(networks.identity(), SOURCE, SOURCE) for _ in range(32)]
    for stylizer in made:
        stylizer.submit(noise(SOURCE))
    assert threading.active_count() > before
    device.close()
    device.close()
    assert threading.active_count() == before
    with pytest.raises(DeviceError, match="this device is closed"):
        device.stylizer(networks.identity(), SOURCE, SOURCE)
