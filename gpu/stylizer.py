"""The base class of every stylizer: all rules of use are here, and a backend adds only the steps on its device.

A frame's way is upload, convert, network, output, and then `show` or `fetch`. The base class knows tickets and slots,
checks every argument, keeps the order of calls, counts, measures and closes. `gpu/reference` is the shortest backend.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, Literal, NewType, TypeVar

from framebrush.base.closing import Closing
from framebrush.gpu.cpu.stages.hidden import without_hidden
from framebrush.gpu.errors import NonFiniteError
from framebrush.gpu.frame import DeviceFrame, Frame, FrameFormat, Transfer
from framebrush.gpu.sizes import Sizes
from framebrush.gpu.stage_times import StageTimes
from framebrush.gpu.stages.look import Look
from framebrush.gpu.stages.steady import NO_WINDOW, TemporalWindow
from framebrush.gpu.stages.strokes import Layout
from framebrush.gpu.surface import Surface
from framebrush.gpu.tiles import Plan
from framebrush.models.brushes import NO_MAPS, OIL, BrushKind
from framebrush.models.colours.table import ColourTable
from framebrush.models.masks import NO_MASKS
from framebrush.models.style import Style

EngineName = Literal[
    "auto",
    "shader",
    "directml",
    "directml-no-metacommands",
    "directml-no-fusion",
    "directml-no-arena",
    "directml-safe",
]
"""What runs networks on Direct3D 12: our own shaders, which run the bundled painters, or DirectML. auto: what is
measured to be faster. The last four are for drivers that DirectML computes wrong with: without operators of the
driver's own, operator by operator, without memory that is kept, and without any of these."""

Ticket = NewType("Ticket", int)
"""A frame in flight: `submit` returns it, `show`, `fetch` and `release` take it."""


@dataclass(slots=True)
class Counters:
    """What a stylizer has done so far.

    dispatches: kernels run. runs: runs of the network. readbacks: copies from the device that the CPU reads.
    host_copies: copies of a whole frame made by the CPU, up and down. cpu_waits: calls that blocked until the device
    had finished something.
    """

    uploads: int = 0
    dispatches: int = 0
    runs: int = 0
    presents: int = 0
    readbacks: int = 0
    host_copies: int = 0
    cpu_waits: int = 0


@dataclass(frozen=True, slots=True)
class Settings:
    """What a stylizer is made for; all of it was checked by `Device.stylizer`.

    slots: frames that may be in flight, without those that wait for their neighbours. timing: measure the stages.
    window: the neighbours that each result is made of; with none, a result is the network's output itself. engine: what
    runs the network, where the device has a choice. moving: the weights of paintings change with the film: frames are
    neighbours all the same, and none may depend on how long they have stood still before it. markers: name the stages
    by `gpu.ranges`. carries: strokes are carried from frame to frame, whatever the brush of a look; the window has at
    least one frame before then. kind: of the strokes that the brush draws.
    """

    style: Style
    source: FrameFormat
    target: FrameFormat
    sizes: Sizes
    plan: Plan
    look: Look
    slots: int
    timing: bool = False
    window: TemporalWindow = NO_WINDOW
    engine: EngineName = "auto"
    moving: bool = False
    markers: bool = False
    carries: bool = False
    kind: BrushKind = OIL

    @property
    def keeps_hdr(self) -> bool:
        """Whether HDR becomes HDR again: painted in a space from which it returns, in place of tone-mapped to SDR."""
        return self.target.transfer is not Transfer.SDR

    @property
    def layout(self) -> Layout:
        """Where the brush's strokes are at home."""
        return Layout.of(self.kind, self.sizes)

    @property
    def paintings(self) -> int:
        """Weights that the network's input "mix" has, 0 where the file holds one painting."""
        count = len(self.style.card.paintings)
        return count if count > 1 else 0

    def resolved(self, look: Look) -> Look:
        """Return the look with values of the style's card where it has none of its own.

        The strength is 0 where nothing is painted: the source is then shown as it is. On its way through a network's
        range 0..1 it would be cut at the peak that HDR says of itself, or is assumed to have.
        """
        style, look = self.style, look.of(self.style.card)
        changes = look.brush or look.raises or look.detail or style.before or style.after
        return look if style.card.paints or changes else replace(look, strength=0.0)

    def mix(self, look: Look) -> tuple[float, ...]:
        """The weights for the network, one for each painting: the look's, else the style's, else the first alone."""
        first = (1.0, *(0.0,) * (self.paintings - 1))
        return (look.mix or self.style.mix or first) if self.paintings else ()


