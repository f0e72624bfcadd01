-- Files have a version that writes of their texts can make a condition.
ALTER TABLE svc_media ADD COLUMN row_version BIGINT NOT NULL DEFAULT 1;
