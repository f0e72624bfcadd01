-- Events that are reported to partners who count visits. The modules facebook_pixel and google_analytics share these
-- tables: each runs this step under a name of its own, and whichever is enabled first makes them.
CREATE TABLE IF NOT EXISTS svc_tracking_events (
    id {{id}},
    -- meta or google.
    partner TEXT NOT NULL,
    -- purchase or refund: a key of the catalogue.
    event TEXT NOT NULL,
    -- By which the partner knows an event that comes twice: of a purchase the booking's reference, as the browser sends
    -- it.
    event_id TEXT NOT NULL,
    booking_id BIGINT NOT NULL REFERENCES svc_bookings(id) ON DELETE CASCADE,
    value_minor BIGINT NOT NULL,
    currency TEXT NOT NULL,
    -- sending: claimed by the job until claimed_until. failed: there is another attempt at next_attempt_at. skipped: it
    -- was not sent, for the reason.
    status TEXT NOT NULL CHECK (status IN ('queued', 'sending', 'sent', 'failed', 'rejected', 'skipped')),
    reason TEXT,
    attempts BIGINT NOT NULL DEFAULT 0,
    next_attempt_at BIGINT,
    claimed_until BIGINT,
    http_status BIGINT,
    -- What was sent, without the values that name the visitor, and the beginning of the answer.
    payload TEXT NOT NULL DEFAULT '{}',
    answer TEXT NOT NULL DEFAULT '',
    occurred_at BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    sent_at BIGINT
);
CREATE INDEX IF NOT EXISTS svc_tracking_events_due ON svc_tracking_events (partner, status, next_attempt_at);
CREATE INDEX IF NOT EXISTS svc_tracking_events_booking ON svc_tracking_events (booking_id);
CREATE INDEX IF NOT EXISTS svc_tracking_events_age ON svc_tracking_events (created_at);

-- What was reported, also when the log above was cleared: purchase:12 is the purchase of booking 12, refund:3 refund 3.
CREATE TABLE IF NOT EXISTS svc_tracking_once (
    partner TEXT NOT NULL,
    occasion TEXT NOT NULL,
    booking_id BIGINT NOT NULL REFERENCES svc_bookings(id) ON DELETE CASCADE,
    created_at BIGINT NOT NULL,
    -- When the partner took it.
    sent_at BIGINT,
    PRIMARY KEY (partner, occasion)
);
CREATE INDEX IF NOT EXISTS svc_tracking_once_booking ON svc_tracking_once (booking_id);
CREATE INDEX IF NOT EXISTS svc_tracking_once_age ON svc_tracking_once (created_at);
