-- Records at the end of a journal that could not be read. They count no more, and are kept.
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

CREATE INDEX aside_of_session ON aside (session);
