"""Look of each shown frame, fitted to the style."""

from __future__ import annotations

from fractions import Fraction

from framebrush.gpu.look import Look
from framebrush.gpu.temporal_window import NO_WINDOW, TemporalWindow
from framebrush.jobs.keyframes import STYLE, LookOverTime, ShotsOfCard, Track, most
from framebrush.models.style import Style, StyleError
from framebrush.styles.style_names import weights_of, window_for


class FittedLook:
    """Look, keyframes and style, fitted to each other.

    now: requested look with the style's weights. tracks: supported keyframes.
    """

    def __init__(self) -> None:
        self.style: Style | None = None
        self.now = self._asked = Look()
        self._mix: tuple[float, ...] = ()
        self._asked_tracks: tuple[Track, ...] = ()
        self.tracks: tuple[Track, ...] = ()
        self._weights: dict[str, tuple[float, ...]] = {}

    def use_style(self, style: Style | None) -> None:
        """Fit look and keyframes to another style."""
        self.style = style
        self._fit()
        self._weigh()

    def use_look(self, look: Look, mix: tuple[float, ...]) -> None:
        """Use another look. mix: weights, if of the style's number."""
        self._asked, self._mix = look, mix
        self._fit()

    def use_keys(self, tracks: tuple[Track, ...]) -> None:
        self._asked_tracks = tracks
        self._weigh()

    @property
    def most(self) -> Look:
        """Look with keyframes' maxima."""
        return most(self.now, self.tracks)

    @property
    def window(self) -> TemporalWindow:
        """Neighbours that frames need."""
        return NO_WINDOW if self.style is None else window_for(self.style.card, self.most, live=True)

    @property
    def has_strokes(self) -> bool:
        """Whether any frame has strokes."""
        return self.style is not None and self.most.draws

    @property
    def needs_second(self) -> bool:
        """Whether any frame shows the second style."""
        return self.style is not None and bool(self.style.second) and self.most.needs_second

    @property
    def moves(self) -> bool:
        """Whether weights of paintings change."""
        return self._over_time().moves

    def at(self, place: tuple[int, Fraction]) -> Look:
        """Return the look at a number and time."""
        return self._over_time().at(*place)

    def _over_time(self) -> LookOverTime:
        shots = None if self.style is None else ShotsOfCard.of(self.style.card)
        return LookOverTime(self.now, self.tracks, self._weights, shots)

    def _fit(self) -> None:
        if self.style is None:
            self.now = self._asked
        else:
            mix = self._mix if len(self._mix) == len(self.style.card.paintings) else self.style.mix
            self.now = self._asked.of(self.style.card, mix)

    def _weigh(self) -> None:
        self.tracks, self._weights = self._asked_tracks, {}
        texts = [str(key.value) for track in self.tracks if track.of == STYLE for key in track.keys]
        if not texts or self.style is None:
            return
        try:
            self._weights = {text: weights_of(text, self.style.card) for text in texts}
        except StyleError:
            self.tracks = tuple(track for track in self.tracks if track.of != STYLE)
