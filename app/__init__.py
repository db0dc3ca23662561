"""Gradient Flow's service: pages, REST and command line over the engine."""
