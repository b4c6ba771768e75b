"""Node for ComfyUI.

Load it by `custom_nodes/framebrush_nodes.py` with the line `from framebrush.comfyui import *`.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from framebrush.api.paint import paint
from framebrush.models.library import DEFAULT, bundled, card_of
from framebrush.styles.style_folder import StyleFolder

__all__ = ["NODE_CLASS_MAPPINGS", "NODE_DISPLAY_NAME_MAPPINGS"]

FROM_STYLE = -1.0
"""Value of a widget that leaves a setting to the style."""

NO_ALPHA = (64, 64)
"""Size of the empty mask that ComfyUI's Load Image gives for a picture without alpha."""


class FramebrushPaint:
    """Node that paints a batch of images as a film."""

    RETURN_TYPES = ("IMAGE",)
    FUNCTION = "paint"
    CATEGORY = "image/Framebrush"
    DESCRIPTION = "Paints the images of a batch in a style, in strokes that move with the film."

    @classmethod
    def INPUT_TYPES(cls) -> dict[str, dict[str, tuple[Any, ...]]]:  # noqa: N802 - ComfyUI's name
        """Return the inputs and widgets of the node."""
        own_words = f"{FROM_STYLE:g}: as the style has it"
        share = {"default": FROM_STYLE, "min": FROM_STYLE, "max": 1.0, "step": 0.05}
        return {
            "required": {
                "images": ("IMAGE",),
                "style": (_styles(), {"default": DEFAULT}),
                "strength": ("FLOAT", {"default": 1.0, "min": 0.0, "max": 1.0, "step": 0.05}),
                "brush": ("FLOAT", share | {"tooltip": f"How far strokes replace the picture; {own_words}"}),
                "faces": ("FLOAT", share | {"tooltip": f"How much of a face comes through; {own_words}"}),
                "sequence": (
                    "BOOLEAN",
                    {"default": True, "label_on": "a film", "label_off": "single pictures"},
                ),
            },
            "optional": {"mask": ("MASK", {"tooltip": "Painted where it is white; the image stays elsewhere"})},
        }

    def paint(
        self,
        images: Any,  # noqa: ANN401 - a tensor (N, H, W, 3 or 4), float32, 0..1
        style: str,
        strength: float,
        brush: float,
        faces: float,
        sequence: bool,
        mask: Any = None,  # noqa: ANN401 - a tensor (H, W), (1, H, W) or (N, H, W), float32, 0..1
    ) -> tuple[Any]:
        """Paint a tensor of images, keeping type and device."""
        options: dict[str, Any] = {"strength": strength}
        options |= {name: value for name, value in (("brush", brush), ("faces", faces)) if value >= 0}
        if mask is not None and (mask.any() or tuple(mask.shape[-2:]) != NO_ALPHA):
            masks = mask.clamp(0, 1).cpu().numpy()
            options |= {"mask": masks[0] if len(masks) == 1 else masks, "photo_outside": 1.0}
        report = _report_of(len(images))
        report(0)
        return (paint(images, style, sequence=sequence, on_picture=report, **options),)


def _styles() -> list[str]:
    named = [painting for path in bundled().values() for painting in card_of(path).paintings]
    return [*named, *(own.name for own in StyleFolder())]


def _report_of(images: int) -> Callable[[int], None]:
    with suppress(ImportError):  # as in a script without ComfyUI
        from comfy.model_management import throw_exception_if_processing_interrupted
        from comfy.utils import ProgressBar

        bar = ProgressBar(images)

        def report(painted: int) -> None:
            throw_exception_if_processing_interrupted()
            bar.update_absolute(painted)

        return report
    return lambda _: None


NODE_CLASS_MAPPINGS = {"FramebrushPaint": FramebrushPaint}
NODE_DISPLAY_NAME_MAPPINGS = {"FramebrushPaint": "Paint (Framebrush)"}
