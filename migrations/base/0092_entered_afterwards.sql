-- Staff booked a day that was over: a walk-in of yesterday, or somebody who joined a tour under way.
ALTER TABLE svc_bookings ADD COLUMN entered_afterwards BIGINT NOT NULL DEFAULT 0;
