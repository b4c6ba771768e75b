"""First settings of a window."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from framebrush.jobs.recipe import Recipe
from framebrush.styles.specs import SOURCE_SIZE, ColourSpec, SizeSpec, StyleSpec
from framebrush.styles.style_names import default_style
from framebrush.window.project.restore_point import RestorePoint
from framebrush.window.state.current_settings import Choice
from framebrush.window.state.window_settings import Settings


@dataclass(frozen=True, slots=True)
class Launch:
    """Options of a start; "" and None stand for remembered values.

    Attributes:
        back_at: position and look after a crash.
    """

    device: str = ""
    style: str = ""
    sizes: SizeSpec = SOURCE_SIZE
    colours: ColourSpec | None = None
    source: str | None = None
    back_at: RestorePoint | None = None

    @classmethod
    def after_crash(cls, back_at: RestorePoint) -> Launch:
        """Return a restart on the CPU."""  # another device may have ended the former window
        chosen = back_at.choice
        source = back_at.project or back_at.source
        return cls("cpu", chosen.style.name, chosen.sizes, chosen.colours, source, back_at)

    def choice(self, settings: Settings) -> Choice:
        """Return the first choice."""
        recipe = Recipe(
            StyleSpec(self.style or settings.style or default_style()),
            settings.look if self.back_at is None else self.back_at.choice.look,
            self.sizes if self.sizes != SOURCE_SIZE else settings.strokes,
            settings.colours if self.colours is None else self.colours,
        )
        return Choice(recipe=recipe, device=self.device or settings.device)

    def over(self, project: Recipe) -> Recipe:
        """Return a project's recipe with these options."""
        return replace(
            project,
            style=StyleSpec(self.style) if self.style else project.style,
            sizes=self.sizes if self.sizes != SOURCE_SIZE else project.sizes,
            colours=project.colours if self.colours is None else self.colours,
        )

    def begins_with(self, endings: tuple[str, ...]) -> bool:
        """Return whether the source has one of these endings."""
        return self.source is not None and Path(self.source).suffix.lower() in endings
