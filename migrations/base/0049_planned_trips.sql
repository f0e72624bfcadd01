-- Trips whose dates staff have planned and which are date-specific for good, although their last planned departure has
-- been moved to another trip.
CREATE TABLE svc_planned_trips (
    trip_id BIGINT PRIMARY KEY REFERENCES svc_trips (id) ON DELETE CASCADE
);
