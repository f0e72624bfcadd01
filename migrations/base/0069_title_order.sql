-- title_folded is what titles are put in order by, byte by byte: their words without case and accents first, as the public
-- list has them. The job trip_texts makes it anew; what the release before writes is put in order at the next write.
-- postgresql: ALTER TABLE svc_trips ALTER COLUMN title_folded TYPE TEXT COLLATE "C";
INSERT INTO svc_trip_texts_due (trip_id) SELECT id FROM svc_trips
    WHERE id NOT IN (SELECT trip_id FROM svc_trip_texts_due);
