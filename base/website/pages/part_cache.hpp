// Parts of pages that were shown before: the texts rendered from a trip, its card or its dates, found again by the id
// and the version of the data (api::Held) and by what else decides them. A change of the data gives it another version,
// so a part needs no notice of changes.
#pragma once

#include <atomic>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/platform/caches/caches.hpp"
#include "base/platform/templates/later.hpp"

namespace svc::pages {

struct CachedPart {
    CachedPart(std::string its_version, std::string its_rest, json::Value its_brief,
               std::shared_ptr<std::atomic<std::size_t>> total)
        : version(std::move(its_version)),
          made_with(std::move(its_rest)),
          brief(std::move(its_brief)),
          texts(std::make_shared<templates::Renderings>(std::move(total))) {}
    const std::string version;    // of the data
    const std::string made_with;  // other inputs: language, formats, listeners' answers
    const json::Value brief;      // the data for pages besides the texts
    const std::shared_ptr<templates::Renderings> texts;
};

// Any thread. The parts that were shown longest ago make room.
class PartCache {
  public:
    explicit PartCache(std::size_t most_bytes) : most_bytes_(most_bytes) {}

    // The part of that name ("card:12") made of that version with the same; null: there is none.
    [[nodiscard]] std::shared_ptr<CachedPart> find(std::string_view name, std::string_view version,
                                                   std::string_view made_with);
    // A new one in place of that of the same name. Without a version it is not kept.
    std::shared_ptr<CachedPart> put(std::string_view name, std::string_view version, std::string_view made_with,
                                    json::Value brief = {});
    // Drops the parts with a fitting name; returns how many.
    std::int64_t forget(const std::function<bool(std::string_view name)>& fits);
    // Calls `take` with each name and the bytes of its part without its texts.
    void each(const std::function<void(std::string_view name, std::size_t bytes)>& take) const;
    [[nodiscard]] caches::Usage usage() const;
    [[nodiscard]] caches::Tally& tally() { return tally_; }

  private:
    struct Named {
        std::string name;
        std::shared_ptr<CachedPart> part;
        std::size_t own_bytes;
    };
    using Order = std::list<Named>;  // the last one shown first
    void take_out(Order::iterator which);
    void trim();

    const std::size_t most_bytes_;
    const std::shared_ptr<std::atomic<std::size_t>> total_ = std::make_shared<std::atomic<std::size_t>>(0);
    mutable std::mutex mutex_;
    Order order_;
    std::unordered_map<std::string_view, Order::iterator> by_name_;  // of the names in order_
    caches::Tally tally_;
};

}  // namespace svc::pages
