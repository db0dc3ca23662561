"""The classes of scripts, and what they may extend."""
