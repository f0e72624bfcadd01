-- Departures: a trip's dates with their seats, one row a trip, date and time.
CREATE TABLE svc_departures (
    id {{id}},
    trip_id BIGINT NOT NULL REFERENCES svc_trips (id),
    origin TEXT NOT NULL CHECK (origin IN ('fixed', 'recurring', 'open', 'manual')),
    start_date TEXT NOT NULL CHECK (length(start_date) = 10),
    end_date TEXT NOT NULL CHECK (length(end_date) = 10 AND end_date >= start_date),
    start_time TEXT CHECK (length(start_time) = 5),
    capacity BIGINT NOT NULL CHECK (capacity BETWEEN 1 AND 100000),
    booked_count BIGINT NOT NULL,
    sale_state TEXT NOT NULL CHECK (sale_state IN ('open', 'unavailable', 'blocked', 'closed', 'cancelled')),
    status TEXT NOT NULL CHECK (status IN ('upcoming', 'full', 'past', 'cancelled', 'trash')),
    currency TEXT NOT NULL CHECK (length(currency) = 3),
    regular_price_minor BIGINT CHECK (regular_price_minor >= 0),
    sale_price_minor BIGINT CHECK (sale_price_minor IS NULL OR (sale_price_minor >= 0 AND regular_price_minor IS NOT NULL)),
    -- The last day and how long before the start it can be booked; NULL: no such day, and as the trip says.
    cutoff_date TEXT CHECK (length(cutoff_date) = 10),
    cutoff_hours BIGINT CHECK (cutoff_hours BETWEEN 0 AND 8760),
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
    CONSTRAINT svc_departures_seats CHECK (booked_count BETWEEN 0 AND capacity),
    CHECK (sale_price_minor IS NULL OR regular_price_minor IS NOT NULL),
    CHECK ((status = 'trash') = (deleted_at IS NOT NULL))
);
-- No time is a time of its own.
CREATE UNIQUE INDEX svc_departures_slot ON svc_departures (trip_id, start_date, COALESCE(start_time, '')) WHERE deleted_at IS NULL;
CREATE INDEX svc_departures_status ON svc_departures (status, start_date);
CREATE INDEX svc_departures_dates ON svc_departures (start_date, start_time, id);
CREATE INDEX svc_departures_updated ON svc_departures (updated_at);

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
