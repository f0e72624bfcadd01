-- Templates of e-mails that replace or add to the base's own, sequences of e-mails about a booking, who is in them, which
-- step was taken for whom, and who wants no marketing.
CREATE TABLE svc_email_templates (
    id {{id}},
    -- Of an override that of the template it replaces.
    template_key TEXT NOT NULL,
    -- Empty: a template for everybody. Otherwise the key of the template that it replaces for some bookings.
    overrides TEXT NOT NULL DEFAULT '',
    name TEXT NOT NULL,
    description TEXT NOT NULL DEFAULT '',
    category TEXT NOT NULL,
    event_key TEXT NOT NULL DEFAULT '',
    recipient_type TEXT NOT NULL CHECK (recipient_type IN ('customer', 'admin')),
    subject TEXT NOT NULL,
    body TEXT NOT NULL,
    from_name TEXT NOT NULL DEFAULT '',
    from_email TEXT NOT NULL DEFAULT '',
    to_email TEXT NOT NULL DEFAULT '',
    reply_to TEXT NOT NULL DEFAULT '',
    cc TEXT NOT NULL DEFAULT '',
    bcc TEXT NOT NULL DEFAULT '',
    is_active BIGINT NOT NULL CHECK (is_active IN (0, 1)),
    is_system BIGINT NOT NULL DEFAULT 0 CHECK (is_system IN (0, 1)),
    -- 0: subject and body are those that come with the release, in the recipient's language.
    is_customized BIGINT NOT NULL DEFAULT 1 CHECK (is_customized IN (0, 1)),
    -- Of an override: JSON lists of ids and kinds of trips.
    target_trips TEXT NOT NULL DEFAULT '[]',
    target_categories TEXT NOT NULL DEFAULT '[]',
    target_trip_types TEXT NOT NULL DEFAULT '[]',
    priority BIGINT NOT NULL DEFAULT 10 CHECK (priority BETWEEN 0 AND 1000000),
    search TEXT NOT NULL,
    row_version BIGINT NOT NULL DEFAULT 1,
    created_by BIGINT REFERENCES svc_users(id) ON DELETE SET NULL,
    updated_by BIGINT REFERENCES svc_users(id) ON DELETE SET NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX svc_email_templates_key ON svc_email_templates (template_key) WHERE overrides = '';
CREATE INDEX svc_email_templates_overrides ON svc_email_templates (overrides, priority, id) WHERE overrides <> '';

CREATE TABLE svc_email_sequences (
    id {{id}},
    name TEXT NOT NULL,
    description TEXT NOT NULL DEFAULT '',
    -- Set: one that comes with the release.
    seed_key TEXT UNIQUE,
    trigger_type TEXT NOT NULL,
    trigger_days BIGINT NOT NULL DEFAULT 0 CHECK (trigger_days BETWEEN 0 AND 3660),
    status TEXT NOT NULL CHECK (status IN ('draft', 'active', 'paused')),
    applicable_to TEXT NOT NULL CHECK (applicable_to IN ('all', 'specific_trips')),
    -- JSON list of event keys.
    stop_on TEXT NOT NULL DEFAULT '[]',
    -- Bookings from before are not enrolled.
    active_since BIGINT,
    search TEXT NOT NULL,
    row_version BIGINT NOT NULL DEFAULT 1,
    created_by BIGINT REFERENCES svc_users(id) ON DELETE SET NULL,
    updated_by BIGINT REFERENCES svc_users(id) ON DELETE SET NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE INDEX svc_email_sequences_trigger ON svc_email_sequences (trigger_type, status);

CREATE TABLE svc_email_sequence_trips (
    sequence_id BIGINT NOT NULL REFERENCES svc_email_sequences(id) ON DELETE CASCADE,
    trip_id BIGINT NOT NULL REFERENCES svc_trips(id) ON DELETE CASCADE,
    PRIMARY KEY (sequence_id, trip_id)
);
CREATE INDEX svc_email_sequence_trips_trip ON svc_email_sequence_trips (trip_id);

CREATE TABLE svc_email_sequence_steps (
    id {{id}},
    sequence_id BIGINT NOT NULL REFERENCES svc_email_sequences(id) ON DELETE CASCADE,
    step_order BIGINT NOT NULL CHECK (step_order >= 0),
    delay_value BIGINT NOT NULL CHECK (delay_value >= 0),
    delay_unit TEXT NOT NULL CHECK (delay_unit IN ('minutes', 'hours', 'days', 'weeks')),
    template_id BIGINT REFERENCES svc_email_templates(id),
    custom_subject TEXT NOT NULL DEFAULT '',
    custom_body TEXT NOT NULL DEFAULT '',
    conditions TEXT NOT NULL DEFAULT '[]',
    is_active BIGINT NOT NULL CHECK (is_active IN (0, 1))
);
CREATE INDEX svc_email_sequence_steps_order ON svc_email_sequence_steps (sequence_id, step_order);
CREATE INDEX svc_email_sequence_steps_template ON svc_email_sequence_steps (template_id);

-- A booking is in a sequence once, whatever becomes of it.
CREATE TABLE svc_email_enrolments (
    id {{id}},
    sequence_id BIGINT NOT NULL REFERENCES svc_email_sequences(id) ON DELETE CASCADE,
    booking_id BIGINT NOT NULL REFERENCES svc_bookings(id) ON DELETE CASCADE,
    status TEXT NOT NULL CHECK (status IN ('active', 'finished', 'stopped')),
    stop_reason TEXT NOT NULL DEFAULT '',
    -- The order of the step that comes next; it is due some time after the moment before it.
    position BIGINT NOT NULL DEFAULT 0,
    since BIGINT NOT NULL,
    next_run_at BIGINT,
    -- Of sequences by travel days: the day that `since` follows from.
    anchor_day TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (sequence_id, booking_id)
);
CREATE INDEX svc_email_enrolments_due ON svc_email_enrolments (next_run_at, id) WHERE status = 'active';
CREATE INDEX svc_email_enrolments_booking ON svc_email_enrolments (booking_id);
CREATE INDEX svc_email_enrolments_sequence ON svc_email_enrolments (sequence_id, status, position);

-- What became of each step: queued as an e-mail, or not and why. An enrolment has each step once. The rows outlive
-- sequences, so that the log stays.
CREATE TABLE svc_email_step_logs (
    id {{id}},
    enrolment_id BIGINT NOT NULL,
    sequence_id BIGINT NOT NULL,
    step_id BIGINT NOT NULL,
    booking_id BIGINT NOT NULL,
    template_id BIGINT,
    template_key TEXT NOT NULL DEFAULT '',
    recipient_email TEXT NOT NULL,
    recipient_name TEXT NOT NULL DEFAULT '',
    subject TEXT NOT NULL,
    body TEXT NOT NULL,
    is_marketing BIGINT NOT NULL CHECK (is_marketing IN (0, 1)),
    -- Empty: the e-mail was queued, under this key.
    reason TEXT NOT NULL DEFAULT '',
    dedupe_key TEXT NOT NULL UNIQUE,
    created_at BIGINT NOT NULL,
    UNIQUE (enrolment_id, step_id)
);
CREATE INDEX svc_email_step_logs_booking ON svc_email_step_logs (booking_id);
CREATE INDEX svc_email_step_logs_created ON svc_email_step_logs (created_at);
CREATE INDEX svc_email_step_logs_recipient ON svc_email_step_logs (recipient_email);

-- Mailboxes that get no marketing, by shared/core/mailbox.hpp.
CREATE TABLE svc_email_suppressions (
    id {{id}},
    mailbox TEXT NOT NULL UNIQUE,
    reason TEXT NOT NULL CHECK (reason IN ('unsubscribed')),
    created_at BIGINT NOT NULL
);
