-- The price of the booking that a plan divided: another price keeps the share of the first payment. NULL: made before
-- this step.
ALTER TABLE svc_payment_plan_parts ADD COLUMN price_minor BIGINT CHECK (price_minor > 0);
