-- The request that an event and an e-mail come from, as its answer and its log line name it.
ALTER TABLE svc_domain_events ADD COLUMN request_id TEXT;
ALTER TABLE svc_email_outbox ADD COLUMN request_id TEXT;
