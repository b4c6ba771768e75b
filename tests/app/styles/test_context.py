"""Neighbouring frames that a range needs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from framebrush.gpu.look import Look
from framebrush.gpu.stages.strokes import WARM_UP_FRAMES
from framebrush.gpu.temporal_window import CENTRED, NO_WINDOW, PAST_ONE, PAST_ONLY, TemporalWindow
from framebrush.models.style import ModelCard
from framebrush.styles.passthrough import passthrough_style
from framebrush.styles.specs import SUBJECT, SizeSpec
from framebrush.styles.style_names import context_for, window_for
from framebrush.subject.film_masks import context_frames
from framebrush.subject.networks import Area
from tests import networks

pytestmark = pytest.mark.unit

PAINTER = replace(networks.identity().card, brush=1.0)
PLAIN = passthrough_style().card


@pytest.mark.parametrize(
    ("card", "look", "file", "live"),
    [
        (PAINTER, Look(), CENTRED, PAST_ONLY),
        (PAINTER, Look(steady=0.0), PAST_ONE, PAST_ONE),
        (PAINTER, Look(steady=0.0, brush=0.0), NO_WINDOW, NO_WINDOW),
        (PAINTER, Look(brush=0.0), CENTRED, PAST_ONLY),
        (PLAIN, Look(brush=0.5), PAST_ONE, PAST_ONE),
        (PLAIN, Look(steady=1.0), NO_WINDOW, NO_WINDOW),
    ],
)
def test_a_style_with_strokes_needs_the_frame_before(
    card: ModelCard, look: Look, file: TemporalWindow, live: TemporalWindow
) -> None:
    assert (window_for(card, look), window_for(card, look, live=True)) == (file, live)


@pytest.mark.parametrize(
    ("card", "look", "context"),
    [
        (PAINTER, Look(faces=0.0), TemporalWindow(WARM_UP_FRAMES, 2)),
        (PAINTER, Look(), TemporalWindow(WARM_UP_FRAMES + context_frames(None), 2)),
        (PAINTER, Look(steady=0.0), TemporalWindow(WARM_UP_FRAMES + context_frames(None), 0)),
        (PAINTER, Look(brush=0.0, faces=0.0), CENTRED),
        (PAINTER, Look(brush=0.0), TemporalWindow(CENTRED.before + context_frames(None), CENTRED.after)),
        (PLAIN, Look(brush=0.5), TemporalWindow(WARM_UP_FRAMES, 0)),
        (PLAIN, Look(film_inside=1.0), TemporalWindow(context_frames(Area.PEOPLE), 0)),
        (PLAIN, Look(), NO_WINDOW),
    ],
)
def test_strokes_of_a_range_are_those_that_were_carried_to_it(
    card: ModelCard, look: Look, context: TemporalWindow
) -> None:
    assert context_for(card, look) == context


def test_the_subject_is_looked_for_further_back() -> None:
    look = Look(film_inside=1.0)
    assert context_for(PLAIN, look, SizeSpec(mask=SUBJECT)) == TemporalWindow(context_frames(Area.SUBJECT), 0)
    assert context_for(PLAIN, Look(), SizeSpec(mask=SUBJECT)) == NO_WINDOW
