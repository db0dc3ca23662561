"""HTML: the gallery, the debugger, embeds.

rooms.py names the files of addresses, which call the use cases in app/runs. What templates need is in files that know
no web framework, for the workers make pages too (offline ones): rendering.py and what it imports, place.py, cards.py.
What is asked and answered everywhere is in answers.py, every visible word in text.py."""
