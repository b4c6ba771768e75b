"""Errors with remedies."""

from __future__ import annotations


class RemediedError(Exception):
    """Error. do: the command line's remedy."""

    def __init__(self, cause: str, do: str = "") -> None:
        super().__init__(f"{cause}; {do}" if do else cause)
        self.cause, self.do = cause, do


class ImpossibleError(RemediedError, ValueError):
    """Impossible values."""


def cause_of(error: BaseException) -> str:
    """Return an error without remedy, for windows."""
    return error.cause if isinstance(error, RemediedError) else str(error)
