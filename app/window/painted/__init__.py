"""Painted frames in the window.

Their files, the learning process, and suggestions where to paint another.
"""
