"""Bundled paintings: painters, titles, training parameters."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Crop:
    """Shares of width and height cut off."""

    left: float = 0.0
    top: float = 0.0
    right: float = 0.0
    bottom: float = 0.0


SCREAM = Crop(right=0.06, bottom=0.02)
"""The photograph shows a red and a white strip at the right edge."""

MARK = Crop(bottom=0.06)
"""Marks of web sites and museums at the bottom."""

FINER = "-fine"
"""Suffix of painting names in the quality file."""


@dataclass(frozen=True, slots=True)
class Painting:
    """Bundled painting.

    key: name on the command line. file: its photograph. together, content, stroke_px: see `trainer.Recipe`.
    fine_content, fine_stroke_px: for the larger network. luma_gain: contrast added about luma_mean, 0..1.
    """

    key: str
    title: str
    painter: str
    year: str
    file: str
    together: float = 0.7
    content: float = 1.2
    crop: Crop = MARK
    stroke_px: float = 10.0
    fine_content: float = 1.2
    fine_stroke_px: float | None = None
    luma_gain: float = 1.0
    luma_mean: float = 0.5

    def at(self, size: str) -> Painting:
        """Return parameters for `realtime` or `quality`."""
        if size == "realtime":
            return self
        stroke_px = self.stroke_px if self.fine_stroke_px is None else self.fine_stroke_px
        return replace(self, content=self.fine_content, stroke_px=stroke_px)


PAINTINGS = (
    Painting(
        "starry-night",
        "The Starry Night",
        "Vincent van Gogh",
        "1889",
        "vangogh_starry_night_1889.jpg",
    ),
    Painting(
        "great-wave",
        "The Great Wave off Kanagawa",
        "Katsushika Hokusai",
        "1831",
        "hokusai_great_wave.jpg",
        0.85,
        content=1.1,
        stroke_px=7.0,  # thin lines become blots at 10
        fine_stroke_px=10.0,
    ),
    Painting("scream", "The Scream", "Edvard Munch", "1893", "munch_the_scream_1893.jpg", crop=SCREAM),
    Painting(
        "composition-vii",
        "Composition VII",
        "Wassily Kandinsky",
        "1913",
        "kandinsky_composition_vii_1913.jpg",
        content=1.35,
        fine_content=1.25,
    ),
    Painting(
        "udnie",
        "Udnie",
        "Francis Picabia",
        "1913",
        "picabia_udnie_1913.jpg",
        content=1.25,
        stroke_px=6.0,  # wide planes are as large as a face at 10
        fine_content=1.25,
    ),
    Painting(
        "wheat-field",
        "Wheat Field with Cypresses",
        "Vincent van Gogh",
        "1889",
        "vangogh_wheat_field.jpg",
        content=1.3,
    ),
    Painting(
        "dusk",
        "San Giorgio Maggiore at Dusk",
        "Claude Monet",
        "1908",
        "monet_san_giorgio_maggiore_dusk.jpg",
        luma_gain=1.25,  # mist leaves 0.44 of the film's range of luma, too little for people
        luma_mean=0.51,
    ),
    Painting("tahiti", "Three Tahitians", "Paul Gauguin", "1890s", "gauguin_tahiti.jpg", content=1.3),
    Painting(
        "charing-cross",
        "Charing Cross Bridge",
        "Claude Monet",
        "1903",
        "monet_charing_cross_bridge.jpg",
        luma_gain=2.25,  # the painting leaves 0.24
        luma_mean=0.56,
    ),
    Painting(
        "rhone",
        "Starry Night Over the Rhône",
        "Vincent van Gogh",
        "1888",
        "vangogh_starry_night_over_the_rhone.png",
        content=1.3,
        luma_gain=1.5,  # the night leaves 0.36
        luma_mean=0.25,
    ),
    Painting(
        "night-cafe",
        "The Night Café",
        "Vincent van Gogh",
        "1888",
        "vangogh_night_cafe_1888.jpg",
    ),
    Painting(
        "olive-trees",
        "Olive Trees",
        "Vincent van Gogh",
        "1889",
        "vangogh_olive_trees.jpg",
        stroke_px=14.0,  # small dabs are dots at 10
    ),
    Painting(
        "self-portrait",
        "Self-Portrait with Straw Hat",
        "Vincent van Gogh",
        "1887",
        "vangogh_self_portrait.jpg",
    ),
    Painting(
        "cottages",
        "Houses and Figure",
        "Vincent van Gogh",
        "1890",
        "vangogh_houses_auvers.jpg",
    ),
    Painting(
        "te-fare",
        "Te Fare",
        "Paul Gauguin",
        "1892",
        "gauguin_te_fare.jpg",
        content=1.35,
        fine_content=1.25,
        luma_gain=1.14,  # 0.50 in the mean, 0.43 at least
        luma_mean=0.42,
    ),
    Painting(
        "in-bed",
        "In Bed",
        "Henri de Toulouse-Lautrec",
        "1893",
        "toulouse_lautrec_in_bed.png",
        content=1.25,
        fine_content=1.25,
    ),
)
