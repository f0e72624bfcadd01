-- Bookings that visitors began and did not finish, what happened to each, and how they are reminded.
CREATE TABLE svc_abandoned_bookings (
    id {{id}},
    -- Random; the links of its e-mails are bound to it, and another value ends them.
    uid TEXT NOT NULL UNIQUE,
    -- The visitor's latest checkout of this trip.
    checkout_id BIGINT UNIQUE,
    email TEXT NOT NULL,
    email_lower TEXT NOT NULL,
    customer_name TEXT NOT NULL,
    customer_phone TEXT,
    country TEXT NOT NULL,
    locale TEXT NOT NULL,
    trip_id BIGINT REFERENCES svc_trips(id) ON DELETE SET NULL,
    travel_date TEXT,
    departure_time TEXT,
    travelers BIGINT NOT NULL CHECK (travelers >= 1),
    traveler_counts TEXT NOT NULL,
    services TEXT NOT NULL,
    coupon_code TEXT NOT NULL,
    -- What the visitor saw; NULL: no price was known.
    total_minor BIGINT,
    currency TEXT NOT NULL,
    -- Where the visitor stopped, and the fault that was shown there.
    step TEXT NOT NULL,
    fault TEXT NOT NULL,
    -- Why it may be kept: the visitor agreed, has booked before, or was told where that suffices.
    consent TEXT NOT NULL CHECK (consent IN ('opt_in', 'customer', 'notice')),
    consent_at BIGINT NOT NULL,
    status TEXT NOT NULL DEFAULT 'abandoned' CHECK (status IN ('abandoned', 'contacted', 'recovered', 'expired')),
    end_reason TEXT NOT NULL DEFAULT '',
    -- The reminder that is next, 1 to 3; 4: there is none.
    stage BIGINT NOT NULL DEFAULT 1 CHECK (stage BETWEEN 1 AND 4),
    emails_sent BIGINT NOT NULL DEFAULT 0 CHECK (emails_sent BETWEEN 0 AND 3),
    last_email_at BIGINT,
    next_email_at BIGINT,
    link_used_at BIGINT,
    unsubscribed BIGINT NOT NULL DEFAULT 0 CHECK (unsubscribed IN (0, 1)),
    recovered_booking_id BIGINT REFERENCES svc_bookings(id) ON DELETE SET NULL,
    recovered_by TEXT CHECK (recovered_by IN ('link', 'time', 'self')),
    recovered_at BIGINT,
    -- NULL: the visitor may still be at it.
    abandoned_at BIGINT,
    last_activity_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    -- What names the person is gone since.
    blanked_at BIGINT,
    search TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE INDEX svc_abandoned_bookings_person ON svc_abandoned_bookings (email_lower, trip_id);
CREATE INDEX svc_abandoned_bookings_due ON svc_abandoned_bookings (next_email_at);
CREATE INDEX svc_abandoned_bookings_abandoned ON svc_abandoned_bookings (abandoned_at, last_activity_at);
CREATE INDEX svc_abandoned_bookings_expiry ON svc_abandoned_bookings (blanked_at, expires_at);
CREATE INDEX svc_abandoned_bookings_booking ON svc_abandoned_bookings (recovered_booking_id);
CREATE INDEX svc_abandoned_bookings_trip ON svc_abandoned_bookings (trip_id);
CREATE INDEX svc_abandoned_bookings_age ON svc_abandoned_bookings (created_at);

CREATE TABLE svc_abandoned_booking_events (
    id {{id}},
    abandoned_id BIGINT NOT NULL REFERENCES svc_abandoned_bookings(id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    detail TEXT NOT NULL,
    happened_at BIGINT NOT NULL
);
CREATE INDEX svc_abandoned_booking_events_of ON svc_abandoned_booking_events (abandoned_id, id);

-- Checkouts whose visitor said no: nothing of them is kept again.
CREATE TABLE svc_abandoned_declines (
    checkout_id BIGINT NOT NULL PRIMARY KEY,
    created_at BIGINT NOT NULL
);
CREATE INDEX svc_abandoned_declines_age ON svc_abandoned_declines (created_at);

-- Digests of addresses that want no reminders.
CREATE TABLE svc_abandoned_stops (
    email_digest TEXT NOT NULL PRIMARY KEY,
    created_at BIGINT NOT NULL
);

-- The operator's own reminders; while one is active they are sent in place of the standard ones.
CREATE TABLE svc_abandoned_campaigns (
    id {{id}},
    name TEXT NOT NULL,
    subject TEXT NOT NULL,
    email_body TEXT NOT NULL,
    delay_hours BIGINT NOT NULL CHECK (delay_hours BETWEEN 1 AND 720),
    status TEXT NOT NULL CHECK (status IN ('active', 'inactive')),
    discount_code TEXT NOT NULL,
    discount_type TEXT NOT NULL CHECK (discount_type IN ('percentage', 'fixed')),
    rate_ppm BIGINT NOT NULL DEFAULT 0 CHECK (rate_ppm BETWEEN 0 AND 1000000),
    amount_minor BIGINT NOT NULL DEFAULT 0 CHECK (amount_minor >= 0),
    currency TEXT NOT NULL,
    row_version BIGINT NOT NULL DEFAULT 1,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    created_by BIGINT REFERENCES svc_users(id) ON DELETE SET NULL,
    updated_by BIGINT REFERENCES svc_users(id) ON DELETE SET NULL
);
CREATE INDEX svc_abandoned_campaigns_status ON svc_abandoned_campaigns (status, delay_hours);
