-- How many checkout sessions with a trip and a day were begun in each hour since 1970 in UTC, of those that are deleted:
-- what became a booking is told as a share of them.
CREATE TABLE svc_session_hours (
    hour BIGINT PRIMARY KEY,
    sessions BIGINT NOT NULL
);
-- Revenue is added up by the day on which money came or went, from the index alone.
CREATE INDEX svc_payments_processed ON svc_payments (processed_at, currency, status, gateway, amount_minor)
    WHERE processed_at IS NOT NULL;
CREATE INDEX svc_refunds_processed ON svc_refunds (processed_at, currency, status, gateway, amount_minor)
    WHERE processed_at IS NOT NULL;
-- Bookings are added up the same way; their rows are wide.
CREATE INDEX svc_bookings_reported ON svc_bookings (created_at, currency, status, trip_id, total_minor, travelers_count);
