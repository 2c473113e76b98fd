"""The cast, the life of a character, and the cards beside names: as things stood, and no further."""

import json
import re
from pathlib import Path

import pytest

from chronicle.campaigns import load, open_view
from chronicle.core.outcomes import plain_text
from chronicle.site.bonds import ties_of
from chronicle.site.campaign_site import CampaignSite
from chronicle.site.life import MAX_SHOWN_POINTS, MIN_FOLDED_POINTS, Life, life_of
from chronicle.site.prose import markdown_to_text
from chronicle.site.told import tells_story
from tests.site.made import EXAMPLES, example, made, untold


@pytest.fixture(scope="module")
def coast() -> CampaignSite:
    return example("the-lantern-coast").campaign_site


@pytest.mark.integration
@pytest.mark.parametrize("folder", EXAMPLES, ids=lambda folder: folder.name)
@pytest.mark.longer
def test_how_things_stood_is_how_they_stand_where_the_log_ends_there(folder: Path) -> None:
    view = open_view(load(folder))
    assert list(view.session_ends) == [session.number for session in view.sessions]
    for number, evening in view.session_ends.items():
        earlier_view = open_view(load(folder), through=number)
        ((_, last),) = list(earlier_view.session_ends.items())[-1:]
        assert last == evening, number


@pytest.mark.parametrize("folder", EXAMPLES, ids=lambda folder: folder.name)
def test_everybody_in_the_cast_has_the_sentence_that_is_about_them(folder: Path) -> None:
    campaign_site, _ = shown = made(folder)
    cast = shown.html("cast/index") if campaign_site.cast else ""
    words = " ".join(re.sub(r"<[^>]*>|[“”]", "", cast).split())
    for sheet in campaign_site.cast:
        heading = f"{sheet.name[:1].upper()}{sheet.name[1:]}".replace("'", "’")
        assert f">{heading}</a>" in cast
        introduction = campaign_site.lives.introduction(sheet.id)
        if introduction is not None and not introduction.is_from_session_head:
            step = campaign_site.record.step(introduction.step_numbers[0])
            assert introduction.as_plain_text().strip("“”")[:30] in " ".join(
                str(step.action.text).split()
            )
            made_here = {event.subject for event in step.events}
            assert sheet.id in made_here
        if introduction is not None:
            assert (
                " ".join(
                    markdown_to_text(introduction.as_plain_text())
                    .replace("“", "")
                    .replace("”", "")
                    .split()
                )[:24]
                in words
            )


def test_the_cast_after_an_evening_knows_nothing_later(coast: CampaignSite) -> None:
    first = example("the-lantern-coast").html("cast/after-1")
    for name in ("Presiding officer", "Mate of the Constance", "Watch below"):
        assert name not in first
        assert name in example("the-lantern-coast").html("cast/index")
    # Then the Guest was not gone, and Corin not yet one of the Board's.
    assert 'is-gone"' not in first.partition("The Guest")[0].rpartition("<li")[2]
    assert "Board man" not in first.partition("Corin Pask")[2][:200]
    for sheet in coast.cast:
        for chapter in coast.lives.outcomes_of_life(sheet.id, through_session=1):
            assert chapter.session == 1


def test_the_cast_has_whom_the_log_only_tells_of_and_the_dead_under_gone() -> None:
    def people(page: str) -> dict[str, str]:
        """Who stands where in the cast of Gallery Nine."""
        parts = re.split(r"<h2>([^<]*)", example("gallery-nine").html(page))
        sections = dict(zip(parts[1::2], parts[2::2], strict=True))
        return {
            name: title
            for title, section in sections.items()
            for name in ("Abel Hale", "Mrs Pell")
            if f"<h3>{name}" in section
        }

    assert people("cast/index") == {"Mrs Pell": "Also in the story", "Abel Hale": "Gone, and how"}
    assert people("cast/after-1") == {"Mrs Pell": "Also in the story"}
    assert 'href=""' not in example("gallery-nine").html("cast/index")
    orchard = example("the-witness-orchard").html("cast/index")
    assert ">Emeric Vane</a>" in orchard.partition("Gone, and how")[2]
    sheet = example("the-witness-orchard").html("characters/emeric-vane")
    assert re.search(r">Gone</p><p>(?:<[^>]*>)*Emeric Vane", sheet)


