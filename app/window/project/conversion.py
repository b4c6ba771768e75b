"""Projects from settings, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from framebrush.jobs.identity import SourceIdentity
from framebrush.jobs.keyframes import Track
from framebrush.jobs.project import TARGET, Project
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.spec import DecodeOptions, JobSpec
from framebrush.media.video import Position
from framebrush.playback.events import InOutChanged, InOutPoint
from framebrush.window.state.current_settings import Choice


def project_of(
    film: Path,
    identity: SourceIdentity | None,
    choice: Choice,
    active: tuple[Track, ...],
    exported: JobSpec | None,
    delays_ms: Mapping[str, int],
) -> Project:
    """Return a project. active: keyframes in effect. exported: last export."""
    sizes = choice.sizes if exported is None else choice.sizes.sized_by(exported.sizes)
    first, last = choice.range.first, choice.range.last
    recipe = replace(choice.recipe, keys=active, sizes=sizes, look=choice.look.undivided)
    job = JobSpec(str(film), TARGET, recipe, choice.range.span)
    if exported is not None:
        job = replace(
            job,
            target=exported.target,
            decode=DecodeOptions(exported.decode.deinterlace),
            output=exported.output,
            statistics=exported.statistics,
        )
    return Project(
        job,
        identity,
        tuple(track for track in choice.keys if track not in active),
        (None if first is None else first.time_s, None if last is None else last.time_s),
        delays_ms["sound"],
        delays_ms["subtitles"],
        choice.markers,
    )


def choice_of(project: Project, recipe: Recipe, now: Choice) -> Choice:
    """Return a project's settings. recipe: the project's."""
    worn = now.in_look(recipe)
    keyed = replace(worn.recipe, keys=project.keys)
    return replace(worn, recipe=keyed, range=_marked(project), markers=project.markers)


def _marked(project: Project) -> InOutChanged:
    (first_s, last_s), span = project.points_s, project.job.range

    def mark(place: Position | None, time_s: float | None, back: int) -> InOutPoint | None:
        if place is None or place.unit != "frame":
            return None
        return InOutPoint(max(0, int(place.value) - back), time_s or 0.0)

    return InOutChanged(mark(span.start, first_s, 0), mark(span.end, last_s, 1))
