"""What a person has chosen, as one record."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction

from framebrush.gpu.stages.look import Look
from framebrush.jobs.look_keys import STYLE, LookOverTime, Track, stroke_of
from framebrush.jobs.saved_look import SavedLook
from framebrush.playback.events import Marked
from framebrush.styles.names import PLAIN
from framebrush.styles.specs import OWN_COLOURS, SOURCE_SIZE, ColourSpec, SizeSpec, StyleSpec

UNMARKED = Marked(None, None)


@dataclass(frozen=True, slots=True)
class Choice:
    """film: what is open, as `open_frame_source` takes it; "" where that can have no keys, or nothing is open. style:
    with the weights of its paintings, as for the command line. look: without weights, with the divider. keys: of the
    film, those of other networks' paintings too, which wait for one of these. painted: the painted frames of the film,
    and by which names their pictures are known. range: the marks. device: as for `open_device`."""

    film: str = ""
    style: str = PLAIN
    look: Look = field(default_factory=Look)
    sizes: SizeSpec = SOURCE_SIZE
    colours: ColourSpec = OWN_COLOURS
    keys: tuple[Track, ...] = ()
    painted: tuple[tuple[int, str], ...] = ()
    range: Marked = UNMARKED
    device: str = "auto"

    @property
    def saved(self) -> SavedLook:
        """What of it goes into the file of a look."""
        return SavedLook.of(StyleSpec(self.style), self.look, self.sizes, self.colours)

    def at(self, number: int) -> Choice:
        """As it is for one frame, by its keys of numbers and strokes."""
        numbers = tuple(track for track in self.keys if track.of != STYLE)
        look, stroke = LookOverTime(self.look, numbers).at(number, Fraction()), stroke_of(self.keys, number, Fraction())
        return replace(self, look=look, sizes=self.sizes if stroke is None else replace(self.sizes, stroke=stroke))

    def in_look(self, look: SavedLook) -> Choice:
        """In a look of a file. The divider and the size of the result stay."""
        sizes = replace(look.sizes, size=self.sizes.size, max_size=self.sizes.max_size)
        shown = replace(look.look, split=self.look.split)
        return replace(self, style=look.style.name, look=shown, sizes=sizes, colours=look.colours)

    def back_at(self, former: Choice) -> Choice:
        """After what led here from a former choice was undone. Keys and painted frames of another film stay out."""
        back = self.in_look(former.saved)
        return replace(back, keys=former.keys, painted=former.painted) if former.film == self.film else back
