"""What keepers call open becomes a question in plain order."""

import pytest

from chronicle.core.asking import open_questions


@pytest.mark.parametrize(
    ("sentence", "questions"),
    [
        ("Who rang, what Ottilie waits for, and whether she gets the other comb is still open.",
         ["Who rang?", "What does Ottilie wait for?", "Does she get the other comb?"]),
        ("Three things are open: how they had come back to the house, whether the groom came out of the river, "
         "and who rang the bell.",
         ["How had they come back to the house?", "Did the groom come out of the river?", "Who rang the bell?"]),
        ("The file stays open: Marrow still wants to know what the Agency had him let out of prison to open.",
         ["What did the Agency have Marrow let out of prison to open?"]),
        ("Marie wrote a slip, too: “one”; why Pell used the stone, and whether the eleven were weighed, is open.",
         ["Why did Pell use the stone?", "Were the eleven weighed?"]),
        ("Whose hair and whose suitcase it is, we have left open.", ["Whose hair?", "Whose suitcase is it?"]),
        ("The host is Brandt; the file does not say whether he is the manager who was to sail.",
         ["Is he the manager who was to sail?"]),
        # Where it takes more than a change of order, the sentence stands as it is.
        ("The bell said one word; which, the story does not tell.",
         ["The bell said one word; which, the story does not tell."]),
        # Who does something beside it is not asked for.
        ("Aurel, who held the door, went up, and whether it rang is open.", ["Did it ring?"]),
        ("The door is open.", []),
        ("The bell rang.", []),
    ],
)  # fmt: skip
def test_what_is_open_is_asked(sentence: str, questions: list[str]) -> None:
    assert [*open_questions(sentence)] == questions


@pytest.mark.parametrize(
    ("sentence", "person", "thing", "question"),
    [
        ("He went in; whether he came out is open.", "the groom", "", "Did the groom come out?"),
        ("What becomes of him is not told.", "Voss", "", "What becomes of Voss?"),
        ("Whether he knows of her stone is open.", "Osk", "", "Does Osk know of her stone?"),
        ("It is still upstairs; whose it is, is open.", "", "suitcase", "Whose is the suitcase?"),
    ],
)
def test_a_question_about_somebody_says_the_name(
    sentence: str, person: str, thing: str, question: str
) -> None:
    assert [*open_questions(sentence, person, thing)] == [question]
