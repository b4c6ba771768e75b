"""Choice of the fastest engine for a network."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from framebrush.gpu import fastest
from framebrush.gpu.errors import DeviceError, DeviceLostError, WrongResultError
from framebrush.gpu.fastest import Opened, Ways

pytestmark = pytest.mark.unit


@dataclass
class Engine:
    name: str
    seconds: float
    closed: bool = False

    def close(self) -> None:
        self.closed = True


@pytest.fixture(autouse=True)
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    for name in ("LOCALAPPDATA", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    return tmp_path / "framebrush" / "engines"


class Measured:
    """Engines with known times, and a list of the measured engines."""

    def __init__(self, **seconds: float | DeviceError) -> None:
        self._seconds = seconds
        self.measured: list[Engine] = []

    def ways(self) -> Ways[Engine]:
        return Ways({name: self._opened(name) for name in self._seconds}, lambda name: f"engine {name}")

    def _opened(self, name: str) -> Callable[[], Engine]:
        def opened() -> Engine:
            found = self._seconds[name]
            if isinstance(found, DeviceError):
                raise found
            return Engine(name, found)

        return opened

    def seconds(self, engine: Engine) -> float:
        self.measured.append(engine)
        return engine.seconds

    def fastest(self, facts: object = "card") -> Opened[Engine]:
        return self.ways().fastest(facts, self.seconds)


def test_the_fastest_is_measured_once_for_what_it_depends_on(cache: Path) -> None:
    engines = Measured(a=3.0, b=1.0, c=2.0)
    found = engines.fastest()
    assert (found.name, found.note, found.engine.closed) == ("b", "", False)
    assert [(one.name, one.closed) for one in engines.measured] == [("a", True), ("b", True), ("c", True)]
    assert engines.fastest().name == "b"
    assert len(engines.measured) == 3
    (kept,) = cache.iterdir()
    kept.write_bytes(b"damaged")
    assert engines.fastest().name == "b"
    assert len(engines.measured) == 6
    assert engines.fastest("another card").name == "b"
    assert len(engines.measured) == 9


def test_what_does_not_work_is_said_and_measured_again(cache: Path) -> None:
    engines = Measured(a=DeviceError("no driver"), b=2.0)
    for count in (1, 2):
        assert engines.fastest()[1:] == ("b", "engine b paints instead of engine a: no driver")
        assert len(engines.measured) == count
    assert not cache.exists()
    with pytest.raises(DeviceError, match=r"^no driver$"):
        Measured(a=DeviceError("no driver"), b=DeviceError("neither")).fastest()


def test_a_driver_that_computes_wrong_is_said_once_and_not_measured_again() -> None:
    engines = Measured(a=2.0, b=WrongResultError("off by 0.5"), c=3.0)
    assert engines.fastest()[1:] == ("a", "engine a paints instead of engine b: off by 0.5")
    assert engines.fastest()[1:] == ("a", "")
    assert len(engines.measured) == 2


def test_a_lost_device_is_no_reason_to_take_another_engine() -> None:
    with pytest.raises(DeviceLostError):
        Measured(a=DeviceLostError("gone"), b=1.0).fastest()
    with pytest.raises(DeviceLostError):
        Measured(a=DeviceLostError("gone"), b=1.0).ways().first()


def test_unmeasured_the_first_that_works_is_taken() -> None:
    assert Measured(a=2.0, b=1.0).ways().first()[1:] == ("a", "")
    assert Measured(a=2.0, b=1.0).ways().first("b")[1:] == ("b", "")
    engines = Measured(a=DeviceError("no driver"), b=1.0)
    assert engines.ways().first()[1:] == ("b", "engine b paints instead of engine a: no driver")


def test_one_may_settle_it() -> None:
    engines = Measured(a=9.0, b=1.0)
    found = engines.ways().fastest("card", engines.seconds, lambda name, seconds: name == "a" and seconds > 5.0)
    assert (found.name, len(engines.measured)) == ("a", 1)


def test_a_frame_is_timed_until_it_is_known_to_be_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fastest, "MEASURED_S", 0.0)
    monkeypatch.setattr(fastest, "PROCESSOR_S", 0.0)
    calls: list[str] = []
    seconds = fastest.frame_s(lambda: calls.append("run"), lambda: calls.append("wait"), 100)
    assert seconds > 0.0
    assert calls == ["run", "wait"] * 2
    assert fastest.is_slow(seconds, 100)
