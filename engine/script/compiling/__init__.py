"""From the syntax tree to closures and instructions, once per text."""
