// Steps that migration tests and their child processes apply.
#pragma once

#include <array>

#include "base/platform/store/migrate.hpp"

namespace svc::tests {

inline constexpr std::array<store::Step, 3> sample_steps{{
    {"0001_guides.sql", R"(-- Who leads a tour: a colon and a semicolon; in a comment.
CREATE TABLE svc_guides (
    id {{id}},
    name TEXT NOT NULL,
    rating BIGINT CHECK (rating BETWEEN 1 AND 5)
);
CREATE UNIQUE INDEX svc_guides_name ON svc_guides (name);
INSERT INTO svc_guides (name, rating) VALUES ('Ada: 12:30; noon', 5);
INSERT INTO svc_guides (name) VALUES ('Tenzing');
)"},
    {"0002_languages.sql", R"(CREATE TABLE svc_languages (
    guide_id BIGINT NOT NULL REFERENCES svc_guides (id),
    language TEXT NOT NULL,
    PRIMARY KEY (guide_id, language)
);
-- sqlite: CREATE INDEX svc_languages_lite ON svc_languages (language);
-- postgresql: CREATE INDEX svc_languages_pg ON svc_languages (lower(language));
INSERT INTO svc_languages (guide_id, language) SELECT id, 'en' FROM svc_guides;
)"},
    {"0003_active.sql", R"(ALTER TABLE svc_guides ADD COLUMN active BIGINT NOT NULL DEFAULT 1 CHECK (active IN (0, 1));
UPDATE svc_guides SET active = 0 WHERE rating IS NULL;
)"},
}};

}  // namespace svc::tests
