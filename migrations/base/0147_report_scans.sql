-- A report reads the bookings of its span once, for all of its sections, from an index alone. PostgreSQL needs the id in
-- it to join payments and taxes without the rows, which are wide.
DROP INDEX svc_bookings_booked;
CREATE INDEX svc_bookings_booked ON svc_bookings (created_at, currency, status, trip_id, total_minor, travelers_count,
    id, travel_date, source, customer_id, payment_status, payment_method, amount_paid_minor, pay_now_minor,
    contact_country, cancelled_via, traveler_counts);
DROP INDEX svc_bookings_travelling;
CREATE INDEX svc_bookings_travelling ON svc_bookings (travel_date, status, currency, trip_id, total_minor,
    travelers_count, id, created_at, source, customer_id, payment_status, payment_method, amount_paid_minor,
    pay_now_minor, contact_country, cancelled_via, traveler_counts);
