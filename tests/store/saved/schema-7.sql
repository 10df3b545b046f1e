-- A database of schema 7 with a game in progress.
PRAGMA application_id = 0x4e574348;
PRAGMA user_version = 7;
BEGIN TRANSACTION;
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
INSERT INTO "act" VALUES(1,7,1,'000001',1010.0,'pause',1,NULL,'{}');
CREATE TABLE aside (
    id INTEGER PRIMARY KEY,
    session INTEGER NOT NULL REFERENCES session (id),
    ply INTEGER NOT NULL CHECK (ply >= 0),
    record TEXT NOT NULL,
    interaction_id INTEGER,
    received_at REAL,
    sand TEXT,
    at REAL NOT NULL
) STRICT;
INSERT INTO "aside" VALUES(1,1,5,'{"torn',5,1006.0,NULL,1007.0);
CREATE TABLE content (
    digest TEXT PRIMARY KEY,
    game TEXT NOT NULL,
    body BLOB NOT NULL
) STRICT;
INSERT INTO "content" VALUES('d1','senate',X'789C4B4E2C4A2906000609020E');
CREATE TABLE entry (
    session INTEGER NOT NULL REFERENCES session (id),
    ply INTEGER NOT NULL CHECK (ply >= 0),
    record TEXT NOT NULL,
    interaction_id INTEGER,
    received_at REAL,
    sand TEXT,
    PRIMARY KEY (session, ply)
) STRICT, WITHOUT ROWID;
INSERT INTO "entry" VALUES(1,0,'{"session":1,"ply":0}',0,1001.0,NULL);
INSERT INTO "entry" VALUES(1,1,'{"session":1,"ply":1}',1,1002.0,NULL);
INSERT INTO "entry" VALUES(1,2,'{"session":1,"ply":2}',2,1003.0,NULL);
INSERT INTO "entry" VALUES(1,3,'{"session":1,"ply":3}',3,1004.0,NULL);
INSERT INTO "entry" VALUES(1,4,'{"session":1,"ply":4}',4,1005.0,NULL);
CREATE TABLE former (
    session INTEGER NOT NULL REFERENCES session (id),
    mark BLOB NOT NULL CHECK (length(mark) = 32),
    seat INTEGER NOT NULL CHECK (seat >= 0),
    barred INTEGER NOT NULL DEFAULT 0 CHECK (barred IN (0, 1)),
    PRIMARY KEY (session, mark)
) STRICT, WITHOUT ROWID;
INSERT INTO "former" VALUES(1,X'000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F',1,1);
CREATE TABLE gone (
    code TEXT PRIMARY KEY,
    at REAL NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO "gone" VALUES('000009',990.0);
CREATE TABLE interaction (
    id INTEGER PRIMARY KEY,
    session INTEGER NOT NULL REFERENCES session (id),
    at REAL NOT NULL
) STRICT;
INSERT INTO "interaction" VALUES(0,1,1001.0);
INSERT INTO "interaction" VALUES(1,1,1002.0);
INSERT INTO "interaction" VALUES(2,1,1003.0);
INSERT INTO "interaction" VALUES(3,1,1004.0);
INSERT INTO "interaction" VALUES(4,1,1005.0);
INSERT INTO "interaction" VALUES(90,1,1000.0);
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
INSERT INTO "message" VALUES(1,'table',-1,0,NULL,NULL,'post',3,1000.0);
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
    made_at REAL NOT NULL, bars INTEGER NOT NULL DEFAULT 0 CHECK (bars IN (0, 1)),
    PRIMARY KEY (session, number)
) STRICT, WITHOUT ROWID;
INSERT INTO "motion" VALUES(1,1,'undo',0,5,5,NULL,'','{}','open',1011.0,0);
CREATE TABLE person (
    id INTEGER PRIMARY KEY,
    user_id INTEGER UNIQUE
) STRICT;
INSERT INTO "person" VALUES(1,9);
CREATE TABLE preference (
    user_id INTEGER PRIMARY KEY,
    pings TEXT NOT NULL DEFAULT 'here' CHECK (pings IN ('here', 'dm', 'off')),
    ballots INTEGER NOT NULL DEFAULT 1 CHECK (ballots IN (0, 1))
, own_ballots INTEGER NOT NULL DEFAULT 1
    CHECK (own_ballots IN (0, 1))) STRICT;