def life(name: str, of: str) -> Life:
    """The life of somebody in a play example."""
    campaign_site = example(name).campaign_site
    (sheet,) = (sheet for sheet in campaign_site.view.sheets if sheet.name == of)
    return life_of(
        campaign_site, sheet, ties_of(campaign_site.bonds.latest_bonds).get(sheet.id, ())
    )


def points(shown: Life) -> list[str]:
    """The words of all turning points that are shown at once."""
    return [plain_text(point.parts) for scene in shown.scenes for point in scene.turning_points]


def test_a_life_is_told_in_the_order_of_the_story() -> None:
    aud = life("the-lantern-coast", "Aud Hallam")
    assert aud.scenes[0].scene_ref is not None
    assert aud.scenes[0].scene_ref.label == "The night of the Constance"
    assert aud.is_reordered
    life_points = points(aud)
    assert MAX_SHOWN_POINTS < len(life_points) < MAX_SHOWN_POINTS + MIN_FOLDED_POINTS
    assert (
        "Aud turns the light out, herself, so that the ship cannot find the way in." in life_points
    )
    assert "Aud Hallam wins “It asks her itself” against the Guest." in life_points
    # Of those who are near to her, it says who went and who came back.
    assert "Nim is back: “Something, in Hester's arms.”" in life_points
    # A few more than that are not folded away: they stay in their places.
    assert not aud.folded_scenes
    assert "Aud goes down the stairs without counting." in life_points
    assert any(scene.is_first_seen for scene in aud.scenes)
    page = example("the-lantern-coast").html("characters/aud-hallam")
    assert "the keeper’s wife" not in page


def test_an_event_of_a_life_names_the_person_in_a_whole_sentence() -> None:
    ruth = points(life("the-boathouse", "Ruth"))
    assert '"I read your messages, Ruth."' in ruth
    assert "Ruth sits down between them, because it is the only chair." in ruth
    assert all("Ruth" in words for words in ruth if not words.startswith("First seen"))
    assert all(words.count('"') % 2 == 0 for words in ruth)
    hester = points(life("the-lantern-coast", "Hester Teague"))
    assert not [words for words in hester if words.startswith("Two sail are due")]
    assert any(words.startswith("False lantern: It hangs in a herring net") for words in hester)
    assert any(words.startswith("Watch below wins") for words in hester)


def test_a_portrait_stands_before_the_life_and_is_not_told_twice() -> None:
    html = example("the-dry-book").html("spies/quill")
    assert html.count("She is sixty and sits up straight") == 1
    assert html.index("She is sixty and sits up straight") < html.index("ch-lived")
    # The keepers' sentence rests on the same entry, and says it once more.
    assert html.count("eleven heads of state") == 1
    assert "Introduced, in the words above." not in html


def test_what_is_told_under_names_has_its_stars_and_links() -> None:
    html = example("the-dry-book").html("spies/quill")
    assert "cannot catch the <em>Rondine</em>" in html


@pytest.mark.parametrize("folder", EXAMPLES, ids=lambda folder: folder.name)
def test_what_the_cited_sentences_rest_on_is_in_the_life(folder: Path) -> None:
    campaign_site = made(folder).campaign_site
    ties = ties_of(campaign_site.bonds.latest_bonds)
    for sheet in campaign_site.view.sheets:
        shown_life = life_of(campaign_site, sheet, ties.get(sheet.id, ()))
        shown = {
            step
            for scene in shown_life.scenes
            for point in scene.turning_points
            for step in point.step_numbers
        }
        # An entry that tells nothing but makes them is where they are first seen.
        first_seen = {
            campaign_site.first_step_by_subject.get(sheet.id),
            *(
                step.number
                for step in campaign_site.record.visible_steps()
                if not tells_story(campaign_site.teller, step)
                and any(event.subject == sheet.id for event in step.events)
            ),
        }
        cited = set(campaign_site.lives.cited_texts.steps_cited_about(sheet.id))
        assert len(cited - shown) <= 1 and cited - shown <= first_seen, sheet.name


