-- The connection with Google. There is one row, which stays when it is disconnected.
CREATE TABLE svc_google_calendar_connection (
    id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    -- Random, made once: part of the ids of our events, so that no other installation has the same.
    uid TEXT NOT NULL DEFAULT '',
    -- reconnect: Google refuses our tokens; what is queued waits. leaving: our events are deleted, then it is off.
    state TEXT NOT NULL CHECK (state IN ('off', 'connected', 'reconnect', 'leaving')),
    -- own: we made the calendar, and see no other. existing: one of the account's.
    calendar_kind TEXT NOT NULL CHECK (calendar_kind IN ('own', 'existing')),
    -- Which calendar gets the events; empty: none yet. It is here and not among the settings, of which another process
    -- may have an older state for a moment: it would make a second calendar.
    calendar_id TEXT NOT NULL DEFAULT '',
    calendar_name TEXT NOT NULL DEFAULT '',
    -- Sealed.
    refresh_token TEXT NOT NULL DEFAULT '',
    access_token TEXT NOT NULL DEFAULT '',
    access_expires_at BIGINT,
    -- Who may ask Google for a token or a calendar now, until when.
    lease_id TEXT NOT NULL DEFAULT '',
    lease_until BIGINT,
    -- Nothing is sent before: Google asked us to wait, or did not answer.
    rests_until BIGINT,
    failures BIGINT NOT NULL DEFAULT 0,
    -- A word: why it does not work.
    problem TEXT NOT NULL DEFAULT '',
    changed_at BIGINT,
    last_sync_at BIGINT,
    -- The latest copy of everything that somebody asked for.
    run_number BIGINT NOT NULL DEFAULT 0,
    run_total BIGINT NOT NULL DEFAULT 0,
    run_started_at BIGINT,
    run_finished_at BIGINT
);
INSERT INTO svc_google_calendar_connection (id, state, calendar_kind) VALUES (1, 'off', 'own');

-- Visits to Google's consent page that have not come back. Each is used once, by the browser that began it.
CREATE TABLE svc_google_calendar_states (
    state_hash TEXT NOT NULL PRIMARY KEY,
    browser_hash TEXT NOT NULL,
    user_id BIGINT NOT NULL REFERENCES svc_users(id) ON DELETE CASCADE,
    calendar_kind TEXT NOT NULL CHECK (calendar_kind IN ('own', 'existing')),
    -- Sealed: proves that who exchanges the code began the visit (PKCE).
    verifier TEXT NOT NULL,
    redirect_uri TEXT NOT NULL,
    expires_at BIGINT NOT NULL
);

-- What has an event in the calendar, or is to get one. A change while it is waiting is the same row.
CREATE TABLE svc_google_calendar_items (
    id {{id}},
    kind TEXT NOT NULL CHECK (kind IN ('departure', 'booking')),
    subject_id BIGINT NOT NULL,
    -- The calendar that has its event; empty: none has.
    calendar_id TEXT NOT NULL DEFAULT '',
    -- Of the event as it was sent.
    fingerprint TEXT NOT NULL DEFAULT '',
    -- NULL: nothing is to be done.
    due_at BIGINT,
    -- +1 with each change: one that comes while the event is being sent is not lost.
    revision BIGINT NOT NULL DEFAULT 1,
    is_forced BIGINT NOT NULL DEFAULT 0 CHECK (is_forced IN (0, 1)),
    attempts BIGINT NOT NULL DEFAULT 0,
    claimed_until BIGINT,
    run_number BIGINT NOT NULL DEFAULT 0,
    last_error TEXT NOT NULL DEFAULT '',
    updated_at BIGINT NOT NULL,
    UNIQUE (kind, subject_id)
);
CREATE INDEX svc_google_calendar_items_due ON svc_google_calendar_items (due_at, id);
CREATE INDEX svc_google_calendar_items_run ON svc_google_calendar_items (run_number);

-- The latest calls, without what was sent and without secrets.
CREATE TABLE svc_google_calendar_calls (
    id {{id}},
    method TEXT NOT NULL,
    path TEXT NOT NULL,
    -- NULL: no answer.
    status BIGINT,
    duration_ms BIGINT NOT NULL,
    error TEXT NOT NULL DEFAULT '',
    kind TEXT NOT NULL DEFAULT '',
    subject_id BIGINT,
    created_at BIGINT NOT NULL
);
CREATE INDEX svc_google_calendar_calls_age ON svc_google_calendar_calls (created_at);
