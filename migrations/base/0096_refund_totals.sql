-- Whether the booking's total goes down with the refund, and by how much it did. Refunds from before this left it.
ALTER TABLE svc_refunds ADD COLUMN reduces_total BIGINT NOT NULL DEFAULT 0 CHECK (reduces_total IN (0, 1));
ALTER TABLE svc_refunds ADD COLUMN total_reduced_minor BIGINT NOT NULL DEFAULT 0 CHECK (total_reduced_minor >= 0);