@pytest.mark.parametrize(
    ("story", "name", "words", "chips"),
    [
        ("the-lantern-coast", "Aud Hallam", 'Aud says it. "I put it out."', ()),
        ("the-lantern-coast", "Aud Hallam", "There is a skiff at the ladder. The oars are hers.", ()),
        ("the-lantern-coast", "Corin Pask", "Forty names and one coat. She might have told it to the sea; but he "
         "was holding her sleeve.", ("was told",)),
        ("the-lantern-coast", "Hester Teague", "Hester Teague: “Who saw her go down?”",
         ("owes Aud Hallam a night's silence",)),
        ("the-lantern-coast", "Hester Teague", "What we learn of Hester Teague: “has the boy's pole”.", ()),
        ("the-ferry-house", "the groom", "He goes in after it.", ()),
        ("the-dry-book", "Marrow", "Marrow never has found out what he was let out to open.", ()),
        ("the-dry-book", "Zora", '"Forks," says Zora, without looking up from the knife.', ()),
    ],
)  # fmt: skip
def test_a_cited_entry_is_told_in_its_own_words(
    story: str, name: str, words: str, chips: tuple[str, ...]
) -> None:
    points_shown = [point for scene in life(story, name).scenes for point in scene.turning_points]
    (point,) = (point for point in points_shown if plain_text(point.parts) == words)
    assert tuple(chip.words for chip in point.chips) == chips


@pytest.mark.parametrize(
    ("name", "scene", "words", "chip"),
    [
        ("Marrow", "The counter hall of the Adriatica Mutual, at noon", "Marrow leaves his ladder against the "
         "wall, goes down the corridor, and puts his ear to four doors.", "well, 3 : 1"),
        # Where no sentence names the person, it says first who they were.
        ("Marrow", "The villa, from the garden wall", "Quill, Marrow and Tern: They are let in, which is "
         "the trouble. The footman reads their cards, bows, and does not give them back.", "badly, 3 : 4"),
        # An interference is told, and not only named.
        ("Tern", "The staircase in the Via Torino", "The person named above is Tern, by a name that he has told "
         "nobody in this country.", "implicated"),
        # It was thrown after three scenes that had interrupted it.
        ("Marrow", "The cloakroom", "Marrow kneels down on the other side with a bar of hotel soap.",
         "well, 2 : 1"),
        # A question inside of a sentence does not end it.
        ("Marrow", "The pantry, with the door bolted from outside", "\"What is it I'm to open?\" asks Marrow.",
         "well, 1 : 0"),
        ("Quill", "Room 12 of the Savoia Excelsior", '"You had one of your boys practise my hand," says Quill.',
         "a stand-off, 1 : 1"),
    ],
)  # fmt: skip
def test_a_throw_of_a_life_is_told_and_then_how_it_came_out(
    name: str, scene: str, words: str, chip: str
) -> None:
    shown_life = life("the-dry-book", name)
    titles = [part.scene_ref.label for part in shown_life.scenes if part.scene_ref is not None]
    assert len(titles) == len(set(titles))
    sections = [
        [shown_chip.words for shown_chip in point.chips]
        for part in shown_life.scenes
        if part.scene_ref is not None and part.scene_ref.label == scene
        for point in part.turning_points
        if plain_text(point.parts).startswith(words)
    ]
    assert sections == [[chip]]
    assert not [
        words for words in points(shown_life) if re.search("do(es)? (well|badly) in", words)
    ]


def test_a_defeat_does_not_look_like_a_victory() -> None:
    looks = {
        chip.words.split(",")[0]: chip.look
        for scene in life("the-dry-book", "Quill").scenes
        for point in scene.turning_points
        for chip in point.chips
    }
    assert (looks["well"], looks["badly"], looks["a stand-off"]) == ("dice", "lost", "plain")


def test_whoever_is_only_called_upon_was_not_seen() -> None:
    shown_life = life("the-dry-book", "Zora")
    assert points(shown_life)[0] == "Called upon for pawned things."
    # The entry with all contacts tells nothing, and names others first.
    assert points(life("the-dry-book", "Uncle Fabio"))[0] == "Customs stamps; known by Tern."
    assert not any(scene.is_first_seen for scene in shown_life.scenes)


