"""The bundled paintings: who painted what, and how strongly each network follows it."""

from __future__ import annotations

from dataclasses import dataclass

MARK = 0.06
"""Of a painting's height, cut off below: where web sites and museums leave their marks."""

FINER = "-fine"
"""Ends the names of the paintings in the quality file."""


@dataclass(frozen=True, slots=True)
class Painting:
    """key: its name on the command line. file: the photograph of it that was learnt from. styles: style weight of each
    size. together: see `trainer.Recipe`."""

    key: str
    title: str
    painter: str
    year: str
    file: str
    styles: dict[str, float]
    together: float = 0.7


def _weights(realtime: float, quality: float) -> dict[str, float]:
    return {"realtime": realtime, "quality": quality}


PAINTINGS = (
    Painting(
        "starry-night",
        "The Starry Night",
        "Vincent van Gogh",
        "1889",
        "vangogh_starry_night_1889.jpg",
        _weights(6.0, 4.8),
    ),
    Painting(
        "great-wave",
        "The Great Wave off Kanagawa",
        "Katsushika Hokusai",
        "1831",
        "hokusai_great_wave.jpg",
        _weights(4.8, 4.3),
        0.85,
    ),
    Painting("scream", "The Scream", "Edvard Munch", "1893", "munch_the_scream_1893.jpg", _weights(6.0, 5.3)),
    Painting(
        "composition-vii",
        "Composition VII",
        "Wassily Kandinsky",
        "1913",
        "kandinsky_composition_vii_1913.jpg",
        _weights(5.0, 4.0),
    ),
    Painting("udnie", "Udnie", "Francis Picabia", "1913", "picabia_udnie_1913.jpg", _weights(3.6, 3.2)),
    Painting(
        "wheat-field",
        "Wheat Field with Cypresses",
        "Vincent van Gogh",
        "1889",
        "vangogh_wheat_field.jpg",
        _weights(6.0, 4.8),
    ),
    Painting(
        "dusk",
        "San Giorgio Maggiore at Dusk",
        "Claude Monet",
        "1908",
        "monet_san_giorgio_maggiore_dusk.jpg",
        _weights(4.8, 4.1),
    ),
    Painting("tahiti", "Three Tahitians", "Paul Gauguin", "1890s", "gauguin_tahiti.jpg", _weights(5.3, 4.6)),
)
