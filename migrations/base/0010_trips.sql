-- Trips: what is sold. Money in the minor unit of the row's currency, rates in parts per million.
CREATE TABLE svc_trips (
    id {{id}},
    title TEXT NOT NULL CHECK (title <> ''),
    slug TEXT NOT NULL CHECK (slug <> ''),
    short_description TEXT NOT NULL,
    description TEXT NOT NULL,
    payment_terms TEXT NOT NULL,
    -- What a search looks in: title, slug and descriptions, folded.
    search_text TEXT NOT NULL,
    title_folded TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('draft', 'review', 'approved', 'publish', 'private', 'archived', 'suspended', 'trash')),
    status_before_trash TEXT CHECK (status_before_trash IN ('draft', 'review', 'approved', 'publish', 'private', 'archived', 'suspended')),
    trip_type TEXT NOT NULL CHECK (trip_type IN ('single_day', 'multi_day')),
    duration_days BIGINT NOT NULL CHECK (duration_days BETWEEN 0 AND 365),
    duration_nights BIGINT NOT NULL CHECK (duration_nights BETWEEN 0 AND 365),
    duration_hours BIGINT CHECK (duration_hours BETWEEN 1 AND 24),
    currency TEXT NOT NULL CHECK (length(currency) = 3),
    regular_price_minor BIGINT NOT NULL CHECK (regular_price_minor >= 0),
    discounted_price_minor BIGINT CHECK (discounted_price_minor >= 0),
    sale_price_minor BIGINT CHECK (sale_price_minor >= 0),
    deposit_amount_minor BIGINT CHECK (deposit_amount_minor >= 0),
    deposit_percentage_ppm BIGINT CHECK (deposit_percentage_ppm BETWEEN 0 AND 1000000),
    min_travelers BIGINT NOT NULL CHECK (min_travelers >= 1),
    max_travelers BIGINT CHECK (max_travelers >= min_travelers),
    available_from TEXT,
    available_to TEXT CHECK (available_from <= available_to),
    booking_deadline_hours BIGINT NOT NULL CHECK (booking_deadline_hours BETWEEN 0 AND 8760),
    departure_time TEXT,
    row_version BIGINT NOT NULL CHECK (row_version >= 1),
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    created_by BIGINT REFERENCES svc_users (id) ON DELETE SET NULL,
    updated_by BIGINT REFERENCES svc_users (id) ON DELETE SET NULL,
    deleted_at BIGINT,
    deleted_by BIGINT REFERENCES svc_users (id) ON DELETE SET NULL,
    CHECK ((status = 'trash') = (deleted_at IS NOT NULL))
);
CREATE UNIQUE INDEX svc_trips_slug ON svc_trips (slug);
-- What the memory of published trips compares with: read from the index alone.
CREATE INDEX svc_trips_versions ON svc_trips (status, id, row_version);
CREATE INDEX svc_trips_created ON svc_trips (created_at, id);
