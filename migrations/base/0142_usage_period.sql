-- The week for which a usage report was begun: it is not begun again, whether or not its outcome is known.
ALTER TABLE svc_usage_state ADD COLUMN period BIGINT;
