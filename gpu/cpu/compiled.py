"""Functions that numba compiles. Importing numba takes half a second, so only modules with such functions import this
one."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, ParamSpec, TypeVar, get_type_hints

import numpy as np
import numpy.typing as npt

from framebrush.gpu.kernel_cache import cache_folder

# Where colorama is installed, as on Windows, numba would replace sys.stdout and put it back while it compiles in a
# thread, and undo what other threads have set in the meantime.
os.environ["NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING"] = "1"

import numba
from numba import types

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

Floats1 = Annotated[npt.NDArray[np.float32], types.float32[::1]]
Floats2 = Annotated[npt.NDArray[np.float32], types.float32[:, ::1]]
Floats3 = Annotated[npt.NDArray[np.float32], types.float32[:, :, ::1]]
Planes = Annotated[npt.NDArray[np.float32], types.float32[:, :, :]]
"""(3, H, W), of which rows and columns may be left out."""

Row = Annotated[npt.NDArray[np.float32], types.float32[:]]
"""Of `Planes`: (W,)."""

Whole1 = Annotated[npt.NDArray[np.int32], types.int32[::1]]
Whole2 = Annotated[npt.NDArray[np.int32], types.int32[:, ::1]]
Whole4 = Annotated[npt.NDArray[np.int32], types.int32[:, :, :, ::1]]
Bytes1 = Annotated[npt.NDArray[np.uint8], types.uint8[::1]]
Bytes2 = Annotated[npt.NDArray[np.uint8], types.uint8[:, ::1]]

_KINDS = {int: types.intp, float: types.float32, type(None): types.none}


def compiled(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Compile a function for the types that it is annotated with, arrays without gaps, a float of 32 bits and an int as
    wide as an index. It runs without Python's lock, and gives the same bits on every processor: no sum is taken in
    another order, and nothing is multiplied and added at once."""
    hints = get_type_hints(function, include_extras=True)
    signature = _kind(hints.pop("return"))(*map(_kind, hints.values()))

    def made(*, cache: bool) -> Callable[Parameters, Result]:
        native: Any = numba.njit(signature, nogil=True, error_model="numpy", cache=cache)(function)
        return native  # type: ignore[no-any-return]

    try:
        with _cache_in(cache_folder("numba") / _digest(function)):
            return made(cache=True)
    except Exception:  # a cache that is damaged or cannot be written is no error; what does not compile raises again
        return made(cache=False)


def _kind(hint: Any) -> Any:  # noqa: ANN401
    """numba's type for that of an argument; that of a NamedTuple consists of those of its fields."""
    if hint in _KINDS:
        return _KINDS[hint]
    if not isinstance(hint, type):
        return hint.__metadata__[0]
    return types.NamedTuple([_kind(field) for field in get_type_hints(hint, include_extras=True).values()], hint)


@contextmanager
def _cache_in(folder: Path) -> Iterator[None]:
    """Have numba keep there what it compiles here, unless NUMBA_CACHE_DIR names another folder."""
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = before or str(folder)
    try:
        yield
    finally:
        numba.config.CACHE_DIR = before


def _digest(function: Callable[..., Any]) -> str:
    """Of the constants that a function may have in its code: numba only looks whether its file has changed, not whether
    those have which they come from."""
    constants = {name: value for name, value in function.__globals__.items() if name.isupper()}
    return hashlib.sha256(repr(constants).encode()).hexdigest()[:16]
