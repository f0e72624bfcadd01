// Records that trips refer to, for tests: classifications and pictures.
#pragma once

#include "shared/core/text.hpp"
#include "tests/support/shop.hpp"

namespace svc::tests {

inline json::Value body(const std::string& text) { return json::parse(text).value(); }

inline std::int64_t given_class(Shop& shop, const char* type, const char* name, const char* status = "publish",
                                const std::string& details = "{}") {
    return shop.store
        ->transact<std::int64_t>([&](store::Transaction& tx) -> Result<std::int64_t> {
            return tx.insert(
                "INSERT INTO svc_classifications (type, name, name_folded, slug, description, search_text, level, icon,"
                " color, sort_order, is_featured, status, seo_title, seo_description, seo_keywords, details, "
                "field_type,"
                " show_on_frontend, show_in_filters, row_version, created_at, updated_at) VALUES (:type, :name, :slug,"
                " :slug, '', :slug, 0, '', '', 0, 0, :status, '', '', '', :details, '', 0, 0, 1, 1, 1) RETURNING id",
                {{"type", type},
                 {"name", name},
                 {"slug", text::slug_of(name, 200)},
                 {"status", status},
                 {"details", details}});
        })
        .value();
}

// Of what a new installation has.
inline std::int64_t category(Shop& shop, const char* slug) {
    return shop.store->reading<std::int64_t>([&](store::Session& session) {
        return session.number("SELECT id FROM svc_classifications WHERE slug = :slug AND type = 'traveler_type'",
                              {{"slug", slug}});
    });
}

inline std::int64_t given_picture(Shop& shop) {
    return shop.store
        ->transact<std::int64_t>([&](store::Transaction& tx) -> Result<std::int64_t> {
            return tx.insert(
                "INSERT INTO svc_media (sha256, is_private, original_name, mime_type, byte_size, alt_text, caption,"
                " created_at, updated_at) VALUES (:sha256, 0, 'a.png', 'image/png', 1, '', '', 1, 1) RETURNING id",
                {{"sha256", std::string(64, 'a')}});
        })
        .value();
}

}  // namespace svc::tests
