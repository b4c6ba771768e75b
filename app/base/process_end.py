"""Description of a process that was killed or crashed."""

from __future__ import annotations

import signal

_NT_STATUS = {0xC0000005: "an access violation", 0xC0000094: "a division by zero", 0xC00000FD: "a stack overflow"}


def how_ended(status: int) -> str:
    """Describe an exit status of `subprocess`: "was ended by SIGSEGV"."""
    if status < 0:
        try:
            name = signal.Signals(-status).name
        except ValueError:
            name = f"signal {-status}"
        hint = ", as a system short of memory does" if name == "SIGKILL" else ""
        return f"was ended by {name}{hint}"
    if status in _NT_STATUS:
        return f"was ended by {_NT_STATUS[status]}"
    return f"ended with status {status if status < 1 << 31 else hex(status)}"
