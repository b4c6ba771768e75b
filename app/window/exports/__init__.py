"""Exports: the dialog, the list, and the processes that run them."""
