-- Files that travelers of a trip may fetch.
CREATE TABLE svc_trip_downloads (
    id {{id}},
    trip_id BIGINT NOT NULL REFERENCES svc_trips (id) ON DELETE CASCADE,
    media_id BIGINT NOT NULL REFERENCES svc_media (id),
    title TEXT NOT NULL CHECK (title <> ''),
    description TEXT NOT NULL,
    category TEXT NOT NULL,
    visibility TEXT NOT NULL CHECK (visibility IN ('public', 'logged_in', 'booked_only')),
    is_active BIGINT NOT NULL CHECK (is_active IN (0, 1)),
    download_count BIGINT NOT NULL CHECK (download_count >= 0),
    sort_order BIGINT NOT NULL CHECK (sort_order >= 0),
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE INDEX svc_trip_downloads_of ON svc_trip_downloads (trip_id, sort_order);
CREATE INDEX svc_trip_downloads_media ON svc_trip_downloads (media_id);
