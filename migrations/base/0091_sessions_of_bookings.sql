-- A booking ends the checkout sessions that have become it.
CREATE INDEX svc_booking_sessions_booking ON svc_booking_sessions (booking_id) WHERE booking_id IS NOT NULL;
