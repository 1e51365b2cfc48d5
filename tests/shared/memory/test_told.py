"""What a memory service is told: the person's own words, and never a secret."""

import pytest

from shared.errors import Invalid
from shared.memory.change import edit, everything, person
from shared.memory.told import told
from tests.shared.memory.world import TENANT, World

SECRET = "hunter2secret"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("I live in Lisbon. I like tea.", "I live in Lisbon. I like tea."),
        ("  Two lines,\n\n as they are.", "  Two lines,\n\n as they are."),
        (f"My wifi password is {SECRET}.", ""),
        (f"I live in Lisbon. My wifi password is {SECRET}. I like tea.", "I live in Lisbon. I like tea."),
        (f"I like tea\nMy password: {SECRET}\nI like figs", "I like tea\nI like figs"),
        (f"I live in Lisbon and my wifi password is {SECRET} and I like tea", "I live in Lisbon"),
        (f"I like tea\nMy password is:\n\n{SECRET}\nI like figs", "I like tea\nI like figs"),
        ("Pay with 4111 1111 1111 1111. I like tea.", "I like tea."),
        (f"{SECRET} is my password", ""),
        ("-----BEGIN PRIVATE KEY-----\nMIIE. vQIB.\n-----END PRIVATE KEY-----", ""),
    ],
)
def test_a_sentence_with_a_secret_is_left_out_and_the_others_stay(text: str, kept: str) -> None:
    assert told(text) == kept


async def test_a_secret_never_reaches_the_service(world: World) -> None:
    await world.remembers(f"I live in Lisbon and my wifi password is {SECRET}.")
    assert await world.used("What is my wifi password?") == {"I live in Lisbon."}
    ended = await world.remembers(f"Remember my wifi password: {SECRET}")
    assert ended.output and ended.output["verdict"] == "healthy"
    assert world.bank.store.count("generate") == 1, "where nothing else was said, it is not asked"
    assert SECRET not in str(world.bank.everything())


async def test_a_memory_cannot_be_corrected_into_a_secret(world: World) -> None:
    await world.remembers("I live in Lisbon.")
    who = await person(world.services, TENANT, "sam")
    (memory,) = await everything(who)
    with pytest.raises(Invalid, match="never remembered"):
        await edit(who, memory.id, f"My wifi password is {SECRET}.")
    assert await world.used("Lisbon") == {"I live in Lisbon."}


async def test_a_correction_is_followed_from_then_on(world: World) -> None:
    await world.remembers("I live in Lisbon and I am allergic to peanuts. Please remember that.")
    ended = await world.remembers("I no longer live in Lisbon, I live in Porto now.")
    assert ended.output and (ended.output["verdict"], ended.output["updated"]) == ("healthy", 1)
    assert await world.used("What do you know about me?") == {"I live in Porto.", "I am allergic to peanuts."}
    await world.remembers("I don't live in Porto.")
    assert await world.used("What do you know about me?") == {"I am allergic to peanuts."}
