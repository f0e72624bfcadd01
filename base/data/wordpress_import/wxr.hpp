// WordPress exports (WXR 1.0 to 1.2) as a stream: only the current item is in memory.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "base/data/wordpress_import/wxr_bytes.hpp"
#include "shared/core/result.hpp"

namespace svc::wordpress_import {

struct TermOfItem {
    std::string taxonomy, slug, name;
};

using Metas = std::vector<std::pair<std::string, std::string>>;
// The first of that name; empty: none.
std::string meta_in(const Metas& metas, std::string_view key);

struct CommentOfItem {
    std::string author, email, date, content, approved, type;
    Metas meta;
};

// A post of any type, or a term of a taxonomy (`post_type` is empty then).
struct Item {
    std::string post_type, id, title, slug, status, content, excerpt, date, parent, taxonomy, description, url,
        password;
    std::vector<TermOfItem> terms;
    std::vector<CommentOfItem> comments;
    Metas meta;
    [[nodiscard]] std::string meta_of(std::string_view key) const {
        asked_.emplace(key);
        return meta_in(meta, key);
    }
    // Whether meta_of() was called with it: other metas are not migrated.
    [[nodiscard]] bool was_asked(std::string_view key) const { return asked_.contains(key); }

  private:
    mutable std::set<std::string, std::less<>> asked_;
};

// Reads a file piece by piece, and returns what it dropped. Returns svc_validation_error of the field `file` for
// another kind of file: a document type declaration is rejected, as are texts over 2 MiB and items with more than
// 20,000 parts.
Result<CleanBytes::Dropped> read_wxr(const std::string& path, const std::function<Result<void>(const Item&)>& take);

}  // namespace svc::wordpress_import
