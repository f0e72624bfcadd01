-- What was sold of the sample catalogue by its own import, beside svc_sample_rows: bookings, and the customers that
-- were made for them.
CREATE TABLE svc_sample_sales (
    kind TEXT NOT NULL CHECK (kind IN ('booking', 'customer')),
    row_id BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (kind, row_id)
);
