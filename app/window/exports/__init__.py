"""Exports: the dialog, the list, and the processes that do them."""
