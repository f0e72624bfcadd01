-- How many bookings of each status there are: in all, of each payment status, of each trip, made in each day and hour since
-- 1970 in UTC. On SQLite they are written with the booking. On PostgreSQL each change adds a row, so that writers never
-- wait for each other's; the job `booking_counts` adds them up. Both together are the count at any moment.
-- postgresql: DROP TRIGGER svc_bookings_recounted ON svc_bookings;
-- postgresql: DROP TRIGGER svc_bookings_uncounted ON svc_bookings;
-- sqlite: DROP TRIGGER svc_bookings_counted;
-- sqlite: DROP TRIGGER svc_bookings_recounted;
-- sqlite: DROP TRIGGER svc_bookings_uncounted;
DROP TABLE svc_booking_counts;
CREATE TABLE svc_booking_tallies (
    kind TEXT NOT NULL CHECK (kind IN ('all', 'payment', 'trip', 'day', 'hour')),
    word TEXT NOT NULL,
    number BIGINT NOT NULL,
    status TEXT NOT NULL,
    bookings BIGINT NOT NULL,
    PRIMARY KEY (kind, word, number, status)
);
CREATE TABLE svc_booking_count_changes (
    id {{id}},
    status TEXT NOT NULL,
    payment_status TEXT NOT NULL,
    trip_id BIGINT NOT NULL,
    hour BIGINT NOT NULL,
    bookings BIGINT NOT NULL
);
INSERT INTO svc_booking_tallies (kind, word, number, status, bookings) SELECT 'all', '', 0, status, COUNT(*) FROM svc_bookings GROUP BY status;
INSERT INTO svc_booking_tallies (kind, word, number, status, bookings) SELECT 'payment', payment_status, 0, status, COUNT(*) FROM svc_bookings GROUP BY 2, 3, 4;
INSERT INTO svc_booking_tallies (kind, word, number, status, bookings) SELECT 'trip', '', trip_id, status, COUNT(*) FROM svc_bookings GROUP BY 2, 3, 4;
INSERT INTO svc_booking_tallies (kind, word, number, status, bookings) SELECT 'day', '', created_at / 86400000000, status, COUNT(*) FROM svc_bookings GROUP BY 2, 3, 4;
INSERT INTO svc_booking_tallies (kind, word, number, status, bookings) SELECT 'hour', '', created_at / 3600000000, status, COUNT(*) FROM svc_bookings GROUP BY 2, 3, 4;
-- What the release before reads, and the job of its that writes it: nothing is left for that to do.
CREATE VIEW svc_booking_counts AS SELECT status, bookings FROM svc_booking_tallies WHERE kind = 'all' UNION ALL SELECT status, bookings FROM svc_booking_count_changes;
-- postgresql: CREATE FUNCTION svc_booking_counts_kept() RETURNS TRIGGER LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
-- postgresql: CREATE TRIGGER svc_booking_counts_kept INSTEAD OF INSERT OR DELETE ON svc_booking_counts FOR EACH ROW EXECUTE FUNCTION svc_booking_counts_kept();
-- sqlite: CREATE TRIGGER svc_bookings_counted AFTER INSERT ON svc_bookings BEGIN INSERT INTO svc_booking_tallies (kind, word, number, status, bookings) VALUES ('all', '', 0, NEW.status, 1), ('payment', NEW.payment_status, 0, NEW.status, 1), ('trip', '', NEW.trip_id, NEW.status, 1), ('day', '', NEW.created_at / 86400000000, NEW.status, 1), ('hour', '', NEW.created_at / 3600000000, NEW.status, 1) ON CONFLICT (kind, word, number, status) DO UPDATE SET bookings = bookings + excluded.bookings; END;
-- sqlite: CREATE TRIGGER svc_bookings_recounted AFTER UPDATE OF status, payment_status, trip_id, created_at ON svc_bookings WHEN OLD.status <> NEW.status OR OLD.payment_status <> NEW.payment_status OR OLD.trip_id <> NEW.trip_id OR OLD.created_at <> NEW.created_at BEGIN INSERT INTO svc_booking_tallies (kind, word, number, status, bookings) VALUES ('all', '', 0, OLD.status, -1), ('payment', OLD.payment_status, 0, OLD.status, -1), ('trip', '', OLD.trip_id, OLD.status, -1), ('day', '', OLD.created_at / 86400000000, OLD.status, -1), ('hour', '', OLD.created_at / 3600000000, OLD.status, -1), ('all', '', 0, NEW.status, 1), ('payment', NEW.payment_status, 0, NEW.status, 1), ('trip', '', NEW.trip_id, NEW.status, 1), ('day', '', NEW.created_at / 86400000000, NEW.status, 1), ('hour', '', NEW.created_at / 3600000000, NEW.status, 1) ON CONFLICT (kind, word, number, status) DO UPDATE SET bookings = bookings + excluded.bookings; END;
-- sqlite: CREATE TRIGGER svc_bookings_uncounted AFTER DELETE ON svc_bookings BEGIN INSERT INTO svc_booking_tallies (kind, word, number, status, bookings) VALUES ('all', '', 0, OLD.status, -1), ('payment', OLD.payment_status, 0, OLD.status, -1), ('trip', '', OLD.trip_id, OLD.status, -1), ('day', '', OLD.created_at / 86400000000, OLD.status, -1), ('hour', '', OLD.created_at / 3600000000, OLD.status, -1) ON CONFLICT (kind, word, number, status) DO UPDATE SET bookings = bookings + excluded.bookings; END;
-- postgresql: CREATE OR REPLACE FUNCTION svc_bookings_counted() RETURNS TRIGGER LANGUAGE plpgsql AS 'BEGIN INSERT INTO svc_booking_count_changes (status, payment_status, trip_id, hour, bookings) SELECT status, payment_status, trip_id, created_at / 3600000000, COUNT(*) FROM fresh GROUP BY 1, 2, 3, 4; RETURN NULL; END';
-- postgresql: CREATE OR REPLACE FUNCTION svc_bookings_recounted() RETURNS TRIGGER LANGUAGE plpgsql AS 'BEGIN IF TG_OP = ''UPDATE'' THEN INSERT INTO svc_booking_count_changes (status, payment_status, trip_id, hour, bookings) VALUES (OLD.status, OLD.payment_status, OLD.trip_id, OLD.created_at / 3600000000, -1), (NEW.status, NEW.payment_status, NEW.trip_id, NEW.created_at / 3600000000, 1); ELSE INSERT INTO svc_booking_count_changes (status, payment_status, trip_id, hour, bookings) VALUES (OLD.status, OLD.payment_status, OLD.trip_id, OLD.created_at / 3600000000, -1); END IF; RETURN NULL; END';
-- postgresql: CREATE TRIGGER svc_bookings_recounted AFTER UPDATE OF status, payment_status, trip_id, created_at ON svc_bookings FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status OR OLD.payment_status IS DISTINCT FROM NEW.payment_status OR OLD.trip_id IS DISTINCT FROM NEW.trip_id OR OLD.created_at IS DISTINCT FROM NEW.created_at) EXECUTE FUNCTION svc_bookings_recounted();
-- postgresql: CREATE TRIGGER svc_bookings_uncounted AFTER DELETE ON svc_bookings FOR EACH ROW EXECUTE FUNCTION svc_bookings_recounted();
