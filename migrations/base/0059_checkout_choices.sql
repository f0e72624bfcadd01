-- A traveler's category is a reference of its own, no answer to the form.
ALTER TABLE svc_booking_travelers ADD COLUMN category_id BIGINT;
-- Whether the session's way to pay was asked for, or is what who asks for none gets.
ALTER TABLE svc_booking_sessions ADD COLUMN method_chosen BIGINT NOT NULL DEFAULT 0;
