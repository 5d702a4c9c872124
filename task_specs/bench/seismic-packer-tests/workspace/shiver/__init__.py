"""Packs the readings of small seismometers for the radio link."""

__version__ = "2.4"
