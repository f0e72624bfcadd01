-- The payment plan of a trip: its bookings are paid by it, and not by the site's settings. What a customer agreed to is
-- in svc_payment_plan_parts; a plan that changes or goes leaves that alone.
CREATE TABLE svc_trip_payment_plans (
    trip_id BIGINT NOT NULL PRIMARY KEY REFERENCES svc_trips(id) ON DELETE CASCADE,
    -- fixed: parts are paid one after the other; flexible: also earlier, and all at once.
    kind TEXT NOT NULL CHECK (kind IN ('fixed', 'flexible')),
    -- Of the amounts. A plan with amounts in a currency that the trip has no longer is not used.
    currency TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE TABLE svc_trip_payment_plan_parts (
    trip_id BIGINT NOT NULL REFERENCES svc_trip_payment_plans(trip_id) ON DELETE CASCADE,
    number BIGINT NOT NULL CHECK (number BETWEEN 1 AND 10),
    -- An amount, a share of the price, or neither: the last part, which takes the rest.
    amount_minor BIGINT CHECK (amount_minor > 0),
    rate_ppm BIGINT CHECK (rate_ppm BETWEEN 1 AND 999999),
    due TEXT NOT NULL CHECK (due IN ('booking', 'date', 'after_booking', 'before_departure')),
    due_on TEXT,
    days BIGINT CHECK (days BETWEEN 0 AND 1000),
    PRIMARY KEY (trip_id, number),
    CHECK (amount_minor IS NULL OR rate_ppm IS NULL),
    CHECK ((due = 'date') = (due_on IS NOT NULL)),
    CHECK ((due IN ('after_booking', 'before_departure')) = (days IS NOT NULL))
);
-- By what the parts were made: the settings of the site, or the plan of the trip and its kind.
ALTER TABLE svc_payment_plan_parts ADD COLUMN made_by TEXT NOT NULL DEFAULT 'settings';
