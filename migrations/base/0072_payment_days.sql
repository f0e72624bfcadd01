-- The payments of some days, by the date they were paid on.
CREATE INDEX svc_payments_of_days ON svc_payments (payment_date, id);
