-- How often something changed, by channel: what base/platform/store/changes.hpp polls. Several rows a channel, so that
-- writers of one channel need not wait for each other's commits on PostgreSQL.
CREATE TABLE svc_change_counters (
    channel TEXT NOT NULL,
    shard BIGINT NOT NULL CHECK (shard BETWEEN 0 AND 15),
    version BIGINT NOT NULL CHECK (version > 0),
    PRIMARY KEY (channel, shard)
);
-- Rows updated all the time: leave room beside them and clear up early.
-- postgresql: ALTER TABLE svc_change_counters SET (fillfactor = 20, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0);
