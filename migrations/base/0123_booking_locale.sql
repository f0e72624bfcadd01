-- The language of a booking's e-mails; empty: its account's, else the site's.
ALTER TABLE svc_bookings ADD COLUMN locale TEXT NOT NULL DEFAULT '';
