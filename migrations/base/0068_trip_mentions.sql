-- Which files the texts of a trip name by their addresses, read from them at each write of the trip, so that no file is
-- deleted under them and no deletion reads all texts. `root` is what stands before /media/: who deletes knows which
-- addresses are this server's. A text may name what there is not.
CREATE TABLE svc_trip_mentions (
    trip_id BIGINT NOT NULL REFERENCES svc_trips (id) ON DELETE CASCADE,
    media_id BIGINT NOT NULL,
    root TEXT NOT NULL,
    PRIMARY KEY (trip_id, media_id, root)
);
CREATE INDEX svc_trip_mentions_of ON svc_trip_mentions (media_id);

-- Trips of which something that is made of their texts is still to be made: the job trip_texts empties it.
CREATE TABLE svc_trip_texts_due (
    trip_id BIGINT PRIMARY KEY REFERENCES svc_trips (id) ON DELETE CASCADE
);
INSERT INTO svc_trip_texts_due (trip_id) SELECT id FROM svc_trips;
