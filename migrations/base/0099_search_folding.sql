-- What staff search lists by is folded without accents now (shared/core/words.hpp, search_key). The job search_folding
-- folds the rows that are there already; a row here says how far it is with a column.
CREATE TABLE svc_search_folding (
    name TEXT PRIMARY KEY,
    folded_to BIGINT NOT NULL,
    finished_at BIGINT
);
-- Empty until folded: the transaction id itself is searched then.
ALTER TABLE svc_payments ADD COLUMN transaction_search TEXT NOT NULL DEFAULT '';
-- Name, alternative text and caption.
ALTER TABLE svc_media ADD COLUMN search TEXT NOT NULL DEFAULT '';
