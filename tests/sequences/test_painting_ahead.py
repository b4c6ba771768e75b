"""Frames painted ahead while looks, places and limits change, the process dies, and the disk gives up."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import av
import numpy as np
import pytest
from hypothesis import event, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from framebrush.gpu.device import list_devices
from framebrush.gpu.frame import Frame
from framebrush.gpu.look import Look
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.spec import JobSpec
from framebrush.media.reading.reader import Reader
from framebrush.playback.ahead.render_cache import Course, RenderCache
from framebrush.playback.ahead.renderer import Renderer, Wanted
from framebrush.playback.ahead.store import RenderStore
from framebrush.styles.specs import StyleSpec
from tests.inside import painter_of, rendering_of

pytestmark = [pytest.mark.media, pytest.mark.slow, pytest.mark.timeout(900)]

FRAMES = 4
LOOKS = st.integers(0, 1)
PATIENCE_S = 120.0


@pytest.fixture(scope="module", autouse=True)
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """FRAMES frames of 64x48."""
    Ahead.film = tmp_path_factory.mktemp("film") / "film.mkv"
    with av.open(str(Ahead.film), "w") as container:
        stream = container.add_stream("ffv1", rate=25)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        for number in range(FRAMES):
            frame = av.VideoFrame.from_ndarray(np.full((48, 64, 3), 40 * number + 40, np.uint8), "rgb24")
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return Ahead.film


class Ahead(RuleBasedStateMachine):
    """Model of painting ahead: the wanted look, whether painting is held, and a kill since.

    In the end all frames are ready, bit for bit as ever. After a kill the look is given up until it is wanted again.
    """

    film: Path
    known: dict[int, list[Frame]] = {}  # noqa: RUF012 - the frames of each look, as they were painted first

    @initialize()
    def begin(self) -> None:
        self.work = tempfile.TemporaryDirectory()
        self.folder = Path(self.work.name) / "renders"
        self.cache = RenderCache(64 << 20)
        self.told: list[object] = []
        self.renderer = Renderer(self.cache, self.told.append, lambda _: None, RenderStore(self.folder, 64 << 20))
        self.look: int | None = None
        self.killed = False
        with Reader(self.film) as reader:
            self.info = reader.info
        self.device = next(info for info in list_devices() if info.kind == "cpu")

    def teardown(self) -> None:
        if hasattr(self, "renderer"):
            self.renderer.close()
            self.renderer.close()
            assert not self.renderer.thread.is_alive()
            self.work.cleanup()

    def wanted(self, look: int) -> Wanted:
        spec = JobSpec(str(self.film), "out.mkv", Recipe(StyleSpec("ink"), Look(strength=1 - look / 2)))
        return Wanted(spec, self.info, 1, self.device, "ink", ())

    def wait(self, until: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE_S
        while not until():
            time.sleep(0.005)
            assert self.renderer.thread.is_alive(), "nothing is painted ahead any more"
            assert time.monotonic() < end, "waited in vain"

    def ready(self) -> list[Frame]:
        found = [self.renderer.get(number) for number in range(FRAMES)]
        return [painted.frame for painted in found if painted is not None]

    @rule(look=LOOKS)
    def use(self, look: int) -> None:
        self.killed &= look == self.look
        self.look = look
        self.renderer.use(self.wanted(look))

    @rule()
    def use_nothing(self) -> None:
        self.look, self.killed = None, False
        self.renderer.use(None)

    @rule(here=st.integers(0, FRAMES - 1))
    def follow(self, here: int) -> None:
        self.renderer.follow(Course(here, 0, FRAMES))

    @rule(on=st.booleans())
    def hold(self, on: bool) -> None:
        self.renderer.hold(on)

    @rule()
    def clear(self) -> None:
        self.renderer.clear()

    @rule(limit=st.sampled_from([0, 1, 64 << 20]))
    def limit(self, limit: int) -> None:
        self.renderer.limit_disk(limit)

    @rule()
    def spoil_the_disk(self) -> None:
        """Put folders, which cannot be deleted as files, in the places of frames."""
        for folder in self.folder.glob("*"):
            (folder / "0_0_1.frame").mkdir(exist_ok=True)

    @rule()
    def take_the_disk(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    @rule(look=LOOKS)
    def kill(self, look: int) -> None:
        """While it paints, or has just painted."""
        self.hold(False)
        self.use(look)
        asked = painter_of(self.renderer)
        self.wait(lambda: asked.child is not None or len(self.ready()) == FRAMES)
        if asked.child is not None:
            self.killed = True
            asked.child.kill()

    @rule(look=LOOKS)
    def settle(self, look: int) -> None:
        self.hold(False)
        if self.look is None:
            self.use(look)
        rendering = rendering_of(self.renderer)
        assert self.look is not None
        self.wait(lambda: rendering.failed or len(self.ready()) == FRAMES)
        event("failed" if rendering.failed else "ready")
        if rendering.failed:
            assert self.killed, self.told[-1].details[-900:] if self.told else ""
            self.renderer.use(None)
            self.renderer.use(self.wanted(self.look))
            self.killed = False
            self.wait(lambda: len(self.ready()) == FRAMES)
        for own, first in zip(self.ready(), self.known.setdefault(self.look, self.ready()), strict=True):
            for plane, other in zip(own.planes, first.planes, strict=True):
                np.testing.assert_array_equal(plane, other)

    @invariant()
    def it_goes_on(self) -> None:
        if hasattr(self, "renderer"):
            assert self.renderer.thread.is_alive()
            assert self.look is not None or self.ready() == []


TestAhead = Ahead.TestCase
TestAhead.settings = settings(max_examples=8, stateful_step_count=12)
