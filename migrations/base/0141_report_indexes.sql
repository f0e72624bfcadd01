-- Reports add up a year from indexes alone: rows of bookings are wide.
CREATE INDEX svc_bookings_booked ON svc_bookings (created_at, currency, status, trip_id, total_minor, travelers_count,
    source, travel_date);
DROP INDEX svc_bookings_reported;
CREATE INDEX svc_bookings_travelling ON svc_bookings (travel_date, status, currency, trip_id, total_minor,
    travelers_count, source, created_at);
DROP INDEX svc_bookings_starting;
-- The trip of a payment's booking.
CREATE INDEX svc_bookings_trips ON svc_bookings (id, trip_id);
CREATE INDEX svc_payments_of_booking ON svc_payments (booking_id, status, currency, gateway, amount_minor, processed_at);
DROP INDEX svc_payments_booking;
CREATE INDEX svc_booking_lines_taxes ON svc_booking_lines (booking_id, kind, label, amount_minor) WHERE kind = 'tax';
CREATE INDEX svc_booking_departures_seats ON svc_booking_departures (departure_id, released_at, seats)
    WHERE released_at IS NULL;
