"""The first files of `tests.fuzz.networks`, from a fixed seed."""

from __future__ import annotations

import pytest

from framebrush.models.reading.style_conversion import make_style
from tests.fuzz import networks

pytestmark = pytest.mark.unit


@pytest.mark.slow
def test_mutated_networks_load_or_are_refused() -> None:
    counts = networks.run(seed=1, files=24)
    assert counts.accepted >= 1
    assert counts.refused >= 1


def test_the_same_seed_makes_the_same_files() -> None:
    files = [networks.case(1, number) for number in range(30)]
    assert files == [networks.case(1, number) for number in range(30)]
    assert len(set(files)) > 20


@pytest.mark.slow
def test_every_family_is_accepted_as_it_is() -> None:
    """Otherwise its mutations would test one reason alone."""
    for family in networks.FAMILIES:
        make_style(family(), "net")
