"""Lessons, and what is said of what learners answer and hand in."""
