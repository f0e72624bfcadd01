-- What hangs on a trip in rows of its own. sort_order counts from 0 within the trip.

-- One price a traveler category. The category's own rules (per person or per group, ages) are read with it.
CREATE TABLE svc_trip_price_types (
    id {{id}},
    trip_id BIGINT NOT NULL REFERENCES svc_trips (id) ON DELETE CASCADE,
    category_id BIGINT NOT NULL REFERENCES svc_classifications (id),
    regular_price_minor BIGINT NOT NULL CHECK (regular_price_minor >= 0),
    discounted_price_minor BIGINT CHECK (discounted_price_minor >= 0),
    sale_price_minor BIGINT CHECK (sale_price_minor >= 0),
    is_default BIGINT NOT NULL CHECK (is_default IN (0, 1)),
    min_quantity BIGINT CHECK (min_quantity >= 0),
    max_quantity BIGINT CHECK (max_quantity >= 0 AND min_quantity <= max_quantity),
    valid_from TEXT,
    valid_to TEXT CHECK (valid_from <= valid_to),
    sort_order BIGINT NOT NULL,
    UNIQUE (trip_id, category_id)
);
CREATE UNIQUE INDEX svc_trip_price_types_default ON svc_trip_price_types (trip_id) WHERE is_default = 1;
CREATE INDEX svc_trip_price_types_category ON svc_trip_price_types (category_id);

-- The times a day is offered at when nothing else says so.
CREATE TABLE svc_trip_time_slots (
    trip_id BIGINT NOT NULL REFERENCES svc_trips (id) ON DELETE CASCADE,
    departure_time TEXT NOT NULL,
    arrival_time TEXT,
    seats BIGINT CHECK (seats >= 1),
    price_minor BIGINT CHECK (price_minor >= 0),
    PRIMARY KEY (trip_id, departure_time)
);

-- The type is the classification's own. Of attributes the value too, as JSON, with what range filters compare:
-- the number in millionths, or the date.
CREATE TABLE svc_trip_classifications (
    trip_id BIGINT NOT NULL REFERENCES svc_trips (id) ON DELETE CASCADE,
    classification_id BIGINT NOT NULL REFERENCES svc_classifications (id) ON DELETE CASCADE,
    type TEXT NOT NULL CHECK (type IN ('destination', 'activity', 'trip_category', 'attribute')),
    relationship_type TEXT NOT NULL CHECK (relationship_type IN ('primary', 'secondary', 'optional', 'required')),
    attribute_value TEXT,
    attribute_number BIGINT,
    attribute_date TEXT,
    sort_order BIGINT NOT NULL,
    is_featured BIGINT NOT NULL CHECK (is_featured IN (0, 1)),
    is_active BIGINT NOT NULL CHECK (is_active IN (0, 1)),
    PRIMARY KEY (trip_id, classification_id),
    CHECK ((attribute_value IS NOT NULL) = (type = 'attribute'))
);
CREATE INDEX svc_trip_classifications_of ON svc_trip_classifications (classification_id, trip_id);
CREATE INDEX svc_trip_classifications_number ON svc_trip_classifications (classification_id, attribute_number)
    WHERE attribute_number IS NOT NULL;
CREATE INDEX svc_trip_classifications_date ON svc_trip_classifications (classification_id, attribute_date)
    WHERE attribute_date IS NOT NULL;
CREATE UNIQUE INDEX svc_trip_classifications_primary ON svc_trip_classifications (trip_id, type)
    WHERE relationship_type = 'primary';

-- A picture of ours, or something elsewhere by its address.
CREATE TABLE svc_trip_gallery (
    id {{id}},
    trip_id BIGINT NOT NULL REFERENCES svc_trips (id) ON DELETE CASCADE,
    media_id BIGINT REFERENCES svc_media (id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('image', 'video', 'youtube', 'virtual_tour')),
    url TEXT NOT NULL,
    alt_text TEXT NOT NULL,
    caption TEXT NOT NULL,
    thumbnail_url TEXT NOT NULL,
    is_featured BIGINT NOT NULL CHECK (is_featured IN (0, 1)),
    sort_order BIGINT NOT NULL,
    CHECK ((media_id IS NULL) = (url <> ''))
);
CREATE INDEX svc_trip_gallery_of ON svc_trip_gallery (trip_id, sort_order);
CREATE INDEX svc_trip_gallery_media ON svc_trip_gallery (media_id);

CREATE TABLE svc_trip_highlights (
    trip_id BIGINT NOT NULL REFERENCES svc_trips (id) ON DELETE CASCADE,
    sort_order BIGINT NOT NULL,
    title TEXT NOT NULL CHECK (title <> ''),
    description TEXT NOT NULL,
    icon TEXT NOT NULL,
    PRIMARY KEY (trip_id, sort_order)
);

CREATE TABLE svc_trip_faqs (
    trip_id BIGINT NOT NULL REFERENCES svc_trips (id) ON DELETE CASCADE,
    sort_order BIGINT NOT NULL,
    question TEXT NOT NULL CHECK (question <> ''),
    answer TEXT NOT NULL CHECK (answer <> ''),
    category TEXT NOT NULL,
    is_featured BIGINT NOT NULL CHECK (is_featured IN (0, 1)),
    is_public BIGINT NOT NULL CHECK (is_public IN (0, 1)),
    PRIMARY KEY (trip_id, sort_order)
);

-- Slugs that trips have had; one that a trip has now is in no row here.
CREATE TABLE svc_trip_slug_history (
    slug TEXT PRIMARY KEY,
    trip_id BIGINT NOT NULL REFERENCES svc_trips (id) ON DELETE CASCADE
);
CREATE INDEX svc_trip_slug_history_of ON svc_trip_slug_history (trip_id);

-- A published trip as it was before a change: `version` is the one that was replaced, `snapshot` JSON.
CREATE TABLE svc_trip_revisions (
    id {{id}},
    trip_id BIGINT NOT NULL REFERENCES svc_trips (id) ON DELETE CASCADE,
    version BIGINT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('inherit', 'restored')),
    snapshot TEXT NOT NULL,
    restored_from_id BIGINT REFERENCES svc_trip_revisions (id) ON DELETE SET NULL,
    created_at BIGINT NOT NULL,
    created_by BIGINT REFERENCES svc_users (id) ON DELETE SET NULL,
    UNIQUE (trip_id, version)
);
