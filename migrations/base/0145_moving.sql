-- A whole installation on its way in (svc import of an export of everything): which export, and how far its rows are.
-- While the row is there the database is half filled and nothing but the import opens it.
CREATE TABLE svc_moving (
    id BIGINT PRIMARY KEY CHECK (id = 1),
    source TEXT NOT NULL,
    place TEXT NOT NULL
);
