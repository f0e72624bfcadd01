-- What cancelling costs, by the days that are left until the departure. A trip without rows has those of the setting
-- cancellation_terms.
CREATE TABLE svc_trip_cancellation_terms (
    trip_id BIGINT NOT NULL REFERENCES svc_trips (id) ON DELETE CASCADE,
    sort_order BIGINT NOT NULL CHECK (sort_order >= 0),
    -- The fee applies until so many days before the departure; NULL: from then on, in the last row.
    until_days BIGINT CHECK (until_days BETWEEN 0 AND 730),
    -- Hundredths of a percent of the booking's total, or an amount in the trip's currency.
    percentage_bp BIGINT CHECK (percentage_bp BETWEEN 0 AND 10000),
    amount_minor BIGINT CHECK (amount_minor >= 0),
    per_traveler BIGINT NOT NULL CHECK (per_traveler IN (0, 1)),
    PRIMARY KEY (trip_id, sort_order),
    CHECK ((percentage_bp IS NULL) <> (amount_minor IS NULL))
);

-- What the customer of a booking agreed to when it was made; later changes of the trip do not touch it. No row: the trip
-- said nothing, or an older release made the booking.
CREATE TABLE svc_booking_cancellation_terms (
    booking_id BIGINT PRIMARY KEY REFERENCES svc_bookings (id) ON DELETE CASCADE,
    terms TEXT NOT NULL, -- JSON, as the trip's member cancellation_terms, in the booking's currency; [] is none
    policy TEXT NOT NULL -- the trip's own words
);
