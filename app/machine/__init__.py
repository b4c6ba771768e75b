"""Tests and measurements of this computer."""
