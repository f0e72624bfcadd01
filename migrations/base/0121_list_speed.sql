-- Lists of a hundred thousand rows. svc_row_tallies counts rows by status as they are written; on PostgreSQL in one of 64
-- rows by the writer's session, so that writers seldom wait for each other. The index of letters finds a search text of
-- three letters or more.
CREATE TABLE svc_row_tallies (
    name TEXT NOT NULL,
    status TEXT NOT NULL,
    shard BIGINT NOT NULL,
    records BIGINT NOT NULL,
    PRIMARY KEY (name, status, shard)
);
-- postgresql: CREATE FUNCTION svc_tally_fresh() RETURNS TRIGGER LANGUAGE plpgsql AS 'BEGIN INSERT INTO svc_row_tallies AS t (name, status, shard, records) SELECT TG_TABLE_NAME, status, pg_backend_pid() % 64, COUNT(*) FROM fresh GROUP BY status ON CONFLICT (name, status, shard) DO UPDATE SET records = t.records + EXCLUDED.records; RETURN NULL; END';
-- postgresql: CREATE FUNCTION svc_tally_row() RETURNS TRIGGER LANGUAGE plpgsql AS 'BEGIN INSERT INTO svc_row_tallies AS t (name, status, shard, records) VALUES (TG_TABLE_NAME, OLD.status, pg_backend_pid() % 64, -1) ON CONFLICT (name, status, shard) DO UPDATE SET records = t.records - 1; IF TG_OP <> ''DELETE'' THEN INSERT INTO svc_row_tallies AS t (name, status, shard, records) VALUES (TG_TABLE_NAME, NEW.status, pg_backend_pid() % 64, 1) ON CONFLICT (name, status, shard) DO UPDATE SET records = t.records + 1; END IF; RETURN NULL; END';
INSERT INTO svc_row_tallies (name, status, shard, records) SELECT 'svc_customers', status, 0, COUNT(*) FROM svc_customers GROUP BY status;
-- sqlite: CREATE TRIGGER svc_customers_tallied AFTER INSERT ON svc_customers BEGIN INSERT INTO svc_row_tallies (name, status, shard, records) VALUES ('svc_customers', NEW.status, 0, 1) ON CONFLICT (name, status, shard) DO UPDATE SET records = records + excluded.records; END;
-- sqlite: CREATE TRIGGER svc_customers_retallied AFTER UPDATE OF status ON svc_customers WHEN OLD.status <> NEW.status BEGIN INSERT INTO svc_row_tallies (name, status, shard, records) VALUES ('svc_customers', OLD.status, 0, -1) ON CONFLICT (name, status, shard) DO UPDATE SET records = records + excluded.records; INSERT INTO svc_row_tallies (name, status, shard, records) VALUES ('svc_customers', NEW.status, 0, 1) ON CONFLICT (name, status, shard) DO UPDATE SET records = records + excluded.records; END;
-- sqlite: CREATE TRIGGER svc_customers_untallied AFTER DELETE ON svc_customers BEGIN INSERT INTO svc_row_tallies (name, status, shard, records) VALUES ('svc_customers', OLD.status, 0, -1) ON CONFLICT (name, status, shard) DO UPDATE SET records = records + excluded.records; END;
-- postgresql: CREATE TRIGGER svc_customers_tallied AFTER INSERT ON svc_customers REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION svc_tally_fresh();
-- postgresql: CREATE TRIGGER svc_customers_untallied AFTER DELETE ON svc_customers FOR EACH ROW EXECUTE FUNCTION svc_tally_row();
-- postgresql: CREATE TRIGGER svc_customers_retallied AFTER UPDATE OF status ON svc_customers FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION svc_tally_row();
-- sqlite: CREATE VIRTUAL TABLE svc_customers_grams USING fts5(search, content = 'svc_customers', content_rowid = 'id', tokenize = 'trigram');
-- sqlite: INSERT INTO svc_customers_grams (rowid, search) SELECT id, search FROM svc_customers;
-- sqlite: CREATE TRIGGER svc_customers_found AFTER INSERT ON svc_customers BEGIN INSERT INTO svc_customers_grams (rowid, search) VALUES (NEW.id, NEW.search); END;
-- sqlite: CREATE TRIGGER svc_customers_found_anew AFTER UPDATE OF search ON svc_customers WHEN OLD.search <> NEW.search BEGIN INSERT INTO svc_customers_grams (svc_customers_grams, rowid, search) VALUES ('delete', OLD.id, OLD.search); INSERT INTO svc_customers_grams (rowid, search) VALUES (NEW.id, NEW.search); END;
-- sqlite: CREATE TRIGGER svc_customers_found_no_more AFTER DELETE ON svc_customers BEGIN INSERT INTO svc_customers_grams (svc_customers_grams, rowid, search) VALUES ('delete', OLD.id, OLD.search); END;
-- postgresql: CREATE INDEX svc_customers_grams ON svc_customers USING GIN (svc_grams_of(search));
INSERT INTO svc_row_tallies (name, status, shard, records) SELECT 'svc_enquiries', status, 0, COUNT(*) FROM svc_enquiries GROUP BY status;
-- sqlite: CREATE TRIGGER svc_enquiries_tallied AFTER INSERT ON svc_enquiries BEGIN INSERT INTO svc_row_tallies (name, status, shard, records) VALUES ('svc_enquiries', NEW.status, 0, 1) ON CONFLICT (name, status, shard) DO UPDATE SET records = records + excluded.records; END;
-- sqlite: CREATE TRIGGER svc_enquiries_retallied AFTER UPDATE OF status ON svc_enquiries WHEN OLD.status <> NEW.status BEGIN INSERT INTO svc_row_tallies (name, status, shard, records) VALUES ('svc_enquiries', OLD.status, 0, -1) ON CONFLICT (name, status, shard) DO UPDATE SET records = records + excluded.records; INSERT INTO svc_row_tallies (name, status, shard, records) VALUES ('svc_enquiries', NEW.status, 0, 1) ON CONFLICT (name, status, shard) DO UPDATE SET records = records + excluded.records; END;
-- sqlite: CREATE TRIGGER svc_enquiries_untallied AFTER DELETE ON svc_enquiries BEGIN INSERT INTO svc_row_tallies (name, status, shard, records) VALUES ('svc_enquiries', OLD.status, 0, -1) ON CONFLICT (name, status, shard) DO UPDATE SET records = records + excluded.records; END;
-- postgresql: CREATE TRIGGER svc_enquiries_tallied AFTER INSERT ON svc_enquiries REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION svc_tally_fresh();
-- postgresql: CREATE TRIGGER svc_enquiries_untallied AFTER DELETE ON svc_enquiries FOR EACH ROW EXECUTE FUNCTION svc_tally_row();
-- postgresql: CREATE TRIGGER svc_enquiries_retallied AFTER UPDATE OF status ON svc_enquiries FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION svc_tally_row();
-- sqlite: CREATE VIRTUAL TABLE svc_enquiries_grams USING fts5(search, content = 'svc_enquiries', content_rowid = 'id', tokenize = 'trigram');
-- sqlite: INSERT INTO svc_enquiries_grams (rowid, search) SELECT id, search FROM svc_enquiries;
-- sqlite: CREATE TRIGGER svc_enquiries_found AFTER INSERT ON svc_enquiries BEGIN INSERT INTO svc_enquiries_grams (rowid, search) VALUES (NEW.id, NEW.search); END;
-- sqlite: CREATE TRIGGER svc_enquiries_found_anew AFTER UPDATE OF search ON svc_enquiries WHEN OLD.search <> NEW.search BEGIN INSERT INTO svc_enquiries_grams (svc_enquiries_grams, rowid, search) VALUES ('delete', OLD.id, OLD.search); INSERT INTO svc_enquiries_grams (rowid, search) VALUES (NEW.id, NEW.search); END;
-- sqlite: CREATE TRIGGER svc_enquiries_found_no_more AFTER DELETE ON svc_enquiries BEGIN INSERT INTO svc_enquiries_grams (svc_enquiries_grams, rowid, search) VALUES ('delete', OLD.id, OLD.search); END;
-- postgresql: CREATE INDEX svc_enquiries_grams ON svc_enquiries USING GIN (svc_grams_of(search));
INSERT INTO svc_row_tallies (name, status, shard, records) SELECT 'svc_reviews', status, 0, COUNT(*) FROM svc_reviews GROUP BY status;
-- sqlite: CREATE TRIGGER svc_reviews_tallied AFTER INSERT ON svc_reviews BEGIN INSERT INTO svc_row_tallies (name, status, shard, records) VALUES ('svc_reviews', NEW.status, 0, 1) ON CONFLICT (name, status, shard) DO UPDATE SET records = records + excluded.records; END;
-- sqlite: CREATE TRIGGER svc_reviews_retallied AFTER UPDATE OF status ON svc_reviews WHEN OLD.status <> NEW.status BEGIN INSERT INTO svc_row_tallies (name, status, shard, records) VALUES ('svc_reviews', OLD.status, 0, -1) ON CONFLICT (name, status, shard) DO UPDATE SET records = records + excluded.records; INSERT INTO svc_row_tallies (name, status, shard, records) VALUES ('svc_reviews', NEW.status, 0, 1) ON CONFLICT (name, status, shard) DO UPDATE SET records = records + excluded.records; END;
-- sqlite: CREATE TRIGGER svc_reviews_untallied AFTER DELETE ON svc_reviews BEGIN INSERT INTO svc_row_tallies (name, status, shard, records) VALUES ('svc_reviews', OLD.status, 0, -1) ON CONFLICT (name, status, shard) DO UPDATE SET records = records + excluded.records; END;
-- postgresql: CREATE TRIGGER svc_reviews_tallied AFTER INSERT ON svc_reviews REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION svc_tally_fresh();
-- postgresql: CREATE TRIGGER svc_reviews_untallied AFTER DELETE ON svc_reviews FOR EACH ROW EXECUTE FUNCTION svc_tally_row();
-- postgresql: CREATE TRIGGER svc_reviews_retallied AFTER UPDATE OF status ON svc_reviews FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION svc_tally_row();
-- sqlite: CREATE VIRTUAL TABLE svc_reviews_grams USING fts5(search, content = 'svc_reviews', content_rowid = 'id', tokenize = 'trigram');
-- sqlite: INSERT INTO svc_reviews_grams (rowid, search) SELECT id, search FROM svc_reviews;
-- sqlite: CREATE TRIGGER svc_reviews_found AFTER INSERT ON svc_reviews BEGIN INSERT INTO svc_reviews_grams (rowid, search) VALUES (NEW.id, NEW.search); END;
-- sqlite: CREATE TRIGGER svc_reviews_found_anew AFTER UPDATE OF search ON svc_reviews WHEN OLD.search <> NEW.search BEGIN INSERT INTO svc_reviews_grams (svc_reviews_grams, rowid, search) VALUES ('delete', OLD.id, OLD.search); INSERT INTO svc_reviews_grams (rowid, search) VALUES (NEW.id, NEW.search); END;
-- sqlite: CREATE TRIGGER svc_reviews_found_no_more AFTER DELETE ON svc_reviews BEGIN INSERT INTO svc_reviews_grams (svc_reviews_grams, rowid, search) VALUES ('delete', OLD.id, OLD.search); END;
-- postgresql: CREATE INDEX svc_reviews_grams ON svc_reviews USING GIN (svc_grams_of(search));
-- What the counts of enquiries and the mean of response times read.
CREATE INDEX svc_enquiries_responded ON svc_enquiries (responded_at, created_at) WHERE responded_at IS NOT NULL;
