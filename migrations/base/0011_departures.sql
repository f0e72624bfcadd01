-- Departures: a trip's dates with their seats, one row a trip, date and time.
CREATE TABLE svc_departures (
    id {{id}},
    trip_id BIGINT NOT NULL REFERENCES svc_trips (id),
    origin TEXT NOT NULL CHECK (origin IN ('fixed', 'recurring', 'open', 'manual')),
    start_date TEXT NOT NULL CHECK (length(start_date) = 10),
    end_date TEXT NOT NULL CHECK (length(end_date) = 10 AND end_date >= start_date),
    start_time TEXT CHECK (length(start_time) = 5),
    -- NULL: not told; return_date: the last day.
    arrival_time TEXT CHECK (length(arrival_time) = 5),
    return_date TEXT CHECK (length(return_date) = 10 AND return_date >= start_date),
    capacity BIGINT NOT NULL CHECK (capacity BETWEEN 1 AND 100000),
    booked_count BIGINT NOT NULL,
    -- 1: staff may have more seats booked than there are; the public never.
    capacity_override BIGINT NOT NULL DEFAULT 0 CHECK (capacity_override IN (0, 1)),
    sale_state TEXT NOT NULL CHECK (sale_state IN ('open', 'unavailable', 'blocked', 'closed', 'cancelled')),
    block_reason TEXT NOT NULL DEFAULT '',
    status TEXT NOT NULL CHECK (status IN ('upcoming', 'full', 'past', 'cancelled', 'trash')),
    -- NULL: as the trip says. The prices of traveler_based are rows of svc_departure_prices.
    pricing_type TEXT CHECK (pricing_type IN ('regular', 'traveler_based')),
    currency TEXT NOT NULL CHECK (length(currency) = 3),
    regular_price_minor BIGINT CHECK (regular_price_minor >= 0),
    sale_price_minor BIGINT CHECK (sale_price_minor IS NULL OR (sale_price_minor >= 0 AND regular_price_minor IS NOT NULL)),
    -- The last day and how long before the start it can be booked; NULL: no such day, and as the trip says.
    cutoff_date TEXT CHECK (length(cutoff_date) = 10),
    cutoff_hours BIGINT CHECK (cutoff_hours BETWEEN 0 AND 8760),
    -- Staff are told once when that many seats or fewer are left: 0 not told, 1 by this change, 2 told.
    alert_threshold BIGINT NOT NULL DEFAULT 5 CHECK (alert_threshold BETWEEN 0 AND 100000),
    alert_state BIGINT NOT NULL DEFAULT 0 CHECK (alert_state BETWEEN 0 AND 2),
    -- Empty: the trip's. Places in ten-millionths of a degree.
    from_location TEXT NOT NULL DEFAULT '',
    to_location TEXT NOT NULL DEFAULT '',
    pickup_location TEXT NOT NULL DEFAULT '',
    dropoff_location TEXT NOT NULL DEFAULT '',
    from_latitude BIGINT CHECK (from_latitude BETWEEN -900000000 AND 900000000),
    from_longitude BIGINT CHECK (from_longitude BETWEEN -1800000000 AND 1800000000),
    to_latitude BIGINT CHECK (to_latitude BETWEEN -900000000 AND 900000000),
    to_longitude BIGINT CHECK (to_longitude BETWEEN -1800000000 AND 1800000000),
    -- From and to, folded.
    places_folded TEXT NOT NULL DEFAULT '',
    guide_user_id BIGINT REFERENCES svc_users (id) ON DELETE SET NULL,
    equipment_included TEXT NOT NULL DEFAULT '',
    special_notes TEXT NOT NULL DEFAULT '',
    notes TEXT NOT NULL,
    notes_folded TEXT NOT NULL,
    row_version BIGINT NOT NULL CHECK (row_version >= 1),
    -- +1 on every change, seats included: which of two states of the row is the later one.
    revision BIGINT NOT NULL CHECK (revision >= 1),
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    created_by BIGINT REFERENCES svc_users (id) ON DELETE SET NULL,
    updated_by BIGINT REFERENCES svc_users (id) ON DELETE SET NULL,
    deleted_at BIGINT,
    deleted_by BIGINT REFERENCES svc_users (id) ON DELETE SET NULL,
    -- The last word on overbooking: no statement of any process gets past it.
    CONSTRAINT svc_departures_seats CHECK (booked_count >= 0 AND (booked_count <= capacity OR capacity_override = 1)),
    CHECK ((from_latitude IS NULL) = (from_longitude IS NULL)),
    CHECK ((to_latitude IS NULL) = (to_longitude IS NULL)),
    CHECK (sale_price_minor IS NULL OR regular_price_minor IS NOT NULL),
    CHECK ((status = 'trash') = (deleted_at IS NOT NULL))
);
-- No time is a time of its own.
CREATE UNIQUE INDEX svc_departures_slot ON svc_departures (trip_id, start_date, COALESCE(start_time, '')) WHERE deleted_at IS NULL;
CREATE INDEX svc_departures_status ON svc_departures (status, start_date);
CREATE INDEX svc_departures_dates ON svc_departures (start_date, start_time, id);
CREATE INDEX svc_departures_updated ON svc_departures (updated_at);
CREATE INDEX svc_departures_guide ON svc_departures (guide_user_id) WHERE guide_user_id IS NOT NULL;

