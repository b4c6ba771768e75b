"""Strokes and relief as one list of passes: the memory that a device reckons with is what they name."""

from __future__ import annotations

from dataclasses import replace

import pytest

from framebrush.gpu import tiles
from framebrush.gpu.frame import rgba8
from framebrush.gpu.passes import Buffer, Constant, Texture
from framebrush.gpu.sizes import Size, Sizes
from framebrush.gpu.stages.finishing import Finishing, finishing_bytes
from framebrush.gpu.stages.look import Look
from framebrush.gpu.stages.strokes.passes import Carrying, StrokeMemory
from framebrush.gpu.stages.way import Way
from framebrush.gpu.stylizer import Settings
from framebrush.models.style import Style
from tests.networks import identity

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("target", "working"), [((160, 100), (80, 50)), ((640, 360), (640, 360)), ((960, 540), (240, 136))]
)
def test_memory_is_that_of_the_passes(target: Size, working: Size) -> None:
    card, sizes = replace(identity().card, stride=4), Sizes.of(target, working, target)
    plan = tiles.plan(*sizes.working, card, "off")
    settings = Settings(Style(card, b""), rgba8(*target), rgba8(*target), sizes, plan, Look(), 1)
    way = Way(settings, "hlsl")
    finishing = Finishing(settings, way, Carrying(StrokeMemory(settings, way.frame)), reports=False)
    steps = finishing.steps(0, Look(brush=1.0, relief=1.0), 0, at_home=False, detailed=False)
    passes = [one for step in steps for one in step.work.passes]
    uses = {use for one in passes for use in (*one.reads, *one.writes, *one.clears)}
    shared = [use for use in uses if isinstance(use, Buffer | Texture | Constant) and not use.kept]
    taken = sum(use.make().nbytes if isinstance(use, Constant) else use.size_bytes for use in shared)
    assert taken <= finishing_bytes(sizes, settings.layout) <= 1.06 * taken
