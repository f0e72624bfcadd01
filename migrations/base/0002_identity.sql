-- Who may come in: users with their roles and rights, cookie sessions, application passwords, bearer tokens.
CREATE TABLE svc_roles (
    id {{id}},
    slug TEXT NOT NULL CONSTRAINT svc_roles_slug UNIQUE CHECK (length(slug) BETWEEN 1 AND 60),
    label TEXT NOT NULL,
    capabilities TEXT NOT NULL DEFAULT '[]',
    is_system BIGINT NOT NULL DEFAULT 0 CHECK (is_system IN (0, 1)),
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);

CREATE TABLE svc_users (
    id {{id}},
    login TEXT NOT NULL CHECK (length(login) BETWEEN 1 AND 60),
    login_lower TEXT NOT NULL CONSTRAINT svc_users_login UNIQUE,
    email TEXT NOT NULL,
    email_lower TEXT NOT NULL CONSTRAINT svc_users_email UNIQUE,
    password_hash TEXT NOT NULL,
    display_name TEXT NOT NULL DEFAULT '',
    first_name TEXT NOT NULL DEFAULT '',
    last_name TEXT NOT NULL DEFAULT '',
    role_id BIGINT NOT NULL REFERENCES svc_roles (id),
    status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'pending_verification', 'blocked')),
    email_verified_at BIGINT,
    verification_sent_at BIGINT,
    pending_email TEXT,
    last_login_at BIGINT,
    locale TEXT,
    timezone TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE INDEX svc_users_role ON svc_users (role_id);

CREATE TABLE svc_user_capabilities (
    id {{id}},
    user_id BIGINT NOT NULL REFERENCES svc_users (id) ON DELETE CASCADE,
    capability TEXT NOT NULL CHECK (length(capability) BETWEEN 1 AND 100),
    effect TEXT NOT NULL CHECK (effect IN ('grant', 'revoke')),
    expires_at BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    CONSTRAINT svc_user_capabilities_once UNIQUE (user_id, capability)
);

CREATE TABLE svc_sessions (
    id {{id}},
    token_hash TEXT NOT NULL CONSTRAINT svc_sessions_token UNIQUE CHECK (length(token_hash) = 64),
    user_id BIGINT NOT NULL REFERENCES svc_users (id) ON DELETE CASCADE,
    idle_seconds BIGINT NOT NULL CHECK (idle_seconds BETWEEN 60 AND 2592000),
    seen_at BIGINT NOT NULL,
    idle_until BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    address TEXT NOT NULL DEFAULT '',
    user_agent TEXT NOT NULL DEFAULT '',
    created_at BIGINT NOT NULL
);
CREATE INDEX svc_sessions_user ON svc_sessions (user_id);

CREATE TABLE svc_application_passwords (
    id {{id}},
    user_id BIGINT NOT NULL REFERENCES svc_users (id) ON DELETE CASCADE,
    name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
    password_hash TEXT NOT NULL CONSTRAINT svc_application_passwords_hash UNIQUE CHECK (length(password_hash) = 64),
    last_used_at BIGINT,
    last_address TEXT,
    revoked_at BIGINT,
    created_at BIGINT NOT NULL
);
CREATE INDEX svc_application_passwords_user ON svc_application_passwords (user_id);

CREATE TABLE svc_access_tokens (
    id {{id}},
    purpose TEXT NOT NULL CHECK (purpose IN ('booking_guest', 'guest_verify', 'email_verify', 'email_change',
        'password_reset', 'consent', 'recovery', 'pay_link', 'team_invite', 'download')),
    subject_type TEXT NOT NULL CHECK (length(subject_type) BETWEEN 1 AND 60),
    subject_id BIGINT NOT NULL CHECK (subject_id > 0),
    token_hash TEXT NOT NULL CONSTRAINT svc_access_tokens_hash UNIQUE CHECK (length(token_hash) = 64),
    email TEXT,
    payload TEXT NOT NULL DEFAULT '{}',
    max_uses BIGINT CHECK (max_uses > 0),
    expires_at BIGINT NOT NULL,
    used_at BIGINT,
    revoked_at BIGINT,
    created_at BIGINT NOT NULL
);
CREATE INDEX svc_access_tokens_subject ON svc_access_tokens (subject_type, subject_id, purpose);
CREATE INDEX svc_access_tokens_expiry ON svc_access_tokens (expires_at);

ALTER TABLE svc_settings ADD COLUMN updated_by BIGINT REFERENCES svc_users (id) ON DELETE SET NULL;
ALTER TABLE svc_modules ADD COLUMN enabled_by BIGINT REFERENCES svc_users (id) ON DELETE SET NULL;
