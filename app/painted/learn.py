"""Training of a style from painted frames, one network per shot, with PyTorch.

Networks are written every few seconds, for interruptions.
"""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from math import ceil
from pathlib import Path
from typing import Literal

import numpy as np
import torch
from torch import Tensor

from framebrush.analysis.to_rgb import Picture
from framebrush.base.files import write_whole
from framebrush.base.remedy import ImpossibleError
from framebrush.base.text import count_of, first_line
from framebrush.gpu.sizes import plan_sizes
from framebrush.jobs.identity import SourceIdentity
from framebrush.jobs.still import encoded
from framebrush.jobs.transcode import OnMessage, ignore
from framebrush.media.disk import disk_error
from framebrush.media.reading.orientation import lying
from framebrush.media.video import PLAIN_FILE, InputError
from framebrush.models.colours.oklab import Floats
from framebrush.models.float16 import measured
from framebrush.models.style import PAINTED_BRUSH, PAINTED_RELIEF, ModelCard, PaintedShot
from framebrush.models.training import start
from framebrush.models.training.cli import is_memory_short, usable
from framebrush.models.training.export import to_onnx
from framebrush.models.training.painter_network import STRIDE, Weights
from framebrush.models.training.shot import SHAPE, Learner, Pairs, ShotPainter, fitting
from framebrush.painted.extract import Shown, frames_of, look_for_shots
from framebrush.painted.painted_folder import Manifest, PaintedFolder, ShotFacts, digest
from framebrush.painted.painted_pictures import (
    CONTRADICTED,
    RELATED,
    colours,
    contradiction,
    fitted,
    read_painted,
    relation,
)

FIRST_S, KEPT_S = 2.0, 5.0
"""Seconds of training before a shot's first preview, and between previews."""

ENOUGH_STEPS = 5_000
"""Maximum training steps per painted frame. Beyond it the network overfits: distant frames get worse and all frames
flicker more (models/README.md).
"""

TOLD_S = 0.5
"""Seconds between progress reports. Reading the loss waits for the device."""


class UnrelatedError(InputError):
    """Picture that does not resemble the frame."""

    def __init__(self, path: Path, number: int) -> None:
        super().__init__(
            f"{path}: does not look like a painting of frame {number}: its edges are elsewhere; check that it is the "
            "picture of that frame",
            do="or add --insist",
        )
        self.path, self.number = path, number


Finish = Callable[[Picture, Picture], Picture]
"""Converts a painted frame, given the film's frame (both (H, W, 3)), to the preview shown to the user."""

Others = Literal["nearest", "film"]
"""Treatment of shots without painted frames: use the most similar shot's network, or keep the film unpainted."""


@dataclass(frozen=True, slots=True)
class Key:
    """Painted frame. film, painted: (H, W, 3) uint8, network's size."""

    number: int
    film: Picture
    painted: Picture


@dataclass(frozen=True, slots=True)
class Report:
    """Training progress. shot: index of trained shots. done: share. loss: per pixel."""

    shot: int
    shots: int
    step: int
    done: float
    loss: float


@dataclass(frozen=True, slots=True)
class Course:
    """Training budget per shot. steps: instead of time_s, for reproducible networks."""

    time_s: float = 60.0
    steps: int | None = None
    seed: int = 0
    device: str = ""
    restart: bool = False

    def done(self, step: int, elapsed_s: float, painted: int) -> float:
        """Return the share of a shot's training. painted: its frames."""
        if self.steps is not None:
            return step / self.steps
        return max(elapsed_s / self.time_s, step / (ENOUGH_STEPS * painted))