-- A departure's own prices by traveler category; a category without a row has the trip's. The lowered price travels
-- with the list price.
CREATE TABLE svc_departure_prices (
    departure_id BIGINT NOT NULL REFERENCES svc_departures (id) ON DELETE CASCADE,
    category_id BIGINT NOT NULL REFERENCES svc_classifications (id),
    regular_price_minor BIGINT NOT NULL CHECK (regular_price_minor >= 0),
    sale_price_minor BIGINT CHECK (sale_price_minor >= 0),
    PRIMARY KEY (departure_id, category_id)
);
CREATE INDEX svc_departure_prices_category ON svc_departure_prices (category_id);

-- The seat ledger: which booking holds how many seats of which departure. booked_count is always the sum of the rows
-- that are not released. booking_id is a booking's id without a foreign key, as bookings come with a later step.
CREATE TABLE svc_booking_departures (
    id {{id}},
    booking_id BIGINT NOT NULL CHECK (booking_id >= 1),
    departure_id BIGINT NOT NULL REFERENCES svc_departures (id),
    seats BIGINT NOT NULL CHECK (seats >= 1),
    hold_kind TEXT NOT NULL CHECK (hold_kind IN ('firm', 'soft')),
    hold_expires_at BIGINT CHECK (hold_kind = 'soft' OR hold_expires_at IS NULL),
    linked_at BIGINT NOT NULL,
    released_at BIGINT,
    release_reason TEXT CHECK (release_reason IN ('cancelled', 'expired', 'moved', 'trashed', 'waitlist', 'hold_lapsed', 'failed', 'refunded')),
    CHECK ((released_at IS NULL) = (release_reason IS NULL))
);
CREATE UNIQUE INDEX svc_booking_departures_active ON svc_booking_departures (booking_id) WHERE released_at IS NULL;
CREATE INDEX svc_booking_departures_departure ON svc_booking_departures (departure_id);
CREATE INDEX svc_booking_departures_booking ON svc_booking_departures (booking_id, id);
CREATE INDEX svc_booking_departures_lapsing ON svc_booking_departures (hold_expires_at)
    WHERE released_at IS NULL AND hold_kind = 'soft';

-- Who waits for seats of a full departure, in the order of id: first come, first served. A row ends when the seats
-- were given (promoted) or the booking gave up (left). What was given is kept until offer_expires_at for who pays or
-- is confirmed; then it goes to the next.
CREATE TABLE svc_waitlist (
    id {{id}},
    booking_id BIGINT NOT NULL CHECK (booking_id >= 1),
    departure_id BIGINT NOT NULL REFERENCES svc_departures (id),
    seats BIGINT NOT NULL CHECK (seats >= 1),
    joined_at BIGINT NOT NULL,
    ended_at BIGINT,
    outcome TEXT CHECK (outcome IN ('promoted', 'left')),
    offer_expires_at BIGINT CHECK (outcome = 'promoted' OR offer_expires_at IS NULL),
    CHECK ((ended_at IS NULL) = (outcome IS NULL))
);
CREATE UNIQUE INDEX svc_waitlist_active ON svc_waitlist (booking_id) WHERE ended_at IS NULL;
CREATE INDEX svc_waitlist_queue ON svc_waitlist (departure_id, id) WHERE ended_at IS NULL;
CREATE INDEX svc_waitlist_offers ON svc_waitlist (offer_expires_at) WHERE offer_expires_at IS NOT NULL;
CREATE INDEX svc_waitlist_booking ON svc_waitlist (booking_id, id);

-- The calendars that may be read by who has their address. A higher revision ends the addresses given before; trip_id
-- 0 is the calendar of all trips.
CREATE TABLE svc_calendar_feeds (
    trip_id BIGINT PRIMARY KEY,
    revision BIGINT NOT NULL CHECK (revision >= 1),
    enabled BIGINT NOT NULL CHECK (enabled IN (0, 1)),
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    updated_by BIGINT REFERENCES svc_users (id) ON DELETE SET NULL
);
