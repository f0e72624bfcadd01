// Attribute values of trips, and the attributes of public pages, cached in memory.
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
#include "base/catalog/trips/editor/service.hpp"

namespace svc::catalog::attributes {

// A serialized body with its quoted ETag.
struct Body {
    std::shared_ptr<const std::string> text;
    std::string etag;
    std::int64_t total = 0;  // how many attributes it lists
};

struct AttributeValue {
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
    // Subscribes to changes of classifications and checks attributes when they are written.
    explicit Service(const Needs& needs);

    // Reloads the cache from the database: at the start, and when the change feed reports classifications.
    void reload();
    [[nodiscard]] Body frontend() const;    // published and shown on pages
    [[nodiscard]] Body filterable() const;  // published and shown in filters

    // For a trip of any status; without `staff` only for a published trip and visible attributes: else trip_not_found.
    [[nodiscard]] Result<std::vector<AttributeValue>> values(std::int64_t trip_id, bool staff) const;
    [[nodiscard]] static std::vector<AttributeValue> values(store::Session& session, std::int64_t trip_id);
    using User = std::optional<std::int64_t>;
    // Sets these values and leaves the others; an empty value removes one. Counts as a write of the trip. `seen` is the
    // row_version that the writer has read, if sent; svc_conflict when the trip has another one.
    using Seen = trips::Seen;
    Result<trips::Trip> set(std::int64_t trip_id, const std::vector<std::pair<std::int64_t, json::Value>>& values,
                            User user, Seen seen = {});
    // svc_not_found when the trip has no value for the attribute.
    Result<void> remove(std::int64_t trip_id, std::int64_t attribute_id, User user, Seen seen = {});
    [[nodiscard]] Seen version(std::int64_t trip_id) const { return trips_.version(trip_id); }
    // Values of published trips, each option of a list counted separately, the most frequent first. Without `staff`
    // only for an attribute that pages or filters show, else svc_not_found.
    [[nodiscard]] Result<std::vector<std::pair<json::Value, std::int64_t>>> value_counts(std::int64_t attribute_id,
                                                                                         bool staff) const;

  private:
    void forget(store::Transaction& tx, std::int64_t attribute_id);
    void report_changes(store::Transaction& tx, classifications::Service::Written what,
                        std::span<const std::int64_t> ids) const;
    // An attribute as staff read it; null when it does not exist.
    [[nodiscard]] json::Value record_of(store::Session& session, std::int64_t attribute_id) const;
    using Rewrite = std::function<Result<void>(json::Value& values)>;
    Result<trips::Trip> rewrite(std::int64_t trip_id, const Rewrite& rewrite, User user, Seen seen);

    store::Store& store_;
    classifications::Service& classifications_;
    trips::Service& trips_;
    ShownIds& shown_;
    mutable std::mutex swapping_;
    Body frontend_, filterable_;
};

}  // namespace svc::catalog::attributes
