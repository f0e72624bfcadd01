-- How many days before its deadline to pay a booking's customer was reminded last.
ALTER TABLE svc_bookings ADD COLUMN deadline_told BIGINT;
