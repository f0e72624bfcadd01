-- What the visitor who made a booking allowed to be told to partners that count visits and measure advertising, and what
-- tells their browser apart there. A row only if something was allowed; what was not allowed is empty.
CREATE TABLE svc_booking_consents (
    id {{id}},
    booking_id BIGINT NOT NULL UNIQUE REFERENCES svc_bookings (id) ON DELETE CASCADE,
    analytics BIGINT NOT NULL,
    marketing BIGINT NOT NULL,
    ga_client_id TEXT NOT NULL DEFAULT '',
    fbp TEXT NOT NULL DEFAULT '',
    fbc TEXT NOT NULL DEFAULT '',
    client_address TEXT NOT NULL DEFAULT '',
    user_agent TEXT NOT NULL DEFAULT '',
    decided_at BIGINT NOT NULL,
    purchase_shown_at BIGINT -- when the page of the booking told the visitor's browser of the purchase
);
CREATE VIEW svc_booking_consent_v1 AS
SELECT booking_id, analytics, marketing, ga_client_id, fbp, fbc, client_address, user_agent, decided_at,
       purchase_shown_at
FROM svc_booking_consents;
