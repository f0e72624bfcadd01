-- Which of a booking's mailed links count: a change of its address, or staff's new link, raises it and ends the others.
ALTER TABLE svc_bookings ADD COLUMN link_counter BIGINT NOT NULL DEFAULT 0;
