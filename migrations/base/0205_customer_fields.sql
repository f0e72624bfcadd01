-- The values of the further fields of a customer (setting customer_fields): sealed JSON of texts by id; empty: none.
ALTER TABLE svc_customers ADD COLUMN extra_fields TEXT NOT NULL DEFAULT '';
