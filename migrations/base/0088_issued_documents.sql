-- Invoices and credit notes that were issued: a number each, without a gap in its series, and the seller and the
-- customer as they were on that day. Rows outlive what they were issued for, so nothing refers to other tables.
CREATE TABLE svc_number_series (
    -- The pattern with its year: "INV-2026-{number}".
    series TEXT PRIMARY KEY,
    last BIGINT NOT NULL
);
CREATE TABLE svc_issued_documents (
    id {{id}},
    kind TEXT NOT NULL CHECK (kind IN ('invoice', 'credit_note')),
    number TEXT NOT NULL UNIQUE,
    series TEXT NOT NULL,
    position BIGINT NOT NULL,
    booking_id BIGINT NOT NULL,
    payment_id BIGINT NOT NULL,
    -- 0 of an invoice.
    refund_id BIGINT NOT NULL DEFAULT 0,
    seller TEXT NOT NULL,
    customer TEXT NOT NULL,
    issued_on TEXT NOT NULL,
    issued_at BIGINT NOT NULL,
    UNIQUE (kind, payment_id, refund_id),
    UNIQUE (series, position)
);
CREATE INDEX svc_issued_documents_booking ON svc_issued_documents (booking_id);
