-- Classifications: whatever trips are told apart by, one table for all kinds. Items are what itineraries are made of.
CREATE TABLE svc_classifications (
    id {{id}},
    type TEXT NOT NULL CHECK (type IN ('destination', 'activity', 'trip_category', 'difficulty', 'traveler_type', 'attribute', 'item_type', 'item')),
    name TEXT NOT NULL CHECK (name <> ''),
    name_folded TEXT NOT NULL,
    slug TEXT NOT NULL CHECK (slug <> ''),
    description TEXT NOT NULL,
    -- What a search looks in: name, slug and description, folded.
    search_text TEXT NOT NULL,
    -- Of the same type; level is the number of those above it.
    parent_id BIGINT REFERENCES svc_classifications (id),
    level BIGINT NOT NULL CHECK (level BETWEEN 0 AND 4),
    -- An item's item type.
    item_type_id BIGINT REFERENCES svc_classifications (id),
    -- JSON, empty when there is none: {"type", "provider", "value"}.
    icon TEXT NOT NULL,
    color TEXT NOT NULL,
    sort_order BIGINT NOT NULL CHECK (sort_order >= 0),
    is_featured BIGINT NOT NULL CHECK (is_featured IN (0, 1)),
    status TEXT NOT NULL CHECK (status IN ('draft', 'publish', 'trash')),
    seo_title TEXT NOT NULL,
    seo_description TEXT NOT NULL,
    seo_keywords TEXT NOT NULL,
    -- JSON object: what only this type has (base/catalog/classifications/kinds.cpp).
    details TEXT NOT NULL,
    -- Of attributes, copied from details so that lists can be cut by them.
    field_type TEXT NOT NULL,
    show_on_frontend BIGINT NOT NULL CHECK (show_on_frontend IN (0, 1)),
    show_in_filters BIGINT NOT NULL CHECK (show_in_filters IN (0, 1)),
    row_version BIGINT NOT NULL CHECK (row_version >= 1),
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    created_by BIGINT REFERENCES svc_users (id) ON DELETE SET NULL,
    updated_by BIGINT REFERENCES svc_users (id) ON DELETE SET NULL,
    CHECK ((parent_id IS NULL) = (level = 0)),
    CHECK ((item_type_id IS NULL) = (type <> 'item')),
    CHECK ((field_type = '') = (type <> 'attribute'))
);
-- A slug in the trash stays taken.
CREATE UNIQUE INDEX svc_classifications_slug ON svc_classifications (type, slug);
CREATE INDEX svc_classifications_order ON svc_classifications (type, status, sort_order, id);
CREATE INDEX svc_classifications_parent ON svc_classifications (parent_id);
CREATE INDEX svc_classifications_item_type ON svc_classifications (item_type_id);

-- Where a new installation starts. Whoever deletes one of these does not get it back.
INSERT INTO svc_classifications (type, name, name_folded, slug, description, search_text, level, icon, color,
    sort_order, is_featured, status, seo_title, seo_description, seo_keywords, details, field_type, show_on_frontend,
    show_in_filters, row_version, created_at, updated_at)
SELECT seed.type, seed.name, seed.slug, seed.slug, '', seed.slug, 0, '', seed.color, seed.sort_order, 0, 'publish',
    '', '', '', seed.details, '', 0, 0, 1, clock.micros, clock.micros
FROM (
    SELECT 'traveler_type' AS type, 'Adult' AS name, 'adult' AS slug, 0 AS sort_order, '' AS color, '{"age_min":18}' AS details
    UNION ALL SELECT 'traveler_type', 'Child', 'child', 1, '', '{"age_min":2,"age_max":17}'
    UNION ALL SELECT 'traveler_type', 'Infant', 'infant', 2, '', '{"age_min":0,"age_max":1}'
    UNION ALL SELECT 'item_type', 'Meal', 'meal', 0, 'orange', '{}'
    UNION ALL SELECT 'item_type', 'Activity', 'activity', 1, 'green', '{}'
    UNION ALL SELECT 'item_type', 'Accommodation', 'accommodation', 2, 'purple', '{}'
    UNION ALL SELECT 'item_type', 'Transportation', 'transportation', 3, 'blue', '{}'
    UNION ALL SELECT 'item_type', 'Rest', 'rest', 4, 'gray', '{}'
) AS seed CROSS JOIN (
-- sqlite: SELECT CAST(strftime('%s', 'now') AS INTEGER) * 1000000 AS micros
-- postgresql: SELECT CAST(EXTRACT(EPOCH FROM now()) * 1000000 AS BIGINT) AS micros
) AS clock
ORDER BY seed.type DESC, seed.sort_order;
