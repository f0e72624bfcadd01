-- Itineraries: the days of a trip, and what happens on each of them in order.
CREATE TABLE svc_itinerary_days (
    id {{id}},
    trip_id BIGINT NOT NULL REFERENCES svc_trips (id) ON DELETE CASCADE,
    day_number BIGINT NOT NULL CHECK (day_number >= 1),
    title TEXT NOT NULL CHECK (title <> ''),
    description TEXT NOT NULL,
    image_id BIGINT REFERENCES svc_media (id),
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (trip_id, day_number)
);
CREATE INDEX svc_itinerary_days_image ON svc_itinerary_days (image_id);

CREATE TABLE svc_itinerary_entries (
    id {{id}},
    day_id BIGINT NOT NULL REFERENCES svc_itinerary_days (id) ON DELETE CASCADE,
    -- Classifications of the types item_type and item; an item's own item type is the entry's.
    item_type_id BIGINT REFERENCES svc_classifications (id),
    item_id BIGINT REFERENCES svc_classifications (id),
    title TEXT NOT NULL CHECK (title <> ''),
    description TEXT NOT NULL,
    time_type TEXT NOT NULL CHECK (time_type IN ('exact', 'duration', 'flexible')),
    start_time TEXT,
    -- At or before start_time: on the next day.
    end_time TEXT,
    duration_minutes BIGINT CHECK (duration_minutes BETWEEN 1 AND 14400),
    location TEXT NOT NULL,
    -- Ten-millionths of a degree.
    latitude_e7 BIGINT CHECK (latitude_e7 BETWEEN -900000000 AND 900000000),
    longitude_e7 BIGINT CHECK (longitude_e7 BETWEEN -1800000000 AND 1800000000),
    -- In the trip's currency.
    cost_minor BIGINT CHECK (cost_minor >= 0),
    cost_per_person BIGINT NOT NULL CHECK (cost_per_person IN (0, 1)),
    -- Whether the cost is added to a booking's price; else it is for information.
    charge BIGINT NOT NULL CHECK (charge IN (0, 1)),
    notes TEXT NOT NULL,
    -- JSON lists: of texts, of texts, of {"attachment_id", "type", "url"}.
    included_items TEXT NOT NULL,
    excluded_items TEXT NOT NULL,
    gallery TEXT NOT NULL,
    video_url TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('publish', 'draft')),
    sort_order BIGINT NOT NULL CHECK (sort_order >= 0),
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    CHECK (time_type <> 'exact' OR start_time IS NOT NULL),
    CHECK (time_type <> 'duration' OR duration_minutes IS NOT NULL),
    CHECK ((latitude_e7 IS NULL) = (longitude_e7 IS NULL)),
    CHECK (item_id IS NULL OR item_type_id IS NOT NULL)
);
CREATE INDEX svc_itinerary_entries_day ON svc_itinerary_entries (day_id, sort_order);
CREATE INDEX svc_itinerary_entries_type ON svc_itinerary_entries (item_type_id);
CREATE INDEX svc_itinerary_entries_item ON svc_itinerary_entries (item_id);

-- Which entries show a file of ours, so that it is not deleted under them.
CREATE TABLE svc_itinerary_media (
    entry_id BIGINT NOT NULL REFERENCES svc_itinerary_entries (id) ON DELETE CASCADE,
    media_id BIGINT NOT NULL REFERENCES svc_media (id),
    PRIMARY KEY (entry_id, media_id)
);
CREATE INDEX svc_itinerary_media_of ON svc_itinerary_media (media_id);
