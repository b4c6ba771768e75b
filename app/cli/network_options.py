"""The options of a third-party network, for the commands that open or keep one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from framebrush.models.preprocessing import Layout, Order, PreprocessingOverrides, ValueRange, parse_values


@dataclass(frozen=True, kw_only=True)
class NetworkOptions:
    """How a third-party network is read."""

    net_layout: Annotated[Layout | None, typer.Option(help="Axes of a third-party network, if the guess is wrong.")] = (
        None
    )
    net_order: Annotated[Order | None, typer.Option(help="Channel order of a third-party network.")] = None
    net_input: Annotated[ValueRange | None, typer.Option(help="Input range of a third-party network.")] = None
    net_output: Annotated[ValueRange | None, typer.Option(help="Output range of a third-party network.")] = None
    net_result: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Which output of a third-party network is the picture.", show_default=False),
    ] = None
    net_value: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=0.5",
            help="The value of another input of a third-party network, once for each.",
            show_default=False,
        ),
    ] = None

    def overrides(self) -> PreprocessingOverrides:
        """As a field of `StyleSpec`. Raises ValueError."""
        return PreprocessingOverrides(
            self.net_layout,
            self.net_order,
            self.net_input,
            self.net_output,
            result=self.net_result,
            values=parse_values(self.net_value or ()),
        )
