-- Rules of dynamic pricing, the trips they are for, how full dates sell, and which rules changed the price of a booking.
CREATE TABLE svc_dynamic_pricing_rules (
    id {{id}},
    name TEXT NOT NULL,
    rule_type TEXT NOT NULL
        CHECK (rule_type IN ('early_bird', 'last_minute', 'demand', 'inventory', 'seasonal', 'time_based')),
    adjustment_type TEXT NOT NULL CHECK (adjustment_type IN ('percentage', 'fixed')),
    amount_minor BIGINT NOT NULL DEFAULT 0,
    rate_ppm BIGINT NOT NULL DEFAULT 0 CHECK (rate_ppm BETWEEN -1000000 AND 10000000),
    currency TEXT NOT NULL,
    min_days_before BIGINT CHECK (min_days_before >= 0),
    max_days_before BIGINT CHECK (max_days_before >= 0),
    min_inventory BIGINT CHECK (min_inventory >= 0),
    max_inventory BIGINT CHECK (max_inventory >= 0),
    demand_threshold_high BIGINT NOT NULL CHECK (demand_threshold_high BETWEEN 0 AND 100),
    demand_threshold_low BIGINT NOT NULL CHECK (demand_threshold_low BETWEEN 0 AND 100),
    weekend_days TEXT NOT NULL,
    start_date TEXT,
    end_date TEXT,
    applicable_trips TEXT NOT NULL CHECK (applicable_trips IN ('all', 'specific')),
    conditions TEXT,
    status TEXT NOT NULL CHECK (status IN ('active', 'inactive', 'trash')),
    priority BIGINT NOT NULL CHECK (priority BETWEEN 1 AND 100),
    row_version BIGINT NOT NULL DEFAULT 1,
    status_before_trash TEXT,
    search TEXT NOT NULL,
    created_by BIGINT REFERENCES svc_users(id) ON DELETE SET NULL,
    updated_by BIGINT REFERENCES svc_users(id) ON DELETE SET NULL,
    deleted_at BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE INDEX svc_dynamic_pricing_rules_status ON svc_dynamic_pricing_rules (status, priority, id);

CREATE TABLE svc_dynamic_pricing_rule_trips (
    rule_id BIGINT NOT NULL REFERENCES svc_dynamic_pricing_rules(id) ON DELETE CASCADE,
    trip_id BIGINT NOT NULL REFERENCES svc_trips(id) ON DELETE CASCADE,
    PRIMARY KEY (rule_id, trip_id)
);
CREATE INDEX svc_dynamic_pricing_rule_trips_trip ON svc_dynamic_pricing_rule_trips (trip_id);

-- One row for each booking whose price was changed; both amounts are of all travelers.
CREATE TABLE svc_pricing_history (
    booking_id BIGINT PRIMARY KEY REFERENCES svc_bookings(id) ON DELETE CASCADE,
    trip_id BIGINT NOT NULL REFERENCES svc_trips(id) ON DELETE CASCADE,
    travel_date TEXT NOT NULL,
    currency TEXT NOT NULL,
    base_minor BIGINT NOT NULL,
    final_minor BIGINT NOT NULL,
    demand_score BIGINT,
    created_at BIGINT NOT NULL
);
CREATE INDEX svc_pricing_history_trip ON svc_pricing_history (trip_id);
CREATE INDEX svc_pricing_history_created ON svc_pricing_history (created_at);

CREATE TABLE svc_pricing_history_rules (
    booking_id BIGINT NOT NULL REFERENCES svc_pricing_history(booking_id) ON DELETE CASCADE,
    rule_id BIGINT NOT NULL REFERENCES svc_dynamic_pricing_rules(id) ON DELETE CASCADE,
    delta_minor BIGINT NOT NULL,
    PRIMARY KEY (booking_id, rule_id)
);
CREATE INDEX svc_pricing_history_rules_rule ON svc_pricing_history_rules (rule_id);

CREATE TABLE svc_demand_scores (
    trip_id BIGINT NOT NULL REFERENCES svc_trips(id) ON DELETE CASCADE,
    travel_date TEXT NOT NULL,
    score BIGINT NOT NULL CHECK (score BETWEEN 0 AND 100),
    inputs TEXT NOT NULL,
    calculated_at BIGINT NOT NULL,
    PRIMARY KEY (trip_id, travel_date)
);
CREATE INDEX svc_demand_scores_calculated ON svc_demand_scores (calculated_at);

-- What rules changed in a price that a checkout showed: the same for half an hour, whatever becomes of the rules.
CREATE TABLE svc_shown_prices (
    session_id BIGINT NOT NULL,
    choice TEXT NOT NULL,
    parts TEXT NOT NULL,
    shown_at BIGINT NOT NULL,
    PRIMARY KEY (session_id, choice)
);
CREATE INDEX svc_shown_prices_shown ON svc_shown_prices (shown_at);
