"""What the pipeline does when its device goes away while it paints."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from assets.make_clips import CLIPS
from framebrush.gpu.cpu.stylizer import CpuStylizer
from framebrush.gpu.device import Device, open_device
from framebrush.gpu.errors import DeviceLostError
from framebrush.media.reader import Reader
from framebrush.pipeline import Pipeline, video_target
from tests import networks

pytestmark = pytest.mark.media


class Losses:
    """Lets the CPU device be lost at these calls of `submit`, counted from 0, and opens others."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, calls: set[int]) -> None:
        self.calls, self.submitted = calls, 0
        self.replacements: list[Device] = []
        real = CpuStylizer.submit

        def submit(stylizer: CpuStylizer, *arguments: Any) -> Any:  # noqa: ANN401
            self.submitted += 1
            if self.submitted - 1 in self.calls:
                raise DeviceLostError(f"lost at call {self.submitted - 1}")
            return real(stylizer, *arguments)

        monkeypatch.setattr(CpuStylizer, "submit", submit)

    def another(self, lost: DeviceLostError) -> Device:
        self.replacements.append(open_device("cpu"))
        return self.replacements[-1]


def painted(losses: Losses, path: Path = CLIPS / "cfr.mp4") -> list[int]:
    with Reader(path) as reader, open_device("cpu") as device:
        source = reader.info.format
        with Pipeline(
            device, networks.identity(), source, video_target(source), replace_device=losses.another
        ) as pipeline:
            return [frame.number for frame in pipeline.paint(reader)]


def test_a_device_that_paints_in_between_is_replaced_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    losses = Losses(monkeypatch, {2, 12, 25})
    assert painted(losses) == list(range(30))
    assert len(losses.replacements) == 3


@pytest.mark.parametrize("calls", [set(range(2, 100)), {1, 4}], ids=["at once", "with the next frame"])
def test_a_replacement_that_is_lost_before_it_painted_is_the_last(
    calls: set[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    losses = Losses(monkeypatch, calls)
    with pytest.raises(DeviceLostError, match="lost at call"):
        painted(losses)
    assert len(losses.replacements) == 1


def test_a_replacement_is_closed_also_where_its_stylizer_cannot_be(monkeypatch: pytest.MonkeyPatch) -> None:
    losses = Losses(monkeypatch, {1})
    closed: list[Device] = []
    with Reader(CLIPS / "cfr.mp4") as reader, open_device("cpu") as device:
        source = reader.info.format
        pipeline = Pipeline(device, networks.identity(), source, video_target(source), replace_device=losses.another)
        assert len([*pipeline.paint(reader)]) == 30
        (replacement,) = losses.replacements
        real = replacement.close
        monkeypatch.setattr(replacement, "close", lambda: (closed.append(replacement), real()))
        monkeypatch.setattr(pipeline.stylizer, "close", lambda: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            pipeline.close()
    assert closed == [replacement]
