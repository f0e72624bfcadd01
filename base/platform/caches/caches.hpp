// The caches of this process, for staff to inspect, disable and clear (routes 17.16 to 17.25).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shared/core/date.hpp"

namespace svc::caches {

// The channel of store::ChangeFeed by which other processes clear theirs.
inline constexpr std::string_view changes_channel = "caches";

struct Entry {
    std::string key = {};   // begins with the cache's name and a colon
    std::int64_t size = 0;  // bytes; 0: it is not known
};

struct Usage {
    std::int64_t entries = 0, bytes = 0, hits = 0, misses = 0;
};

// A cache's functions for staff; any thread calls them.
struct Cache {
    std::string name;   // "pages": keys begin with "pages:"
    std::string group;  // trips, classifications, availability, settings, listings
    std::string says;   // one sentence
    std::function<Usage()> usage;
    std::function<void(const std::function<void(Entry)>& take)> each;
    // Drops entries whose key begins with the prefix; empty: all. Returns how many. Data that the process needs is
    // reloaded.
    std::function<std::int64_t(std::string_view prefix)> clear;
    // Whether it is in use; empty: it always is, as nothing is answered without it.
    std::function<void(bool use)> use = {};
    std::function<void()> warm = {};  // fills it; empty: it fills itself
};

// Filled at start-up; afterwards any thread.
class Caches {
  public:
    void add(Cache cache) { all_.push_back(std::move(cache)); }
    [[nodiscard]] const std::vector<Cache>& all() const { return all_; }

    // Turns all that can be on or off.
    void use(bool use) const {
        for (const Cache& cache : all_)
            if (cache.use)
                cache.use(use);
    }
    // Keys with that prefix; empty: everything.
    std::int64_t clear(std::string_view prefix) const {
        std::int64_t cleared = 0;
        for (const Cache& cache : all_)
            if (may_match(cache, prefix))
                cleared += cache.clear(prefix);
        return cleared;
    }
    std::int64_t clear_group(std::string_view group) const {
        std::int64_t cleared = 0;
        for (const Cache& cache : all_)
            if (cache.group == group)
                cleared += cache.clear({});
        return cleared;
    }

  private:
    static bool may_match(const Cache& cache, std::string_view prefix) {
        const std::string start = cache.name + ":";
        return prefix.empty() || prefix.starts_with(start) || start.starts_with(prefix);
    }
    std::vector<Cache> all_;
};

}  // namespace svc::caches
