-- Whether who began a charge had proven the booking. A stranger's charge carries no personal data to the provider, its
-- answer has no secret, and it does not delay the booking's expiry. Charges from before this are of proven callers.
ALTER TABLE svc_payment_intents ADD COLUMN is_proven BIGINT NOT NULL DEFAULT 1 CHECK (is_proven IN (0, 1));
