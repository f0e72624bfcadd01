-- What the sample catalogue made, so that it can go again and nothing else with it. The row of kind 'import' says that
-- there is one, and when it came.
CREATE TABLE svc_sample_rows (
    kind TEXT NOT NULL CHECK (kind IN ('import', 'trip', 'media', 'classification')),
    row_id BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (kind, row_id)
);
