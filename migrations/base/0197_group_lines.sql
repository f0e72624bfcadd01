-- How many travelers a line covers whose price is one for a group; null: its quantity counts persons or things.
ALTER TABLE svc_booking_lines ADD COLUMN people BIGINT;
