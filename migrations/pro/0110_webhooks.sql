-- Where events of the site are sent to, the events themselves, and each sending of one to an endpoint.
CREATE TABLE svc_webhook_endpoints (
    id {{id}},
    -- Random; sealed values are bound to it, so that they open in no other row.
    uid TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    url TEXT NOT NULL,
    description TEXT NOT NULL DEFAULT '',
    -- An event's key, or * for every event.
    event TEXT NOT NULL,
    http_method TEXT NOT NULL CHECK (http_method IN ('POST', 'PUT', 'PATCH', 'DELETE', 'GET')),
    -- Sealed JSON of names and values; the hints are what answers show of them.
    headers TEXT NOT NULL DEFAULT '',
    header_hints TEXT NOT NULL DEFAULT '{}',
    additional_payload_fields TEXT NOT NULL DEFAULT '{}',
    selected_fields TEXT NOT NULL DEFAULT '[]',
    -- Sealed; the earlier one signs beside it until its time is over.
    secret TEXT NOT NULL,
    secret_hint TEXT NOT NULL,
    old_secret TEXT NOT NULL DEFAULT '',
    old_secret_until BIGINT,
    is_active BIGINT NOT NULL CHECK (is_active IN (0, 1)),
    log_deliveries BIGINT NOT NULL CHECK (log_deliveries IN (0, 1)),
    consecutive_failures BIGINT NOT NULL DEFAULT 0,
    failing_since BIGINT,
    -- Nothing is sent before: the endpoint is overloaded or does not answer.
    resume_at BIGINT,
    -- Paused by the program after days of failures or a 410: events wait until it is active again.
    paused_at BIGINT,
    pause_reason TEXT CHECK (pause_reason IN ('failing', 'gone')),
    last_delivered_at BIGINT,
    last_status BIGINT,
    -- Sealed JSON of a client certificate and its key, for mutual TLS.
    certificate TEXT NOT NULL DEFAULT '',
    certificate_fingerprint TEXT,
    certificate_expires_at BIGINT,
    row_version BIGINT NOT NULL DEFAULT 1,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    created_by BIGINT REFERENCES svc_users(id) ON DELETE SET NULL,
    updated_by BIGINT REFERENCES svc_users(id) ON DELETE SET NULL
);

-- The one row gives events their numbers in the order of their commits: who reads on after a number misses none.
CREATE TABLE svc_webhook_sequence (
    id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    last_seq BIGINT NOT NULL
);
INSERT INTO svc_webhook_sequence (id, last_seq) VALUES (1, 0);

CREATE TABLE svc_webhook_events (
    id {{id}},
    seq BIGINT NOT NULL UNIQUE,
    uid TEXT NOT NULL UNIQUE,
    -- The digest of what was reported: an event that is reported again after a crash is stored once.
    fingerprint TEXT NOT NULL UNIQUE,
    event_key TEXT NOT NULL,
    -- booking or account, whose id follows.
    subject_type TEXT NOT NULL,
    subject_id BIGINT NOT NULL,
    payload TEXT NOT NULL,
    occurred_at BIGINT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX svc_webhook_events_subject ON svc_webhook_events (subject_type, subject_id);
CREATE INDEX svc_webhook_events_key ON svc_webhook_events (event_key, id);
CREATE INDEX svc_webhook_events_age ON svc_webhook_events (created_at);

CREATE TABLE svc_webhook_deliveries (
    id {{id}},
    endpoint_id BIGINT NOT NULL REFERENCES svc_webhook_endpoints(id) ON DELETE CASCADE,
    delivery_id TEXT NOT NULL UNIQUE,
    -- Of the event: the receiver knows a repeated one by it.
    event_uid TEXT NOT NULL,
    event_key TEXT NOT NULL,
    subject_type TEXT NOT NULL,
    subject_id BIGINT NOT NULL,
    -- Deliveries of one lane are sent one after the other.
    lane BIGINT NOT NULL,
    payload TEXT NOT NULL,
    -- delivering: claimed by the job until claimed_until.
    status TEXT NOT NULL CHECK (status IN ('queued', 'delivering', 'delivered', 'failed', 'permanent_failure')),
    attempts BIGINT NOT NULL DEFAULT 0,
    next_attempt_at BIGINT,
    claimed_until BIGINT,
    http_status BIGINT,
    duration_ms BIGINT,
    error_message TEXT,
    request_headers TEXT NOT NULL DEFAULT '',
    response_headers TEXT NOT NULL DEFAULT '',
    response_body TEXT NOT NULL DEFAULT '',
    created_at BIGINT NOT NULL,
    delivered_at BIGINT
);
CREATE INDEX svc_webhook_deliveries_due ON svc_webhook_deliveries (status, next_attempt_at);
CREATE INDEX svc_webhook_deliveries_endpoint ON svc_webhook_deliveries (endpoint_id, status);
CREATE INDEX svc_webhook_deliveries_order ON svc_webhook_deliveries (endpoint_id, subject_type, subject_id, id);
CREATE INDEX svc_webhook_deliveries_event ON svc_webhook_deliveries (event_uid);
CREATE INDEX svc_webhook_deliveries_subject ON svc_webhook_deliveries (subject_type, subject_id);
CREATE INDEX svc_webhook_deliveries_age ON svc_webhook_deliveries (created_at);

-- The next event of a kind, captured for the form where fields are chosen.
CREATE TABLE svc_webhook_samples (
    event_key TEXT NOT NULL PRIMARY KEY,
    armed_until BIGINT,
    captured_at BIGINT,
    payload TEXT NOT NULL DEFAULT '',
    subject_type TEXT NOT NULL DEFAULT '',
    subject_id BIGINT NOT NULL DEFAULT 0
);
