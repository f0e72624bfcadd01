-- Bookings, who travels, what it costs line by line, how the status came about, and the sessions they grow from.
CREATE TABLE svc_bookings (
    id {{id}},
    reference TEXT NOT NULL UNIQUE,
    trip_id BIGINT NOT NULL REFERENCES svc_trips(id),
    trip_title TEXT NOT NULL,
    trip_slug TEXT NOT NULL,
    customer_id BIGINT NOT NULL REFERENCES svc_customers(id),
    user_id BIGINT REFERENCES svc_users(id) ON DELETE SET NULL,
    contact_first_name TEXT NOT NULL,
    contact_last_name TEXT NOT NULL,
    contact_email TEXT NOT NULL,
    contact_phone TEXT NOT NULL DEFAULT '',
    contact_country TEXT NOT NULL DEFAULT '',
    travel_date TEXT NOT NULL,
    end_date TEXT NOT NULL,
    departure_time TEXT,
    travelers_count BIGINT NOT NULL CHECK (travelers_count >= 1),
    traveler_counts TEXT NOT NULL,
    currency TEXT NOT NULL,
    subtotal_minor BIGINT NOT NULL,
    discount_minor BIGINT NOT NULL DEFAULT 0 CHECK (discount_minor >= 0),
    services_minor BIGINT NOT NULL DEFAULT 0,
    itinerary_minor BIGINT NOT NULL DEFAULT 0,
    tax_minor BIGINT NOT NULL DEFAULT 0 CHECK (tax_minor >= 0),
    tax_inclusive BIGINT NOT NULL DEFAULT 0 CHECK (tax_inclusive IN (0, 1)),
    total_minor BIGINT NOT NULL CHECK (total_minor >= 0),
    pay_now_minor BIGINT NOT NULL CHECK (pay_now_minor >= 0),
    payment_method TEXT NOT NULL CHECK (payment_method IN ('full', 'deposit', 'partial')),
    payment_gateway TEXT NOT NULL,
    amount_paid_minor BIGINT NOT NULL DEFAULT 0 CHECK (amount_paid_minor >= 0),
    payment_status TEXT NOT NULL DEFAULT 'pending'
        CHECK (payment_status IN ('pending', 'partial', 'paid', 'refunded', 'failed')),
    status TEXT NOT NULL CHECK (status IN ('pending', 'pending_verification', 'confirmed', 'processing', 'on-hold',
        'completed', 'cancelled', 'refunded', 'failed', 'waitlist', 'trash')),
    status_before_trash TEXT,
    cancellation_reason TEXT,
    cancelled_via TEXT CHECK (cancelled_via IN ('admin', 'customer', 'expiry', 'channel', 'refund', 'system')),
    confirmed_at BIGINT,
    completed_at BIGINT,
    cancelled_at BIGINT,
    needs_attention BIGINT NOT NULL DEFAULT 0 CHECK (needs_attention IN (0, 1)),
    attention_reason TEXT,
    special_requests TEXT NOT NULL DEFAULT '',
    internal_notes TEXT NOT NULL DEFAULT '',
    source TEXT NOT NULL DEFAULT 'web' CHECK (source IN ('web', 'admin', 'api', 'channel', 'import')),
    quote TEXT NOT NULL,
    search TEXT NOT NULL,
    row_version BIGINT NOT NULL DEFAULT 1,
    deleted_at BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE INDEX svc_bookings_trip ON svc_bookings (trip_id, travel_date);
CREATE INDEX svc_bookings_customer ON svc_bookings (customer_id);
CREATE INDEX svc_bookings_status ON svc_bookings (status, payment_status);
CREATE INDEX svc_bookings_created ON svc_bookings (created_at, id);

CREATE TABLE svc_booking_travelers (
    id {{id}},
    booking_id BIGINT NOT NULL REFERENCES svc_bookings(id) ON DELETE CASCADE,
    traveler_index BIGINT NOT NULL CHECK (traveler_index >= 1),
    is_lead BIGINT NOT NULL CHECK (is_lead IN (0, 1)),
    fields TEXT NOT NULL,
    UNIQUE (booking_id, traveler_index)
);

CREATE TABLE svc_booking_lines (
    id {{id}},
    booking_id BIGINT NOT NULL REFERENCES svc_bookings(id) ON DELETE CASCADE,
    line_no BIGINT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('traveler', 'dynamic', 'group_discount', 'coupon', 'service', 'itinerary',
        'tax')),
    label TEXT NOT NULL,
    quantity BIGINT NOT NULL,
    unit_minor BIGINT NOT NULL,
    amount_minor BIGINT NOT NULL,
    UNIQUE (booking_id, line_no)
);

CREATE TABLE svc_booking_status_log (
    id {{id}},
    booking_id BIGINT NOT NULL REFERENCES svc_bookings(id) ON DELETE CASCADE,
    from_status TEXT NOT NULL,
    to_status TEXT NOT NULL,
    actor_kind TEXT NOT NULL CHECK (actor_kind IN ('system', 'admin', 'customer', 'gateway', 'channel')),
    actor_id BIGINT,
    reason TEXT NOT NULL DEFAULT '',
    at BIGINT NOT NULL
);
CREATE INDEX svc_booking_status_log_booking ON svc_booking_status_log (booking_id, at);

CREATE TABLE svc_booking_sessions (
    id {{id}},
    token_hash TEXT NOT NULL UNIQUE,
    user_id BIGINT REFERENCES svc_users(id) ON DELETE CASCADE,
    trip_id BIGINT REFERENCES svc_trips(id) ON DELETE CASCADE,
    travel_date TEXT,
    departure_time TEXT,
    travelers BIGINT NOT NULL DEFAULT 1 CHECK (travelers BETWEEN 1 AND 10000),
    -- JSON: people by traveler category, adding up to travelers; empty where nobody told.
    traveler_counts TEXT NOT NULL DEFAULT '{}',
    payment_method TEXT NOT NULL DEFAULT 'full' CHECK (payment_method IN ('full', 'deposit', 'partial')),
    status TEXT NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'converted', 'closed')),
    booking_id BIGINT REFERENCES svc_bookings(id) ON DELETE CASCADE,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX svc_booking_sessions_expiry ON svc_booking_sessions (expires_at);
