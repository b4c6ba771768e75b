"""The user's current settings as one record."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from framebrush.base.json_values import INLINE
from framebrush.jobs.project import Marker
from framebrush.jobs.recipe import HoldsRecipe, Recipe
from framebrush.playback.events import InOutChanged
from framebrush.styles.keys_folder import names_keys
from framebrush.styles.specs import StyleSpec
from framebrush.styles.style_names import PASSTHROUGH
from framebrush.subject.corrections import Stroke

UNMARKED = InOutChanged()
NO_STYLE = Recipe(StyleSpec(PASSTHROUGH))


@dataclass(frozen=True, slots=True)
class Choice(HoldsRecipe):
    """Current settings: a recipe for a film on a device.

    Attributes:
        film: as for `open_frame_source`; "" if none is open or it cannot have keyframes.
        recipe: keyframes for other networks' paintings are inactive.
        painted: numbers of the painted frames, and names of their pictures.
        corrections: strokes that correct masks; the recipe names their file.
    """

    film: str = ""
    recipe: Recipe = field(default=NO_STYLE, metadata=INLINE)
    painted: tuple[tuple[int, str], ...] = ()
    markers: tuple[Marker, ...] = ()
    corrections: tuple[Stroke, ...] = ()
    range: InOutChanged = UNMARKED
    device: str = "auto"

    def at(self, number: int) -> Choice:
        """Return the settings with keyframes evaluated at a frame."""
        return replace(self, recipe=self.recipe.at(number))

    def in_look(self, look: Recipe) -> Choice:
        """Return the settings in a look, keeping divider, keyframes and sizes."""
        named = replace(look, style=StyleSpec(look.style.name))  # the player opens styles by name alone
        return replace(self, recipe=self.recipe.in_look_of(named))

    def corrected(self, corrections: tuple[Stroke, ...], file: str | None) -> Choice:
        """Replace the mask corrections and their file."""
        sizes = replace(self.sizes, mask_corrections=file)
        return replace(self, recipe=replace(self.recipe, sizes=sizes), corrections=corrections)

    def corrected_as(self, other: Choice) -> Choice:
        """Use another choice's mask corrections."""
        return self.corrected(other.corrections, other.sizes.mask_corrections)

    def back_at(self, former: Choice) -> Choice:
        """Return the settings after undoing all steps since a former choice.

        Keyframes, painted frames, markers and painted style of another film stay.
        """
        back = self.in_look(former.recipe)
        if former.film != self.film:
            is_painted = names_keys(former.style.name)
            return replace(back, recipe=replace(back.recipe, style=self.style)) if is_painted else back
        back = replace(back, painted=former.painted, markers=former.markers)
        back = replace(back, recipe=replace(back.recipe, keys=former.keys))
        return back.corrected_as(former)
