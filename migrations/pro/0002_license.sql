-- The one licence of this installation. Key and the licence server's last answer are sealed by the base.
CREATE TABLE svc_license (
    id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    site_id TEXT NOT NULL,
    license_key TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('inactive', 'active', 'expired', 'disabled', 'invalid')),
    last_checked_at BIGINT,
    expires_at BIGINT,
    customer_name TEXT NOT NULL DEFAULT '',
    customer_email TEXT NOT NULL DEFAULT '',
    license_limit BIGINT CHECK (license_limit >= 0),
    site_count BIGINT CHECK (site_count >= 0),
    activations_left BIGINT CHECK (activations_left >= 0),
    price_id BIGINT,
    plan_name TEXT NOT NULL DEFAULT '',
    plan_tier TEXT CHECK (plan_tier IN ('personal', 'growth', 'agency')),
    is_lifetime BIGINT NOT NULL DEFAULT 0 CHECK (is_lifetime IN (0, 1)),
    server_response TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