def learn(
    film: Path,
    folder: PaintedFolder,
    course: Course,
    *,
    only: Sequence[int] | None = None,
    others: Others = "nearest",
    insist: bool = False,
    say: OnMessage = ignore,
    on_begin: OnMessage = ignore,
    on_progress: Callable[[Report], None] = lambda _: None,
    on_preview: Callable[[Path], None] = lambda _: None,
    finish: Finish = lambda painting, _: painting,
    check: Callable[[], None] = lambda: None,
    on_unrelated: Callable[[UnrelatedError], None] | None = None,
) -> None:
    """Learn from a film's painted frames, and write the style into the folder.

    Args:
        only: frames that name the shots to train, in this order; other networks stay. Default: all.
        insist: accept pictures, now and later, that look like paintings of other frames.
        on_begin: receives a description of the work.
        on_preview: called with each preview of a shot's first painted frame.
        finish: converts the preview for users.
        check: called after every step. An exception stops training; the next call resumes.
        on_unrelated: receives errors of skipped pictures. Default: raise.

    Raises: InputError, OutputError, ValueError for an unusable device.
    """
    look_for_shots(film, folder, say, lambda *_: check())
    place = usable(course.device)
    manifest, painted = _painted_frames(film, folder, say, insist=insist)
    try:
        with frames_of(film) as shown:
            keys_read = list(_related(shown, painted, manifest, on_unrelated))
            if not keys_read:
                return
            by_shot = _by_shot(manifest, keys_read)
            likest = _likest(shown, manifest, by_shot) if others == "nearest" else {}
        for keys in by_shot.values():
            _tell_contradictions(keys, painted, say)
        kept = _Kept(folder, manifest, film, by_shot, likest, finish, on_preview)
        pictures, of_shots = count_of(len(painted), "painted frame"), count_of(len(by_shot), "shot")
        on_begin(f"learning on {place} from {pictures} of {of_shots}")
        asked = by_shot if only is None else [shot for shot in map(manifest.shot_of, only) if shot in by_shot]
        shots = list(dict.fromkeys(asked))
        if not shots:
            kept.write_style()
        for index, shot in enumerate(shots):
            begin = None if course.restart else kept.state_of(shot, say)
            learner = Learner(_pairs(by_shot[shot], place), begin or start.load("shot"), seed=course.seed)
            _learn(learner, shot, course, kept, partial(_report, on_progress, index, len(shots)), check)
    except RuntimeError as error:
        if not is_memory_short(error):
            raise
        cause = f"{place} has too little memory; close other programs that use it"
        raise ImpossibleError(cause, do="or try --torch-device cpu") from error
    except OSError as error:
        raise disk_error(error, folder.path, f"writing to {folder.path} failed") from None


def _painted_frames(
    film: Path, folder: PaintedFolder, say: OnMessage, *, insist: bool
) -> tuple[Manifest, dict[int, Path]]:
    manifest = folder.read()
    if SourceIdentity.of(film, PLAIN_FILE).sha256 != manifest.film.sha256:
        say(f"{film} has changed since its frames were extracted, or is another film: paintings go by frame number")
    painted = folder.painted(manifest)
    if not painted:
        raise InputError(f"{folder.path}: no frame is painted yet; paint over the pictures in it, under their names")
    if insist:
        folder.insist(*painted.values())
    return folder.read() if insist else manifest, painted


def _related(
    shown: Shown, painted: Mapping[int, Path], manifest: Manifest, on_unrelated: Callable[[UnrelatedError], None] | None
) -> Iterator[Key]:
    for number, path in painted.items():
        try:
            yield _read(shown, number, path, manifest)
        except UnrelatedError as error:
            if on_unrelated is None:
                raise
            on_unrelated(error)


def _read(shown: Shown, number: int, path: Path, manifest: Manifest) -> Key:
    frame = shown.upright(number)
    picture = read_painted(path, frame)
    if relation(frame, picture) < RELATED and digest(path) not in manifest.insisted:
        raise UnrelatedError(path, number)
    info = shown.info
    size = plan_sizes(shown.sizes.source, ModelCard("", "", ("",))).working
    in_film = lying(picture, info.orientation)
    return Key(number, shown.rgb(number, size), fitted(in_film, size))


def _by_shot(manifest: Manifest, keys: Sequence[Key]) -> dict[ShotFacts, list[Key]]:
    found: dict[ShotFacts, list[Key]] = {}
    for key in sorted(keys, key=lambda key: key.number):
        found.setdefault(manifest.shot_of(key.number), []).append(key)
    return found


def _likest(shown: Shown, manifest: Manifest, by_shot: Mapping[ShotFacts, list[Key]]) -> dict[ShotFacts, ShotFacts]:
    """Map each unpainted shot to the painted shot of nearest colours."""
    theirs = {shot: [colours(key.film) for key in keys] for shot, keys in by_shot.items()}
    found = {}
    for shot in manifest.shots:
        if shot not in by_shot:
            own = colours(shown.rgb(shot.telling))

            def common(other: ShotFacts, own: Floats = own, shot: ShotFacts = shot) -> tuple[float, int]:
                most = max(float(np.minimum(own, each).sum()) for each in theirs[other])
                return most, -abs(other.first - shot.first)

            found[shot] = max(theirs, key=common)
    return found


def _tell_contradictions(keys: Sequence[Key], painted: Mapping[int, Path], say: OnMessage) -> None:
    for one, other in combinations(keys, 2):
        share = contradiction((one.film, one.painted), (other.film, other.painted))
        if share > CONTRADICTED:
            say(
                f"{painted[one.number].name} and {painted[other.number].name} contradict each other: {share:.0%} of "
                "the parts that look the same in both frames are painted differently, and become a mean of the two"
            )


