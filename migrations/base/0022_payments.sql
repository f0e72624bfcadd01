-- Money: what was asked of gateways, payment records (only completed ones count), what went back, what providers told.
-- The configuration of gateways, secrets sealed.
CREATE TABLE svc_payment_intents (
    id {{id}},
    booking_id BIGINT NOT NULL REFERENCES svc_bookings(id) ON DELETE CASCADE,
    gateway TEXT NOT NULL,
    -- The provider's id; null until it has answered.
    provider_id TEXT,
    -- Random: what makes a repeated call one charge, and what names the intent in the way back from the provider.
    call_key TEXT NOT NULL UNIQUE,
    purpose TEXT NOT NULL CHECK (purpose IN ('checkout', 'remaining', 'scheduled', 'link')),
    amount_minor BIGINT NOT NULL CHECK (amount_minor > 0),
    currency TEXT NOT NULL,
    client_amount TEXT,
    status TEXT NOT NULL CHECK (status IN ('created', 'requires_action', 'processing', 'succeeded', 'failed',
        'cancelled', 'expired')),
    -- What the page was given, sealed: the same again for the same open intent.
    page TEXT,
    return_url TEXT NOT NULL DEFAULT '',
    cancel_url TEXT NOT NULL DEFAULT '',
    save_method BIGINT NOT NULL DEFAULT 0 CHECK (save_method IN (0, 1)),
    last_error TEXT NOT NULL DEFAULT '',
    -- open: the provider is asked until it says how it ended; review: its word does not fit ours.
    reconciliation TEXT NOT NULL DEFAULT 'open' CHECK (reconciliation IN ('open', 'settled', 'review')),
    asks BIGINT NOT NULL DEFAULT 0,
    ask_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (gateway, provider_id)
);
CREATE INDEX svc_payment_intents_booking ON svc_payment_intents (booking_id, status);
CREATE INDEX svc_payment_intents_ask ON svc_payment_intents (reconciliation, ask_at);

CREATE TABLE svc_payments (
    id {{id}},
    booking_id BIGINT NOT NULL REFERENCES svc_bookings(id),
    customer_id BIGINT REFERENCES svc_customers(id) ON DELETE SET NULL,
    intent_id BIGINT REFERENCES svc_payment_intents(id) ON DELETE SET NULL,
    transaction_id TEXT UNIQUE,
    gateway TEXT NOT NULL,
    method TEXT NOT NULL,
    amount_minor BIGINT NOT NULL CHECK (amount_minor > 0),
    -- The completed refunds; never more than was paid.
    refunded_minor BIGINT NOT NULL DEFAULT 0 CHECK (refunded_minor >= 0 AND refunded_minor <= amount_minor),
    fee_minor BIGINT,
    currency TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('pending', 'completed', 'failed', 'refunded', 'cancelled')),
    payment_type TEXT NOT NULL DEFAULT 'initial' CHECK (payment_type IN ('initial', 'partial', 'final')),
    source TEXT NOT NULL CHECK (source IN ('gateway', 'manual', 'scheduled', 'channel', 'import')),
    notes TEXT NOT NULL DEFAULT '',
    gateway_response TEXT NOT NULL DEFAULT '{}',
    -- manual: nobody to ask; matched: the provider's word; refund_due: it came when nothing was to be paid.
    reconciliation TEXT NOT NULL DEFAULT 'manual' CHECK (reconciliation IN ('manual', 'matched', 'refund_due')),
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

-- A refund is a credit note to its payment; no payment is ever negative.
CREATE TABLE svc_refunds (
    id {{id}},
    payment_id BIGINT NOT NULL REFERENCES svc_payments(id),
    booking_id BIGINT NOT NULL REFERENCES svc_bookings(id),
    gateway TEXT NOT NULL,
    gateway_refund_id TEXT,
    call_key TEXT NOT NULL UNIQUE,
    amount_minor BIGINT NOT NULL CHECK (amount_minor > 0),
    currency TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('pending', 'completed', 'failed')),
    -- by_hand: our staff sent the money back themselves; no provider is asked.
    by_hand BIGINT NOT NULL DEFAULT 0 CHECK (by_hand IN (0, 1)),
    closes BIGINT NOT NULL DEFAULT 0 CHECK (closes IN (0, 1)),
    reason TEXT NOT NULL DEFAULT '',
    last_error TEXT NOT NULL DEFAULT '',
    source TEXT NOT NULL CHECK (source IN ('admin', 'gateway_event', 'customer')),
    initiated_by BIGINT REFERENCES svc_users(id) ON DELETE SET NULL,
    gateway_response TEXT NOT NULL DEFAULT '{}',
    asks BIGINT NOT NULL DEFAULT 0,
    ask_at BIGINT NOT NULL,
    processed_at BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (gateway, gateway_refund_id)
);
CREATE INDEX svc_refunds_payment ON svc_refunds (payment_id);
CREATE INDEX svc_refunds_booking ON svc_refunds (booking_id);
CREATE INDEX svc_refunds_ask ON svc_refunds (status, ask_at);

-- What providers told us, once each.
CREATE TABLE svc_gateway_events (
    id {{id}},
    gateway TEXT NOT NULL,
    event_id TEXT NOT NULL,
    type TEXT NOT NULL,
    body_hash TEXT NOT NULL,
    -- The provider's names of what it is about, so that an event that came too early is found when its time has come.
    intent_id TEXT NOT NULL,
    transaction_id TEXT NOT NULL,
    payload TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('processed', 'ignored', 'parked', 'failed')),
    note TEXT NOT NULL DEFAULT '',
    attempts BIGINT NOT NULL DEFAULT 1,
    booking_id BIGINT,
    received_at BIGINT NOT NULL,
    UNIQUE (gateway, event_id)
);
CREATE INDEX svc_gateway_events_parked ON svc_gateway_events (status, gateway);
CREATE INDEX svc_gateway_events_received ON svc_gateway_events (received_at);

CREATE TABLE svc_saved_payment_methods (
    id {{id}},
    customer_id BIGINT NOT NULL REFERENCES svc_customers(id) ON DELETE CASCADE,
    gateway TEXT NOT NULL,
    gateway_customer_id TEXT NOT NULL DEFAULT '',
    gateway_method_id TEXT NOT NULL,
    brand TEXT NOT NULL DEFAULT '',
    last4 TEXT NOT NULL DEFAULT '',
    exp_month BIGINT NOT NULL DEFAULT 0,
    exp_year BIGINT NOT NULL DEFAULT 0,
    is_default BIGINT NOT NULL DEFAULT 0 CHECK (is_default IN (0, 1)),
    status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'expired', 'detached')),
    created_at BIGINT NOT NULL,
    UNIQUE (gateway, gateway_method_id)
);
CREATE INDEX svc_saved_payment_methods_customer ON svc_saved_payment_methods (customer_id, gateway);

CREATE TABLE svc_payment_gateways (
    id {{id}},
    slug TEXT NOT NULL UNIQUE,
    is_enabled BIGINT NOT NULL CHECK (is_enabled IN (0, 1)),
    config TEXT NOT NULL,
    updated_at BIGINT NOT NULL
);
