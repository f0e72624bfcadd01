-- Extras sold with a trip, the trips they are offered on, and what a booking bought of them as it was then.
CREATE TABLE svc_additional_services (
    id {{id}},
    name TEXT NOT NULL,
    description TEXT NOT NULL DEFAULT '',
    price_type TEXT NOT NULL CHECK (price_type IN ('fixed', 'percentage')),
    price_minor BIGINT NOT NULL DEFAULT 0 CHECK (price_minor >= 0),
    rate_ppm BIGINT NOT NULL DEFAULT 0 CHECK (rate_ppm BETWEEN 0 AND 1000000),
    currency TEXT NOT NULL,
    price_per TEXT NOT NULL CHECK (price_per IN ('person', 'booking', 'day')),
    max_quantity BIGINT CHECK (max_quantity >= 1),
    icon TEXT NOT NULL DEFAULT '',
    status TEXT NOT NULL CHECK (status IN ('publish', 'draft', 'trash')),
    sort_order BIGINT NOT NULL DEFAULT 0 CHECK (sort_order >= 0),
    applicable_to TEXT NOT NULL CHECK (applicable_to IN ('all', 'specific_trips')),
    is_required BIGINT NOT NULL CHECK (is_required IN (0, 1)),
    is_included BIGINT NOT NULL CHECK (is_included IN (0, 1)),
    is_taxable BIGINT NOT NULL CHECK (is_taxable IN (0, 1)),
    search TEXT NOT NULL,
    created_by BIGINT REFERENCES svc_users(id) ON DELETE SET NULL,
    updated_by BIGINT REFERENCES svc_users(id) ON DELETE SET NULL,
    deleted_at BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE INDEX svc_additional_services_status ON svc_additional_services (status, sort_order, id);

CREATE TABLE svc_additional_service_trips (
    service_id BIGINT NOT NULL REFERENCES svc_additional_services(id) ON DELETE CASCADE,
    trip_id BIGINT NOT NULL REFERENCES svc_trips(id) ON DELETE CASCADE,
    PRIMARY KEY (service_id, trip_id)
);
CREATE INDEX svc_additional_service_trips_trip ON svc_additional_service_trips (trip_id);

CREATE TABLE svc_booking_services (
    id {{id}},
    booking_id BIGINT NOT NULL REFERENCES svc_bookings(id) ON DELETE CASCADE,
    service_id BIGINT REFERENCES svc_additional_services(id) ON DELETE SET NULL,
    name TEXT NOT NULL,
    price_type TEXT NOT NULL CHECK (price_type IN ('fixed', 'percentage')),
    price_per TEXT NOT NULL CHECK (price_per IN ('person', 'booking', 'day')),
    unit_minor BIGINT NOT NULL DEFAULT 0 CHECK (unit_minor >= 0),
    rate_ppm BIGINT NOT NULL DEFAULT 0 CHECK (rate_ppm BETWEEN 0 AND 1000000),
    quantity BIGINT NOT NULL CHECK (quantity >= 1),
    days BIGINT NOT NULL CHECK (days >= 1),
    amount_minor BIGINT NOT NULL CHECK (amount_minor >= 0),
    is_required BIGINT NOT NULL CHECK (is_required IN (0, 1)),
    is_included BIGINT NOT NULL CHECK (is_included IN (0, 1)),
    created_at BIGINT NOT NULL,
    UNIQUE (booking_id, service_id)
);
CREATE INDEX svc_booking_services_service ON svc_booking_services (service_id);
