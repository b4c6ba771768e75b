"""Support commands: check this computer, and list the program's components."""

from __future__ import annotations

from typing import Annotated

import typer

from framebrush.base.json_values import indented
from framebrush.cli.messages import check_printed, print_result


def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON without personal data, for bug reports.")] = False,
) -> None:
    """Check encoders, styles and devices on this computer, and paint a frame on each."""
    from rich.console import Console

    from framebrush.cli.death import check_checked
    from framebrush.machine.doctor import examine

    check_checked(listed=not as_json)
    report = examine(None if as_json else Console())
    if as_json:
        print_result(indented(report.as_json()))
    check_printed()
    raise typer.Exit(0 if report.healthy else 1)


def licences(
    sbom: Annotated[bool, typer.Option("--sbom", help="Print a CycloneDX bill of materials.")] = False,
) -> None:
    """Print Framebrush's components, with the texts of all licences."""
    from framebrush.licences import bill_of_materials, notices

    print_result(indented(bill_of_materials()) if sbom else notices())
