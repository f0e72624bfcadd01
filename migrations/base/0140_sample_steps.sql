-- How far `svc samples` is, so that it goes on where it was stopped: step 0 as it begins, n with the trip of that number
-- in its document, -1 at its end.
CREATE TABLE svc_sample_steps (
    step BIGINT PRIMARY KEY,
    trip_id BIGINT NOT NULL,
    created_at BIGINT NOT NULL
);
