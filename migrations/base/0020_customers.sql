-- People who book, one row an e-mail address.
CREATE TABLE svc_customers (
    id {{id}},
    email TEXT NOT NULL,
    email_lower TEXT NOT NULL UNIQUE,
    user_id BIGINT UNIQUE REFERENCES svc_users(id) ON DELETE SET NULL,
    first_name TEXT NOT NULL DEFAULT '',
    last_name TEXT NOT NULL DEFAULT '',
    phone TEXT NOT NULL DEFAULT '',
    country TEXT NOT NULL DEFAULT '',
    status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'inactive', 'blocked')),
    source TEXT NOT NULL DEFAULT 'booking',
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
