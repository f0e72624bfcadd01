-- What trips are counted by: views by day, and trips whose bookings have changed since they were counted.
CREATE TABLE svc_trip_views (
    trip_id BIGINT NOT NULL REFERENCES svc_trips (id) ON DELETE CASCADE,
    day TEXT NOT NULL CHECK (length(day) = 10),
    views BIGINT NOT NULL CHECK (views >= 1),
    PRIMARY KEY (trip_id, day)
);

-- `marks` grows with each change, so that one that comes while a trip is being counted is not taken for counted.
CREATE TABLE svc_trip_counts_due (
    trip_id BIGINT PRIMARY KEY REFERENCES svc_trips (id) ON DELETE CASCADE,
    marks BIGINT NOT NULL CHECK (marks >= 1)
);
INSERT INTO svc_trip_counts_due (trip_id, marks) SELECT DISTINCT trip_id, 1 FROM svc_bookings;

-- One more with each change of what is counted: memory compares it beside row_version, which is of writers alone.
ALTER TABLE svc_trips ADD COLUMN counts_version BIGINT NOT NULL DEFAULT 0;
CREATE INDEX svc_trips_shown ON svc_trips (status, id, row_version, counts_version);
DROP INDEX svc_trips_versions;
CREATE INDEX svc_trips_bookings_count ON svc_trips (bookings_count, id);
CREATE INDEX svc_trips_avg_rating ON svc_trips (avg_rating_hundredths, id);
