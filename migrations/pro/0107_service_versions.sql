-- Additional services have a version that writes can make a condition, and the status that restoring brings back.
ALTER TABLE svc_additional_services ADD COLUMN row_version BIGINT NOT NULL DEFAULT 1;
ALTER TABLE svc_additional_services ADD COLUMN status_before_trash TEXT;
