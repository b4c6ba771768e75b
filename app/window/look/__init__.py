"""Controls of the look, in panel and menus."""
