-- Payment records; only completed ones count. The configuration of gateways, secrets sealed.
CREATE TABLE svc_payments (
    id {{id}},
    booking_id BIGINT NOT NULL REFERENCES svc_bookings(id),
    customer_id BIGINT REFERENCES svc_customers(id) ON DELETE SET NULL,
    transaction_id TEXT UNIQUE,
    gateway TEXT NOT NULL,
    method TEXT NOT NULL,
    amount_minor BIGINT NOT NULL CHECK (amount_minor > 0),
    currency TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('pending', 'completed', 'failed', 'refunded', 'cancelled')),
    payment_type TEXT NOT NULL DEFAULT 'initial' CHECK (payment_type IN ('initial', 'partial', 'final')),
    source TEXT NOT NULL CHECK (source IN ('gateway', 'manual', 'scheduled', 'channel', 'import')),
    notes TEXT NOT NULL DEFAULT '',
    payment_date TEXT NOT NULL,
    processed_at BIGINT,
    completed_event_at BIGINT,
    recorded_by BIGINT REFERENCES svc_users(id) ON DELETE SET NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (booking_id, transaction_id)
);
CREATE INDEX svc_payments_booking ON svc_payments (booking_id, status);
CREATE INDEX svc_payments_created ON svc_payments (created_at, id);

CREATE TABLE svc_payment_gateways (
    id {{id}},
    slug TEXT NOT NULL UNIQUE,
    is_enabled BIGINT NOT NULL CHECK (is_enabled IN (0, 1)),
    config TEXT NOT NULL,
    updated_at BIGINT NOT NULL
);
