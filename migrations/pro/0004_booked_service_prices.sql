-- A booked service's listed price beside what it came to for the party; null for a share, and where a booking is older.
ALTER TABLE svc_booking_services ADD COLUMN price_minor BIGINT CHECK (price_minor >= 0);
