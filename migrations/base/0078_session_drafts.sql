-- What a checkout page keeps in its session: how it will be paid, and the form half filled in, sealed. Empty: nothing.
ALTER TABLE svc_booking_sessions ADD COLUMN payment_gateway TEXT NOT NULL DEFAULT '';
ALTER TABLE svc_booking_sessions ADD COLUMN form_data TEXT NOT NULL DEFAULT '';
