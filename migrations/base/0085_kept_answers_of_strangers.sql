-- Whose kept answers are counted: of callers without a credential the network they come from, as a hash.
ALTER TABLE svc_idempotency_keys ADD COLUMN network TEXT;
ALTER TABLE svc_idempotency_keys ADD COLUMN answer_bytes BIGINT NOT NULL DEFAULT 0;
CREATE INDEX svc_idempotency_keys_network ON svc_idempotency_keys (network, expires_at, answer_bytes);
