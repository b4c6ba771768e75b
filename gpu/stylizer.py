"""Base class of stylizers: tickets, checks, call order, counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NewType

from framebrush.gpu.errors import NonFiniteError
from framebrush.gpu.frame import DeviceFrame, Frame
from framebrush.gpu.hidden_colours import without_hidden
from framebrush.gpu.in_flight import FrameInFlight, FramesInFlight
from framebrush.gpu.look import Look, strokeless
from framebrush.gpu.settings import Settings, check_mix
from framebrush.gpu.stage_times import StageTimes
from framebrush.gpu.stylizer_contract import SlotT, StylizerContract
from framebrush.gpu.surface import Surface
from framebrush.gpu.unfinished import Unfinished
from framebrush.models.brushes import NO_MAPS
from framebrush.models.colours.colour_table import ColourTable
from framebrush.models.soft_masks import NO_MASKS

Ticket = NewType("Ticket", int)
"""Frame in flight, returned by `submit`."""


@dataclass(slots=True)
class Counters:
    """Counts of work. readbacks, host_copies: frames."""

    uploads: int = 0
    dispatches: int = 0
    runs: int = 0
    presents: int = 0
    readbacks: int = 0
    host_copies: int = 0
    cpu_waits: int = 0


class Stylizer(StylizerContract[SlotT]):
    """Painter of one style and format, for one thread at a time.

    `submit` takes a slot; `fetch`, or `release` after any number of `show`, frees it. A look given to `submit` applies
    throughout; otherwise values before painting are fixed at `submit`, steadiness when neighbours are complete, the
    rest at `show` or `fetch`. Advected strokes depend on frames since the last `flush`.

    Raises RuntimeError after `close`, DeviceLostError, ValueError for unknown tickets.
    """

    def __init__(self, settings: Settings, device: object, closed: Callable[[Stylizer[SlotT]], None]) -> None:
        """Allocate. closed: called after closing."""
        self.settings = settings
        self.source, self.target, self.sizes = settings.source, settings.target, settings.sizes
        self.window, self.slots = settings.window, settings.slots + settings.window.after
        self.counters = Counters()
        self.times = StageTimes(enabled=settings.timing, markers=settings.markers)
        self._device, self._on_close = device, closed
        self._look = settings.resolved(settings.look)
        self.table = settings.style.after
        """Colour table of later frames. Set it by `use_table`."""
        self.maps = NO_MAPS
        """Brush maps of later painted frames."""
        self.masks = NO_MASKS
        """Masks of later painted frames."""
        self._tickets: dict[Ticket, FrameInFlight[SlotT]] = {}
        self._fetched: tuple[SlotT, Look] | None = None
        self._in_flight = FramesInFlight[SlotT]()
        self._next = 0
        self._place = -1
        self._staging: Frame | None = None
        self._closed = False
        try:
            self._in_flight.free = self._make_slots(self.window.frames(settings.slots))
        except BaseException:
            self._close()
            raise

    @property
    def look(self) -> Look:
        """Look of later frames. Raises ValueError for a wrong number of weights."""
        return self._look

    @look.setter
    def look(self, look: Look) -> None:
        self._look = self._checked(look)

    @property
    def notes(self) -> tuple[str, ...]:
        """Messages for users on how the device runs the style."""
        return self.settings.plan.notes

    @property
    def method(self) -> str | None:
        """Engine and tile size, on which samples depend; None while undecided."""
        engine, plan = self._engine_name, self.settings.plan
        if engine is None or plan.whole:
            return engine
        return f"{engine} in tiles of {plan.tile_width}x{plan.tile_height} px"

    @property
    def stage_ms(self) -> Mapping[str, float]:
        """Mean milliseconds per frame of each stage."""
        return self.times.mean_ms

    def submit(
        self,
        frame: Frame | DeviceFrame,
        into: Frame | None = None,
        *,
        place: int | None = None,
        look: Look | None = None,
    ) -> Ticket:
        """Start painting a frame, reusable on return. Takes over a device frame.

        into: frame for a later `fetch`, written at any time until then. place: frame number, default: the next. Raises
        ValueError for another format, RuntimeError if all slots are taken.
        """
        self._check_open()
        own = None if look is None else self._checked(look)
        if into is not None:
            self._check_target(into)
        used = own or self._look
        slot = self._begun(frame, used, into, paints=True)
        painting = None if self.settings.moving else self.settings.mix(used), used.at_convert
        entry = FrameInFlight(slot, self._placed(place), own, painting)
        ticket = Ticket(self._next)
        self._next += 1
        self._tickets[ticket] = entry
        self._in_flight.frames.append(entry)
        try:
            self._settle(flushed=False)
        except BaseException:  # the caller does not get the ticket
            self._release(ticket)
            raise
        return ticket

    def follow(self, frame: Frame | DeviceFrame, *, place: int | None = None) -> None:
        """Take a frame for its motion only. Raises as `submit`."""
        self._check_open()
        if not self.settings.carries:
            raise RuntimeError("this stylizer carries no strokes, so it follows no frames")
        slot = self._begun(frame, self._look, None, paints=False)
        self._in_flight.frames.append(FrameInFlight(slot, self._placed(place), released=True))
        self._settle(flushed=False)

    def use_table(self, table: ColourTable | None) -> bool:
        """Use another colour table; False if that needs a new stylizer."""
        self._check_open()
        former = self.table
        if table is former:
            return True
        if table is None or former is None or table.size != former.size or not (table.is_plain and former.is_plain):
            return False
        self.table = table
        return True

    def flush(self) -> None:
        """End the sequence: the next frame has no earlier neighbours."""
        self._check_open()
        self._settle(flushed=True)
        self._in_flight.end()

    def show(self, ticket: Ticket, surface: Surface) -> None:
        """Present a frame with the current look. Non-finite outputs are black.

        Raises ValueError, RuntimeError for missing neighbours.
        """
        entry = self._ready(ticket)
        if surface.device is not self._device:
            raise ValueError(f"the {type(surface).__name__} was made by another device")
        for look in surface.looks(entry.look or self._look):
            self._show(entry.slot, surface, look)
        self.counters.presents += 1

    def fetch(self, ticket: Ticket, into: Frame | None = None) -> Frame:
        """Wait for a frame and copy it to `into` or a new frame. Frees the slot, even on errors.

        Raises NonFiniteError, or ValueError if `into` has another format.
        """
        entry = self._ready(ticket)
        if into is not None:
            self._check_target(into)
        into, look = into or self.target.allocate(), entry.look or self._look
        try:
            self._bring_to_host(entry.slot, into, look)
        finally:
            self._release(ticket)
        self._fetched = entry.slot, look
        return into

    def fetch_part(self, part: Unfinished, into: Frame) -> Frame:
        """Copy an unfinished painting of the last fetched frame, until the next `submit`.

        Raises as `fetch`, ValueError without strokes.
        """
        self._check_open()
        slot, look = self._last_fetched()
        if not look.draws:
            raise strokeless()
        self._check_target(into)
        self._bring_to_host(slot, into, look.revealed(part))
        return into

    def store(self, ticket: Ticket, into: DeviceFrame) -> None:
        """Copy a finished frame to one of `Device.allocate`. Raises as `fetch`."""
        entry = self._ready(ticket)
        self._check_target(into)
        if into.device is not self._device:
            raise ValueError("the frame to store to is in the memory of another device")
        try:
            finite = self._store(entry.slot, into, entry.look or self._look)
        finally:
            self._release(ticket)
        self._check_finite(finite)

    def release(self, ticket: Ticket) -> None:
        """Free a slot without fetching."""
        self._entry(ticket)
        self._release(ticket)

    def close(self) -> None:
        """Wait for the device and free everything. Idempotent."""
        if self._closed:
            return
        self._closed = True
        self._tickets.clear()
        self._in_flight = FramesInFlight()
        try:
            self._close()
        finally:
            self._on_close(self)

    def _check_open(self) -> None:
        if self._closed:
            raise RuntimeError("the stylizer is closed")

    def _checked(self, look: Look) -> Look:
        check_mix(look, self.settings.style)
        return self.settings.resolved(look)

    def _begun(self, frame: Frame | DeviceFrame, look: Look, into: Frame | None, *, paints: bool) -> SlotT:
        if frame.format != self.source:
            raise ValueError(f"a frame of {frame.format} was given to a stylizer of {self.source}")
        if len(self._tickets) == self.slots:
            raise RuntimeError(f"all {self.slots} slots are taken; fetch or release a frame first")
        slot, self._fetched = self._in_flight.free.pop(0), None
        try:
            self._expect(slot, into)
            self._bring(slot, frame, look)
            if paints:
                self._run(slot, look)
        except BaseException:
            self._abandon(slot)
            self._in_flight.free.append(slot)
            raise
        self.counters.uploads += 1
        return slot

    def _bring_to_host(self, slot: SlotT, into: Frame, look: Look) -> None:
        finite = self._fetch(slot, into, look)
        self.counters.readbacks += 1
        self.counters.host_copies += 1
        self._check_finite(finite)

    def _last_fetched(self) -> tuple[SlotT, Look]:
        if self._fetched is None:
            raise ValueError("no frame was fetched since the last submit")
        return self._fetched

    def _placed(self, place: int | None) -> int:
        self._place = self._place + 1 if place is None else place
        return self._place

    def _bring(self, slot: SlotT, frame: Frame | DeviceFrame, look: Look) -> None:
        if isinstance(frame, DeviceFrame):
            if frame.device is self._device:
                self._import(slot, frame, look)
                return
            frame = self._downloaded(frame)
        with self.times.measured("upload"):
            self._upload(slot, without_hidden(frame) if self.target.alpha and look.strength else frame, look)
        self.counters.host_copies += 1

    def _downloaded(self, frame: DeviceFrame) -> Frame:
        self._staging = self._staging or self.source.allocate()
        try:
            frame.download(self._staging)
        finally:
            frame.release()
        self.counters.host_copies += 1
        return self._staging

    def _entry(self, ticket: Ticket) -> FrameInFlight[SlotT]:
        self._check_open()
        try:
            return self._tickets[ticket]
        except KeyError:
            raise ValueError(f"frame {ticket} is not in flight; it was fetched or released before") from None

    def _ready(self, ticket: Ticket) -> FrameInFlight[SlotT]:
        entry = self._entry(ticket)
        if not entry.ready:
            raise RuntimeError(f"frame {ticket} needs {self.window.after} frames after it; submit them or flush")
        return entry

    def _check_target(self, into: Frame | DeviceFrame) -> None:
        if into.format != self.target:
            raise ValueError(f"a frame of {into.format} cannot take the output of a stylizer to {self.target}")

    def _check_finite(self, finite: bool) -> None:
        if not finite:
            name = self.settings.style.card.name
            raise NonFiniteError(f"the output of style '{name}' holds NaN or infinity; choose another style")

    def _release(self, ticket: Ticket) -> None:
        entry = self._tickets.pop(ticket)
        self._expect(entry.slot, None)
        self._in_flight.release(entry)

    def _settle(self, *, flushed: bool) -> None:
        for frame, before, after, last in self._in_flight.starts(self.window, flushed=flushed):
            if frame.painting is None:
                self._follow(frame.slot, last, self._look, frame.place)
            elif not self.window.alone:
                self._combine(frame.slot, before, after, last, frame.look or self._look, frame.place)


def joined(*engines: str | None) -> str | None:
    """Return several engines' names as one, None while one may change."""
    return None if None in engines else " and ".join(dict.fromkeys(map(str, engines)))
