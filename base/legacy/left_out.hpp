// Data of a former installation's export that is not migrated, counted in plain words, so that nothing is lost
// silently.
#pragma once

#include <map>
#include <string>

#include "base/legacy/wxr.hpp"
#include "shared/json/value.hpp"

namespace svc::legacy {

// Counts while an export is read; one thread.
class LeftOut {
  public:
    // An item that became nothing (`was_taken` is false), or whose services, conditions or discounts stay behind.
    void note(const Item& item, bool was_taken);
    void add(const std::string& what, std::int64_t count = 1);
    // Of a list that a trip holds up to `most` members of: those that do not fit.
    void add_surplus(const char* what, std::size_t found, std::size_t most);
    // {what: how many}, the most first at most a hundred and the rest as one.
    [[nodiscard]] json::Value counts() const;

  private:
    std::map<std::string, std::int64_t> counts_;
};

// Instructions for a kind that no export of WordPress holds; empty: such a kind is migrated.
std::string_view by_hand(std::string_view kind);

}  // namespace svc::legacy
