// The rules of additional services.
#pragma once

#include <functional>

#include "pro/additional_services/repository.hpp"
#include "shared/core/result.hpp"

namespace svc::pro::additional_services {

// What a caller sends; what is absent stays as it is, or takes its default on a new one.
struct Changes {
    std::optional<std::string> name, description, price_type, price_per, icon, status, applicable_to;
    std::optional<std::string> price;  // decimal text: an amount, or a percent for `percentage`
    std::optional<std::optional<std::int64_t>> max_quantity;
    std::optional<std::int64_t> sort_order;
    std::optional<std::vector<std::int64_t>> trip_ids;
    std::optional<bool> is_required, is_included, is_taxable;
};

struct Found {
    std::vector<AdditionalService> services;
    std::int64_t total = 0;
};

// Any thread.
class Service {
  public:
    // Keeps the answer for a repeat of the request, in the transaction of the write.
    using Kept = std::function<void(store::Transaction&, const AdditionalService&)>;
    using KeptRemoval = std::function<void(store::Transaction&)>;

    // `currency` answers the site's, in which a fixed price is read; `zone` the site's, which days of a list are of.
    Service(store::Store& store, std::function<Currency()> currency, std::function<Zone()> zone = Zone::utc)
        : store_(store), currency_(std::move(currency)), zone_(std::move(zone)) {}

    void when_written(std::function<void()> then) { written_ = std::move(then); }  // [start-up] after each commit

    [[nodiscard]] Found list(const Query& query);
    [[nodiscard]] Zone zone() const { return zone_(); }
    [[nodiscard]] Result<AdditionalService> read(std::int64_t id);
    Result<AdditionalService> create(const Changes& changes, std::int64_t user_id, Instant now, const Kept& kept);
    Result<AdditionalService> update(std::int64_t id, const Changes& changes, std::int64_t user_id, Instant now,
                                     const Kept& kept);
    // To the trash; from there for good. One that bookings hold: svc_in_use.
    Result<void> remove(std::int64_t id, std::int64_t user_id, Instant now, const KeptRemoval& kept);

    // Folds anew what services are searched by, see Repository::fold_search.
    Result<std::int64_t> fold_search() {
        return store_.transact<std::int64_t>(
            [this](store::Transaction& tx) -> Result<std::int64_t> { return repository_.fold_search(tx); });
    }

  private:
    Result<void> apply(AdditionalService& service, const Changes& changes) const;
    Result<void> check_trips(store::Session& session, const AdditionalService& service) const;

    store::Store& store_;
    std::function<Currency()> currency_;
    std::function<Zone()> zone_;
    std::function<void()> written_ = [] {};
    Repository repository_;
};

}  // namespace svc::pro::additional_services