def test_a_first_sight_says_what_was_known_then() -> None:
    # The class of the Board's men is made in the second session.
    corin = untold("the-lantern-coast").campaign_site
    (sheet,) = (sheet for sheet in corin.view.sheets if sheet.name == "Corin Pask")
    assert sheet.role == "inspector, Board man"
    corin_points = points(life_of(corin, sheet, ()))
    assert "First seen as inspector." in corin_points
    # Where the keepers name the entry that makes somebody, that one is the first.
    assert "First seen" not in "".join(points(life("the-lantern-coast", "Corin Pask")))


def test_a_thing_has_its_end_and_does_not_say_its_name_twice() -> None:
    shown = example("a-room-by-post").html("props/suitcase")
    assert "still upstairs" in shown
    room = example("a-room-by-post").html("places/room-31")
    assert re.search(r"<h1[^>]*>Room 31</h1>\s*<p[^>]*>made by somebody angry", room, re.IGNORECASE)
    assert "She goes down in the break" in example("the-lantern-coast").html("props/patience")


def test_a_life_has_its_session_once_and_no_first_sight_below_an_introduction() -> None:
    def facts(page: str) -> list[str]:
        """The small line below each scene of a life."""
        heads = re.findall(r'<div class="ch-life__head">(.*?)</div>', page, re.DOTALL)
        return [words_of(head.rpartition("<p>")[2]) for head in heads]

    # Scenes in the order of the log: a session is named where it begins.
    quill = facts(example("the-dry-book").html("spies/quill"))
    assert [line for line in quill if line] == ["Session 1", "Session 2"]
    # Readers can put these into the order of the log.
    ruth = example("the-boathouse").html("characters/ruth")
    assert all("Session" in line for line in facts(ruth))
    assert "First seen as host" not in ruth


def test_ties_name_both_and_traits_do_not_repeat_the_name() -> None:
    ruth = words_of(example("the-boathouse").html("characters/ruth"))
    assert "Ruth → Tomas: backed with a die" in ruth
    assert "Wanda → Ruth: backed with a die" in ruth
    traits = example("the-ferry-house").html("characters/beate").partition(">Traits")[2]
    assert not re.search(r'class="ch-slip[^"]*"[^>]*>Beate<', traits)
    assert "heard it" in traits


def test_a_life_has_gaps_where_the_record_is_silent() -> None:
    silent = "Here the record is silent."
    beate = points(life("the-ferry-house", "Beate"))
    # As whom she is first seen, the introduction above has said.
    assert beate[0].startswith(f"{silent}pizza came!!")
    assert sum(words.startswith(silent) for words in beate) == 3
    page = example("the-ferry-house").html("characters/beate")
    assert ">Here the record is silent.</a> pizza came!!" in page
    assert "Also:" not in page and "grandmother" in page
    boy = points(life("left-luggage", "the boy"))
    assert boy[1:3] == [silent, "On the page of 30 April, now with Finn."]
    assert silent not in points(life("the-lantern-coast", "Nim"))


def test_people_are_known_by_the_part_of_their_name_that_nobody_else_has(
    coast: CampaignSite,
) -> None:
    short = coast.sheet_id_by_short_name
    assert {short[word] for word in ("Aud", "Corin", "Pask")} == {"c2", "c4"}
    # Both siblings are called so, a ship as well, and everybody comes to a bar.
    assert not {"Hallam", "Constance", "Board"} & short.keys()


def test_cards_say_what_was_known_when(coast: CampaignSite) -> None:
    files = example("the-lantern-coast").files.values()
    (file,) = [file for file in files if file.path.endswith("/cards.js")]
    text = (file.contents or b"").decode("utf-8")
    assert text.startswith("chronicleCards({")
    assert text.endswith("});\n")
    data = json.loads(text[len("chronicleCards(") : -3])
    assert len(data["steps"]) == len(coast.record.steps)
    corin = data["sheets"]["characters/corin-pask.html"]
    roles = [corin["s"][number][0] for number in "123"]
    assert roles == ["inspector", "inspector, Board man", "inspector, Board man"]
    assert corin["f"] <= min(step for step, *_ in corin["h"])
    assert [step for step, _ in corin["q"]] == sorted(step for step, _ in corin["q"])
    assert "presiding officer" not in json.dumps(corin)


