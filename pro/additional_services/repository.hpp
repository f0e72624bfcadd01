// SQL of additional services.
#pragma once

#include "pro/additional_services/additional_service.hpp"
#include "shared/json/value.hpp"
#include "shared/store/store.hpp"

namespace svc::pro::additional_services {

struct Query {
    std::string status;  // empty and "all": all but the trash
    std::string search;
    std::optional<Instant> from = {}, to = {};  // added from then on, and before then
    std::string order_by{"sort_order"};
    bool ascending = true;
    std::int64_t limit = 20, offset = 0;
};

class Repository {
  public:
    [[nodiscard]] std::vector<AdditionalService> list(store::Session& session, const Query& query) const;
    [[nodiscard]] std::int64_t count(store::Session& session, const Query& query) const;
    [[nodiscard]] std::optional<AdditionalService> find(store::Session& session, std::int64_t id) const;
    // Folds anew what services are searched by, in rows that an earlier version wrote. Answers how many changed.
    std::int64_t fold_search(store::Transaction& tx) const;
    // The first of these trips that does not exist.
    [[nodiscard]] std::optional<std::int64_t> unknown_trip(store::Session& session,
                                                           const std::vector<std::int64_t>& trip_ids) const;

    std::int64_t insert(store::Transaction& tx, const AdditionalService& service, std::int64_t user_id,
                        Instant now) const;
    void update(store::Transaction& tx, const AdditionalService& service, std::int64_t user_id, Instant now) const;
    void remove(store::Transaction& tx, std::int64_t id) const;

    // What a booking bought, in place of what it had bought before; those that are none of ours are passed over.
    void keep(store::Transaction& tx, std::int64_t booking_id, const json::Value& services, Instant now) const;
    [[nodiscard]] json::Value of_booking(store::Session& session, std::int64_t booking_id) const;
};

}  // namespace svc::pro::additional_services
