-- What the program logged, for staff to read: bounded in rows and days. `type` says what it is about.
CREATE TABLE svc_logs (
    id {{id}},
    type TEXT NOT NULL CHECK (type IN ('payment', 'booking', 'system')),
    level TEXT NOT NULL CHECK (level IN ('info', 'warning', 'error')),
    event TEXT NOT NULL,
    message TEXT NOT NULL,
    context TEXT NOT NULL,
    search TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX svc_logs_created ON svc_logs (created_at, id);
CREATE INDEX svc_logs_type ON svc_logs (type, created_at, id);
CREATE INDEX svc_logs_level ON svc_logs (level, created_at, id);

-- Long work that the operator starts: exports, imports, migrations. `state` says where to go on; it is written with the
-- work that it speaks of, so that a process that dies costs nothing but the step it was at. Times are instants.
CREATE TABLE svc_tasks (
    id {{id}},
    task_key TEXT NOT NULL UNIQUE,
    type TEXT NOT NULL CHECK (type IN ('export', 'import', 'migrate')),
    status TEXT NOT NULL CHECK (status IN ('pending', 'running', 'completed', 'failed', 'cancelled')),
    data_types TEXT NOT NULL DEFAULT '[]',
    user_id BIGINT REFERENCES svc_users(id) ON DELETE SET NULL,
    options TEXT NOT NULL DEFAULT '{}',
    state TEXT NOT NULL DEFAULT '{}',
    stats TEXT NOT NULL DEFAULT '{}',
    total_records BIGINT NOT NULL DEFAULT 0 CHECK (total_records >= 0),
    processed_records BIGINT NOT NULL DEFAULT 0 CHECK (processed_records >= 0),
    error_count BIGINT NOT NULL DEFAULT 0 CHECK (error_count >= 0),
    cancel_requested BIGINT NOT NULL DEFAULT 0 CHECK (cancel_requested IN (0, 1)),
    -- Names in the folder of tasks; empty: none.
    result_file TEXT NOT NULL DEFAULT '',
    errors_file TEXT NOT NULL DEFAULT '',
    error TEXT,
    created_at BIGINT NOT NULL,
    started_at BIGINT,
    completed_at BIGINT
);
CREATE INDEX svc_tasks_created ON svc_tasks (created_at, id);
CREATE INDEX svc_tasks_open ON svc_tasks (status, id);

-- Which row of ours a record of an import became, by its id there; undo removes what the task created.
CREATE TABLE svc_task_rows (
    task_id BIGINT NOT NULL REFERENCES svc_tasks(id) ON DELETE CASCADE,
    entity TEXT NOT NULL,
    old_id TEXT NOT NULL,
    new_id BIGINT NOT NULL,
    outcome TEXT NOT NULL CHECK (outcome IN ('created', 'updated', 'skipped')),
    -- The row as it was, of an update: what undo writes back.
    before TEXT,
    PRIMARY KEY (task_id, entity, old_id)
);
CREATE INDEX svc_task_rows_new ON svc_task_rows (task_id, entity, new_id);
