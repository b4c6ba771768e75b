"""Limits of memory and CPU time for hostile data."""

from __future__ import annotations

import sys

if sys.platform == "win32":
    import ctypes
    from ctypes import wintypes

    class _BasicLimits(ctypes.Structure):
        """JOBOBJECT_BASIC_LIMIT_INFORMATION."""

        _fields_ = (
            ("PerProcessUserTimeLimit", ctypes.c_int64),  # in units of 100 ns
            ("PerJobUserTimeLimit", ctypes.c_int64),
            ("LimitFlags", wintypes.DWORD),
            ("MinimumWorkingSetSize", ctypes.c_size_t),
            ("MaximumWorkingSetSize", ctypes.c_size_t),
            ("ActiveProcessLimit", wintypes.DWORD),
            ("Affinity", ctypes.c_size_t),
            ("PriorityClass", wintypes.DWORD),
            ("SchedulingClass", wintypes.DWORD),
        )

    class _ExtendedLimits(ctypes.Structure):
        """JOBOBJECT_EXTENDED_LIMIT_INFORMATION."""

        _fields_ = (
            ("BasicLimitInformation", _BasicLimits),
            ("IoInfo", ctypes.c_uint64 * 6),
            ("ProcessMemoryLimit", ctypes.c_size_t),
            ("JobMemoryLimit", ctypes.c_size_t),
            ("PeakProcessMemoryUsed", ctypes.c_size_t),
            ("PeakJobMemoryUsed", ctypes.c_size_t),
        )

    _EXTENDED_LIMIT_INFORMATION = 9
    _NO_ERROR_BOXES = 0x1 | 0x2 | 0x8000  # SEM_FAILCRITICALERRORS, _NOGPFAULTERRORBOX, _NOOPENFILEERRORBOX
    _PROCESS_TIME, _ACTIVE_PROCESS, _PROCESS_MEMORY, _DIE_ON_UNHANDLED_EXCEPTION = 0x2, 0x8, 0x100, 0x400

    def limit_process(memory_bytes: int, processor_s: int) -> None:
        """Limit memory and CPU time of this process; forbid file writes. Raises OSError."""
        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        kernel.CreateJobObjectW.restype = wintypes.HANDLE
        kernel.SetErrorMode(_NO_ERROR_BOXES)  # a crash opens no window and no debugger
        kernel.GetCurrentProcess.restype = wintypes.HANDLE
        kernel.SetInformationJobObject.argtypes = (wintypes.HANDLE, ctypes.c_int, ctypes.c_void_p, wintypes.DWORD)
        kernel.AssignProcessToJobObject.argtypes = (wintypes.HANDLE, wintypes.HANDLE)
        limits = _ExtendedLimits()
        basic = limits.BasicLimitInformation
        basic.LimitFlags = _PROCESS_TIME | _ACTIVE_PROCESS | _PROCESS_MEMORY | _DIE_ON_UNHANDLED_EXCEPTION
        basic.PerProcessUserTimeLimit = processor_s * 10_000_000
        basic.ActiveProcessLimit = 1
        limits.ProcessMemoryLimit = memory_bytes
        job = kernel.CreateJobObjectW(None, None)  # kept open while this process lives
        if (
            not job
            or not kernel.SetInformationJobObject(
                job, _EXTENDED_LIMIT_INFORMATION, ctypes.byref(limits), ctypes.sizeof(limits)
            )
            or not kernel.AssignProcessToJobObject(job, kernel.GetCurrentProcess())
        ):
            raise ctypes.WinError(ctypes.get_last_error())

else:
    import resource

    def limit_process(memory_bytes: int, processor_s: int) -> None:
        """Limit memory and CPU time of this process; forbid file writes.

        Raises OSError, ValueError.
        """
        for what, soft, hard in (
            (resource.RLIMIT_AS, memory_bytes, memory_bytes),
            (resource.RLIMIT_CPU, processor_s, processor_s + 1),  # SIGXCPU at the first limit, SIGKILL at the second
            (resource.RLIMIT_FSIZE, 0, 0),
            (resource.RLIMIT_CORE, 0, 0),
        ):
            ceiling = resource.getrlimit(what)[1]
            most = hard if ceiling == resource.RLIM_INFINITY else ceiling
            resource.setrlimit(what, (min(soft, most), min(hard, most)))
