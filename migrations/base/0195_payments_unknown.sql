-- Bookings that were migrated without their payments.
ALTER TABLE svc_bookings ADD COLUMN payments_unknown BIGINT NOT NULL DEFAULT 0;
