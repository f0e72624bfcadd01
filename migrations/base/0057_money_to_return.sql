-- Bookings that wait for a person, and those whose money is to be sent back, are found without a look at all of them.
CREATE INDEX svc_bookings_attention ON svc_bookings (created_at, id, status) WHERE needs_attention = 1;
CREATE INDEX svc_bookings_overpaid ON svc_bookings (id) WHERE amount_paid_minor > total_minor;
CREATE INDEX svc_payments_refund_due ON svc_payments (booking_id) WHERE reconciliation = 'refund_due';
