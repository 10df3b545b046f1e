-- What a server has chosen, and when the bot was removed from it.
CREATE TABLE server (
    guild_id INTEGER PRIMARY KEY,
    settings TEXT NOT NULL DEFAULT '{}',
    left_at REAL
) STRICT;

-- Whoever has chosen how they are called had not always chosen about ballots, too.
ALTER TABLE preference ADD COLUMN own_ballots INTEGER NOT NULL DEFAULT 1
    CHECK (own_ballots IN (0, 1));

-- The log stays for as long as the bot is on the server; afterwards it goes with all else.
DROP TRIGGER act_is_never_removed;
CREATE TRIGGER act_is_never_removed BEFORE DELETE ON act
WHEN NOT EXISTS (SELECT 1 FROM server WHERE guild_id = old.guild_id AND left_at IS NOT NULL) BEGIN
    SELECT raise(ABORT, 'nothing is removed from the log of acts');
END;

-- Codes of games that have ended and whose time was over: they can never be brought in again,
-- since their dice may be known.
CREATE TABLE gone (
    code TEXT PRIMARY KEY,
    at REAL NOT NULL
) STRICT, WITHOUT ROWID;
