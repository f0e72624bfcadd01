-- The taxes of invoices and credit notes, as they were on the day of issue: what a booking becomes later does not change
-- them. Negative in a credit note. The tax of documents from before this is their part of the booking's tax.
CREATE TABLE svc_issued_taxes (
    document_id BIGINT NOT NULL REFERENCES svc_issued_documents(id) ON DELETE CASCADE,
    label TEXT NOT NULL,
    currency TEXT NOT NULL,
    amount_minor BIGINT NOT NULL,
    PRIMARY KEY (document_id, label)
);
CREATE INDEX svc_issued_documents_days ON svc_issued_documents (issued_on, id, booking_id);
INSERT INTO svc_issued_taxes (document_id, label, currency, amount_minor)
    SELECT d.id, l.label, p.currency, CAST(SUM((2 * l.amount_minor * p.amount_minor
        + b.total_minor) / (2 * b.total_minor)) AS BIGINT)
    FROM svc_issued_documents d JOIN svc_payments p ON p.id = d.payment_id JOIN svc_bookings b ON b.id = d.booking_id
    JOIN svc_booking_lines l ON l.booking_id = b.id AND l.kind = 'tax' AND l.amount_minor > 0
    WHERE d.kind = 'invoice' AND b.total_minor > 0 GROUP BY d.id, l.label, p.currency;
INSERT INTO svc_issued_taxes (document_id, label, currency, amount_minor)
    SELECT d.id, l.label, r.currency, CAST(SUM(-((2 * l.amount_minor * r.amount_minor
        + b.total_minor) / (2 * b.total_minor))) AS BIGINT)
    FROM svc_issued_documents d JOIN svc_refunds r ON r.id = d.refund_id JOIN svc_bookings b ON b.id = d.booking_id
    JOIN svc_booking_lines l ON l.booking_id = b.id AND l.kind = 'tax' AND l.amount_minor > 0
    WHERE d.kind = 'credit_note' AND b.total_minor > 0 GROUP BY d.id, l.label, r.currency;
-- Revenue is added up by the date of a payment, from the index alone.
CREATE INDEX svc_payments_dated ON svc_payments (payment_date, currency, status, gateway, amount_minor, booking_id)
    WHERE processed_at IS NOT NULL;