def _pairs(keys: Sequence[Key], place: torch.device) -> Pairs:
    def stacked(pictures: Iterable[Picture]) -> Tensor:
        return fitting([torch.from_numpy(picture.transpose(2, 0, 1) / np.float32(255)) for picture in pictures])

    return Pairs(*(stacked(each).to(place) for each in ([k.film for k in keys], [k.painted for k in keys])))


def _report(on_progress: Callable[[Report], None], shot: int, shots: int, step: int, done: float, loss: float) -> None:
    if not np.isfinite(loss):
        raise ImpossibleError(f"training diverged at step {step}", do="try another --seed, or --restart")
    on_progress(Report(shot, shots, step, min(1.0, done), loss))


def _learn(
    learner: Learner,
    shot: ShotFacts,
    course: Course,
    kept: _Kept,
    report: Callable[[int, float, float], None],
    check: Callable[[], None],
) -> None:
    begun_s = time.monotonic()
    due_s, told_s = begun_s + FIRST_S, begun_s
    done = 0.0
    while done < 1.0:
        loss = learner.learn(done)
        now_s = time.monotonic()
        done = course.done(learner.step, now_s - begun_s, len(learner.pairs.film))
        if now_s - told_s >= TOLD_S or done >= 1.0:
            told_s = now_s
            report(learner.step, done, float(loss))
        if now_s >= due_s or done >= 1.0:
            kept.keep(shot, learner)
            due_s = time.monotonic() + KEPT_S
        try:
            check()
        except BaseException:
            kept.keep(shot, learner)
            raise


class _Kept:
    def __init__(
        self,
        folder: PaintedFolder,
        manifest: Manifest,
        film: Path,
        by_shot: Mapping[ShotFacts, list[Key]],
        likest: Mapping[ShotFacts, ShotFacts],
        finish: Finish,
        on_preview: Callable[[Path], None],
    ) -> None:
        self._folder, self._manifest, self._film = folder, manifest, film
        self._by_shot, self._likest, self._finish, self._on_preview = by_shot, likest, finish, on_preview
        self._networks: dict[ShotFacts, Weights] = {}
        for shot in by_shot:
            state = self.state_of(shot, lambda _: None)
            if state is not None:
                painter = ShotPainter()
                painter.load_state_dict(state)
                self._networks[shot] = painter.folded()

    def state_of(self, shot: ShotFacts, say: OnMessage) -> dict[str, Tensor] | None:
        file = self._folder.state(shot)
        try:
            state = start.read(file)
            ShotPainter().load_state_dict(state)
        except FileNotFoundError:
            return None
        except (ValueError, RuntimeError) as error:
            say(f"{file}: cannot be resumed from ({first_line(error)}): learning from the beginning")
            return None
        return state

    def keep(self, shot: ShotFacts, learner: Learner) -> None:
        state = io.BytesIO()
        start.save(learner.painter.state_dict(), state)
        write_whole(self._folder.state(shot), state.getvalue())
        self._networks[shot] = learner.painter.folded()
        self.write_style()
        self._show(shot, learner)

    def write_style(self) -> None:
        if self._networks:
            write_whole(self._folder.network, self._style())

    def _style(self) -> bytes:
        learnt = [shot for shot in self._by_shot if shot in self._networks]
        names = {shot: f"shot-{shot.first}" for shot in learnt}
        shots = tuple(
            PaintedShot(shot.first, names.get(self._likest.get(shot, shot), ""), shot.dissolve)
            for shot in self._manifest.shots
        )
        card = ModelCard(
            self._folder.network.stem,
            self._film.stem,
            tuple(names.values()),
            source=f"learnt from painted frames of {self._film.name}",
            speed="realtime",
            brush=PAINTED_BRUSH,
            relief=PAINTED_RELIEF,
            shots=shots,
            film=self._manifest.film.sha256,
        )
        networks = [self._networks[shot] for shot in learnt]
        model = to_onnx(SHAPE, networks, card).SerializeToString()
        codes = measured(model, STRIDE, None, len(names) if len(names) > 1 else 0)
        made = to_onnx(SHAPE, networks, replace(card, float16_codes=ceil(10 * codes) / 10))
        return bytes(made.SerializeToString())

    def _show(self, shot: ShotFacts, learner: Learner) -> None:
        film = self._by_shot[shot][0].film
        height, width = (side // STRIDE * STRIDE for side in film.shape[:2])
        pairs = learner.pairs.film[0][:, :height, :width]
        painting = (learner.painted(pairs) * 255).round().byte().permute(1, 2, 0).cpu().numpy()
        file = self._folder.preview(shot)
        write_whole(file, encoded(self._finish(painting, film[:height, :width]), "png", "rgb24"))
        self._on_preview(file)
