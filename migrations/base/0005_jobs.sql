-- Work by the clock. A row is locked by the one process that runs the job; locked_until is in the database's own time,
-- so a process that died frees it. A row that is locked past that time was left in the middle and is due again.
CREATE TABLE svc_jobs (
    id {{id}},
    name TEXT NOT NULL UNIQUE,
    interval_s BIGINT NOT NULL CHECK (interval_s > 0),
    next_run_at BIGINT NOT NULL,
    last_started_at BIGINT,
    last_finished_at BIGINT,
    last_status TEXT CHECK (last_status IN ('running', 'ok', 'failed')),
    last_result TEXT,
    locked_by TEXT,
    locked_until BIGINT
);
-- A daily job runs once a local day, whatever the clock does at night.
CREATE TABLE svc_job_days (
    job_name TEXT NOT NULL,
    local_date TEXT NOT NULL,
    started_at BIGINT NOT NULL,
    PRIMARY KEY (job_name, local_date)
);
