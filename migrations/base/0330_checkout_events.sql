-- By which partners that count visits know the event add_to_cart of a checkout: the browser's own report has it too. A
-- row only for visitors who allowed such a partner.
CREATE TABLE svc_checkout_events (
    session_id BIGINT NOT NULL PRIMARY KEY REFERENCES svc_booking_sessions (id) ON DELETE CASCADE,
    event_id TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE VIEW svc_checkout_event_v1 AS
SELECT e.session_id AS checkout_id, s.booking_id, e.event_id, e.created_at
FROM svc_checkout_events e JOIN svc_booking_sessions s ON s.id = e.session_id;
