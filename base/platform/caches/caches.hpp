// The caches of this process, for staff to inspect, disable and clear (routes 17.16 to 17.25).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/platform/caches/tally.hpp"

namespace svc::caches {

// The channel of store::ChangeFeed by which other processes clear theirs.
inline constexpr std::string_view changes_channel = "caches";

enum class Match : bool { prefix, whole };

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
    std::string help;   // one sentence
    std::function<Usage()> usage;
    std::function<void(const std::function<void(Entry)>& take)> each;
    // Drops entries whose key begins with that, or is that; an empty prefix: all. Returns how many. Data that the
    // process needs is reloaded.
    std::function<std::int64_t(std::string_view key, Match match)> clear;
    // Whether it is in use; empty: it always is, as nothing is answered without it.
    std::function<void(bool use)> use = {};
    std::function<void()> warm = {};  // fills it; empty: it fills itself
};

// The part of a key behind the cache's name and colon; empty for a prefix that ends within them.
inline std::string_view key_within(std::string_view name, std::string_view key) {
    return key.size() > name.size() + 1 ? key.substr(name.size() + 1) : std::string_view{};
}

// For a cache with text keys that is safe on any thread: `cache.usage()`, `cache.each(take(key, bytes))`,
// `cache.forget(fits(key))`, `cache.tally()`. `find` returns it at each call, as it may be replaced.
template <class Find>
Cache of_answers(const char* name, const char* group, const char* help, Find find) {
    const std::string start = std::string(name) + ":";
    return {.name = name,
            .group = group,
            .help = help,
            .usage =
                [find] {
                    auto&& entry = find();
                    Usage usage = entry.usage();
                    usage.hits = entry.tally().hits();
                    usage.misses = entry.tally().misses();
                    return usage;
                },
            .each =
                [find, start](const std::function<void(Entry)>& take) {
                    find().each([&](std::string_view key, std::size_t bytes) {
                        take({start + std::string(key), static_cast<std::int64_t>(bytes)});
                    });
                },
            .clear =
                [find, name](std::string_view key, Match match) {
                    const std::string_view own_key = key_within(name, key);
                    return find().forget([&](std::string_view each) {
                        return match == Match::whole ? each == own_key : each.starts_with(own_key);
                    });
                },
            .use =
                [find](bool use) {
                    auto&& entry = find();
                    entry.tally().use(use);
                    if (!use)
                        entry.forget([](std::string_view) { return true; });
                }};
}

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
                cleared += cache.clear(prefix, Match::prefix);
        return cleared;
    }
    // The cache that such a key is in; null: none.
    [[nodiscard]] const Cache* cache_of(std::string_view key) const {
        for (const Cache& cache : all_)
            if (key.starts_with(cache.name + ":"))
                return &cache;
        return nullptr;
    }
    std::int64_t clear_group(std::string_view group) const {
        std::int64_t cleared = 0;
        for (const Cache& cache : all_)
            if (cache.group == group)
                cleared += cache.clear({}, Match::prefix);
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
