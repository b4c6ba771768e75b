"""Internals of the package for tests of several rooms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from framebrush.gpu.stylizer import Stylizer, Ticket
    from framebrush.playback.ahead.renderer import Renderer, Rendering
    from framebrush.playback.display.presenter import Presenter
    from framebrush.playback.player import Player


def slot_of(stylizer: Stylizer[Any], ticket: Ticket) -> Any:  # noqa: ANN401 -- each device has its own
    return stylizer._tickets[ticket].slot


def free_slots(stylizer: Stylizer[Any]) -> list[Any]:
    return stylizer._in_flight.free


def passes_of(slot: Any) -> Any:  # noqa: ANN401
    return slot._way


def executor_of(slot: Any) -> Any:  # noqa: ANN401
    return slot._executor


def settings_of(slot: Any) -> Any:  # noqa: ANN401
    return slot._settings


def shown_by(presenter: Presenter) -> Any:  # noqa: ANN401
    """Return the shown frame, with place and masks, or None."""
    return presenter.shown


def renderer_of(player: Player) -> Renderer:
    renderer = player.engine._renderer
    assert renderer is not None
    return renderer


def painter_of(renderer: Renderer) -> Any:  # noqa: ANN401
    return renderer._process


def rendering_of(renderer: Renderer) -> Rendering:
    rendering = renderer._rendering
    assert rendering is not None
    return rendering


def key_of(renderer: Renderer) -> str:
    """Return the key of the render cache's frames."""
    key = rendering_of(renderer).key
    assert key is not None
    return key
