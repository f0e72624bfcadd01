-- Travelers who have arrived at the start of their trip, and who noted it.
ALTER TABLE svc_booking_travelers ADD COLUMN checked_in_at BIGINT;
ALTER TABLE svc_booking_travelers ADD COLUMN checked_in_by BIGINT;
