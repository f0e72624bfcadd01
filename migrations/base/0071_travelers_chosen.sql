-- Whether the session's number of travelers was asked for, or is the one that who says nothing gets.
ALTER TABLE svc_booking_sessions ADD COLUMN travelers_chosen BIGINT NOT NULL DEFAULT 0;
