// What may be stored of a service, and when it may go.
#include "pro/additional_services/service.hpp"

#include "shared/core/exact_money.hpp"

namespace svc::pro::additional_services {
namespace {

template <class T>
void take(T& member, const std::optional<T>& change) {
    if (change)
        member = *change;
}

Result<void> take_price(Price& price, const std::string& given, Currency currency) {
    if (price.type == "percentage") {
        constexpr std::int64_t whole = 1'000'000;
        const auto rate = Rate::parse_percent(given);
        if (!rate || rate->ppm < 0 || rate->ppm > whole)
            return invalid("price", "A percentage is 0 to 100, with at most 4 decimals.");
        price.rate = *rate;
        price.amount = Money::zero(currency);
        return {};
    }
    const auto amount = parse_exact(given, currency);
    if (!amount || amount->is_negative())
        return invalid("price", "A price is an amount of 0 or more.");
    price.amount = *amount;
    price.rate = {};
    return {};
}

AdditionalService fresh(Currency currency) {
    return {.name = {},
            .description = {},
            .price = {.amount = Money::zero(currency)},
            .max_quantity = {},
            .icon = {},
            .total_revenue = Money::zero(currency)};
}

}  // namespace

Result<void> Service::apply(AdditionalService& service, const Changes& changes) const {
    take(service.name, changes.name);
    take(service.description, changes.description);
    take(service.price.per, changes.price_per);
    take(service.icon, changes.icon);
    take(service.status, changes.status);
    take(service.applicable_to, changes.applicable_to);
    take(service.max_quantity, changes.max_quantity);
    take(service.sort_order, changes.sort_order);
    take(service.trip_ids, changes.trip_ids);
    take(service.is_required, changes.is_required);
    take(service.is_included, changes.is_included);
    take(service.is_taxable, changes.is_taxable);
    const bool is_other_kind = changes.price_type && *changes.price_type != service.price.type;
    take(service.price.type, changes.price_type);
    if (is_other_kind && !changes.price)  // ten per cent must not become ten dollars
        return invalid("price", "Another price_type needs its price.");
    if (changes.price)
        if (auto taken = take_price(service.price, *changes.price, currency_()); !taken)
            return taken;
    if (service.applicable_to == "all")
        service.trip_ids.clear();
    else if (service.trip_ids.empty())
        return invalid("trip_ids", "A service for specific trips names at least one.");
    return {};
}

Result<void> Service::check_trips(store::Session& session, const AdditionalService& service) const {
    if (const auto unknown = repository_.unknown_trip(session, service.trip_ids))
        return invalid("trip_ids", "There is no trip " + std::to_string(*unknown) + ".");
    return {};
}

Found Service::list(const Query& query) {
    return store_.reading<Found>([&](store::Session& session) {
        return Found{repository_.list(session, query), repository_.count(session, query)};
    });
}

Result<AdditionalService> Service::read(std::int64_t id) {
    auto found = store_.reading<std::optional<AdditionalService>>(
        [&](store::Session& session) { return repository_.find(session, id); });
    if (!found)
        return errc::not_found;
    return std::move(*found);
}

Result<AdditionalService> Service::create(const Changes& changes, std::int64_t user_id, Instant now, const Kept& kept) {
    auto service = fresh(currency_());
    if (auto applied = apply(service, changes); !applied)
        return applied.error();
    return store_.transact<AdditionalService>([&](store::Transaction& tx) -> Result<AdditionalService> {
        if (auto good = check_trips(tx, service); !good)
            return good.error();
        const auto id = repository_.insert(tx, service, user_id, now);
        auto stored = repository_.find(tx, id).value();
        tx.after_commit(written_);
        if (kept)
            kept(tx, stored);
        return stored;
    });
}

Result<AdditionalService> Service::update(std::int64_t id, const Changes& changes, std::int64_t user_id, Instant now,
                                          const Kept& kept) {
    return store_.transact<AdditionalService>([&](store::Transaction& tx) -> Result<AdditionalService> {
        auto service = repository_.find(tx, id);
        if (!service)
            return errc::not_found;
        if (auto applied = apply(*service, changes); !applied)
            return applied.error();
        if (auto good = check_trips(tx, *service); !good)
            return good.error();
        repository_.update(tx, *service, user_id, now);
        auto stored = repository_.find(tx, id).value();
        tx.after_commit(written_);
        if (kept)
            kept(tx, stored);
        return stored;
    });
}

Result<void> Service::remove(std::int64_t id, std::int64_t user_id, Instant now, const KeptRemoval& kept) {
    return store_.write([&](store::Transaction& tx) -> Result<void> {
        auto service = repository_.find(tx, id);
        if (!service)
            return errc::not_found;
        if (service->bookings_count > 0)
            return Error(errc::in_use, "Bookings hold this service; set it to draft to offer it no longer.");
        if (service->status == status::trash) {
            repository_.remove(tx, id);
        } else {
            service->status = status::trash;
            repository_.update(tx, *service, user_id, now);
        }
        tx.after_commit(written_);
        if (kept)
            kept(tx);
        return {};
    });
}

}  // namespace svc::pro::additional_services
