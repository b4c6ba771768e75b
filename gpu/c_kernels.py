"""CPU kernels in C (`gpu/cpu/kernels`), compiled with the package.

The first call chooses a build by x86-64 level. Kernels run without Python's lock.
"""

from __future__ import annotations

import ctypes
import inspect
import sys
import weakref
from collections.abc import Callable
from functools import lru_cache, wraps
from pathlib import Path
from typing import Annotated, Any, NamedTuple, ParamSpec, TypeVar, TypeVarTuple, get_type_hints

import numpy as np
import numpy.typing as npt

from framebrush.gpu.errors import DeviceError

Parameters = ParamSpec("Parameters")
Arguments = TypeVarTuple("Arguments")
T = TypeVar("T")


class Kind(NamedTuple):
    """Array of a kernel. dense: without gaps; else only along the last axis."""

    dtype: type[np.generic]
    axes: int
    dense: bool = True


Floats1 = Annotated[npt.NDArray[np.float32], Kind(np.float32, 1)]
Floats2 = Annotated[npt.NDArray[np.float32], Kind(np.float32, 2)]
Floats3 = Annotated[npt.NDArray[np.float32], Kind(np.float32, 3)]
Planes = Annotated[npt.NDArray[np.float32], Kind(np.float32, 3, dense=False)]
"""(3, H, W); trailing rows and columns may be unused."""

Whole1 = Annotated[npt.NDArray[np.int32], Kind(np.int32, 1)]
Whole2 = Annotated[npt.NDArray[np.int32], Kind(np.int32, 2)]
Whole3 = Annotated[npt.NDArray[np.int32], Kind(np.int32, 3)]
Shorts2 = Annotated[npt.NDArray[np.int16], Kind(np.int16, 2)]
Shorts3 = Annotated[npt.NDArray[np.int16], Kind(np.int16, 3)]
Bytes2 = Annotated[npt.NDArray[np.uint8], Kind(np.uint8, 2)]

_NAME = "framebrush_kernels.dll" if sys.platform == "win32" else "libframebrush_kernels.so"
LIBRARY = Path(__file__).with_name("cpu") / _NAME
LEVELS = {3: "v3", 2: "v2", 1: "base"}
"""What `framebrush_level` answers, and how the kernels' names end."""


@lru_cache(maxsize=1)
def library() -> tuple[ctypes.CDLL, str]:
    """Return the kernels, and the suffix of their names."""
    try:
        loaded = ctypes.CDLL(str(LIBRARY))
    except OSError as error:
        raise DeviceError(f"the kernels of the CPU cannot be loaded ({error}); install Framebrush again") from None
    level = LEVELS.get(loaded.framebrush_level())
    if level is None:
        raise DeviceError("this processor is older than x86-64-v2 (SSE4.2, of 2009), which painting on it takes")
    return loaded, level


def has_dot_products() -> bool:
    """Return whether the processor has VNNI. Raises DeviceError."""
    return bool(library()[0].framebrush_dot_products())


def kernel(
    scratch: Callable[Parameters, int],
) -> Callable[[Callable[Parameters, None]], Callable[Parameters, None]]:
    """Make a function call the C kernel of the same name.

    It gets the annotated parameters, scratch, rows y0 and y1; see `gpu.cpu.stages.kernels`.

    Raises TypeError for an array of another dtype, axes or gaps.
    """

    def declared(function: Callable[Parameters, None]) -> Callable[Parameters, None]:
        name = function.__name__
        hints = get_type_hints(function, include_extras=True)
        *parameters, _, _ = inspect.signature(function).parameters
        floats: Callable[..., int] = scratch
        convert = [_converter(f"{name}'s {parameter}", hints[parameter]) for parameter in parameters]

        @lru_cache(maxsize=1)
        def native() -> Callable[..., None]:
            loaded, level = library()
            found = loaded[f"{name}_{level}"]
            found.restype = None
            return found

        def pack(*values: Any) -> Callable[[int, int], None]:  # noqa: ANN401
            given = [turned(value) for turned, value in zip(convert, values, strict=True)]
            called = native()

            def rows(y0: int, y1: int) -> None:
                needed = floats(*values, y0, y1)
                taken = np.empty(needed, np.float32) if needed else None
                address = None if taken is None else taken.ctypes.data
                called(*given, ctypes.c_void_p(address), ctypes.c_int64(y0), ctypes.c_int64(y1))

            return rows

        @wraps(function)
        def call(*arguments: Parameters.args, **_: Parameters.kwargs) -> None:
            listed: list[Any] = [*arguments]
            *values, y0, y1 = listed
            pack(*values)(y0, y1)

        vars(call)[_PACK] = pack
        return call

    return declared


_PACK = "pack_arguments"
"""The attribute of a kernel that packs its arguments, but for the rows."""


def bound(work: Callable[[*Arguments, int, int], None], *arguments: *Arguments) -> Callable[[int, int], None]:
    """Return a function of first and end row, other arguments packed."""
    pack: Callable[..., Callable[[int, int], None]] | None = getattr(work, _PACK, None)
    return (lambda y0, y1: work(*arguments, y0, y1)) if pack is None else pack(*arguments)


def _converter(what: str, hint: Any) -> Callable[[Any], Any]:  # noqa: ANN401
    if hint is int:
        return ctypes.c_int64
    if hint is float:
        return ctypes.c_float
    words = _words(what, hint)

    def turned(value: Any) -> ctypes.Array[ctypes.c_int64]:  # noqa: ANN401
        listed = words(value)
        return (ctypes.c_int64 * len(listed))(*listed)  # an array is passed as a pointer to it

    return turned if isinstance(hint, type) else _remembered(turned)


def _remembered(call: Callable[[npt.NDArray[Any]], T]) -> Callable[[npt.NDArray[Any]], T]:
    # results live as long as their arrays
    known: dict[int, tuple[weakref.ref[npt.NDArray[Any]], T]] = {}

    def remembered(array: npt.NDArray[Any]) -> T:
        key = id(array)
        found = known.get(key)
        if found is not None and found[0]() is array:
            return found[1]
        made = call(array)
        known[key] = weakref.ref(array, lambda _: known.pop(key, None)), made
        return made

    return remembered


def _words(what: str, hint: Any) -> Callable[[Any], list[int]]:  # noqa: ANN401
    if hint is int:
        return lambda value: [value]
    if isinstance(hint, type):
        fields = get_type_hints(hint, include_extras=True)
        parts = [_words(f"{what}.{name}", field) for name, field in fields.items()]
        return lambda value: [word for part, field in zip(parts, value, strict=True) for word in part(field)]
    kind: Kind = hint.__metadata__[0]
    dtype, step = np.dtype(kind.dtype), np.dtype(kind.dtype).itemsize

    def of_array(array: npt.NDArray[np.generic]) -> list[int]:
        flat = array.flags.c_contiguous if kind.dense else array.strides[-1] == step or array.shape[-1] == 1
        if array.dtype != dtype or array.ndim != kind.axes or not flat:
            gaps = "without gaps" if kind.dense else "with the last one together"
            raise TypeError(
                f"{what} is {array.dtype} of {array.shape}, {array.strides} bytes apart, not {kind.axes} axes"
                f" of {dtype} {gaps}"
            )
        words = [array.ctypes.data, *array.shape]
        return words if kind.dense else words + [stride // step for stride in array.strides[:-1]]

    return _remembered(of_array)
