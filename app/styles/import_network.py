"""Import of third-party networks into the user's styles."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from framebrush.models.preprocessing import PreprocessingOverrides
from framebrush.styles.style_folder import StyleFolder


def import_network(
    path: Path, overrides: PreprocessingOverrides, name: str | None = None
) -> tuple[Path, tuple[str, ...]]:
    """Import a network and store its preprocessing. Raises StyleError, OSError."""
    import onnx  # imported here because the command line starts without it

    from framebrush.models.model_card import write_card
    from framebrush.models.reading.load import load_style

    style = load_style(path, overrides=overrides)
    model = onnx.load_model_from_string(style.model)
    write_card(model, style.card)
    with TemporaryDirectory() as folder:
        file = Path(folder, f"{path.stem}.onnx")
        file.write_bytes(model.SerializeToString())
        return StyleFolder().keep(file, name), style.card.notes
