-- Which key file this database belongs to: a text sealed with its key. A server with another key could read no stored
-- secret and would seal new ones that the others cannot open.
CREATE TABLE svc_key_mark (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    mark TEXT NOT NULL,
    made_at BIGINT NOT NULL
);
