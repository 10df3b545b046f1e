-- Moderators' acts, who has sat where, what a table is voting on, and whether dice were told.

-- People stand in here once, so that one can be forgotten without touching the acts.
CREATE TABLE person (
    id INTEGER PRIMARY KEY,
    user_id INTEGER UNIQUE
) STRICT;

-- A log that only grows. It stands for itself: a table may be gone, its code is still told.
CREATE TABLE act (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    guild_id INTEGER NOT NULL,
    session INTEGER NOT NULL,
    code TEXT NOT NULL,
    at REAL NOT NULL,
    what TEXT NOT NULL,
    by_person INTEGER REFERENCES person (id),
    about_person INTEGER REFERENCES person (id),
    facts TEXT NOT NULL
) STRICT;

CREATE INDEX act_in_guild ON act (guild_id, id);

CREATE TRIGGER act_is_never_changed BEFORE UPDATE ON act BEGIN
    SELECT raise(ABORT, 'the log of acts is never changed');
END;

CREATE TRIGGER act_is_never_removed BEFORE DELETE ON act BEGIN
    SELECT raise(ABORT, 'nothing is removed from the log of acts');
END;

-- Who has sat at which seat since the game began. `barred`: a moderator has sent them away.
CREATE TABLE sitting (
    session INTEGER NOT NULL REFERENCES session (id),
    user_id INTEGER NOT NULL,
    seat INTEGER NOT NULL CHECK (seat >= 0),
    barred INTEGER NOT NULL DEFAULT 0 CHECK (barred IN (0, 1)),
    PRIMARY KEY (session, user_id)
) STRICT, WITHOUT ROWID;

INSERT INTO sitting (session, user_id, seat)
    SELECT seat.session, seat.user_id, seat.seat
    FROM seat JOIN session ON session.id = seat.session
    WHERE seat.user_id IS NOT NULL AND session.header IS NOT NULL;

-- What the people at a table are asked to agree to; `voices` are seats with a yes or a no.
CREATE TABLE motion (
    session INTEGER NOT NULL REFERENCES session (id),
    number INTEGER NOT NULL CHECK (number >= 1),
    kind TEXT NOT NULL CHECK (kind IN ('undo', 'seat')),
    seat INTEGER NOT NULL CHECK (seat >= 0),
    ply INTEGER NOT NULL CHECK (ply >= 0),
    asked_by INTEGER,
    user_id INTEGER,
    name TEXT NOT NULL,
    voices TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('open', 'carried', 'refused', 'lapsed')),
    made_at REAL NOT NULL,
    PRIMARY KEY (session, number)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX motion_open ON motion (session) WHERE state = 'open';

-- When the secret of a game's dice was given out: after that nobody may play on.
ALTER TABLE session ADD COLUMN told_at REAL;
