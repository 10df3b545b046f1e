"""What every cog needs: the tables, the words, the pictures; and which table a command means."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from bot.sessions import losses
from bot.sessions.faces import SeatLook, Status
from bot.sessions.ports import Refusal
from bot.sessions.registry import Registry
from bot.sessions.session import Session
from bot.titles import Title
from bot.ui import panel
from bot.ui.buttons import Choice, menu
from bot.ui.dispatcher import REPEAT, WARNING, Press, Reply, number
from bot.ui.ids import MENU_SIZE, Control
from bot.ui.layout import Sheet
from bot.ui.open_panels import MOVES
from bot.ui.pictures import Pictures
from bot.ui.silence import Silence
from bot.ui.text import Voice, said
from content.names import Style, styled
from content.words import Words

log = logging.getLogger(__name__)

#: Refusals after which the player sees what can be done now instead.
_WITH_PANEL = (
    "stale", "not_asked", "not_an_option", "too_few", "too_many", "too_alike", "twice",
    "interrupted", "not_your_move", "no_such_vote", "time_up", "already_counted", "not_saved",
    "not_understood",
)  # fmt: skip

#: What can be done only at a table where the game has begun.
_PLAYED = ("panel", "hand", "board", "words", "log")

#: Commands about one table.
_AT_TABLE = ("act", "vote", "hand", "board", "log", "leave", "undo")

#: Commands that Discord lets moderators through to alone.
_MODERATORS = ("session", "settings", "status")

_LOSSES = 5
"""So many tables that have lost their place are told of at once."""

#: Tables that could be shown.
_STANDING = (Status.LOBBY, Status.RUNNING, Status.PAUSED)

_TOLD_EVERY = 60.0
"""Seconds in which one person is not told again, beside an answer, why a table does not move."""

AtTable = Callable[[Press, Session], Awaitable[Reply | None]]


class Choose(Refusal):
    """The command could mean several tables."""

    def __init__(self, action: str, tables: Sequence[Session]) -> None:
        self.action = action
        self.tables = tuple(tables)
        super().__init__("which_table")


@dataclass(slots=True)
class House:
    """The bot's rooms: ``actions`` are commands that go on once a table was chosen."""

    registry: Registry
    words: Words
    pictures: Pictures
    actions: dict[str, AtTable] = field(default_factory=dict[str, AtTable])
    silence: Silence = field(default_factory=Silence)

    @property
    def titles(self) -> Mapping[str, Title]:
        """The games by key."""
        return self.registry.titles

    def say(self, path: str, /, **facts: object) -> str:
        """The bot's own words, for a message."""
        return said(self.words, path, facts)

    def note(self, path: str, /, **facts: object) -> Reply:
        """A private sentence."""
        return Reply(Sheet().text(self.say(path, **facts)).shown())

    # Which table

    def table_of(self, press: Press, action: str) -> Session:
        """The table that a command means: the channel's, stopped or not, or the person's only one.

        What needs a game means those that have begun, if any has. Refusal ``no_table_here``;
        ``Choose`` when there are several.
        """
        if press.control.session:
            return self.registry.session(press.control.session)
        channel_id = press.interaction.channel_id
        here = self.registry.in_channel(channel_id, stopped=True) if channel_id else None
        if here is not None:
            return here
        own = self.registry.of_user(press.click.user_id)
        begun = tuple(session for session in own if session.status is not Status.LOBBY)
        if action in _PLAYED and begun:
            own = begun
        match own:
            case ():
                here = press.interaction.guild_id is not None
                raise Refusal("no_table_here" if here else "no_table_yours")
            case (only,):
                return only
            case _:
                raise Choose(action, own)

    async def at_table(self, press: Press, action: str) -> Reply | None:
        """Do one of the ``actions`` at the table that is meant."""
        session = self.table_of(press, action)
        self.registry.look_again(session)
        return await self.actions[action](press, session)

    async def go(self, press: Press) -> Reply | None:
        """A table was chosen from a menu of them."""
        session = self.registry.session(number(press.value))
        action = self.actions.get(press.control.key)
        if action is None:
            raise Refusal("old_control")
        return await action(press, session)

    def name_of(self, session: Session) -> str:
        """A table in a menu or a list."""
        game = said(session.title.content.words, "game.name")
        return self.say("tables.name", game=game, code=session.code)

    def voice(self, session: Session) -> Voice:
        """The words of a table as it is seated now."""
        return Voice(session.title, [row.name for _, row in sorted(session.seats.items())])

    # Refusals

    async def refusal(self, press: Press, refusal: Refusal) -> Reply:
        """One kind sentence, and what is legal now."""
        if isinstance(refusal, Choose):
            return self._choice(refusal)
        session = self._session_of(press)
        if session is not None and refusal.problem in _OLD_SIGHT:
            self.registry.look_again(session)
        told = self.sentence(refusal, session)
        if session is not None and refusal.problem in _OF_SILENCE:
            self.silence.is_news(press.click, session, 0.0)  # they are told with that sentence
        look = await self._look(press, session) if refusal.problem in _WITH_PANEL else None
        says_enough = refusal.problem == "not_your_move" and look is not None and not look.asked
        if look is not None and session is not None and not says_enough:
            shown = panel.panel(session.title, look, note=told)
            return Reply(shown, here=press.control.verb in _IN_PLACE)
        # A panel of a game that has ended has nothing more to press.
        is_spent = refusal.problem in _AT_END and press.control.verb in (*MOVES, *_IN_PANEL)
        return Reply(Sheet(WARNING).text(told).shown(), here=is_spent)

    def besides(self, press: Press, reply: Reply | None) -> Reply | None:
        """The reply, and why the table that was meant does not move, if nobody can see it move.

        No room for it is made in the reply itself: that may be full, or stay for long. What was
        done is done: a fault in here only goes into the log.
        """
        try:
            return self._besides(press, reply)
        except Exception:
            log.exception("an aside could not be told")
            return reply

    def _besides(self, press: Press, reply: Reply | None) -> Reply | None:
        reply = self._losses(press, reply)
        session = self._meant(press)
        told = "" if session is None else self.silence.told(session)
        if session is None or not told:
            return reply
        sheet = Sheet(WARNING).text(self.say(told, **self.silence.facts(session, self.say)))
        if reply is None:
            is_new = self.silence.is_news(press.click, session, REPEAT)
            return Reply(sheet.shown()) if is_new else None
        if reply.aside is None and self.silence.is_news(press.click, session, _TOLD_EVERY):
            return replace(reply, aside=sheet.shown())
        return reply

    def _losses(self, press: Press, reply: Reply | None) -> Reply | None:
        """The reply, and for a moderator what no channel could be told of: once of each table."""
        command = press.interaction.command
        root = None if command is None else command.qualified_name.partition(" ")[0]
        guild_id = press.interaction.guild_id
        may = press.click.may_manage or root in _MODERATORS
        if reply is None or reply.aside is not None or guild_id is None or not may:
            return reply
        lost = list(losses.untold(self.registry, guild_id))[:_LOSSES]
        if not lost:
            return reply
        lines = [
            self.say(f"notices.{word}", code=one.code, place=f"<#{one.channel_id}>")
            for one, word in lost
        ]
        for one, _ in lost:
            losses.told(one)
        return replace(reply, aside=Sheet(WARNING).text("\n\n".join(lines)).shown())

    def _meant(self, press: Press) -> Session | None:
        """The table that somebody who may know of it has clicked, or means with a command."""
        command = press.interaction.command
        if not press.control.session and (command is None or command.name not in _AT_TABLE):
            return None
        session = self._session_of(press)
        if session is None or session.status not in _STANDING:
            return None
        is_home = press.interaction.guild_id == session.guild_id
        return session if is_home or session.is_party(press.click.user_id) else None

    def _choice(self, refusal: Choose) -> Reply:
        choices = [
            Choice(str(session.id), self.name_of(session)) for session in refusal.tables[:MENU_SIZE]
        ]
        control = Control("go", key=refusal.action)
        placeholder = self.say("tables.choose")
        sheet = Sheet().text(self.say("refusals.which_table"))
        return Reply(sheet.row(menu(control, placeholder, choices)).shown())

    def _session_of(self, press: Press) -> Session | None:
        try:
            return self.table_of(press, "")
        except Refusal:
            return None

    async def _look(self, press: Press, session: Session | None) -> SeatLook | None:
        if session is None or session.status is not Status.RUNNING:
            return None
        try:
            return await session.look(press.click.user_id)
        except Refusal:
            return None

    def sentence(self, refusal: Refusal, session: Session | None) -> str:
        """Why something was not done, in the table's words; ``who`` are its seats, or names."""
        facts = dict(refusal.facts)
        words = self.words
        if session is not None:
            seated = [row.name for _, row in sorted(session.seats.items())]
            words = session.title.content.words.bound(seated)
        link = message_link(facts.get("guild_id"), facts.get("channel_id"), facts.get("message_id"))
        kind = str(facts.get("kind", ""))
        short = f"decisions.{kind}.short"
        who = facts.get("who", ())
        names = who if isinstance(who, (list, tuple)) else [who]
        filled = {
            "reference": "", "least": 0, "most": 0, "got": 0, "host": "", "value": "", "option": "",
            **facts,
            "link": link,
            "place": f"<#{facts.get('place', 0)}>",
            "what": said(words, short) if words.has(short) else "",
            "who": [
                words.seat(one) if isinstance(one, int) else styled(str(one), Style.MESSAGE)
                for one in names
            ],
        }  # fmt: skip
        path = f"refusals.{refusal.problem}"
        return said(words, path if words.has(path) else "refusals.other", filled)


_OLD_SIGHT = ("stale", "old_control", "not_running", "game_over")
"""Refusals of those who may have clicked what their table no longer shows."""

_OF_SILENCE = ("shut_out", "still_shut")
"""Refusals that say why the table does not move."""

_AT_END = ("game_over", "no_such_table")
"""Refusals after which nothing can be done at that table any more."""

_IN_PANEL = ("panel", "hand")
"""What else stands in a private panel."""

_IN_PLACE = ("act", "draft", "cast", "more", "ballot")
"""Verbs whose reply takes the place of the panel that was clicked."""


def message_link(guild_id: object, channel_id: object, message_id: object = None) -> str:
    """A link to a message, or to its channel; empty if the place is not known."""
    if not guild_id or not channel_id:
        return ""
    end = f"/{message_id}" if message_id else ""
    return f"https://discord.com/channels/{guild_id}/{channel_id}{end}"
