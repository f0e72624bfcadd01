-- E-mails: a row is the queue's entry until it is sent, and the log from then on. It outlives the booking it is about,
-- so booking_id, enquiry_id and enrolment_id point without holding. lease_until is in the database's own time.
CREATE TABLE svc_email_outbox (
    id {{id}},
    template_key TEXT NOT NULL,
    event_key TEXT NOT NULL,
    locale TEXT NOT NULL DEFAULT 'en',
    to_email TEXT NOT NULL,
    cc TEXT NOT NULL DEFAULT '',
    bcc TEXT NOT NULL DEFAULT '',
    from_email TEXT NOT NULL DEFAULT '',
    from_name TEXT NOT NULL DEFAULT '',
    reply_to TEXT NOT NULL DEFAULT '',
    subject TEXT NOT NULL,
    body_html TEXT,
    body_text TEXT,
    booking_id BIGINT,
    enquiry_id BIGINT,
    enrolment_id BIGINT,
    dedupe_key TEXT UNIQUE,
    attachments TEXT NOT NULL DEFAULT '[]',
    status TEXT NOT NULL CHECK (status IN ('queued', 'sending', 'sent', 'failed', 'suppressed')),
    attempts BIGINT NOT NULL DEFAULT 0 CHECK (attempts BETWEEN 0 AND 6),
    next_attempt_at BIGINT NOT NULL,
    leased_by TEXT,
    lease_until BIGINT,
    error TEXT,
    sent_at BIGINT,
    opened_at BIGINT,
    clicked_at BIGINT,
    is_test BIGINT NOT NULL DEFAULT 0 CHECK (is_test IN (0, 1)),
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE INDEX svc_email_outbox_due ON svc_email_outbox (next_attempt_at, id) WHERE status IN ('queued', 'sending');
CREATE INDEX svc_email_outbox_open_booking ON svc_email_outbox (booking_id, id) WHERE status IN ('queued', 'sending');
CREATE INDEX svc_email_outbox_booking ON svc_email_outbox (booking_id);
CREATE INDEX svc_email_outbox_template ON svc_email_outbox (template_key);
CREATE INDEX svc_email_outbox_to ON svc_email_outbox (to_email);
CREATE INDEX svc_email_outbox_created ON svc_email_outbox (created_at);
