-- What a user was told and put away: a notice comes back when its cause is newer than that.
CREATE TABLE svc_notice_dismissals (
    user_id BIGINT NOT NULL REFERENCES svc_users(id) ON DELETE CASCADE,
    notice_key TEXT NOT NULL,
    dismissed_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, notice_key)
);
-- Since when a user has seen a section of the admin: what is newer is counted.
CREATE TABLE svc_seen_markers (
    user_id BIGINT NOT NULL REFERENCES svc_users(id) ON DELETE CASCADE,
    section TEXT NOT NULL,
    seen_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, section)
);
-- Usage reports, which are off until somebody turns them on. One row at most: the number of this installation, and the
-- report that could not be sent yet.
CREATE TABLE svc_usage_state (
    id BIGINT PRIMARY KEY CHECK (id = 1),
    instance_id TEXT NOT NULL,
    pending TEXT,
    retry_count BIGINT NOT NULL DEFAULT 0,
    next_retry_at BIGINT,
    last_sent_at BIGINT,
    last_error TEXT
);
-- The reports that were sent, word for word.
CREATE TABLE svc_usage_snapshots (
    id {{id}},
    payload TEXT NOT NULL,
    sent_at BIGINT NOT NULL
);
