"""Sentences on the end of a process, from its exit status."""

import sys

import pytest

from framebrush.base.process_end import how_ended

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("status", "says"),
    [
        (1, "ended with status 1"),
        (0x7FFFFFFF, "ended with status 2147483647"),
        (0x80000000, "ended with status 0x80000000"),
        (0xC0000005, "was ended by an access violation"),
        (0xC0000094, "was ended by a division by zero"),
        (0xC00000FD, "was ended by a stack overflow"),
        (-4000, "was ended by signal 4000"),
    ],
)
def test_a_status_is_described(status: int, says: str) -> None:
    assert how_ended(status) == says


@pytest.mark.skipif(sys.platform == "win32", reason="statuses are not signals there")
@pytest.mark.parametrize(
    ("status", "says"),
    [
        (-9, "was ended by SIGKILL, as a system short of memory does"),
        (-11, "was ended by SIGSEGV"),
    ],
)
def test_a_signal_is_named(status: int, says: str) -> None:
    assert how_ended(status) == says
