// The published trips at one moment, in the orders they are listed in.
#pragma once

#include <array>
#include <map>
#include <mutex>
#include <vector>

#include "base/catalog/trips/read_model.hpp"

namespace svc::catalog::trips {

// Immutable but for what it remembers of its own answers. Any thread.
class Snapshot {
  public:
    explicit Snapshot(std::vector<Shown> trips);
    // This one with trips replaced or added (by id) and those of `gone` left out.
    [[nodiscard]] std::shared_ptr<const Snapshot> with(const std::vector<Shown>& changed,
                                                       const std::vector<std::int64_t>& gone) const;

    [[nodiscard]] Shown find(std::int64_t id) const;
    [[nodiscard]] Shown by_slug(std::string_view slug) const;
    [[nodiscard]] PublicPage page(const PublicQuery& query) const;
    [[nodiscard]] const std::vector<Shown>& all() const { return by_id_; }

  private:
    using Order = std::vector<Shown>;  // ascending, the id last
    Snapshot() = default;
    [[nodiscard]] const Order& order(const std::string& key) const;
    [[nodiscard]] PublicPage unfiltered(const PublicQuery& query) const;
    [[nodiscard]] PublicPage filtered(const PublicQuery& query) const;

    std::vector<Shown> by_id_, by_slug_;
    Order by_created_;  // published ones alone

    // Pages of lists without a filter. Bounded in bytes; a full one starts anew.
    mutable std::mutex remembering_;
    mutable std::map<std::string, Body> pages_;
    mutable std::size_t page_bytes_ = 0;
    mutable std::map<std::string, Order> orders_;
};

Body body_of(std::string text);

}  // namespace svc::catalog::trips