SlotT = TypeVar("SlotT")


@dataclass(slots=True)
class _InFlight(Generic[SlotT]):
    """A frame from `submit` or `follow` on. look: its own, None where it has that of the stylizer. painting: what its
    output was made with that its neighbours must have, too; None where it is followed alone. ready: its neighbours are
    there, and its result was started. released: the caller has given it back. over: no frame after it will need it."""

    slot: SlotT
    place: int
    look: Look | None = None
    painting: tuple[object, ...] | None = None
    ready: bool = False
    released: bool = False
    over: bool = False


class Stylizer(Closing, Generic[SlotT]):
    """One style on one frame format, made once by `Device.stylizer` and fed with frames. For one thread at a time.

    `submit` takes a slot; `fetch` frees it, or `release` after any number of `show`. The table of colours is that
    at `submit`, and so are the brush's maps, masks and the film that a look mixes in by them, and weights of paintings
    and the tone mapping of HDR, which the look has;
    steadiness is that at the `submit` or `flush` that completes a frame's neighbours; the rest of the look is that at
    `show` or `fetch`.
    Frames that were painted with another tone mapping do not count as neighbours, nor those with other weights, unless
    these move with the film. A frame that was submitted with a look of its own has that look in all of this.

    Where strokes are carried, those of a frame depend on the frames before it since the last `flush`, as many as
    `gpu.stages.strokes.WARM_UP_FRAMES`; `follow` takes those that need not be painted.

    Raised by every method: RuntimeError after `close`, DeviceLostError where the device is gone. ValueError is raised
    for a ticket that is not in flight.
    """

    def __init__(self, settings: Settings, device: object, closed: Callable[[Stylizer[SlotT]], None]) -> None:
        """device: what its surfaces and device frames are compared with. closed: called once, when it has closed."""
        self.settings = settings
        self.source, self.target, self.sizes = settings.source, settings.target, settings.sizes
        self.window, self.slots = settings.window, settings.slots + settings.window.after
        self.counters = Counters()
        self.times = StageTimes(enabled=settings.timing, markers=settings.markers)
        self._device, self._on_close = device, closed
        self._look = settings.resolved(settings.look)
        self.table = settings.style.after
        """Of colours, behind the painting, of the frames submitted from now on. `use_table` changes it."""
        self.maps = NO_MAPS
        """Of the brush, of the frames submitted from now on; those in flight keep theirs. As cheap to set as a table of
        colours. What is followed needs none."""
        self.masks = NO_MASKS
        """Of the frames submitted from now on; those in flight keep theirs. What is followed needs none."""
        self._tickets: dict[Ticket, _InFlight[SlotT]] = {}
        self._neighbours: list[_InFlight[SlotT]] = []  # since the last flush, oldest first
        self._free: list[SlotT] = []
        self._next = 0
        self._place = -1
        self._staging: Frame | None = None
        self._closed = False
        try:
            self._free = self._make_slots(self.window.frames(settings.slots))
        except BaseException:
            self._close()
            raise

    # What a caller uses

    @property
    def look(self) -> Look:
        """The look of the frames submitted, shown and fetched from now on. Raises ValueError for weights of another
        number than the style's paintings."""
        return self._look

    @look.setter
    def look(self, look: Look) -> None:
        self._look = self._checked(look)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user should know about how this device runs the style, such as tiles and what they change."""
        return self.settings.plan.notes

    @property
    def method(self) -> str | None:
        """What the samples of a frame depend on besides what was asked for: the engine that runs the network, and the
        size of its tiles. None where the engine may change from one frame to the next."""
        engine, plan = self._engine_name, self.settings.plan
        if engine is None or plan.whole:
            return engine
        return f"{engine} in tiles of {plan.tile_width}x{plan.tile_height} px"

    @property
    def stage_ms(self) -> Mapping[str, float]:
        """Mean milliseconds a frame of each stage; empty on a device that was opened without `timing`."""
        return self.times.mean_ms

    def submit(
        self,
        frame: Frame | DeviceFrame,
        into: Frame | None = None,
        *,
        place: int | None = None,
        look: Look | None = None,
    ) -> Ticket:
        """Start painting a frame; its planes are free for reuse when this returns. A device frame becomes the
        stylizer's, which releases it.

        place: of the frame in its film, counted from 0, on which the lives of strokes depend (`gpu.stages.strokes`);
        that of the frame before it and one where it is not known.
        into: what `fetch` will be given, where that is known: a device may write there from now on, until `fetch` or
        `release`. look: of this frame alone, whenever it is shown or fetched; that of the stylizer where there is none.
        Raises ValueError for frames of other formats, RuntimeError while all slots are taken.
        """
        self._check_open()
        own = None if look is None else self._checked(look)
        if into is not None:
            self._check_target(into)
        used = own or self._look
        slot = self._begun(frame, used, into, paints=True)
        painting = None if self.settings.moving else self.settings.mix(used), used.tone_map
        entry = _InFlight(slot, self._placed(place), own, painting)
        ticket = Ticket(self._next)
        self._next += 1
        self._tickets[ticket] = entry
        self._neighbours.append(entry)
        try:
            self._settle(flushed=False)
        except BaseException:  # the caller does not get the ticket
            self._release(ticket)
            raise
        return ticket

    def follow(self, frame: Frame | DeviceFrame, *, place: int | None = None) -> None:
        """Take a frame for its motion alone, along which strokes are carried to the frames after it: no network runs,
        it is neither shown nor fetched, and its painting is no neighbour's. Its slot is free again when the next frame
        has its strokes. Of frames and `place` all is as in `submit`.

        Raises ValueError for frames of other formats, RuntimeError while all slots are taken, and where no strokes are
        carried.
        """
        self._check_open()
        if not self.settings.carries:
            raise RuntimeError("this stylizer carries no strokes, so it follows no frames")
        slot = self._begun(frame, self._look, None, paints=False)
        self._neighbours.append(_InFlight(slot, self._placed(place), released=True))
        self._settle(flushed=False)

    def use_table(self, table: ColourTable | None) -> bool:
        """Paint the frames submitted from now on with another table of colours behind the painting; those in flight
        keep theirs. As cheap as a copy to the device's memory, so that it may be called for each frame.

        Returns whether it did. Memory is taken once: both tables must be plain and have grids of one size. Otherwise
        nothing changes, and a new stylizer is needed.
        """
        self._check_open()
        former = self.table
        if table is former:
            return True
        if table is None or former is None or table.size != former.size or not (table.is_plain and former.is_plain):
            return False
        self.table = table
        return True

    def flush(self) -> None:
        """No frame follows those in flight, as at the end of a video or before a seek: their results use the
        neighbours that exist, and the next frame has none before it."""
        self._check_open()
        self._settle(flushed=True)
        for entry in self._neighbours:
            self._let_go(entry)
        self._neighbours.clear()

    def show(self, ticket: Ticket, surface: Surface) -> None:
        """Present a frame with the current look. Nothing is read back on a device that presents.

        NaN and infinity of the network's output are shown as black; only `fetch` reports them. Raises ValueError for a
        surface of another device, RuntimeError for a frame whose neighbours are missing.
        """
        entry = self._ready(ticket)
        if surface.device is not self._device:
            raise ValueError(f"the {type(surface).__name__} was made by another device")
        for look in surface.looks(entry.look or self._look):
            self._show(entry.slot, surface, look)
        self.counters.presents += 1

    def fetch(self, ticket: Ticket, into: Frame | None = None) -> Frame:
        """Wait for a frame and copy it to `into`, or to a new frame. Frees the slot, even where it raises.

        into: memory of the caller, in the target's format. Returns it. Raises NonFiniteError where the network's
        output holds NaN or infinity, ValueError for `into` of another format.
        """
        entry = self._ready(ticket)
        if into is not None:
            self._check_target(into)
        into = into or self.target.allocate()
        try:
            finite = self._fetch(entry.slot, into, entry.look or self._look)
        finally:
            self._release(ticket)
        self.counters.readbacks += 1
        self.counters.host_copies += 1
        self._check_finite(finite)
        return into

    def store(self, ticket: Ticket, into: DeviceFrame) -> None:
        """Wait for a frame and copy it to a frame of `Device.allocate`, within the device. Frees the slot, even where
        it raises: NonFiniteError as `fetch`, ValueError for `into` of another format or device."""
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
        """Wait for the device and free everything. Frames in flight are dropped. Idempotent."""
        if self._closed:
            return
        self._closed = True
        self._tickets.clear()
        self._neighbours.clear()
        self._free.clear()
        try:
            self._close()
        finally:
            self._on_close(self)

    # What a backend implements. None of these checks its arguments.

    @abstractmethod
    def _make_slots(self, count: int) -> list[SlotT]:
        """Allocate everything, once: the network, and for each slot the memory of one frame. Raises OutOfMemoryError,
        or DeviceError where the device cannot run the network."""

    @property
    @abstractmethod
    def _engine_name(self) -> str | None:
        """What runs the network, None where it may change from one frame to the next."""

    def _expect(self, slot: SlotT, into: Frame | None) -> None:
        """Note where the next frame of a slot is going to be fetched to, None where that is not known. The frame noted
        before must no longer be written to when this returns."""

    @abstractmethod
    def _upload(self, slot: SlotT, frame: Frame, look: Look) -> None:
        """Copy host planes to the slot. A slot that was released early may still be in use by the device: wait."""

    @abstractmethod
    def _import(self, slot: SlotT, frame: DeviceFrame, look: Look) -> None:
        """Take a frame of this device without a copy through the host, and release it when the device has read it."""

    @abstractmethod
    def _run(self, slot: SlotT, look: Look) -> None:
        """Start the conversion to the working size and the network. Whatever is shown and fetched from the slot, now or
        later, goes through the current `table`."""

    @abstractmethod
    def _combine(
        self,
        slot: SlotT,
        before: Sequence[SlotT],
        after: Sequence[SlotT],
        last: SlotT | None,
        look: Look,
        place: int,
    ) -> None:
        """Start to make a slot's result from its network output and those of its neighbours before and after it, the
        nearest first, which must stay as they are. Called once for every painted frame of a stylizer with a window, in
        the order of frames, when its neighbours have been started, and of no other. There may be no neighbours, and
        `look.steady` may be 0.

        place: of the frame in the film. last: the frame directly before, painted or followed, however it was painted;
        None after a flush. Where `settings.carries`, the slot's strokes are carried from its strokes, which stay as
        they are, whatever the look is, and begin anew where there is none (`gpu.stages.strokes`)."""

    @abstractmethod
    def _follow(self, slot: SlotT, last: SlotT | None, look: Look, place: int) -> None:
        """Start the conversion to the working size of a frame that was uploaded or imported, and carry its strokes from
        those of the frame directly before, as `_combine` has it. Called in turn with it, and only where
        `settings.carries`."""

    @abstractmethod
    def _show(self, slot: SlotT, surface: Surface, look: Look) -> None:
        """Draw a slot's result on a surface of this device."""

    @abstractmethod
    def _fetch(self, slot: SlotT, into: Frame, look: Look) -> bool:
        """Convert a slot's result to the target, wait, and copy it. Returns whether the network's output is finite."""

    def _store(self, slot: SlotT, into: DeviceFrame, look: Look) -> bool:
        """Convert a slot's result to the target, copy it within the device, and wait. Returns whether the network's
        output is finite. For devices that have `Device.allocate`."""
        raise NotImplementedError

    @abstractmethod
    def _abandon(self, slot: SlotT) -> None:
        """Something failed while the slot was started: make sure that the device no longer uses it."""

    @abstractmethod
    def _close(self) -> None:
        """Wait for the device and free everything, also what was made before a failure. Must not raise."""

    # Rules

    def _check_open(self) -> None:
        if self._closed:
            raise RuntimeError("the stylizer is closed")

    def _checked(self, look: Look) -> Look:
        check_mix(look, self.settings.style)
        return self.settings.resolved(look)

    def _begun(self, frame: Frame | DeviceFrame, look: Look, into: Frame | None, *, paints: bool) -> SlotT:
        """The slot that a frame is in from now on. paints: start its network, too."""
        if frame.format != self.source:
            raise ValueError(f"a frame of {frame.format} was given to a stylizer of {self.source}")
        if len(self._tickets) == self.slots:
            raise RuntimeError(f"all {self.slots} slots are taken; fetch or release a frame first")
        slot = self._free.pop(0)
        try:
            self._expect(slot, into)
            self._bring(slot, frame, look)
            if paints:
                self._run(slot, look)
        except BaseException:
            self._abandon(slot)
            self._free.append(slot)
            raise
        self.counters.uploads += 1
        return slot

    def _placed(self, place: int | None) -> int:
        """The place of the next frame."""
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

    def _entry(self, ticket: Ticket) -> _InFlight[SlotT]:
        self._check_open()
        try:
            return self._tickets[ticket]
        except KeyError:
            raise ValueError(f"frame {ticket} is not in flight; it was fetched or released before") from None

    def _ready(self, ticket: Ticket) -> _InFlight[SlotT]:
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
        entry.released = True
        self._recycle(entry)

    def _settle(self, *, flushed: bool) -> None:
        """Start the results whose neighbours are there, and carry strokes, in the order of frames; and let go of frames
        that no later one needs."""
        frames, window = self._neighbours, self.window
        waiting = len(frames)
        for index, entry in enumerate(frames):
            if entry.ready:
                continue
            is_followed = entry.painting is None
            if not is_followed and index + window.after >= len(frames) and not flushed:
                waiting = index
                break
            last = frames[index - 1] if index else None
            earlier = None if last is None else last.slot
            if is_followed:
                self._follow(entry.slot, earlier, self._look, entry.place)
            elif not window.alone:
                sides = (
                    frames[max(0, index - window.before) : index][::-1],
                    frames[index + 1 : index + window.after + 1],
                )
                before, after = ([other.slot for other in side if other.painting == entry.painting] for side in sides)
                look = entry.look or self._look
                self._combine(entry.slot, before, after, earlier, look, entry.place)
            entry.ready = True
            if last is not None and last.painting is None:
                self._let_go(last)
        done = max(0, waiting - window.before)
        for entry in frames[:done]:
            self._let_go(entry)
        del frames[:done]

    def _let_go(self, entry: _InFlight[SlotT]) -> None:
        """No later frame needs it."""
        if not entry.over:
            entry.over = True
            self._recycle(entry)

    def _recycle(self, entry: _InFlight[SlotT]) -> None:
        if entry.released and entry.over:
            self._free.append(entry.slot)


def check_mix(look: Look, style: Style) -> None:
    """Raise ValueError for a look whose weights are not those of the style's paintings."""
    count = len(style.card.paintings)
    if look.mix and len(look.mix) != count:
        raise ValueError(f"{len(look.mix)} weights were given for {style.card.title}, which holds {count} paintings")
