-- The evaluation of this database, which begins once. The seal holds its start and the installation's site_id, and
-- svc_license notes the start again: a row that was changed, or is missing in one of the tables, ends the evaluation.
CREATE TABLE svc_evaluation (
    id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    started_at BIGINT NOT NULL,
    last_seen_at BIGINT NOT NULL,
    seal TEXT NOT NULL
);
ALTER TABLE svc_license ADD COLUMN evaluated_at BIGINT;
