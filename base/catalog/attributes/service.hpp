// What trips say about attributes, and the attributes that every page needs, kept in memory.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/catalog/attributes/part.hpp"
#include "base/catalog/attributes/value.hpp"
#include "base/catalog/classifications/service.hpp"
#include "base/catalog/trips/service.hpp"

namespace svc::catalog::attributes {

// A body as it goes out, with its quoted tag.
struct Body {
    std::shared_ptr<const std::string> text;
    std::string etag;
    std::int64_t total = 0;  // how many attributes it lists
};

struct Said {
    Definition attribute;
    json::Value value;
    std::optional<Instant> created_at = {}, updated_at = {};
};

// Any thread.
class Service {
  public:
    struct Needs {
        store::Store& store;
        classifications::Service& classifications;
        trips::Service& trips;
        ShownIds& shown;
    };
    // Follows the classifications and looks at what is written of attributes.
    explicit Service(const Needs& needs);

    // Memory as the database has it now: at the start, and when the feed tells of classifications.
    void reload();
    [[nodiscard]] Body frontend() const;    // published and shown on pages
    [[nodiscard]] Body filterable() const;  // published and shown in filters

    // Of a trip of any status; for everyone only of a published one and of what is shown: else trip_not_found.
    [[nodiscard]] Result<std::vector<Said>> values(std::int64_t trip_id, bool staff) const;
    // Called in the write's own transaction with what will be answered. May be empty.
    using Kept = std::function<void(store::Transaction&, const std::vector<Said>&)>;
    using User = std::optional<std::int64_t>;
    // Sets these and leaves the others; an empty value takes one away. A write of the trip, with all that follows.
    // `seen` is the trip's row_version that the writer has read, if it says so; another one is svc_conflict.
    using Seen = trips::Seen;
    Result<std::vector<Said>> set(std::int64_t trip_id, const std::vector<std::pair<std::int64_t, json::Value>>& values,
                                  User user, const Kept& kept = {}, Seen seen = {});
    // svc_not_found when the trip says nothing about it.
    Result<void> remove(std::int64_t trip_id, std::int64_t attribute_id, User user, Seen seen = {});
    [[nodiscard]] Seen version(std::int64_t trip_id) const { return trips_.version(trip_id); }
    // What published trips say, each option of a list by itself, the most frequent first; for everyone only of an
    // attribute that pages or filters show, else svc_not_found.
    [[nodiscard]] Result<std::vector<std::pair<json::Value, std::int64_t>>> value_counts(std::int64_t attribute_id,
                                                                                         bool staff) const;

  private:
    void forget(store::Transaction& tx, std::int64_t attribute_id);
    void tell(store::Transaction& tx, classifications::Service::Written what, std::span<const std::int64_t> ids) const;
    // An attribute as staff read it; null where there is none.
    [[nodiscard]] json::Value record_of(store::Session& session, std::int64_t attribute_id) const;
    using Rewrite = std::function<Result<void>(json::Value& values)>;
    Result<std::vector<Said>> rewrite(std::int64_t trip_id, const Rewrite& rewrite, User user, const Kept& kept,
                                      Seen seen);

    store::Store& store_;
    classifications::Service& classifications_;
    trips::Service& trips_;
    ShownIds& shown_;
    mutable std::mutex swapping_;
    Body frontend_, filterable_;
};

}  // namespace svc::catalog::attributes
