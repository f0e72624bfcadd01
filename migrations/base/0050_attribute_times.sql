-- When a trip said something about an attribute, and when it last said something else. What was said before this step has
-- the moments of its trip, between which it was said; other links have none.
ALTER TABLE svc_trip_classifications ADD COLUMN created_at BIGINT;
ALTER TABLE svc_trip_classifications ADD COLUMN updated_at BIGINT;
UPDATE svc_trip_classifications SET
    created_at = (SELECT trip.created_at FROM svc_trips AS trip WHERE trip.id = svc_trip_classifications.trip_id),
    updated_at = (SELECT trip.updated_at FROM svc_trips AS trip WHERE trip.id = svc_trip_classifications.trip_id)
    WHERE type = 'attribute';