INSERT INTO "preference" VALUES(5,'here',1,1);
CREATE TABLE seat (
    session INTEGER NOT NULL REFERENCES session (id),
    seat INTEGER NOT NULL CHECK (seat >= 0),
    user_id INTEGER,
    name TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('person', 'computer')),
    draft TEXT,
    acted_at REAL, misses INTEGER NOT NULL DEFAULT 0 CHECK (misses >= 0), away INTEGER NOT NULL DEFAULT 0 CHECK (away IN (0, 1)),
    UNIQUE (session, seat),
    UNIQUE (session, user_id)
) STRICT;
INSERT INTO "seat" VALUES(1,0,5,'Name 5','person',NULL,NULL,0,0);
CREATE TABLE server (
    guild_id INTEGER PRIMARY KEY,
    settings TEXT NOT NULL DEFAULT '{}',
    left_at REAL
) STRICT;
INSERT INTO "server" VALUES(7,'{"tables":3}',NULL);
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
, told_at REAL, pace TEXT NOT NULL DEFAULT 'none'
    CHECK (pace IN ('none', 'live', 'relaxed', 'days')), clocks TEXT NOT NULL DEFAULT '[]', expires_at REAL) STRICT;
INSERT INTO "session" VALUES(1,'000001','senate',7,1,NULL,'running',5,NULL,'{}',X'000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F',NULL,'d1',5,0,'[]',NULL,NULL,NULL,NULL,1000.0,NULL,NULL,1005.0,NULL,'none','[]',NULL);
CREATE TABLE setting (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO "setting" VALUES('commands','a');
CREATE TABLE sitting (
    session INTEGER NOT NULL REFERENCES session (id),
    user_id INTEGER NOT NULL,
    seat INTEGER NOT NULL CHECK (seat >= 0),
    barred INTEGER NOT NULL DEFAULT 0 CHECK (barred IN (0, 1)),
    PRIMARY KEY (session, user_id)
) STRICT, WITHOUT ROWID;
INSERT INTO "sitting" VALUES(1,5,0,0);
CREATE UNIQUE INDEX session_holds_channel ON session (channel_id)
    WHERE status IN ('lobby', 'running', 'paused');
CREATE INDEX session_in_channel ON session (channel_id);
CREATE INDEX session_in_parent ON session (parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX session_hosted ON session (host_id) WHERE host_id IS NOT NULL;
CREATE INDEX session_ended ON session (guild_id, ended_at) WHERE status IN ('finished', 'abandoned');
CREATE INDEX session_live ON session (wake_at)
    WHERE status IN ('lobby', 'running', 'paused', 'crashed', 'orphaned');
CREATE INDEX seat_of_user ON seat (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX message_open ON message (made_at) WHERE want IN ('post', 'close', 'delete');
CREATE INDEX interaction_age ON interaction (at);
CREATE INDEX act_in_guild ON act (guild_id, id);
CREATE TRIGGER act_is_never_changed BEFORE UPDATE ON act BEGIN
    SELECT raise(ABORT, 'the log of acts is never changed');
END;
CREATE UNIQUE INDEX motion_open ON motion (session) WHERE state = 'open';
CREATE INDEX aside_of_session ON aside (session);
CREATE TRIGGER act_is_never_replaced BEFORE INSERT ON act
WHEN EXISTS (SELECT 1 FROM act WHERE id = new.id) BEGIN
    SELECT raise(ABORT, 'the log of acts is never changed');
END;
CREATE TRIGGER act_is_never_removed BEFORE DELETE ON act
WHEN NOT EXISTS (SELECT 1 FROM server WHERE guild_id = old.guild_id AND left_at IS NOT NULL) BEGIN
    SELECT raise(ABORT, 'nothing is removed from the log of acts');
END;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('session',1);
INSERT INTO "sqlite_sequence" VALUES('act',1);
COMMIT;
