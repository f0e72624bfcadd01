-- What has happened: a row is written with the change it tells of and run by the listeners after the commit.
-- lease_until is in the database's own time. A row without dispatched_at that was claimed too often is dead.
CREATE TABLE svc_domain_events (
    id {{id}},
    name TEXT NOT NULL,
    subject_type TEXT,
    subject_id BIGINT,
    arguments TEXT NOT NULL,
    occurred_at BIGINT NOT NULL,
    dispatched_at BIGINT,
    leased_by TEXT,
    lease_until BIGINT,
    attempts BIGINT NOT NULL DEFAULT 0 CHECK (attempts BETWEEN 0 AND 100)
);
CREATE INDEX svc_domain_events_open ON svc_domain_events (leased_by, id) WHERE dispatched_at IS NULL;
CREATE INDEX svc_domain_events_open_subject ON svc_domain_events (subject_type, subject_id, id) WHERE dispatched_at IS NULL;
CREATE INDEX svc_domain_events_dispatched ON svc_domain_events (dispatched_at) WHERE dispatched_at IS NOT NULL;
