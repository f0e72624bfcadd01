-- Guides of recurring rules, which their departures inherit; and the history of what was changed in bookings.
ALTER TABLE svc_availability_rules ADD COLUMN guide_user_id BIGINT REFERENCES svc_users (id) ON DELETE SET NULL;

-- One row a kind of change and write. fields: a JSON list of {field, before, after} and, of travelers, their number;
-- answers about health or papers are named without their values.
CREATE TABLE svc_booking_changes (
    id {{id}},
    booking_id BIGINT NOT NULL REFERENCES svc_bookings (id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('date', 'party', 'price', 'travelers', 'contact', 'note', 'other')),
    fields TEXT NOT NULL,
    actor_kind TEXT NOT NULL CHECK (actor_kind IN ('system', 'admin', 'customer', 'gateway', 'channel')),
    actor_id BIGINT,
    through TEXT NOT NULL DEFAULT '',
    at BIGINT NOT NULL
);
CREATE INDEX svc_booking_changes_booking ON svc_booking_changes (booking_id, at);
