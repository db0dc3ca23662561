"""Scripts: hostile text in, statements executed one at a time. Nothing here uses exec, eval or compiled code."""
