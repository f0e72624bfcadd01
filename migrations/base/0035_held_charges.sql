-- Charges prepared before there is a booking: for a checkout session, or by staff. Nothing is taken by them; the booking
-- takes its charge over, and what was never booked is let go.
CREATE TABLE svc_held_charges (
    id {{id}},
    -- Whose: a checkout session's, which may be deleted before this row is, or of staff.
    session_id BIGINT,
    user_id BIGINT REFERENCES svc_users(id) ON DELETE SET NULL,
    gateway TEXT NOT NULL,
    provider_id TEXT,
    call_key TEXT NOT NULL UNIQUE,
    amount_minor BIGINT NOT NULL CHECK (amount_minor > 0),
    currency TEXT NOT NULL,
    client_amount TEXT,
    -- adopted: a row of svc_payment_intents by the same key is the charge now; released: it is not wanted any more.
    status TEXT NOT NULL CHECK (status IN ('created', 'requires_action', 'adopted', 'released')),
    page TEXT,
    return_url TEXT NOT NULL DEFAULT '',
    cancel_url TEXT NOT NULL DEFAULT '',
    save_method BIGINT NOT NULL DEFAULT 0 CHECK (save_method IN (0, 1)),
    is_test BIGINT NOT NULL CHECK (is_test IN (0, 1)),
    last_error TEXT NOT NULL DEFAULT '',
    reconciliation TEXT NOT NULL DEFAULT 'open' CHECK (reconciliation IN ('open', 'settled', 'review')),
    asks BIGINT NOT NULL DEFAULT 0,
    ask_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    UNIQUE (gateway, provider_id)
);
CREATE INDEX svc_held_charges_session ON svc_held_charges (session_id);
CREATE INDEX svc_held_charges_ask ON svc_held_charges (reconciliation, ask_at);

-- Which of a provider's two worlds it lives in; null: begun before this was written down.
ALTER TABLE svc_payment_intents ADD COLUMN is_test BIGINT;
ALTER TABLE svc_saved_payment_methods ADD COLUMN is_test BIGINT;
-- Whose it is: the account that agreed. A customer's record is found by an address that anybody can type.
ALTER TABLE svc_saved_payment_methods ADD COLUMN user_id BIGINT REFERENCES svc_users(id) ON DELETE CASCADE;
CREATE INDEX svc_saved_payment_methods_user ON svc_saved_payment_methods (user_id);
-- The method that a charge without the customer there goes to: while its outcome is unknown it is asked again by the
-- same key.
ALTER TABLE svc_payment_intents ADD COLUMN saved_method_id BIGINT;
