-- How many seats people wait for is kept with the departure, so that what is shown from memory knows whether one may still join.
ALTER TABLE svc_departures ADD COLUMN waiting_seats INTEGER NOT NULL DEFAULT 0;
UPDATE svc_departures SET waiting_seats = (SELECT SUM(w.seats) FROM svc_waitlist w WHERE w.departure_id = svc_departures.id AND w.ended_at IS NULL) WHERE EXISTS (SELECT 1 FROM svc_waitlist w WHERE w.departure_id = svc_departures.id AND w.ended_at IS NULL);
CREATE INDEX svc_departures_waited ON svc_departures (id) WHERE waiting_seats > 0;