@pytest.mark.parametrize("folder", EXAMPLES, ids=lambda folder: folder.name)
def test_nobody_who_had_a_part_in_a_scene_is_said_not_to_be_met(folder: Path) -> None:
    """Contacts are called upon from scenes in which they are not."""
    campaign_site, _ = shown = made(folder)
    page = shown.files.get(campaign_site.path_on_site("loose-ends"))
    open_ends = page.html.partition("Not met yet")[2] if page is not None else ""
    for sheet in campaign_site.view.sheets:
        if sheet.absent_scene_numbers:
            assert campaign_site.scene_count_of(sheet.id) >= len(sheet.absent_scene_numbers)
            assert f">{sheet.name}</a>" not in open_ends
    if folder.name == "the-dry-book":
        assert sum(bool(sheet.absent_scene_numbers) for sheet in campaign_site.view.sheets) == 6


def test_people_whom_no_player_plays_stand_under_what_they_are() -> None:
    """Contacts as such, all others as met along the way: nobody is put on another side unasked."""
    spies = example("the-dry-book").html("cast/index")
    assert "<h2>Friends and contacts</h2>" in spies
    assert "Met along the way" not in spies
    names = example("six-names").html("cast/index")
    assert "<h2>Met along the way</h2>" in names
    for page in (spies, names):
        assert "other side" not in page


def words_of(html: str) -> str:
    """The words of a page."""
    return " ".join(re.sub(r"<[^>]*>", "", html.replace("</h3>", " ")).split())


def test_whoever_was_in_no_scene_but_in_the_words_has_been_met() -> None:
    cast = words_of(untold("snowshed-nine").html("cast/index"))
    assert "not met yet" not in cast
    _, _, voice = cast.partition("The voice from Corvin")
    assert voice.strip().startswith("named in 1 entry")
    first = words_of(untold("snowshed-nine").html("cast/after-1"))
    assert first.partition("The voice from Corvin")[2].strip().startswith("not met yet")


def test_an_ending_goes_on_after_a_colon() -> None:
    cast = words_of(example("the-lantern-coast").html("cast/index"))
    assert "In the end: the cousins are all three out" in cast
    assert "In the end: the presiding officer has closed" in cast
    assert "In the end: Nim is alive" in cast


def test_whoever_is_only_counted_is_called_by_what_is_known_of_them() -> None:
    coast = example("the-lantern-coast")
    for page in (coast.html("cast/index"), coast.html("changes/since-2")):
        heads = [words_of(head) for head in re.findall(r"<h3>(.*?)</h3>", page, re.S)]
        assert any(head.startswith("Watch below") for head in heads)
        assert any(head.startswith("Only as tall as a boy") for head in heads)
    for page in (
        "cast/index",
        "everything",
        "relations",
        "timeline",
        "contests",
        "story/3",
        "about",
        "state",
    ):
        assert not re.search(r"figure [23]", words_of(coast.html(page))), page
    left_open = words_of(untold("the-lantern-coast").html("loose-ends"))
    assert "Who were the watch below?" in left_open and "Never named." in left_open
    assert "Who was the figure “only as tall as a boy”?" in left_open
    assert "Masters" not in words_of(coast.html("cast/index")).partition("Also in the story")[2]


def test_a_finished_story_shows_nothing_that_matters_only_while_it_goes_on() -> None:
    home = words_of(example("the-boathouse").html("state"))
    assert "Wins to Inclusion" not in home
    home = words_of(example("six-names").html("state"))
    assert "until the Core" not in home
    assert "survivor" in home
    assert "(removed)" not in home
    shed = example("snowshed-nine")
    assert "to be erased" not in words_of(shed.html("changes/since-1"))
    home = words_of(shed.html("state"))
    assert "got out" not in home
    assert "4alive at the end: Hedda Brunn, Anselm Rott, Dr. Irena Lasko and Wim" in home
    assert "boat" not in home


