-- A booking with its departure and party, for plugins that count by departure; see 0110_plugin_views.sql.
CREATE VIEW svc_booking_v2 AS
SELECT id, reference, status, user_id, trip_id, travel_date, end_date, departure_time, travelers_count,
    currency, total_minor, amount_paid_minor, created_at, updated_at
FROM svc_bookings;
