"""Finding a scenario."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from app.library import TOPICS, scenarios
from app.pages.search import LEVELS, find, find_nearest, read_search
from app.pages.text import ENGLISH
from app.views import ScenarioView

ALL = [
    ScenarioView(s.slug, s.title, s.summary, s.level, s.minutes, "", s.source, topics=s.topics)
    for s in scenarios().values()
]


def slugs(words: str = "", level: str = "", topic: str = "") -> list[str]:
    return [one.slug for one in find(ALL, read_search(words, level, topic))]


def test_every_topic_has_a_name_and_every_scenario_a_topic() -> None:
    assert tuple(ENGLISH.topics) == TOPICS
    for topic in TOPICS:
        assert slugs(topic=topic) == [one.slug for one in ALL if topic in one.topics] != []
    assert all(one.topics for one in ALL)
    assert "retain-graph" in slugs(topic="gradients")
    assert "retain-graph" not in slugs(topic="networks")


def test_words_are_found_in_titles_first() -> None:
    assert slugs("ZERO_GRAD")[0] == "why-zero-grad"
    assert slugs("moons two")[0] == "two-moons"
    assert "two-moons" in slugs("bcewithlogitsloss")
    assert slugs("Learn what zero_grad() does?")[0] == "why-zero-grad"
    assert slugs("why") == slugs("WHY?")
    assert slugs("nosuchword") == []


def test_questions_find_what_they_are_about() -> None:
    assert slugs("None against 0")[0] == "none-against-zero"
    assert "none-against-zero" in slugs("why is my grad None?")
    assert "learning-rate-too-large" in slugs("why does the loss explode")
    assert slugs("accumulate gradients")[0] == "gradient-accumulation"
    assert slugs("bcewithlogitsloss") != []


def test_of_a_question_that_nothing_fits_what_is_nearest_is_shown() -> None:
    asked = read_search("Adam on a xylophone", "", "")
    assert find(ALL, asked) == []
    nearest = [one.slug for one in find_nearest(ALL, asked)]
    assert nearest
    assert set(nearest) < {one.slug for one in ALL}
    assert find_nearest(ALL, read_search("nosuchword", "", "")) == []
    assert all(one.level == "advanced" for one in find_nearest(ALL, read_search("gradient xyzzy", "advanced", "")))


def test_what_does_not_exist_is_not_asked_for() -> None:
    assert slugs(level="expert", topic="cooking") == slugs()
    assert not read_search("  ", "expert", "").asked
    assert len(read_search("x" * 5000, "", "").words) == 100


@settings(derandomize=True, max_examples=40)
@given(st.text("adelnorstz_ ", max_size=12), st.sampled_from(["", *LEVELS]), st.sampled_from(["", *TOPICS]))
def test_a_narrower_search_finds_fewer(words: str, level: str, topic: str) -> None:
    found = slugs(words, level, topic)
    assert set(found) <= set(slugs(level=level)) & set(slugs(topic=topic))
    assert len(found) == len(set(found))
