-- Pages of the operator's own: blocks from a fixed list at an address of their own, for a campaign or in place of the
-- page of a destination, activity or category.
CREATE TABLE svc_landing_pages (
    id {{id}},
    title TEXT NOT NULL,
    slug TEXT NOT NULL UNIQUE,
    status TEXT NOT NULL CHECK (status IN ('draft', 'publish', 'trash')),
    owner_type TEXT NOT NULL CHECK (owner_type IN ('none', 'destination', 'activity', 'trip_category')),
    owner_id BIGINT,
    -- A JSON list, in the order of the page.
    blocks TEXT NOT NULL,
    seo_title TEXT NOT NULL DEFAULT '',
    seo_description TEXT NOT NULL DEFAULT '',
    is_indexed BIGINT NOT NULL CHECK (is_indexed IN (0, 1)),
    row_version BIGINT NOT NULL DEFAULT 1,
    status_before_trash TEXT,
    search TEXT NOT NULL,
    created_by BIGINT REFERENCES svc_users(id) ON DELETE SET NULL,
    updated_by BIGINT REFERENCES svc_users(id) ON DELETE SET NULL,
    deleted_at BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    CHECK ((owner_type = 'none') = (owner_id IS NULL))
);
CREATE INDEX svc_landing_pages_owner ON svc_landing_pages (owner_type, owner_id, status);
