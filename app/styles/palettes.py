"""Palettes: colours of pictures, or the film's own."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from framebrush.analysis.to_rgb import Picture, nearest, painted, small
from framebrush.models.colours.colour_table import COMMON_GRID, ColourTable, mix
from framebrush.models.colours.oklab import Floats
from framebrush.models.colours.palette import palette, sample
from framebrush.models.style import Style, StyleError
from framebrush.styles.cube import CubeError, read_cube
from framebrush.styles.passthrough import passthrough_style
from framebrush.styles.reference_pictures import OpenedPicture, is_picture, open_picture, shows_nothing
from framebrush.styles.specs import FILM, ColourSpec
from framebrush.styles.style_folder import StyleFolder


@dataclass(frozen=True, eq=False, slots=True)
class Palette:
    """Target colours: (N, 3) of each picture, weights of sum 1. Empty: the film's."""

    pictures: tuple[tuple[Floats, float], ...] = ()
    title: str = ""

    @property
    def is_films(self) -> bool:
        return not self.pictures

    def table(self, film: Floats, own: Floats | None = None) -> ColourTable:
        """Return the table for a styled film's colours (N, 3).

        own: source colours, for the film's palette.
        """
        if shows_nothing(film):
            return replace(ColourTable.identity(COMMON_GRID), title=self.title)
        if self.is_films:
            assert own is not None
            return palette(film, own, title=self.title)
        tables = [palette(film, colours) for colours, _ in self.pictures]
        return replace(mix(tables, [weight for _, weight in self.pictures]), title=self.title)

    def coloured(self, style: Style, film: Floats, own: Floats | None = None) -> Style:
        """Return the style with this table first."""
        table = self.table(film, own)
        return replace(style, after=table.then(style.after) if style.after else table)

    @property
    def digest(self) -> str:
        found = hashlib.sha256()
        for colours, weight in self.pictures:
            found.update(f"{colours.shape} {weight!r}".encode())
            found.update(colours.astype("<f4").tobytes())
        return found.hexdigest()


def palette_of(pictures: Sequence[tuple[OpenedPicture, float]]) -> Palette:
    """Return pictures' palette, by weights of sum 1."""
    title = ", ".join(picture.name for picture, _ in pictures)
    return Palette(tuple((picture.colours, weight) for picture, weight in pictures), title)


def with_colours(style: Style, of_style: Palette | None, asked: ColourSpec) -> tuple[Style, Palette | None, list[str]]:
    """Add a job's colour tables; return style, remaining palette, messages. Raises StyleError."""
    chosen, notes = of_style, list[str]()
    if asked.palette == FILM:
        chosen = Palette(title=FILM) if style.card.paints else None  # unpainted film already has its own colours
    elif asked.palette is not None:
        picture = _named(asked.palette, "--palette", "a picture, film.mp4@12.5, one of your own styles, or film")
        chosen, notes = palette_of([(picture, 1.0)]), [*picture.notes]
    if asked.lut is not None:
        try:
            table = read_cube(Path(asked.lut))
        except CubeError as error:
            raise StyleError(str(error)) from None
        style = replace(style, before=table) if asked.lut_first else replace(style, after=table)
    if asked.palette_from is None:
        return style, chosen, notes
    if chosen is None:
        raise StyleError(
            "no picture gives colours for the frame", do="--palette-from needs one as the style, or --palette"
        )
    film = _named(asked.palette_from, "--palette-from", "a picture, or a frame as film.mp4@12.5")
    unpainted = replace(passthrough_style(), before=style.before)
    pictures = list(painted(unpainted, [reduced(film.rgb)]))
    colours, own = film_colours(style, chosen, pictures)
    if shows_nothing(colours):
        notes.append(f"{asked.palette_from} shows one colour: no others are fitted to it, and the film keeps its own")
    return chosen.coloured(style, colours, own), None, notes


def _named(text: str, option: str, allowed: str) -> OpenedPicture:
    if is_picture(text):
        return open_picture(text)
    for own in StyleFolder():
        if own.is_picture and own.name.casefold() == text.casefold():
            return open_picture(str(own.path))
    raise StyleError(f"{text} is no picture and no style of your own", do=f"{option} takes {allowed}")


def film_colours(style: Style, palette: Palette, pictures: Sequence[Picture]) -> tuple[Floats, Floats | None]:
    """Return the styled film's colours (N, 3), and if needed the source's.

    pictures: frames (H, W, 3), after the source's table. Raises DeviceError.
    """
    own = sample_of(pictures)
    if not style.card.paints:
        return own, None
    colours = sample_of(list(painted(replace(style, before=None), pictures)))
    return colours, own if palette.is_films else None


def reduced(picture: Picture) -> Picture:
    """Scale a picture (H, W, 3) to at most AUTO_LINES."""
    height, width = picture.shape[:2]
    return nearest(picture, small((width, height)))


def sample_of(pictures: Sequence[Picture]) -> Floats:
    """Sample colours (N, 3) from pictures (H, W, 3) uint8."""
    return sample(picture.astype(np.float32) / np.float32(255) for picture in pictures)
