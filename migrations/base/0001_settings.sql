-- Settings of the site and the state of its modules; what is not stored has its default.
CREATE TABLE svc_settings (
    key TEXT NOT NULL PRIMARY KEY CHECK (length(key) BETWEEN 1 AND 100),
    value TEXT NOT NULL,
    is_secret BIGINT NOT NULL DEFAULT 0 CHECK (is_secret IN (0, 1)),
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);

CREATE TABLE svc_modules (
    slug TEXT NOT NULL PRIMARY KEY CHECK (length(slug) BETWEEN 1 AND 60),
    enabled BIGINT NOT NULL DEFAULT 0 CHECK (enabled IN (0, 1)),
    settings TEXT NOT NULL DEFAULT '{}',
    storage_version BIGINT NOT NULL DEFAULT 0 CHECK (storage_version >= 0),
    enabled_at BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
