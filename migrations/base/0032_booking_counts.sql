-- How many bookings each status has: what lists and tabs tell without counting. On PostgreSQL each change adds a row, so
-- that writers never wait for each other's; the job `booking_counts` adds them up. The sum is the count at any moment.
CREATE TABLE svc_booking_counts (
    id {{id}},
    status TEXT NOT NULL,
    bookings BIGINT NOT NULL
);
INSERT INTO svc_booking_counts (status, bookings) SELECT status, COUNT(*) FROM svc_bookings GROUP BY status;
-- sqlite: CREATE UNIQUE INDEX svc_booking_counts_status ON svc_booking_counts (status);
-- sqlite: CREATE TRIGGER svc_bookings_counted AFTER INSERT ON svc_bookings BEGIN INSERT INTO svc_booking_counts (status, bookings) VALUES (NEW.status, 1) ON CONFLICT (status) DO UPDATE SET bookings = bookings + 1; END;
-- sqlite: CREATE TRIGGER svc_bookings_recounted AFTER UPDATE OF status ON svc_bookings WHEN OLD.status <> NEW.status BEGIN INSERT INTO svc_booking_counts (status, bookings) VALUES (NEW.status, 1) ON CONFLICT (status) DO UPDATE SET bookings = bookings + 1; UPDATE svc_booking_counts SET bookings = bookings - 1 WHERE status = OLD.status; END;
-- sqlite: CREATE TRIGGER svc_bookings_uncounted AFTER DELETE ON svc_bookings BEGIN UPDATE svc_booking_counts SET bookings = bookings - 1 WHERE status = OLD.status; END;
-- postgresql: CREATE FUNCTION svc_bookings_counted() RETURNS TRIGGER LANGUAGE plpgsql AS 'BEGIN INSERT INTO svc_booking_counts (status, bookings) SELECT status, COUNT(*) FROM fresh GROUP BY status; RETURN NULL; END';
-- postgresql: CREATE TRIGGER svc_bookings_counted AFTER INSERT ON svc_bookings REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION svc_bookings_counted();
-- postgresql: CREATE FUNCTION svc_bookings_recounted() RETURNS TRIGGER LANGUAGE plpgsql AS 'BEGIN IF TG_OP = ''UPDATE'' THEN INSERT INTO svc_booking_counts (status, bookings) VALUES (OLD.status, -1), (NEW.status, 1); ELSE INSERT INTO svc_booking_counts (status, bookings) VALUES (OLD.status, -1); END IF; RETURN NULL; END';
-- postgresql: CREATE TRIGGER svc_bookings_recounted AFTER UPDATE OF status ON svc_bookings FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION svc_bookings_recounted();
-- postgresql: CREATE TRIGGER svc_bookings_uncounted AFTER DELETE ON svc_bookings FOR EACH ROW EXECUTE FUNCTION svc_bookings_recounted();
-- One status in the order of the list; of rare ones no other row is read.
DROP INDEX svc_bookings_status;
CREATE INDEX svc_bookings_status ON svc_bookings (status, created_at, id);
