"""Sets of texts come in the order that they have in CPython with PYTHONHASHSEED=0, whatever the process has."""

from __future__ import annotations

import os
import subprocess
import sys

from tests.engine.script.compare import in_interpreter

PROGRAM = """
words = "the quick brown fox jumps over the lazy dog and then some more words to make the table grow".split()
s = set(words)
print(s, list(s | {"zebra", "yak"}), s & {"the", "fox", "dog"}, s - {"the"}, s ^ {"fox", "cat"})
print(set(zip(words, words[1:])), frozenset("abcdef"), {w[0] for w in words}, {*words, "extra"})
print(set(words[:3]) | set(words[3:]) | set(words), set(s), s.copy(), set({w: i for i, w in enumerate(words)}))
s.discard("fox"); s.add("hen"); s.pop(); s -= {"the", "to"}; s ^= set("ab"); s |= {"b", "c"}; s &= {*words, "b"}
print(s, sorted(s)[:2], s.union(["x", "y"]), s.difference(["dog"]), s.intersection(words), s.symmetric_difference("ab"))
d = {w: i for i, w in enumerate(words)}
print(d.keys() & {"fox", "dog", "hen"}, d.keys() | {"q"}, d.keys() - {"the"}, d.keys() ^ {"the", "new"})
print({frozenset("ab"), frozenset("cd")}, {"a": 1}.items() == {("a", 1)}, {None, "a", 1.5, (1, "b")}, {b"ab", "x"})
print(set("안녕하세요 세계"), set("Привет, мир"), set("naïve"), set("a😀b"), {"", "x" * 100, "y" * 9}, {-1, "-1"})
print({"one", "two", "three", "four", "five", "six"}, {"a", "b"})
for color in {"red", "green", "blue"}: print(color)
print([color for color in {"red", "green", "blue"}], {"a", "b"} <= {"b", "a", "c"}, "a" in {"a"}, {"a"}.isdisjoint("b"))
print({w: i for i, w in enumerate(set(words))}, hash(frozenset({"a"})) == hash(frozenset("a")))
print(hash("hello"), hash(("a", 1)), hash(b"x"), hash(""), hash("안녕"))
"""


def test_texts_come_in_the_order_of_cpython() -> None:
    told = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env=os.environ | {"PYTHONHASHSEED": "0", "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        check=True,
    )
    assert in_interpreter(PROGRAM).stdout == told.stdout.decode()
