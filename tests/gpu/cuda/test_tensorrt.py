"""TensorRT decisions without TensorRT or a GPU. A build really runs, and fails without a GPU."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from framebrush.base.child import Child
from framebrush.gpu.cuda import diagnose, tensorrt
from framebrush.gpu.cuda.tensorrt_build import Build, DeferredEngine
from framebrush.gpu.device import DeviceInfo, matching, open_device
from framebrush.gpu.errors import AbsentError, DeviceError, OutOfMemoryError
from tests import networks
from tests.cuda import why_no_cuda

pytestmark = pytest.mark.unit

LABEL = "'box' at 64x48"


def built(tmp_path: Path) -> Build:
    return Build(tmp_path / "tensorrt" / "key", networks.box_blur().fixed(64, 48), "float32", 0, LABEL)


def process_of(build: Build) -> Child:
    process = build._process
    assert process is not None
    return process


def wait_for_the_end(build: Build) -> bool:
    process_of(build).wait()
    return build.ended()


@pytest.mark.skipif(not why_no_cuda(), reason="there is a GPU")
def test_without_a_gpu_it_says_so() -> None:
    for name in ("tensorrt", "tensorrt:1"):
        with pytest.raises(AbsentError, match="NVIDIA"):
            open_device(name)


def test_what_is_missing_is_named_with_both_ways_to_get_it() -> None:
    assert diagnose.tensorrt_problem(lambda _: True) == ""
    problem = diagnose.tensorrt_problem(lambda library: "parser" in library)
    assert "nvinfer" in problem
    assert "parser" not in problem
    assert problem.endswith("python -m pip install onnxruntime-ep-nv-tensorrt-rtx-cu13")


def test_a_gpu_is_chosen_by_number() -> None:
    found = [DeviceInfo(number, "tensorrt", "NVIDIA L4") for number in range(2)]
    assert matching(found, "tensorrt") == found
    assert matching(found, "tensorrt:1") == found[1:]
    assert matching(found, "tensorrt:2") == []


def test_what_is_kept_depends_on_the_network_and_on_every_fact() -> None:
    keys = {
        tensorrt.engine_key(b"network", ("10", "float32", "L4")),
        tensorrt.engine_key(b"another", ("10", "float32", "L4")),
        tensorrt.engine_key(b"network", ("11", "float32", "L4")),
        tensorrt.engine_key(b"network", ("10", "float16", "L4")),
        tensorrt.engine_key(b"network", ("10", "float32", "H200")),
    }
    assert len(keys) == 5


@pytest.mark.slow
@pytest.mark.skipif(not why_no_cuda(), reason="there is a GPU")
def test_a_build_that_fails_says_why_and_is_not_tried_again(tmp_path: Path) -> None:
    build = built(tmp_path)
    assert "which takes minutes" in build.note
    assert not wait_for_the_end(build)
    assert not build.ended()
    assert [path.name for path in (tmp_path / "tensorrt").iterdir()] == ["key.failed"]
    again = built(tmp_path)
    assert again.note.startswith(f"TensorRT could not build {LABEL} (no NVIDIA driver was found")
    assert str(tmp_path / "tensorrt" / "key.failed") in again.note
    assert not again.ended()
    again.close()


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "tensorrt").write_text("no folder")
    build = built(tmp_path)
    assert build.note.startswith(f"TensorRT cannot build {LABEL}, because {tmp_path / 'tensorrt'} cannot be written (")
    assert build.note.endswith(", so the CUDA provider paints")
    assert not build.ended()
    build.close()


@pytest.mark.skipif(not why_no_cuda(), reason="there is a GPU")
def test_a_failure_that_cannot_be_noted_is_a_failure(tmp_path: Path) -> None:
    build = built(tmp_path)
    (tmp_path / "tensorrt" / "key.failed").mkdir()
    assert not wait_for_the_end(build)


def test_a_build_ends_when_it_is_closed(tmp_path: Path) -> None:
    build = built(tmp_path)
    process = process_of(build)
    build.close()
    build.close()
    assert process.has_ended
    assert list((tmp_path / "tensorrt").iterdir()) == []  # nor is an end by force a failure


class Recorder:
    """Engine that records its calls."""

    note = ""
    captures = False

    def __init__(self, name: str, said: list[str]) -> None:
        self.name, self.said = name, said

    def bind(self, *_: object) -> Callable[[], int]:
        self.said.append(f"{self.name} bound")
        return lambda: self.said.append(self.name) or 0

    def blend(self, *_: object) -> int:
        return 0

    def close(self) -> None:
        self.said.append(f"{self.name} closed")


class Ends(Build):
    """Build that ends when the test says so."""

    def __init__(self) -> None:
        self.note, self._process, self.over = "building", None, False

    def ended(self) -> bool:
        over, self.over = self.over, False
        return over


def deferred(said: list[str], open_built: Callable[[], Recorder]) -> tuple[Ends, DeferredEngine]:
    build = Ends()
    return build, DeferredEngine(Recorder("cuda", said), build, open_built)


def test_the_engine_changes_between_two_frames_for_every_slot() -> None:
    said: list[str] = []
    build, engine = deferred(said, lambda: Recorder("tensorrt", said))
    runs = [engine.bind(None, None, 0) for _ in range(2)]  # type: ignore[arg-type]
    runs[0]()
    build.over = True
    for run in (*runs, *runs):
        run()
    engine.close()
    assert said == [
        *["cuda bound"] * 2,
        "cuda",
        "cuda closed",
        *["tensorrt bound", "tensorrt"] * 2,
        *["tensorrt"] * 2,
        "tensorrt closed",
    ]


@pytest.mark.parametrize("error", [DeviceError("damaged"), OutOfMemoryError("no room")])
def test_an_engine_that_cannot_be_loaded_leaves_the_first_one(error: DeviceError) -> None:
    said: list[str] = []

    def refuse() -> Recorder:
        raise error

    build, engine = deferred(said, refuse)
    run = engine.bind(None, None, 0)  # type: ignore[arg-type]
    build.over = True
    run()
    run()
    engine.close()
    assert said == ["cuda bound", "cuda", "cuda", "cuda closed"]


@pytest.mark.slow
def test_a_build_ends_with_the_program_that_began_it(tmp_path: Path) -> None:
    build = built(tmp_path)
    process = process_of(build)
    process.end(60)
    assert not process.wait().killed
    assert not build.ended()
    assert built(tmp_path).note.startswith(f"TensorRT could not build {LABEL} (the process ended with status 1)")
