-- Further addresses of customers, of the records that were merged into theirs: new bookings and duplicates are found by
-- them. They prove nothing to an account.
CREATE TABLE svc_customer_addresses (
    id {{id}},
    customer_id BIGINT NOT NULL REFERENCES svc_customers(id) ON DELETE CASCADE,
    email TEXT NOT NULL,
    email_lower TEXT NOT NULL UNIQUE,
    email_key TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX svc_customer_addresses_customer ON svc_customer_addresses (customer_id);
CREATE INDEX svc_customer_addresses_key ON svc_customer_addresses (email_key) WHERE email_key <> '';
