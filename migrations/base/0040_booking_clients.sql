-- Who made a booking, told apart by address: a keyed hash of it, so that no address stands here.
CREATE TABLE svc_booking_clients (
    booking_id BIGINT PRIMARY KEY REFERENCES svc_bookings (id) ON DELETE CASCADE,
    client TEXT NOT NULL
);
CREATE INDEX svc_booking_clients_client ON svc_booking_clients (client);
