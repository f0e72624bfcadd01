-- Limits of additional services: for each traveler, for each departure, and until when customers may add one.
ALTER TABLE svc_additional_services ADD COLUMN max_per_traveler BIGINT CHECK (max_per_traveler >= 1);
ALTER TABLE svc_additional_services ADD COLUMN stock_per_departure BIGINT CHECK (stock_per_departure >= 1);
ALTER TABLE svc_additional_services ADD COLUMN deadline_hours BIGINT CHECK (deadline_hours >= 0);

-- Whoever takes units of a service that has a stock locks its row of the day first: bookings that want the last unit at
-- one moment count one after the other. What is taken is counted from the bookings themselves.
CREATE TABLE svc_service_days (
    service_id BIGINT NOT NULL REFERENCES svc_additional_services(id) ON DELETE CASCADE,
    trip_id BIGINT NOT NULL REFERENCES svc_trips(id) ON DELETE CASCADE,
    travel_date TEXT NOT NULL,
    claims BIGINT NOT NULL DEFAULT 1,
    PRIMARY KEY (service_id, trip_id, travel_date)
);
CREATE INDEX svc_service_days_date ON svc_service_days (travel_date);
CREATE INDEX svc_service_days_trip ON svc_service_days (trip_id);
