-- Titles are put in order by their words without case and accents, byte by byte, as the public list does; what was kept
-- before is replaced by the job trip_texts, and at the next write of the trip.
ALTER TABLE svc_trips RENAME COLUMN title_folded TO title_order;
-- postgresql: ALTER TABLE svc_trips ALTER COLUMN title_order TYPE TEXT COLLATE "C";
INSERT INTO svc_trip_texts_due (trip_id) SELECT id FROM svc_trips
    WHERE id NOT IN (SELECT trip_id FROM svc_trip_texts_due);
