-- When each trip was last changed, by a number that only grows, so that what others have changed is found without a look
-- at all trips. On PostgreSQL it is the transaction's id: a reader asks again for what was not over when it asked before.
CREATE TABLE svc_trip_changes (
    trip_id BIGINT PRIMARY KEY,
    stamp BIGINT NOT NULL
);
CREATE INDEX svc_trip_changes_stamp ON svc_trip_changes (stamp);
INSERT INTO svc_trip_changes (trip_id, stamp) SELECT id, 1 FROM svc_trips;
-- sqlite: CREATE TRIGGER svc_trips_changes_made AFTER INSERT ON svc_trips BEGIN INSERT INTO svc_trip_changes (trip_id, stamp) VALUES (NEW.id, (SELECT COALESCE(MAX(stamp), 0) + 1 FROM svc_trip_changes)) ON CONFLICT (trip_id) DO UPDATE SET stamp = excluded.stamp; END;
-- sqlite: CREATE TRIGGER svc_trips_changes_kept AFTER UPDATE ON svc_trips BEGIN INSERT INTO svc_trip_changes (trip_id, stamp) VALUES (NEW.id, (SELECT COALESCE(MAX(stamp), 0) + 1 FROM svc_trip_changes)) ON CONFLICT (trip_id) DO UPDATE SET stamp = excluded.stamp; END;
-- sqlite: CREATE TRIGGER svc_trips_changes_gone AFTER DELETE ON svc_trips BEGIN INSERT INTO svc_trip_changes (trip_id, stamp) VALUES (OLD.id, (SELECT COALESCE(MAX(stamp), 0) + 1 FROM svc_trip_changes)) ON CONFLICT (trip_id) DO UPDATE SET stamp = excluded.stamp; END;
-- postgresql: CREATE FUNCTION svc_trips_changed() RETURNS TRIGGER LANGUAGE plpgsql AS 'BEGIN INSERT INTO svc_trip_changes (trip_id, stamp) SELECT id, CAST(CAST(pg_current_xact_id() AS TEXT) AS BIGINT) FROM changed ORDER BY id ON CONFLICT (trip_id) DO UPDATE SET stamp = EXCLUDED.stamp; RETURN NULL; END';
-- postgresql: CREATE TRIGGER svc_trips_changes_made AFTER INSERT ON svc_trips REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION svc_trips_changed();
-- postgresql: CREATE TRIGGER svc_trips_changes_kept AFTER UPDATE ON svc_trips REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION svc_trips_changed();
-- postgresql: CREATE TRIGGER svc_trips_changes_gone AFTER DELETE ON svc_trips REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION svc_trips_changed();
