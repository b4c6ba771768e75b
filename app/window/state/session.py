"""A window's current settings and player."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from framebrush.jobs.keyframes import STYLE, Key, Track
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.spec import JobSpec
from framebrush.models.style import ModelCard
from framebrush.playback import events
from framebrush.playback.player import Player
from framebrush.styles.blends import blend, parts_of
from framebrush.styles.keys_folder import names_keys
from framebrush.styles.specs import ColourSpec, StyleSpec
from framebrush.styles.style_names import PASSTHROUGH
from framebrush.window.state.current_settings import Choice
from framebrush.window.state.player_events import PlayerEvents
from framebrush.window.state.seeks import Seeks
from framebrush.window.state.shown_state import ShownState
from framebrush.window.state.window_settings import Settings
from framebrush.window.widgets.debounce import Debounce

KEEP_MS = 500
"""How long the look must rest before it is remembered."""

NO_STYLE = ModelCard(PASSTHROUGH, "", (PASSTHROUGH,))
"""Used until a style is loaded."""


class Session(QObject):
    """Single source of truth for the current settings; the player follows.

    If the player refuses a style, the former one is chosen again.
    """

    notified = Signal(object)  # a Notification, for the message bar
    withdrawn = Signal(str)  # the text of a notification that is true no longer
    changed = Signal(object, object)  # the choice before, and now; the same where its style is read again
    film_changed = Signal(object)  # the current Opened, or None
    loaded = Signal()  # another style is in use, or the chosen one is, or is refused
    hurried = Signal()  # changes that wait until a slider rests must happen now: the choice is about to be read
    refused = Signal()  # the chosen style, or colours: those in use are the chosen ones again

    def __init__(self, player: Player, settings: Settings, choice: Choice, parent: QObject) -> None:
        super().__init__(parent)
        self.player, self.settings, self.choice = player, settings, choice
        self.opened: events.Opened | None = None
        self.project: Path | None = None
        """The file of the open film's project; None if it has none with a name."""
        self.shown_at = events.InOutPoint(0, 0.0)
        self.style_in_use: events.StyleInUse | None = None
        self.networks: frozenset[tuple[str, ...]] = frozenset()
        """The paintings of each network that is in the gallery."""
        self._painted_in = choice.style.name, choice.colours  # style and colours of the picture
        self._told: tuple[Track, ...] = ()  # the keys that the player has
        self._holds = False
        self._answered = 0  # the latest of the player's requests for a style to have been carried out
        self._keeping = Debounce(KEEP_MS, self.keep, self)
        self.events = PlayerEvents()
        on = self.events.on
        on(events.StyleInUse, self._take_style)
        on(events.StyleAnswered, self._take_answer)
        on(events.InOutChanged, lambda marked: self.choose(replace(self.choice, range=marked)))
        on(events.Opened, self._show_opened)
        on(events.Closed, lambda _: self._show_opened(None))
        on(events.Shown, self._take_shown)
        self.seeks = Seeks(player, self.events)
        self.shown = ShownState(player, self.events, self)

    def begin(self) -> None:
        """Start the player."""
        now = self.choice
        self.player.start(now.device, now.style.name, now.look, now.colours)

    # Current choice

    def choose(self, choice: Choice) -> None:
        """Use a choice, and request its style."""
        now = self.choice
        if choice != now:
            self._have(choice, asks=(choice.style, choice.colours) != (now.style, now.colours))

    def use_recipe(self, recipe: Recipe) -> None:
        """Use a recipe, and request its style."""
        self.choose(replace(self.choice, recipe=recipe))

    def use(self, **values: object) -> None:
        """Change options of the recipe by field."""
        self.use_recipe(self.choice.recipe.having(**values))

    def use_style(self, name: str, colours: ColourSpec | None = None) -> None:
        """Choose or reload a style, perhaps with weights in its name."""
        self._have(self._in_style(name, colours or self.choice.colours), asks=True)

    def _in_style(self, name: str, colours: ColourSpec) -> Choice:
        return replace(self.choice, recipe=replace(self.choice.recipe, style=StyleSpec(name), colours=colours))

    def blend(self, weights: tuple[float, ...]) -> None:
        """Change the weights of the current style's paintings."""
        if self.style_in_use is not None:
            style = self.style_in_use.full_name(weights)
            is_loaded = not self.awaits_style  # else it overtakes a style that is still being loaded
            if is_loaded:
                self._painted_in = style, self.choice.colours
                self._remember(style)
            self._have(self._in_style(style, self.choice.colours), asks=not is_loaded)
            self._tell_look()

    def _have(self, choice: Choice, *, asks: bool = False) -> None:
        before, self.choice = self.choice, choice
        if asks:
            self.player.use_style(choice.style.name, choice.colours)
        if choice.look != before.look:
            self._tell_look()
            self._keeping.start()
        self._tell_keys()
        self.changed.emit(before, choice)

    def flush_pending(self) -> None:
        """Apply debounced changes now, and remember the look."""
        self.hurried.emit()
        self.keep()

    def save_settings(self) -> None:
        """Remember the settings, and a style still loading."""
        self.flush_pending()
        if self.awaits_style:
            self._remember(self.choice.style.name)
            self.settings.colours = self.choice.colours

    def _remember(self, style: str) -> None:
        if not names_keys(style):
            self.settings.style = style

    def keep(self) -> None:
        """Remember the look. Style and colours are remembered once used."""
        self.settings.look = self.choice.look

    @property
    def at_current_frame(self) -> Choice:
        return self.choice.at(self.shown_at.number)

    @property
    def keys(self) -> tuple[Track, ...]:
        """Keyframes that the current style supports."""
        return tuple(
            track for track in self.choice.keys if track.of != STYLE or all(self.holds(key) for key in track.keys)
        )

    def holds(self, key: Key) -> bool:
        """Return whether the chosen style has a keyframe's paintings."""
        return parts_of(str(key.value)).keys() <= set(self.paintings)

    def style_at(self, number: int) -> str:
        """Return a frame's style, or "" without style keyframes."""
        for track in self.keys:
            if track.of == STYLE:
                former, following, share = track.surrounding(Fraction(number))
                return blend(str(former.value), str(following.value), share)
        return ""

    def job(self, source: str, target: str) -> JobSpec:
        """Make an export of a whole video.

        Keyframes are for the open film; other films are painted like the current frame.
        """
        self.hurried.emit()
        now = self.choice
        recipe = replace(now.recipe, look=now.look.undivided, keys=self.keys)
        if source != now.film:
            number = self.shown_at.number
            style = replace(recipe.style, name=self.style_at(number) or recipe.style.name)
            recipe = replace(recipe.at(number), style=style, keys=())
        return JobSpec(source, target, recipe, device=now.device, precision=self.shown.precision)

    def hold(self, on: bool) -> None:
        """Show the source while on."""
        self._holds = on
        self._tell_look()

    def _tell_look(self) -> None:
        look = self.choice.look
        self.player.use_look(look.source_only if self._holds else look, self.mix)
        self.shown.changed.emit()

    def _tell_keys(self) -> None:
        keys = self.keys
        if keys != self._told:
            self._told = keys
            self.player.use_keys(keys)
            self.shown.changed.emit()

    def tell_sizes(self) -> None:
        """Remember the chosen sizes, and request them."""
        self.settings.strokes = self.choice.sizes
        self.player.use_sizes(self.choice.sizes)
        self.shown.changed.emit()

    # The style in use

    @property
    def card(self) -> ModelCard:
        """Card of the style in use."""
        return self.style_in_use.card if self.style_in_use is not None else NO_STYLE

    @property
    def mix(self) -> tuple[float, ...]:
        """Chosen weights of the current style's paintings, () while another loads."""
        used = self.style_in_use
        if used is None or self.awaits_style:
            return ()
        if self.choice.style.name == used.name:
            return used.mix
        parts = parts_of(self.choice.style.name)
        return tuple(parts.get(painting, 0.0) / sum(parts.values()) for painting in used.card.paintings)

    @property
    def awaits_style(self) -> bool:
        """Whether the chosen style and colours are loading."""
        return self._answered != self.player.last_style

    @property
    def uses_chosen(self) -> bool:
        """Whether the chosen style is in use, even during a reload."""
        used, now = self.style_in_use, self.choice
        return used is not None and (
            not self.awaits_style or (used.name, used.colours) == (now.style.name, now.colours)
        )

    @property
    def paintings(self) -> tuple[str, ...]:
        """Paintings of the chosen style's network, () while unknown."""
        used = self.style_in_use.card.paintings if self.style_in_use and not self.card.shots else ()
        if not self.awaits_style:
            return used
        parts = set(parts_of(self.choice.style.name))
        return next((each for each in (used, *self.networks) if parts <= set(each)), ())

    def _take_style(self, used: events.StyleInUse) -> None:
        if used != self.style_in_use:
            self._painted_in = used.name, used.colours
        self.style_in_use = used
        self._remember(used.name)
        self._settle()

    def _take_answer(self, answer: events.StyleAnswered) -> None:
        self._answered, now, used = answer.number, self.choice, self.style_in_use
        if self.awaits_style or used is None:
            return
        is_used = (used.name, used.colours) == (now.style.name, now.colours)
        if is_used:
            self._painted_in = used.name, used.colours  # with the weights of its name again
        self._settle()
        if not is_used:
            self.refused.emit()

    def _settle(self) -> None:
        style, colours = self._painted_in
        if not self.awaits_style and (style, colours) != (self.choice.style.name, self.choice.colours):
            self._have(self._in_style(style, colours))
        self._tell_look()
        self._tell_keys()
        self.loaded.emit()

    # The film

    def _take_shown(self, shown: events.Shown) -> None:
        self.shown_at = shown.at

    def _show_opened(self, opened: events.Opened | None) -> None:
        self.opened, self.shown_at = opened, events.InOutPoint(0, 0.0)
        self.shown.sizes = None
        self.seeks.cancel()  # calls were meant for a frame of the former film
        self.film_changed.emit(opened)
