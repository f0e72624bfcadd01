-- What plugins read of the base, one view for each of its rows in shared/plugin/CAPABILITIES.md. A view of a released
-- version keeps its columns and their meaning, whatever becomes of the tables; another shape is another view beside it.
CREATE VIEW svc_booking_v1 AS
SELECT id, reference, status, user_id, contact_first_name, contact_last_name, contact_email, search, currency,
    total_minor, amount_paid_minor, travel_date, created_at
FROM svc_bookings;

-- Which bookings have seats on a departure that a user guides.
CREATE VIEW svc_booking_guide_v1 AS
SELECT l.booking_id, d.guide_user_id
FROM svc_departures d JOIN svc_booking_departures l ON l.departure_id = d.id AND l.released_at IS NULL
WHERE d.guide_user_id IS NOT NULL;

-- by_page: a customer's own page made it, and neither staff nor a saved method.
CREATE VIEW svc_payment_v1 AS
SELECT p.id, p.booking_id, p.status, p.amount_minor, p.currency, p.processed_at,
    CASE WHEN i.page IS NULL THEN 0 ELSE 1 END AS by_page
FROM svc_payments p LEFT JOIN svc_payment_intents i ON i.id = p.intent_id AND p.source = 'gateway';

CREATE VIEW svc_refund_v1 AS
SELECT id, booking_id, status, processed_at FROM svc_refunds;

CREATE VIEW svc_trip_v1 AS
SELECT id, title FROM svc_trips;
