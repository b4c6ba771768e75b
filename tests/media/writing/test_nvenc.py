"""Frames that stay on the GPU up to its encoder: what NVENC is given is what `fetch` gives."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from assets.make_clips import CLIPS
from framebrush.gpu.device import Device, open_device
from framebrush.gpu.errors import NonFiniteError
from framebrush.gpu.frame import DeviceFrame, FrameFormat, nv12, yuv420p
from framebrush.gpu.look import Look
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.spec import DecodeOptions, JobSpec
from framebrush.jobs.transcode import Listener
from framebrush.jobs.workers.run import run_job
from framebrush.media.encoding.encoder_frames import DeviceEncoderFrames, DevicePicture, OutputTags
from framebrush.media.writing.output_plan import OutputOptions
from framebrush.styles.specs import StyleSpec
from framebrush.styles.style_names import OpenedStyle
from tests import networks
from tests.app.jobs import jobs
from tests.cuda import needs_cuda
from tests.gpu.pictures import noise
from tests.media.writing.writer_clips import working_encoders

pytestmark = [pytest.mark.media, pytest.mark.cuda, needs_cuda]

TAGS = OutputTags(1, 1, 1, 1, "left")


@pytest.fixture(scope="module")
def device() -> Iterator[Device]:
    with open_device("cuda") as opened:
        yield opened


@pytest.mark.parametrize("bits", [8, 10])
@pytest.mark.parametrize("size", [(64, 48), (162, 98), (1920, 1080)])
def test_the_encoder_gets_what_fetch_gives(device: Device, size: tuple[int, int], bits: int) -> None:
    source, target = yuv420p(*size), nv12(*size, bits=bits)
    frames = DeviceEncoderFrames(device, target, "nv12" if bits == 8 else "p010le", TAGS)
    with device.stylizer(networks.identity(), source, target, look=Look(dither=False)) as stylizer:
        for seed in range(3):
            tickets = [stylizer.submit(noise(source, seed)) for _ in range(2)]
            expected = stylizer.fetch(tickets[0])
            into = frames.allocate()
            copies, readbacks = stylizer.counters.host_copies, stylizer.counters.readbacks
            stylizer.store(tickets[1], into)
            assert (stylizer.counters.host_copies, stylizer.counters.readbacks) == (copies, readbacks)
            made = frames.filled(into)
            assert isinstance(made, DevicePicture)
            picture = made.picture
            assert picture.format.name == "cuda"
            assert (picture.colorspace, picture.color_range) == (TAGS.matrix, TAGS.range)
            del into, made  # FFmpeg holds it
            assert any(label == "frame of an encoder" for label in device.context.native.live)
            planes = picture.reformat(format=picture.sw_format.name)
            del picture
            for plane, want in zip(planes.planes, expected.planes, strict=True):
                rows = np.frombuffer(plane, want.dtype).reshape(plane.height, -1)
                np.testing.assert_array_equal(rows[:, : want[0].size], want.reshape(len(want), -1))
            del planes, plane
    assert not [label for label in device.context.native.live if "frame" in label]


def test_a_frame_that_is_refused_gives_its_slot_back(device: Device) -> None:
    source, target = yuv420p(64, 48), nv12(64, 48)
    other: list[FrameFormat] = [nv12(66, 48), nv12(64, 48, bits=10)]
    with device.stylizer(networks.identity(), source, target) as stylizer, open_device("cpu") as cpu:
        ticket = stylizer.submit(noise(source))
        for wrong in (*(device.allocate(one) for one in other), cpu.upload(noise(target))):
            with pytest.raises(ValueError, match=r"cannot take the output|another device"):
                stylizer.store(ticket, wrong)
            wrong.release()
        into = device.allocate(target)
        stylizer.store(ticket, into)
        into.release()
    with device.stylizer(networks.not_finite(), source, target) as stylizer:
        for _ in range(5):
            into = device.allocate(target)
            with pytest.raises(NonFiniteError):
                stylizer.store(stylizer.submit(noise(source)), into)
            into.release()


@pytest.mark.parametrize("hwaccel", [None, "cuda"])
def test_a_transcode_stays_on_the_gpu_where_it_has_an_encoder(
    hwaccel: str | None, device: Device, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where it has none, as data centres' cards, each frame is downloaded once, and the plan says which encoder."""
    stored: list[DeviceFrame] = []
    from framebrush.gpu.cuda.stylizer import CudaStylizer

    real = CudaStylizer.store
    monkeypatch.setattr(CudaStylizer, "store", lambda *given: (stored.append(given[2]), real(*given)))
    said: list[str] = []
    target = tmp_path / "out.mp4"
    spec = JobSpec(
        str(CLIPS / "cfr.mp4"),
        str(target),
        Recipe(StyleSpec("identity")),
        decode=DecodeOptions(hwaccel=hwaccel),
        output=OutputOptions(codec="h264", crf=10),
    )
    run_job(spec, device, Listener(said.append), style=OpenedStyle(networks.identity()))
    numbers = list(jobs.numbers(target))
    assert numbers == list(range(len(numbers)))
    has_nvenc = "h264_nvenc" in working_encoders()
    assert any(line.startswith("video: h264_nvenc") for line in said) == has_nvenc
    assert len(stored) == (len(numbers) if has_nvenc else 0)
