-- Of whom was forgotten: that they have sat at this seat of a game that may go on, and not who they
-- are. `mark`: see rows.mark_of.
CREATE TABLE former (
    session INTEGER NOT NULL REFERENCES session (id),
    mark BLOB NOT NULL CHECK (length(mark) = 32),
    seat INTEGER NOT NULL CHECK (seat >= 0),
    barred INTEGER NOT NULL DEFAULT 0 CHECK (barred IN (0, 1)),
    PRIMARY KEY (session, mark)
) STRICT, WITHOUT ROWID;

-- Whether whoever gives up the seat shall not come back by themselves.
ALTER TABLE motion ADD COLUMN bars INTEGER NOT NULL DEFAULT 0 CHECK (bars IN (0, 1));
