// Data of a former installation's export that is not migrated, counted in plain words, so that nothing is lost
// silently.
#pragma once

#include <map>
#include <string>

#include "base/data/wordpress_import/wxr.hpp"
#include "shared/json/value.hpp"

namespace svc::wordpress_import {

// Counts while an export is read; one thread.
class LeftOut {
  public:
    // Counts an item that is not migrated (`kind` is empty), or what of a migrated one nobody has read.
    void count_item(const Item& item, std::string_view kind);
    void add(const std::string& what, std::int64_t count = 1);
    // Counts the members of a list beyond the `most` that a trip holds.
    void add_surplus(const char* what, std::size_t found, std::size_t most);
    // {name: count}: the hundred highest counts in descending order, then the sum of the others.
    [[nodiscard]] json::Value counts() const;

  private:
    void count_unread(const Item& item, std::string_view kind);
    std::map<std::string, std::int64_t> counts_;
};

// Instructions for a kind that no export of WordPress holds; empty: such a kind is migrated.
SentenceId by_hand(std::string_view kind);

}  // namespace svc::wordpress_import
