-- Payments and refunds find the trip and the travel of their bookings in an index alone, in the order of their own.
DROP INDEX svc_bookings_trips;
CREATE INDEX svc_bookings_trips ON svc_bookings (id, trip_id, travel_date);
