-- How often things were done, and the answers given to requests that may be repeated.
CREATE TABLE svc_rate_limits (
    bucket TEXT NOT NULL,
    subject TEXT NOT NULL,
    busy_until BIGINT NOT NULL,
    PRIMARY KEY (bucket, subject)
);

CREATE TABLE svc_idempotency_keys (
    key_hash TEXT NOT NULL CONSTRAINT svc_idempotency_keys_once PRIMARY KEY CHECK (length(key_hash) = 64),
    route TEXT NOT NULL,
    request_hash TEXT NOT NULL CHECK (length(request_hash) = 64),
    answer TEXT,
    claim TEXT,
    running_until BIGINT,
    expires_at BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    CONSTRAINT svc_idempotency_keys_state CHECK (answer IS NOT NULL OR (claim IS NOT NULL AND running_until IS NOT NULL))
);
CREATE INDEX svc_idempotency_keys_expiry ON svc_idempotency_keys (expires_at);
