// Chooses a booking's services and prices them.
#include "pro/additional_services/pricing.hpp"

#include <algorithm>

#include "pro/additional_services/booked.hpp"

namespace svc::pro::additional_services {
namespace {

constexpr std::chrono::seconds oldest{1};
constexpr std::int64_t most_services = 500;

bool is_of(const AdditionalService& service, std::int64_t trip_id) {
    return service.applicable_to == "all" ||
           std::find(service.trip_ids.begin(), service.trip_ids.end(), trip_id) != service.trip_ids.end();
}

// How often the price counts for one of it: for each person, each day, or once.
std::int64_t units_of(const AdditionalService& service, const Party& party) {
    return service.price.is_share()        ? 1
           : service.price.per == "person" ? party.travelers
           : service.price.per == "day"    ? std::max<std::int64_t>(party.days, 1)
                                           : 1;
}

std::int64_t quantity_of(const AdditionalService& service, const json::Value& selected) {
    const auto chosen = selected.maybe_integer(std::to_string(service.id));
    if (!chosen)
        return service.is_required || service.is_included ? 1 : 0;
    return service.max_quantity ? std::min(*chosen, *service.max_quantity) : *chosen;
}

}  // namespace

Money price_of(const AdditionalService& service, const Party& party, std::int64_t quantity) {
    if (service.is_included)
        return Money::zero(party.base.currency());
    if (service.price.is_share())
        return party.base.share(service.price.rate).times(quantity);
    return service.price.amount.times(units_of(service, party)).times(quantity);
}

Pricing::Published Pricing::published(store::Transaction* tx) {
    const auto read = [&](store::Session& session) {
        return std::make_shared<const std::vector<AdditionalService>>(service_record().list(
            session, {.status = "publish", .order_by = "sort_order", .ascending = true, .limit = most_services}));
    };
    if (tx)
        return read(*tx);
    {
        const std::lock_guard lock(mutex_);
        if (known_ && (is_followed_ || std::chrono::steady_clock::now() - read_at_ < oldest))
            return known_;
    }
    const auto at = std::chrono::steady_clock::now();
    auto fresh = store_.reading<Published>(read);
    const std::lock_guard lock(mutex_);
    if (at > read_at_) {
        known_ = fresh;
        read_at_ = at;
    }
    return fresh;
}

void Pricing::forget() {
    const std::lock_guard lock(mutex_);
    known_.reset();
    read_at_ = std::chrono::steady_clock::now();  // older reads are not stored
}

json::Value Pricing::services(store::Transaction* tx, json::Value others, const json::Value& context) {
    const auto currency = Currency::parse(context.text_or("currency"));
    const auto trip = context.maybe_integer("trip_id");
    if (!currency || !trip || !context["base_amount"].is_number())
        return others;
    const Party party{.travelers = context.maybe_integer("travelers_count").value_or(1),
                      .days = context.maybe_integer("duration_days").value_or(1),
                      .base = Money::parse(context["base_amount"].number_text(), *currency).value()};
    const bool offers_all = context["offered"].is_boolean() && context["offered"].boolean();
    const Published known = published(tx);
    for (const AdditionalService& service : *known) {
        const std::int64_t quantity = quantity_of(service, context["selected_services"]);
        // An amount of another currency is no price here.
        const bool is_foreign = !service.price.is_share() && service.price.amount.currency() != *currency;
        if ((quantity <= 0 && !offers_all) || !is_of(service, *trip) || is_foreign)
            continue;
        const bool is_share = service.price.is_share();
        json::Value shown = json::Value::object(
            {{"id", service.id},
             {"name", service.name},
             {"price", is_share ? json::Value(service.price.rate) : json::Value(service.price.amount)},
             {"price_type", service.price.type},
             {"price_per", service.price.per},
             {"quantity", quantity},
             {"units", units_of(service, party)},
             {"unit_price", price_of(service, party, 1)},
             {"calculated_price", price_of(service, party, quantity)},
             {"days", party.days},
             {"taxable", service.is_taxable},
             {"selected", context["selected_services"].find(std::to_string(service.id)) != nullptr},
             {"is_required", service.is_required},
             {"is_included", service.is_included},
             {"max_quantity", service.max_quantity}});
        if (offers_all) {
            shown.set("description", service.description);
            shown.set("icon", service.icon);
        }
        others.push(std::move(shown));
    }
    return others;
}

json::Value Pricing::keep(store::Transaction* tx, json::Value services, std::int64_t booking_id) {
    if (tx)
        store_booked(*tx, booking_id, services, clock_.now());
    return services;
}

json::Value Pricing::of_booking(store::Transaction* tx, const json::Value& services, std::int64_t booking_id) {
    const auto read = [&](store::Session& session) { return booked_services(session, booking_id); };
    json::Value stored = tx ? read(*tx) : store_.reading<json::Value>(read);
    return stored.size() > 0 ? stored : services;
}

}  // namespace svc::pro::additional_services
