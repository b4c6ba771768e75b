"""Parts inside of the package that tests of several rooms look at, each reached in one place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from framebrush.gpu.stylizer import Stylizer, Ticket
    from framebrush.playback.ahead.renderer import Renderer, Rendering
    from framebrush.playback.display.presenter import Presenter
    from framebrush.playback.player import Player


def slot_of(stylizer: Stylizer[Any], ticket: Ticket) -> Any:  # noqa: ANN401 -- each device has its own
    """Return the slot of a frame in flight."""
    return stylizer._tickets[ticket].slot


def free_slots(stylizer: Stylizer[Any]) -> list[Any]:
    """Return the slots without a frame."""
    return stylizer._in_flight.free


def passes_of(slot: Any) -> Any:  # noqa: ANN401
    """Return a slot's passes as data."""
    return slot._way


def executor_of(slot: Any) -> Any:  # noqa: ANN401
    """Return what runs a slot's passes."""
    return slot._executor


def settings_of(slot: Any) -> Any:  # noqa: ANN401
    """Return the settings that a slot was made for."""
    return slot._settings


def shown_by(presenter: Presenter) -> Any:  # noqa: ANN401
    """Return the frame on the screen as it was prepared, with place and masks; None before the first."""
    return presenter.shown


def renderer_of(player: Player) -> Renderer:
    """Return the renderer of a player that paints ahead."""
    renderer = player.engine._renderer
    assert renderer is not None
    return renderer


def painter_of(renderer: Renderer) -> Any:  # noqa: ANN401
    """Return the process that paints ahead."""
    return renderer._process


def rendering_of(renderer: Renderer) -> Rendering:
    rendering = renderer._rendering
    assert rendering is not None
    return rendering


def key_of(renderer: Renderer) -> str:
    """Return the key of the frames that are painted ahead."""
    key = rendering_of(renderer).key
    assert key is not None
    return key


def status_of(window: Any) -> Any:  # noqa: ANN401
    """Return the labels of a window's status line."""
    return window._status
