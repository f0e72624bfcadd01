-- Since when the licence server could not be asked, and since when it says that this installation is not activated any
-- more although nobody deactivated it here. NULL: it answered the last time, and says no such thing.
ALTER TABLE svc_license ADD COLUMN unreached_since BIGINT;
ALTER TABLE svc_license ADD COLUMN lost_at BIGINT;
