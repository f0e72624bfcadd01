-- What a booking keeps of its form, and the moments of its later life.
ALTER TABLE svc_bookings ADD COLUMN contact_data TEXT NOT NULL DEFAULT '{}';
ALTER TABLE svc_bookings ADD COLUMN emergency_contact TEXT NOT NULL DEFAULT '{}';
-- JSON: the fields that were asked, with their labels, as the form stood.
ALTER TABLE svc_bookings ADD COLUMN form TEXT NOT NULL DEFAULT '{}';
ALTER TABLE svc_bookings ADD COLUMN newsletter_optin BIGINT NOT NULL DEFAULT 0 CHECK (newsletter_optin IN (0, 1));
ALTER TABLE svc_bookings ADD COLUMN terms_accepted_at BIGINT;
ALTER TABLE svc_bookings ADD COLUMN verified_at BIGINT;
ALTER TABLE svc_bookings ADD COLUMN expired_at BIGINT;
ALTER TABLE svc_bookings ADD COLUMN reminder_sent_at BIGINT;
-- Since when it waits to be paid, when that is not since it was made: it was promoted or verified.
ALTER TABLE svc_bookings ADD COLUMN payable_since BIGINT;
-- Through what somebody changed the status: checkout, cookie, application_password, payment, job, link.
ALTER TABLE svc_booking_status_log ADD COLUMN through TEXT NOT NULL DEFAULT '';
CREATE INDEX svc_bookings_ending ON svc_bookings (status, end_date);
CREATE INDEX svc_bookings_starting ON svc_bookings (travel_date, status);
CREATE INDEX svc_bookings_user ON svc_bookings (user_id);
-- What a search looks in, folded.
ALTER TABLE svc_booking_travelers ADD COLUMN search TEXT NOT NULL DEFAULT '';
