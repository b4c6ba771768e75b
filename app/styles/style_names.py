"""Styles by name: networks, files, pictures, and "none"."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from threading import Lock

from framebrush.analysis.to_rgb import Picture, ToRgb, small
from framebrush.base.files import FileState, file_state
from framebrush.gpu.frame import DeviceFrame, Frame
from framebrush.gpu.hidden_colours import without_hidden
from framebrush.gpu.look import Look
from framebrush.gpu.stages.strokes import WARM_UP_FRAMES
from framebrush.gpu.temporal_window import NO_WINDOW, PAST_ONE, TemporalWindow, window_of
from framebrush.models.library import Chosen
from framebrush.models.picture_strokes import USUAL_BREADTH, kind_of
from framebrush.models.preprocessing import PreprocessingOverrides
from framebrush.models.style import ModelCard, Style, StyleError
from framebrush.styles.keys_folder import names_keys, network_in
from framebrush.styles.palettes import Palette, film_colours, palette_of, with_colours
from framebrush.styles.passthrough import PASSTHROUGH as PASSTHROUGH
from framebrush.styles.passthrough import passthrough_style as passthrough_style
from framebrush.styles.reference_pictures import is_picture, open_picture
from framebrush.styles.specs import FAR, OWN_COLOURS, SOURCE_SIZE, SUBJECT, ColourSpec, SizeSpec
from framebrush.styles.style_folder import StyleFolder
from framebrush.subject.film_masks import context_frames
from framebrush.subject.networks import Area


@dataclass(frozen=True)
class OpenedStyle:
    """Style with messages. palette: tables that each shot needs."""

    style: Style
    notes: tuple[str, ...] = ()
    palette: Palette | None = None

    @cached_property
    def digest(self) -> str:
        """Return the SHA-256 of everything that affects pixels."""
        style = self.style
        tables = [table and table.digest for table in (style.before, style.after)]
        found = hashlib.sha256(style.model + repr(style.card).encode())
        if any(tables) or self.palette:
            found.update(f"{tables} {self.palette and self.palette.digest}".encode())
        if style.second is not None:
            found.update(style.second.model + repr(style.second.card).encode())
        return found.hexdigest()


def open_style(name: str, overrides: PreprocessingOverrides | None = None) -> OpenedStyle:
    """Open a style by name, path or blend; PLAIN for none. Raises StyleError.

    Pictures blend together, own styles with paintings of their network.
    """
    if name == PASSTHROUGH:
        return OpenedStyle(passthrough_style())
    from framebrush.models.blending import joined  # imported here: the window needs only the name "none"
    from framebrush.models.library import parse_style

    chosen = parse_style(name, {own.name: own.path for own in StyleFolder()} | _files_in(name))
    pictures = [is_picture(str(path)) for path in chosen.files]
    if any(pictures):
        if not all(pictures):
            raise StyleError(
                f"style {name!r}: pictures and networks do not blend",
                do="paint with the network, and give it the picture's colours with --palette",
            )
        return _of_pictures(chosen)
    styles = tuple(_loaded(path, file_state(path), overrides) for path in chosen.files)
    style = joined(styles) if len(styles) > 1 else styles[0]
    mix = chosen.mix([each.card for each in styles])
    return OpenedStyle(replace(style, mix=mix), tuple(filter(None, (chosen.remark, *style.card.notes))))


def in_colours(opened: OpenedStyle, asked: ColourSpec) -> OpenedStyle:
    """Add a job's colour tables and second style. Raises StyleError."""
    if asked == OWN_COLOURS:
        return opened
    style, palette, notes = with_colours(opened.style, opened.palette, asked)
    if asked.second is not None:
        second = open_style(asked.second)
        _check_second(opened, second)
        style, notes = replace(style, second=second.style), [*notes, *second.notes]
    return OpenedStyle(style, (*opened.notes, *notes), palette)


def fitting(opened: OpenedStyle, asked: ColourSpec) -> ColourSpec:
    """Return a job's colours, without an unfitting second style."""
    if asked.second is not None:
        try:
            _check_second(opened, open_style(asked.second))
        except StyleError:
            return replace(asked, second=None)
    return asked


def _check_second(first: OpenedStyle, second: OpenedStyle) -> None:
    for opened in (first, second):
        card = opened.style.card
        if not card.paints:
            raise StyleError(
                f"{card.title} has no network that paints, so it cannot be one of two styles of a frame",
                do="use "
                "--film-inside or --film-outside for the film's own colours, or --photo-inside or --photo-outside",
            )
        if card.scale != 1:
            raise StyleError(f"{card.title} enlarges the frame, so it cannot be one of two styles of a frame")
    if second.style.card.shots:
        raise StyleError(f"{second.style.card.title} was learnt for the shots of a film", do="use it with --style")


def coloured_by(opened: OpenedStyle, frame: Frame | DeviceFrame) -> Style:
    """Fit the style's palette to a film by one frame."""
    return opened.style if opened.palette is None else coloured(opened, [picture_of(opened, frame)])