def test_gimmicks_stand_one_on_a_line() -> None:
    home = example("the-lantern-coast").html("state")
    _, _, gimmicks = home.partition('id="gimmicks-in-force"')
    gimmick_lines = [
        words_of(item) for item in re.findall(r"<li.*?</li>", gimmicks.partition("</ul>")[0], re.S)
    ]
    assert any(
        line.startswith("Whoever has more than he needs may give it away") for line in gimmick_lines
    )


def test_a_sheet_counts_the_scenes_that_were_read(coast: CampaignSite) -> None:
    """A reader who has stopped after a session is not told in how many later scenes somebody is."""
    html = example("the-lantern-coast").html("characters/aud-hallam")
    counts = re.findall(
        r'<li data-from="(\d)" data-until="(\d?)"( hidden)?>In (one|\d+) scenes?, from', html
    )
    scenes = coast.record.timeline.scenes
    sheet = next(sheet for sheet in coast.view.sheets if sheet.name == "Aud Hallam")
    assert len(counts) > 1
    for since, _, _, count in counts:
        read = sum(1 for each in scenes if sheet.id in each.cast and each.session <= int(since))
        assert count == ("one" if read == 1 else str(read))
    assert [until for _, until, _, _ in counts] == [*(since for since, *_ in counts[1:]), ""]
    assert [bool(hidden) for *_, hidden, _ in counts] == [True] * (len(counts) - 1) + [False]


def test_a_table_talk_that_is_cut_ends_with_a_sentence_where_one_ends() -> None:
    cut_page = example("the-valley-twice").html("sessions/3")
    assert ">We nearly quarrelled here, and I was the one in the wrong. …</b>" in cut_page
    # What fits on two lines is there whole.
    page = example("the-boathouse").html("sessions/1")
    assert re.search(r"that is a sausage\..{0,80}that is a LAKE\.", words_of(page))
    assert "One bar for each entry" in page
    assert "the number of the rule" in page
    assert "chances before the roll: Iben" in words_of(page)


def test_the_scenes_of_a_session_stand_below_their_bars_if_four_lines_hold_them() -> None:
    def links(name: str) -> str:
        """The scenes below the bars of the first session."""
        page = example(name).html("sessions/1")
        return page.partition('class="ch-barcode"')[2].partition("</div>")[0]

    assert "The jetty, before the first bottle" in links("the-boathouse")
    # A name that has no room is said to those who point at its part.
    assert "ch-sr" not in links("the-boathouse")
    assert "ch-sr" in links("the-dry-book")


def test_the_numbers_of_a_session_are_not_said_twice_on_a_phone() -> None:
    page = example("the-boathouse").html("sessions/1")
    for beat in re.findall(r'<div class="ch-beat [^"]*" id="[^"]+">.*?</div>', page, re.DOTALL):
        assert not re.search(r'class="ch-note__no">', beat)


def test_a_step_has_words_on_its_buttons_and_no_number_but_its_own() -> None:
    file = example("the-boathouse").files["the-boathouse/sessions/1-steps.html"]
    steps = file.html or (file.contents or b"").decode("utf-8")
    bar = steps.partition('class="ch-step__go"')[2].partition(">")[2].partition("</nav>")[0]
    for words in ("First entry", "Back", "Next", "Next roll", "Next scene"):
        assert re.search(rf">[^<]*{words}<", bar), words
    assert not re.search(r'class="ch-note__no[^>]*>0</a>', steps)


def test_the_end_and_the_journal_say_first_what_they_are() -> None:
    end = words_of(example("the-boathouse").html("the-end"))
    assert "Tomas has to leave. The others each tell how." in end
    assert end.index("who plays Ruth") < end.index("beyond Expelled")
    journal = words_of(example("the-boathouse").html("journal"))
    assert "Texts from between the sessions" in journal
    assert re.search(
        r"In the words of Iben, written by Cleo, session 1, about Tomas, \d+ ", journal
    )


def test_the_foot_says_what_the_warnings_are_of() -> None:
    page = example("the-ferry-house")
    feet = {words_of(file.html_below) for file in page.files.values() if file.html}
    assert any("Checked against the rules of Universalis: 1 warning." in foot for foot in feet)
