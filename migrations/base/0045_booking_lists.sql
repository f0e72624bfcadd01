-- Bookings of one payment status, of one trip and of a span of days, in the order of the list and with what their tabs are
-- counted by: counting reads no row of a booking.
CREATE INDEX svc_bookings_payment ON svc_bookings (payment_status, created_at, id, status);
CREATE INDEX svc_bookings_of_trip ON svc_bookings (trip_id, created_at, id, status);
DROP INDEX svc_bookings_created;
CREATE INDEX svc_bookings_created ON svc_bookings (created_at, id, status);
