-- Trips that account holders saved.
CREATE TABLE svc_saved_trips (
    user_id BIGINT NOT NULL REFERENCES svc_users(id) ON DELETE CASCADE,
    trip_id BIGINT NOT NULL REFERENCES svc_trips(id) ON DELETE CASCADE,
    saved_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, trip_id)
);
CREATE INDEX svc_saved_trips_trip ON svc_saved_trips (trip_id);
