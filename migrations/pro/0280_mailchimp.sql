-- What the module mailchimp knows of contacts at Mailchimp, what is still to be sent, and what was sent.
CREATE TABLE svc_mailchimp_members (
    id {{id}},
    list_id TEXT NOT NULL,
    -- In lower case: the digest of this text names the contact at Mailchimp.
    email TEXT NOT NULL,
    customer_id BIGINT NOT NULL,
    -- compliance: Mailchimp takes it back only by its own form. rejected: it refuses the data.
    status TEXT NOT NULL CHECK (status IN ('subscribed', 'pending', 'transactional', 'unsubscribed', 'cleaned',
        'archived', 'compliance', 'rejected')),
    status_at BIGINT NOT NULL,
    -- 1: it became so at Mailchimp, not by us.
    is_theirs BIGINT NOT NULL DEFAULT 0 CHECK (is_theirs IN (0, 1)),
    -- 1: we subscribed it because of an opt-in, so that a withdrawal here ends it there.
    is_ours BIGINT NOT NULL DEFAULT 0 CHECK (is_ours IN (0, 1)),
    -- 1: the customer's consent is still to be withdrawn here.
    withdraws BIGINT NOT NULL DEFAULT 0 CHECK (withdraws IN (0, 1)),
    -- JSON: the tags that we set.
    tags TEXT NOT NULL DEFAULT '[]',
    -- The digest of what was sent last.
    sent TEXT NOT NULL DEFAULT '',
    synced_at BIGINT,
    UNIQUE (list_id, email)
);
CREATE INDEX svc_mailchimp_members_customer ON svc_mailchimp_members (customer_id);
CREATE INDEX svc_mailchimp_members_status ON svc_mailchimp_members (list_id, status);
CREATE INDEX svc_mailchimp_members_withdraws ON svc_mailchimp_members (id) WHERE withdraws = 1;

-- Customers whose contact is to be looked at: one row each. What is sent follows from the data of that moment.
CREATE TABLE svc_mailchimp_queue (
    id {{id}},
    customer_id BIGINT NOT NULL UNIQUE,
    cause TEXT NOT NULL CHECK (cause IN ('booking', 'payment', 'customer', 'all')),
    booking_id BIGINT,
    -- Counts what happened since the row was made: a row that changed while it was sent stays.
    generation BIGINT NOT NULL DEFAULT 1,
    attempts BIGINT NOT NULL DEFAULT 0,
    next_attempt_at BIGINT NOT NULL,
    claimed_until BIGINT,
    -- 1: it counts for the progress of a full run.
    in_run BIGINT NOT NULL DEFAULT 0 CHECK (in_run IN (0, 1)),
    created_at BIGINT NOT NULL
);
CREATE INDEX svc_mailchimp_queue_due ON svc_mailchimp_queue (next_attempt_at);

-- Contacts of erased persons that are still to be deleted at Mailchimp, by their digest alone.
CREATE TABLE svc_mailchimp_removals (
    id {{id}},
    list_id TEXT NOT NULL,
    member_hash TEXT NOT NULL,
    attempts BIGINT NOT NULL DEFAULT 0,
    next_attempt_at BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    UNIQUE (list_id, member_hash)
);

-- What Mailchimp reported and the job has not taken over yet.
CREATE TABLE svc_mailchimp_reports (
    id {{id}},
    kind TEXT NOT NULL CHECK (kind IN ('subscribe', 'unsubscribe', 'delete', 'cleaned', 'upemail')),
    list_id TEXT NOT NULL,
    email TEXT NOT NULL,
    received_at BIGINT NOT NULL
);

CREATE TABLE svc_mailchimp_log (
    id {{id}},
    customer_id BIGINT,
    booking_id BIGINT,
    email TEXT NOT NULL DEFAULT '',
    action TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('sent', 'skipped', 'failed', 'received')),
    reason TEXT NOT NULL DEFAULT '',
    -- The words of Mailchimp.
    detail TEXT NOT NULL DEFAULT '',
    http_status BIGINT,
    search TEXT NOT NULL DEFAULT '',
    created_at BIGINT NOT NULL
);
CREATE INDEX svc_mailchimp_log_age ON svc_mailchimp_log (created_at, id);
CREATE INDEX svc_mailchimp_log_customer ON svc_mailchimp_log (customer_id);

-- The one row of the module: the secret in the receiver's address, the pause of all sending, and the latest full run.
CREATE TABLE svc_mailchimp_state (
    id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    -- Sealed.
    secret TEXT NOT NULL,
    problem TEXT NOT NULL DEFAULT '',
    problem_detail TEXT NOT NULL DEFAULT '',
    problem_at BIGINT,
    failures BIGINT NOT NULL DEFAULT 0,
    resume_at BIGINT,
    last_sync_at BIGINT,
    looked_at BIGINT,
    run_started_at BIGINT,
    run_ended_at BIGINT,
    -- The last customer that the run has put into the queue; NULL: it has seen all.
    run_after BIGINT,
    run_total BIGINT NOT NULL DEFAULT 0,
    run_synced BIGINT NOT NULL DEFAULT 0,
    run_skipped BIGINT NOT NULL DEFAULT 0,
    run_failed BIGINT NOT NULL DEFAULT 0
);
