-- Discounts, typed or by party size, and which bookings hold them.
CREATE TABLE svc_discounts (
    id {{id}},
    -- Upper case; only a group discount may have none.
    code TEXT UNIQUE,
    name TEXT NOT NULL DEFAULT '',
    description TEXT NOT NULL DEFAULT '',
    mode TEXT NOT NULL CHECK (mode IN ('promo', 'group', 'both')),
    rate_ppm BIGINT CHECK (rate_ppm BETWEEN 0 AND 1000000),
    flat_minor BIGINT CHECK (flat_minor >= 0),
    currency TEXT NOT NULL,
    most_minor BIGINT CHECK (most_minor >= 0),
    min_amount_minor BIGINT CHECK (min_amount_minor >= 0),
    usage_limit BIGINT NOT NULL DEFAULT 0 CHECK (usage_limit >= 0),
    usage_limit_per_customer BIGINT NOT NULL DEFAULT 0 CHECK (usage_limit_per_customer >= 0),
    valid_from TEXT,
    expiry_date TEXT,
    first_time_customer_only BIGINT NOT NULL DEFAULT 0 CHECK (first_time_customer_only IN (0, 1)),
    for_all_trips BIGINT NOT NULL DEFAULT 1 CHECK (for_all_trips IN (0, 1)),
    status TEXT NOT NULL CHECK (status IN ('draft', 'publish', 'expired', 'trash')),
    status_before_trash TEXT,
    by_category BIGINT NOT NULL DEFAULT 0 CHECK (by_category IN (0, 1)),
    min_group_size BIGINT CHECK (min_group_size >= 1),
    max_group_size BIGINT,
    group_rate_ppm BIGINT CHECK (group_rate_ppm BETWEEN 0 AND 1000000),
    group_flat_minor BIGINT CHECK (group_flat_minor >= 0),
    search TEXT NOT NULL,
    row_version BIGINT NOT NULL DEFAULT 1,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    created_by BIGINT REFERENCES svc_users(id) ON DELETE SET NULL,
    updated_by BIGINT REFERENCES svc_users(id) ON DELETE SET NULL,
    CHECK (code IS NOT NULL OR mode = 'group'),
    CHECK (max_group_size IS NULL OR max_group_size >= COALESCE(min_group_size, 1))
);
CREATE INDEX svc_discounts_status ON svc_discounts (status, mode);

CREATE TABLE svc_discount_trips (
    discount_id BIGINT NOT NULL REFERENCES svc_discounts(id) ON DELETE CASCADE,
    trip_id BIGINT NOT NULL REFERENCES svc_trips(id) ON DELETE CASCADE,
    PRIMARY KEY (discount_id, trip_id)
);
CREATE INDEX svc_discount_trips_trip ON svc_discount_trips (trip_id);

CREATE TABLE svc_discount_ranges (
    id {{id}},
    discount_id BIGINT NOT NULL REFERENCES svc_discounts(id) ON DELETE CASCADE,
    -- NULL: the whole party; 0: everybody of a trip without categories.
    category_id BIGINT,
    least BIGINT NOT NULL CHECK (least >= 1),
    most BIGINT,
    rate_ppm BIGINT,
    flat_minor BIGINT,
    CHECK (most IS NULL OR most >= least)
);
CREATE INDEX svc_discount_ranges_discount ON svc_discount_ranges (discount_id);

CREATE TABLE svc_discount_redemptions (
    id {{id}},
    discount_id BIGINT NOT NULL REFERENCES svc_discounts(id),
    booking_id BIGINT NOT NULL REFERENCES svc_bookings(id) ON DELETE CASCADE,
    customer_id BIGINT NOT NULL REFERENCES svc_customers(id),
    email_lower TEXT NOT NULL,
    is_coupon BIGINT NOT NULL CHECK (is_coupon IN (0, 1)),
    amount_minor BIGINT NOT NULL CHECK (amount_minor >= 0),
    currency TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('active', 'released')),
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (discount_id, booking_id)
);
CREATE INDEX svc_discount_redemptions_booking ON svc_discount_redemptions (booking_id);
CREATE INDEX svc_discount_redemptions_customer ON svc_discount_redemptions (customer_id);
CREATE INDEX svc_discount_redemptions_email ON svc_discount_redemptions (email_lower);

-- What a checkout session was told besides trip, date and party.
ALTER TABLE svc_booking_sessions ADD COLUMN coupon_code TEXT NOT NULL DEFAULT '';
ALTER TABLE svc_booking_sessions ADD COLUMN country TEXT NOT NULL DEFAULT '';
-- JSON: how many of each additional service.
ALTER TABLE svc_booking_sessions ADD COLUMN services TEXT NOT NULL DEFAULT '{}';
