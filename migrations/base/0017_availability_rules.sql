-- Recurring rules: which dates a trip is offered on without anyone writing them down. Prices are in the trip's currency.
CREATE TABLE svc_availability_rules (
    id {{id}},
    trip_id BIGINT NOT NULL REFERENCES svc_trips (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    rule_type TEXT NOT NULL CHECK (rule_type IN ('weekly', 'monthly', 'interval')),
    -- The word its writer used for several weekdays; the same as weekly.
    custom_days BIGINT NOT NULL CHECK (custom_days IN (0, 1)),
    -- Sets of small numbers are bits: weekday 0 (Sunday) is bit 0, January is bit 0; no month means every month.
    weekdays BIGINT NOT NULL CHECK (weekdays BETWEEN 0 AND 127),
    months BIGINT NOT NULL CHECK (months BETWEEN 0 AND 4095),
    -- 1 to 4, 5 the last; with day_of_week, or day_of_month instead of both.
    week_of_month BIGINT CHECK (week_of_month BETWEEN 1 AND 5),
    day_of_week BIGINT CHECK (day_of_week BETWEEN 0 AND 6),
    day_of_month BIGINT CHECK (day_of_month BETWEEN 1 AND 31),
    interval_days BIGINT CHECK (interval_days BETWEEN 1 AND 365),
    interval_start_date TEXT CHECK (length(interval_start_date) = 10),
    -- The travel dates it speaks of, both inclusive; NULL is open.
    start_date TEXT CHECK (length(start_date) = 10),
    end_date TEXT CHECK (length(end_date) = 10 AND start_date <= end_date),
    excluded_dates TEXT NOT NULL,
    pricing_type TEXT CHECK (pricing_type IN ('regular', 'traveler_based')),
    regular_price_minor BIGINT CHECK (regular_price_minor >= 0),
    sale_price_minor BIGINT CHECK (sale_price_minor >= 0),
    seats_total BIGINT CHECK (seats_total BETWEEN 1 AND 100000),
    alert_threshold BIGINT NOT NULL CHECK (alert_threshold BETWEEN 0 AND 100000),
    departure_time TEXT CHECK (length(departure_time) = 5),
    arrival_time TEXT CHECK (length(arrival_time) = 5),
    from_location TEXT NOT NULL,
    to_location TEXT NOT NULL,
    -- Ten-millionths of a degree.
    from_latitude BIGINT CHECK (from_latitude BETWEEN -900000000 AND 900000000),
    from_longitude BIGINT CHECK (from_longitude BETWEEN -1800000000 AND 1800000000),
    to_latitude BIGINT CHECK (to_latitude BETWEEN -900000000 AND 900000000),
    to_longitude BIGINT CHECK (to_longitude BETWEEN -1800000000 AND 1800000000),
    cutoff_hours BIGINT CHECK (cutoff_hours BETWEEN 0 AND 8760),
    advance_booking_days BIGINT NOT NULL CHECK (advance_booking_days BETWEEN 0 AND 3660),
    priority BIGINT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('active', 'inactive', 'paused')),
    notes TEXT NOT NULL,
    -- Name and places, folded: what a search looks in.
    search_text TEXT NOT NULL,
    row_version BIGINT NOT NULL CHECK (row_version >= 1),
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    created_by BIGINT REFERENCES svc_users (id) ON DELETE SET NULL,
    updated_by BIGINT REFERENCES svc_users (id) ON DELETE SET NULL,
    deleted_at BIGINT,
    deleted_by BIGINT REFERENCES svc_users (id) ON DELETE SET NULL,
    CHECK (sale_price_minor IS NULL OR regular_price_minor IS NOT NULL),
    CHECK (rule_type <> 'weekly' OR weekdays > 0),
    CHECK (rule_type <> 'monthly' OR ((week_of_month IS NULL) = (day_of_week IS NULL) AND (week_of_month IS NULL) <> (day_of_month IS NULL))),
    CHECK (rule_type <> 'interval' OR interval_days IS NOT NULL),
    CHECK ((from_latitude IS NULL) = (from_longitude IS NULL)),
    CHECK ((to_latitude IS NULL) = (to_longitude IS NULL))
);
CREATE INDEX svc_availability_rules_trip ON svc_availability_rules (trip_id, status);
CREATE INDEX svc_availability_rules_start ON svc_availability_rules (start_date);
CREATE INDEX svc_availability_rules_updated ON svc_availability_rules (updated_at);

-- The times of a rule's dates. Without any, the rule's own time counts.
CREATE TABLE svc_availability_rule_slots (
    id {{id}},
    rule_id BIGINT NOT NULL REFERENCES svc_availability_rules (id) ON DELETE CASCADE,
    departure_time TEXT NOT NULL CHECK (length(departure_time) = 5),
    arrival_time TEXT CHECK (length(arrival_time) = 5),
    seats_total BIGINT CHECK (seats_total BETWEEN 1 AND 100000),
    regular_price_minor BIGINT CHECK (regular_price_minor >= 0),
    sale_price_minor BIGINT CHECK (sale_price_minor >= 0),
    CHECK (sale_price_minor IS NULL OR regular_price_minor IS NOT NULL)
);
CREATE UNIQUE INDEX svc_availability_rule_slots_time ON svc_availability_rule_slots (rule_id, departure_time);

-- What is different on one day of the week.
CREATE TABLE svc_availability_rule_weekdays (
    id {{id}},
    rule_id BIGINT NOT NULL REFERENCES svc_availability_rules (id) ON DELETE CASCADE,
    weekday BIGINT NOT NULL CHECK (weekday BETWEEN 0 AND 6),
    seats_total BIGINT CHECK (seats_total BETWEEN 1 AND 100000),
    regular_price_minor BIGINT CHECK (regular_price_minor >= 0),
    sale_price_minor BIGINT CHECK (sale_price_minor >= 0),
    CHECK (sale_price_minor IS NULL OR regular_price_minor IS NOT NULL)
);
CREATE UNIQUE INDEX svc_availability_rule_weekdays_day ON svc_availability_rule_weekdays (rule_id, weekday);

-- Prices by traveler category, of the rule or of one of its times. The category is looked at when it is written; a
-- price whose category has gone since is not offered.
CREATE TABLE svc_availability_rule_prices (
    id {{id}},
    rule_id BIGINT NOT NULL REFERENCES svc_availability_rules (id) ON DELETE CASCADE,
    slot_id BIGINT REFERENCES svc_availability_rule_slots (id) ON DELETE CASCADE,
    category_id BIGINT NOT NULL CHECK (category_id >= 1),
    regular_price_minor BIGINT NOT NULL CHECK (regular_price_minor >= 0),
    sale_price_minor BIGINT CHECK (sale_price_minor >= 0)
);
CREATE UNIQUE INDEX svc_availability_rule_prices_category ON svc_availability_rule_prices (rule_id, COALESCE(slot_id, 0), category_id);
CREATE INDEX svc_availability_rule_prices_slot ON svc_availability_rule_prices (slot_id);

-- The rule that a departure was made from when its date was first booked.
ALTER TABLE svc_departures ADD COLUMN rule_id BIGINT REFERENCES svc_availability_rules (id) ON DELETE SET NULL;
CREATE INDEX svc_departures_rule ON svc_departures (rule_id) WHERE rule_id IS NOT NULL;
