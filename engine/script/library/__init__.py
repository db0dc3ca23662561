"""Parts of the standard library written in the language of scripts: they are executed by the interpreter like the
script itself, so that its limits hold in them and nothing of the host can be reached through them. Each file is one
module (`import heapq` executes heapq.py); they import nothing but what scripts may import."""
