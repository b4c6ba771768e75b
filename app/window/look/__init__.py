"""The controls of the look, in the side panel and in the menus."""
