-- A booking that was forced onto a full departure, with the right to do so, opens it to nobody else: capacity_override
-- stays the operator's own decision. 1: capacity_override was set by such a booking, and only while seats are overbooked.
ALTER TABLE svc_departures ADD COLUMN overbooked_by_force BIGINT NOT NULL DEFAULT 0 CHECK (overbooked_by_force IN (0, 1));
