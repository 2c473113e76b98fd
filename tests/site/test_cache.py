"""The cache of builds: a thing is made again where its inputs differ, and only there."""

from chronicle.site.cache import BuildCache

NAME = ("page", "the-boathouse", "index")


def test_a_thing_is_made_again_only_of_other_inputs() -> None:
    cache, built = BuildCache(), list[str]()

    def make() -> str:
        built.append("made")
        return f"{len(built)}"

    assert cache.find_or_make(NAME, {"words": ["rain"]}, make) == "1"
    assert cache.find_or_make(NAME, {"words": ["rain"]}, make) == "1"
    assert cache.find_or_make(NAME, {"words": ["snow"]}, make) == "2"
    # The last one alone is kept.
    assert cache.find_result(NAME, {"words": ["rain"]}) is None
    assert cache.last_result(NAME) == "2"


def test_what_is_forgotten_is_made_again() -> None:
    cache = BuildCache()
    for name in (NAME, ("library", "rules/index")):
        cache.keep_result(name, 1, "kept")
    cache.forget(kept_kind="library")
    assert cache.find_result(NAME, 1) is None
    assert cache.find_result(("library", "rules/index"), 1) == "kept"
    cache.forget()
    assert cache.last_result(("library", "rules/index")) is None
