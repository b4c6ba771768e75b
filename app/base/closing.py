"""What is closed at the end of a `with` block."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Self


class Closing(ABC):
    """Base of everything that holds something until it is closed."""

    @abstractmethod
    def close(self) -> None:
        """Release everything. Idempotent."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()