def coloured(opened: OpenedStyle, pictures: Sequence[Picture]) -> Style:
    """Fit the style's palette to pictures of `picture_of`. Raises DeviceError."""
    assert opened.palette is not None
    return opened.palette.coloured(opened.style, *film_colours(opened.style, opened.palette, pictures))


def picture_of(opened: OpenedStyle, frame: Frame | DeviceFrame) -> Picture:
    """Return a small picture (H, W, 3) for palettes. Raises DeviceError."""
    frame = without_hidden(frame) if isinstance(frame, Frame) else frame
    with ExitStack() as stack:
        style = replace(passthrough_style(), before=opened.style.before)
        return ToRgb(stack, frame.format, small(frame.format.size), style)(frame)


def _files_in(text: str) -> dict[str, Path]:
    parts = [part.strip() for part in text.split(",")]
    names = [*parts, *(part.rpartition(":")[0].strip() for part in parts)]
    if os.path.exists(text):  # noqa: PTH110 - takes any text
        names = [text]  # a name with a comma
    networks = {name: network_in(Path(name)) for name in names if names_keys(name)}
    return {name: Path(name) for name in names if is_picture(name)} | networks


def _of_pictures(chosen: Chosen) -> OpenedStyle:
    pictures = [(open_picture(str(path)), sum(weights.values()) or 1.0) for path, weights in chosen.files.items()]
    strokes = [(picture.strokes, weight) for picture, weight in pictures]
    jitter = _mean((one.jitter, weight) for one, weight in strokes)
    palette = palette_of(pictures)
    plain = passthrough_style()
    card = replace(
        plain.card,
        name=palette.title,
        title=palette.title,
        paintings=(palette.title,),
        brush=_mean((one.brush, weight) for one, weight in strokes),
        relief=_mean((one.relief, weight) for one, weight in strokes),
        canvas=_mean((one.canvas, weight) for one, weight in strokes),
        stroke=min(2.0, max(0.5, _mean((one.breadth / USUAL_BREADTH, weight) for one, weight in strokes))),
        brush_kind=kind_of(length=_mean((one.length, weight) for one, weight in strokes), jitter=jitter),
        notes=tuple(note for picture, _ in pictures for note in picture.notes),
    )
    notes = tuple(filter(None, (chosen.remark, *card.notes)))
    return OpenedStyle(replace(plain, card=card), notes, palette)


def _mean(values: Iterable[tuple[float, float]]) -> float:
    return round(min(sum(value * weight for value, weight in values), 8.0), 3)


def has_strokes(card: ModelCard, look: Look) -> bool:
    return bool(look.of(card).brush)


def window_for(card: ModelCard, look: Look, *, live: bool = False) -> TemporalWindow:
    """Return the neighbours that style and look need. live: without waiting."""
    window = window_of(look, live=live) if card.paints else NO_WINDOW
    return PAST_ONE if window.alone and has_strokes(card, look) else window


def area_of(sizes: SizeSpec, look: Look) -> Area | None:
    """Return the area to find for a look."""
    if not look.needs_area:
        return None
    return {None: Area.PEOPLE, SUBJECT: Area.SUBJECT, FAR: Area.FAR}.get(sizes.mask)


def needs_far(sizes: SizeSpec, look: Look) -> bool:
    """Return whether a look needs a mask of distance."""
    return bool(look.focus) and area_of(sizes, look) is not Area.FAR


def context_for(card: ModelCard, look: Look, sizes: SizeSpec = SOURCE_SIZE) -> TemporalWindow:
    """Return the context by which a range equals the film."""
    look = look.of(card)
    window = window_for(card, look)
    before = max(window.before, WARM_UP_FRAMES) if has_strokes(card, look) else window.before
    masks = context_frames(area_of(sizes, look)) if look.needs_masks else 0
    return TemporalWindow(before + masks, window.after)


def weights_of(name: str, card: ModelCard) -> tuple[float, ...]:
    """Return a network's weights of paintings in a name. Raises StyleError."""
    opened = open_style(name)
    paintings = opened.style.card.paintings
    asked = dict(zip(paintings, opened.style.mix or (1.0,) * len(paintings[:1]), strict=False))
    missing = [painting for painting, weight in asked.items() if weight and painting not in card.paintings]
    if missing or len(card.paintings) < 2:
        raise StyleError(
            f"{', '.join(missing) or name} is no painting of {card.title}; keyframes of a style are paintings of one "
            "network"
        )
    return tuple(asked.get(painting, 0.0) for painting in card.paintings)


def default_style() -> str:
    """Return the default style's name."""
    from framebrush.models.library import DEFAULT

    return DEFAULT


_loading: dict[Path, Lock] = {}
"""Lock per style file, held while it is read."""


def _loaded(path: Path, state: FileState, overrides: PreprocessingOverrides | None) -> Style:
    with _loading.setdefault(path, Lock()):
        return _read(path, state, overrides)


@lru_cache(maxsize=4)
def _read(path: Path, state: FileState, overrides: PreprocessingOverrides | None) -> Style:
    from framebrush.models.reading.load import load_style

    return load_style(path, overrides=overrides)
