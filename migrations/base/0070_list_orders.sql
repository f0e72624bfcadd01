-- The bookings of one customer and of one user, newest first, and their counts by status, as those of one trip are since 0045.
DROP INDEX svc_bookings_customer;
CREATE INDEX svc_bookings_of_customer ON svc_bookings (customer_id, created_at, id, status);
DROP INDEX svc_bookings_user;
CREATE INDEX svc_bookings_of_user ON svc_bookings (user_id, created_at, id, status);
-- The payments of one status, newest first; and how many there are.
CREATE INDEX svc_payments_of_status ON svc_payments (status, created_at, id, payment_type);
