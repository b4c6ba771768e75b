"""Pictures that guide a brush."""

from __future__ import annotations

from framebrush.styles.brush_tips import brush_tip_of
from framebrush.styles.maps import BrushMaps, state_of
from framebrush.styles.specs import SOURCE_SIZE, SizeSpec


class Guides:
    """Requested sizes, with brush tip, maps and mask pictures."""

    def __init__(self, sizes: SizeSpec) -> None:
        self.sizes = sizes.with_pictures(lambda _: None)
        self.mark: bytes | None = None
        self.maps, self._state = BrushMaps(), state_of(self.sizes)

    def use(self, sizes: SizeSpec) -> bool:
        """Use other sizes; return whether only maps differ.

        Raises StyleError, without a change, for an unreadable brush picture.
        """
        mark, state = brush_tip_of(sizes), state_of(sizes)
        if state != self._state:
            self._use_maps(BrushMaps(sizes), sizes)
        stays = mark == self.mark and sizes.without_masks == self.sizes.without_masks
        self.mark, self.sizes = mark, sizes
        return stays

    def drop_maps(self) -> None:
        """Ignore maps and mask pictures."""
        self._use_maps(BrushMaps(), SOURCE_SIZE)

    def _use_maps(self, maps: BrushMaps, sizes: SizeSpec) -> None:
        self.maps.close()
        self.maps, self._state = maps, state_of(sizes)

    def close(self) -> None:
        self.maps.close()
