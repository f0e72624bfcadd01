-- More of what plugins read, one view for each of its rows in shared/plugin/CAPABILITIES.md; see 0110_plugin_views.sql.
-- The trip of a booking, its last day and the language of its e-mails.
CREATE VIEW svc_booking_travel_v1 AS
SELECT id AS booking_id, trip_id, customer_id, travel_date, end_date, travelers_count, payment_status, locale
FROM svc_bookings;

-- E-mails without their texts, which hold links that grant access.
CREATE VIEW svc_mail_v1 AS
SELECT id, template_key, event_key, locale, to_email, subject, status, error, booking_id, enquiry_id, dedupe_key,
    is_test, created_at, sent_at
FROM svc_email_outbox;
