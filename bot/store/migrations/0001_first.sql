-- The whole schema of the first release.

PRAGMA application_id = 0x4e574348;

CREATE TABLE content (
    digest TEXT PRIMARY KEY,
    game TEXT NOT NULL,
    body BLOB NOT NULL
) STRICT;

CREATE TABLE session (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    code TEXT NOT NULL UNIQUE
        CHECK (length(code) = 6 AND code NOT GLOB '*[^0-9A-HJKMNP-TV-Z]*'),
    game TEXT NOT NULL,
    guild_id INTEGER NOT NULL,
    channel_id INTEGER NOT NULL,
    parent_id INTEGER,
    status TEXT NOT NULL CHECK (status IN (
        'lobby', 'running', 'crashed', 'paused', 'orphaned', 'finished', 'cancelled', 'abandoned'
    )),
    host_id INTEGER,
    wish INTEGER,
    options TEXT NOT NULL,
    secret BLOB NOT NULL CHECK (length(secret) = 32),
    header TEXT,
    content_digest TEXT REFERENCES content (digest),
    ply INTEGER NOT NULL DEFAULT 0 CHECK (ply >= 0),
    published_ply INTEGER NOT NULL DEFAULT 0 CHECK (published_ply >= 0),
    timers TEXT NOT NULL,
    wake_at REAL,
    fingerprint TEXT,
    outcome TEXT,
    crash TEXT,
    created_at REAL NOT NULL,
    started_at REAL,
    ended_at REAL,
    touched_at REAL NOT NULL
) STRICT;

-- One game at a time in a channel. Crashed and orphaned tables are left out on purpose: they must
-- not block the channel, and coming back to life they meet this index.
CREATE UNIQUE INDEX session_holds_channel ON session (channel_id)
    WHERE status IN ('lobby', 'running', 'paused');
CREATE INDEX session_in_channel ON session (channel_id);
CREATE INDEX session_in_parent ON session (parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX session_hosted ON session (host_id) WHERE host_id IS NOT NULL;
CREATE INDEX session_ended ON session (guild_id, ended_at) WHERE status IN ('finished', 'abandoned');
CREATE INDEX session_live ON session (wake_at)
    WHERE status IN ('lobby', 'running', 'paused', 'crashed', 'orphaned');

CREATE TABLE seat (
    session INTEGER NOT NULL REFERENCES session (id),
    seat INTEGER NOT NULL CHECK (seat >= 0),
    user_id INTEGER,
    name TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('person', 'computer')),
    draft TEXT,
    acted_at REAL,
    UNIQUE (session, seat),
    UNIQUE (session, user_id)
) STRICT;

CREATE INDEX seat_of_user ON seat (user_id) WHERE user_id IS NOT NULL;

CREATE TABLE entry (
    session INTEGER NOT NULL REFERENCES session (id),
    ply INTEGER NOT NULL CHECK (ply >= 0),
    record TEXT NOT NULL,
    interaction_id INTEGER,
    received_at REAL,
    sand TEXT,
    PRIMARY KEY (session, ply)
) STRICT, WITHOUT ROWID;

CREATE TABLE message (
    session INTEGER NOT NULL REFERENCES session (id),
    purpose TEXT NOT NULL,
    seat INTEGER NOT NULL CHECK (seat >= -1),
    serial INTEGER NOT NULL,
    channel_id INTEGER,
    message_id INTEGER,
    want TEXT NOT NULL CHECK (want IN ('post', 'keep', 'close', 'delete', 'done')),
    question INTEGER NOT NULL,
    made_at REAL NOT NULL,
    UNIQUE (session, purpose, seat, serial)
) STRICT;

CREATE INDEX message_open ON message (made_at) WHERE want IN ('post', 'close', 'delete');

CREATE TABLE interaction (
    id INTEGER PRIMARY KEY,
    session INTEGER NOT NULL REFERENCES session (id),
    at REAL NOT NULL
) STRICT;

CREATE INDEX interaction_age ON interaction (at);

CREATE TABLE preference (
    user_id INTEGER PRIMARY KEY,
    pings TEXT NOT NULL DEFAULT 'here' CHECK (pings IN ('here', 'dm', 'off')),
    ballots INTEGER NOT NULL DEFAULT 1 CHECK (ballots IN (0, 1))
) STRICT;

CREATE TABLE setting (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
