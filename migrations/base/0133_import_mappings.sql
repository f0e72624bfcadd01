-- Which column of a table became which field, of the last import of each kind: the next one starts from it.
CREATE TABLE svc_import_mappings (
    kind TEXT PRIMARY KEY,
    mapping TEXT NOT NULL,
    updated_at BIGINT NOT NULL
);
