"""The state that the parts of a window share: settings, player, the open video, and how it is painted."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from framebrush.gpu.stages.look import Look
from framebrush.models.style import Precision
from framebrush.playback import events
from framebrush.playback.player import Player
from framebrush.styles.names import PLAIN
from framebrush.styles.specs import ColourSpec
from framebrush.window.settings import Settings
from framebrush.window.styles.catalog import parts_of


class Session(QObject):
    """The window stores here what the player last reported, and its parts read it. What is asked for in the window is
    what is chosen here: what the player reports, such as the style in use, follows later, or never."""

    notified = Signal(object)  # a Notification, for the message bar
    style_chosen = Signal()  # another style, or other colours

    def __init__(self, player: Player, settings: Settings, parent: QObject) -> None:
        super().__init__(parent)
        self.player, self.settings = player, settings
        self.opened: events.Opened | None = None
        self.shown_at = events.Mark(0, 0.0)
        self.marks = events.Marked(None, None)
        self.style_in_use: events.StyleInUse | None = None
        self.mix: tuple[float, ...] = ()
        """The chosen weights of the style in use."""
        self.networks: frozenset[tuple[str, ...]] = frozenset()
        """The paintings of each network whose paintings are in the gallery."""
        self.precision: Precision = "auto"  # the current one
        self._asked: events.StyleAnswered | None = None  # the answer to the latest choice, until it comes
        self._there = 0  # the latest of the player's calls to have been carried out
        self._later: dict[object, Callable[[], None]] = {}

    # The style and its colours

    @property
    def chosen_style(self) -> str:
        """The style that was chosen last, with its weights, as for the command line; it may not be in use yet."""
        if self._asked is not None:
            return self._asked.name
        return self.style_in_use.full_name(self.mix) if self.style_in_use else PLAIN

    @property
    def chosen_colours(self) -> ColourSpec:
        """The colours that were chosen last."""
        if self._asked is not None:
            return self._asked.colours
        return self.style_in_use.colours if self.style_in_use else self.settings.colours

    @property
    def awaits_style(self) -> bool:
        """Whether what was chosen last is neither in use yet nor refused."""
        return self._asked is not None

    @property
    def renews_style(self) -> bool:
        """Whether the style in use is being read again, as it has learnt more."""
        used, asked = self.style_in_use, self._asked
        return used is not None and asked is not None and (used.name, used.colours) == (asked.name, asked.colours)

    @property
    def paintings(self) -> tuple[str, ...]:
        """Those of the chosen style's network; empty while that is not known."""
        used = self.style_in_use.card.paintings if self.style_in_use and not self.style_in_use.card.shots else ()
        if self._asked is None:
            return used
        parts = set(parts_of(self._asked.name))
        return next((each for each in (used, *self.networks) if parts <= set(each)), ())

    def begin(self, style: str, device: str, look: Look) -> None:
        """Start the player with a style and the remembered colours."""
        self._asked = events.StyleAnswered(style, self.settings.colours)
        self.player.start(device, style, look, self.settings.colours)

    def use_style(self, name: str, colours: ColourSpec | None = None) -> None:
        """Paint in the style of this name, which may include weights. colours: for it; by default the chosen ones."""
        self._asked = events.StyleAnswered(name, self.chosen_colours if colours is None else colours)
        self.player.use_style(name, self._asked.colours)
        self.style_chosen.emit()

    def use_colours(self, colours: ColourSpec) -> None:
        """Paint the chosen style in other colours."""
        self.use_style(self.chosen_style, colours)

    def blend(self, weights: tuple[float, ...]) -> None:
        """Choose other weights for the paintings of the style in use."""
        used = self.style_in_use
        if used is not None and self._asked is not None:  # overtakes a style that is still being loaded
            self.use_style(used.full_name(weights))
        else:
            self.mix = weights

    def is_chosen(self, used: events.StyleInUse) -> bool:
        """Whether the style in use is what was chosen, or nothing else is still to come."""
        asked = self._asked
        return asked is None or (asked.name, asked.colours) == (used.name, used.colours)

    def is_answered(self, answer: events.StyleAnswered) -> bool:
        """Follow the player, which has used or refused a style; whether it is the one that was chosen last."""
        if answer != self._asked:
            return False
        self._asked = None
        return True

    # The place in the film

    def when_there(self, call: Callable[[], None], instead_of: object = None) -> None:
        """Call at once or, while the player is on its way to another frame, when it has arrived there: the frame that
        was asked for is meant, and not the one that is still shown. instead_of: its kind; it replaces one of the same
        kind that is still waiting."""
        if self._there == self.player.last_move:
            call()
        else:
            kind = call if instead_of is None else instead_of
            self._later.pop(kind, None)
            self._later[kind] = call

    def arrive(self, moved: events.Moved) -> None:
        """Follow the player, which has carried out a command."""
        self._there = moved.number
        if self._there == self.player.last_move:
            later, self._later = self._later, {}
            for call in later.values():
                call()

    def stay(self) -> None:
        """Forget what was to be done at a frame of a film that is no longer open."""
        self._later.clear()
