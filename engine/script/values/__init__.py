"""Operators, attributes, builtins and texts of values, by our rules."""
