"""Window as a screen reader sees it: a process's AT-SPI tree.

FRAMEBRUSH_REQUIRE_ATSPI=1 fails tests without AT-SPI, which needs X11.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from jeepney import (
    DBusAddress,
    HeaderFields,
    MatchRule,
    Message,
    MessageType,
    Properties,
    message_bus,
    new_method_call,
)
from jeepney.io.blocking import DBusConnection, open_dbus_connection

from tests import x11
from tools import dev

ROOT = Path(__file__).parents[1]
MISSING = dev.missing_packages([*dev.X11_NEEDS, *dev.ATSPI_NEEDS])

needs_atspi = pytest.mark.skipif(
    bool(MISSING) and os.environ.get("FRAMEBRUSH_REQUIRE_ATSPI") != "1",
    reason=f"no AT-SPI without {', '.join(MISSING)}",
)

WAIT_S, LOOK_S, ANSWER_S = 120.0, 0.3, 30.0
ENABLED, SHOWING = (1 << bit for bit in (8, 25))  # of AtspiStateType
LABELLED_BY = 2  # of AtspiRelationType


@dataclass(frozen=True)
class Node:
    """Snapshot of an accessible object."""

    reader: Reader
    place: tuple[str, str]
    role: str
    name: str
    description: str
    states: int
    children: tuple[Node, ...]

    def __iter__(self) -> Iterator[Node]:
        yield self
        for child in self.children:
            yield from child

    def is_(self, state: int) -> bool:
        return bool(self.states & state)

    @property
    def labels(self) -> list[str]:
        (relations,) = self.reader.ask(self.place, "Accessible", "GetRelationSet")
        return [
            str(self.reader.read(tuple(place), "Accessible", "Name"))
            for relation, places in relations
            if relation == LABELLED_BY
            for place in places
        ]

    @property
    def value(self) -> float:
        return float(self.reader.read(self.place, "Value", "CurrentValue"))

    def do(self, action: str) -> None:
        (actions,) = self.reader.ask(self.place, "Action", "GetActions")
        names = [name for name, *_ in actions]
        assert self.reader.ask(self.place, "Action", "DoAction", "i", names.index(action)) == (True,)

    def write(self, text: str) -> None:
        assert self.reader.ask(self.place, "EditableText", "SetTextContents", "s", text) == (True,)


class Reader:
    """Client of one program through AT-SPI."""

    def __init__(self, bus: DBusConnection, program: subprocess.Popen[bytes]) -> None:
        self._bus, self._program = bus, program

    def _send(self, message: Message) -> tuple[Any, ...]:
        answer = self._bus.send_and_get_reply(message, timeout=ANSWER_S)
        if answer.header.message_type is MessageType.error:
            raise LookupError(answer.header.fields[HeaderFields.error_name], answer.body)
        return tuple(answer.body)

    def ask(
        self, place: tuple[str, str], kind: str, method: str, types: str | None = None, *values: object
    ) -> tuple[Any, ...]:
        """Call an object's method. Raises LookupError, as for deleted objects."""
        address = DBusAddress(place[1], place[0], f"org.a11y.atspi.{kind}")
        return self._send(new_method_call(address, method, types, values))

    def read(self, place: tuple[str, str], kind: str, name: str) -> str | float:
        """Read an object's property. Raises LookupError."""
        ((_, value),) = self._send(Properties(DBusAddress(place[1], place[0], f"org.a11y.atspi.{kind}")).get(name))
        return value

    def _node(self, place: tuple[str, str]) -> Node | None:
        ((low, high),) = self.ask(place, "Accessible", "GetState")
        states = low | high << 32
        if not states & SHOWING and not place[1].endswith("/root"):  # of the desktop or a program, which are never seen
            return None
        (role,) = self.ask(place, "Accessible", "GetRoleName")
        (places,) = self.ask(place, "Accessible", "GetChildren")
        children = [self._node(tuple(child)) for child in places]
        return Node(
            self,
            place,
            role,
            str(self.read(place, "Accessible", "Name")),
            str(self.read(place, "Accessible", "Description")),
            states,
            tuple(child for child in children if child is not None),
        )

    def tree(self) -> Node:
        end = time.monotonic() + WAIT_S
        while True:
            assert self._program.poll() is None, "the program has ended"
            try:
                top = self._node(("org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root"))
            except LookupError:  # deleted while the tree was read
                assert time.monotonic() < end
                continue
            assert top is not None
            return top

    def wait(self, found: Callable[[Node], bool], what: str) -> Node:
        """Wait until an object matches; return the first match."""
        end = time.monotonic() + WAIT_S
        while True:
            nodes = [node for node in self.tree() if found(node)]
            if nodes:
                return nodes[0]
            assert time.monotonic() < end, f"{what} is not there"
            time.sleep(LOOK_S)

    @contextmanager
    def hearing(self) -> Iterator[Callable[[], str]]:
        """Yield a function that waits for announcements."""
        registry = "/org/a11y/atspi/registry", "org.a11y.atspi.Registry"
        register = DBusAddress(registry[0], registry[1], registry[1])
        self._send(new_method_call(register, "RegisterEvent", "sass", ("object:announcement", [], "")))
        rule = MatchRule(type="signal", interface="org.a11y.atspi.Event.Object", member="Announcement")
        self._send(message_bus.AddMatch(rule))
        with self._bus.filter(rule, bufsize=100) as heard:
            yield lambda: str(self._bus.recv_until_filtered(heard, timeout=WAIT_S).body[3][1])

    def find(self, role: str, name: str) -> Node:
        """Wait for a usable object with this role and name."""
        return self.wait(lambda each: (each.role, each.name) == (role, name) and each.is_(ENABLED), f"{role} {name!r}")


@contextmanager
def reading(folder: Path, *arguments: str, language: str = "en") -> Iterator[Reader]:
    """Run the program on its own screen. folder: its home."""
    assert MISSING == []
    with x11.screen() as display:
        paths = os.pathsep.join([str(ROOT), *sys.path])
        own = {name: str(folder) for name in ("HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR", "XDG_CACHE_HOME")}
        environment = {**os.environ, **own, "DISPLAY": display, "PYTHONPATH": paths, "QT_QPA_PLATFORM": "xcb"}
        environment |= {"QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1", "LC_ALL": "C.UTF-8"}
        (folder / "Framebrush").mkdir()
        (folder / "Framebrush" / "Framebrush.conf").write_text(f"[General]\nlanguage={language}\n")
        output, writing = os.pipe()
        command = ["dbus-daemon", "--session", "--nofork", f"--print-address={writing}"]
        daemon = subprocess.Popen(command, pass_fds=[writing], env=environment, stderr=subprocess.DEVNULL)
        os.close(writing)
        with os.fdopen(output) as pipe:
            environment["DBUS_SESSION_BUS_ADDRESS"] = address = pipe.readline().strip()
        with open_dbus_connection(address) as desktop:
            bus = DBusAddress("/org/a11y/bus", "org.a11y.Bus", "org.a11y.Bus")
            (own_bus,) = desktop.send_and_get_reply(new_method_call(bus, "GetAddress"), timeout=ANSWER_S).body
            command = [sys.executable, "-m", "framebrush", "play", *arguments, "--device", "cpu"]
            program = subprocess.Popen(command, env=environment, cwd=folder)
            try:
                with open_dbus_connection(own_bus) as connection:
                    yield Reader(connection, program)
            finally:
                program.terminate()
                program.wait(WAIT_S)
                daemon.terminate()
                daemon.wait(WAIT_S)
