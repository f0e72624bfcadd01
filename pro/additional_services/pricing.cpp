// Chooses a booking's services and prices them.
#include "pro/additional_services/pricing.hpp"

#include <algorithm>

#include "pro/additional_services/booked.hpp"
#include "pro/additional_services/limits.hpp"

namespace svc::pro::additional_services {
namespace {

constexpr std::chrono::seconds oldest{1};

// How often the price counts for one of it: for each person, each day, or once.
std::int64_t units_of(const AdditionalService& service, const Party& party) {
    return service.price.is_share()        ? 1
           : service.price.per == "person" ? party.travelers
           : service.price.per == "day"    ? std::max<std::int64_t>(party.days, 1)
                                           : 1;
}

// What a context asks for, and the departure that it is asked for.
struct Wish {
    const json::Value& context;
    std::int64_t trip_id;
    Party party;
    bool offers_all;  // also what is not chosen
    // Bought in addition to what the booking has: its own units count, and what comes with it came with it.
    bool adds;
    std::optional<std::int64_t> booking_id;
    std::optional<Departure> departure = {};
    std::map<std::int64_t, std::int64_t> has = {};  // units of the booking, where it adds

    [[nodiscard]] std::optional<std::int64_t> chosen(const AdditionalService& service) const {
        return context["selected_services"].maybe_integer(std::to_string(service.id));
    }
    [[nodiscard]] std::int64_t wanted(const AdditionalService& service) const {
        return chosen(service).value_or(service.is_automatic() && !adds ? 1 : 0);
    }
    // A service of another currency has no price here.
    [[nodiscard]] bool has_place_for(const AdditionalService& service) const {
        return service.is_of(trip_id) && !(adds && service.is_automatic()) &&
               (service.price.is_share() || service.price.amount.currency() == party.base.currency());
    }
    [[nodiscard]] std::int64_t units_of_booking(const AdditionalService& service) const {
        const auto found = has.find(service.id);
        return found == has.end() ? 0 : found->second;
    }
};

std::optional<Wish> wish_of(const json::Value& context) {
    const auto is_set = [&](const char* member) { return context[member].is_boolean() && context[member].boolean(); };
    const auto currency = Currency::parse(context.text_or("currency"));
    const auto trip = context.maybe_integer("trip_id");
    if (!currency || !trip || !context["base_amount"].is_number())
        return std::nullopt;
    return Wish{.context = context,
                .trip_id = *trip,
                .party = {.travelers = context.maybe_integer("travelers_count").value_or(1),
                          .days = context.maybe_integer("duration_days").value_or(1),
                          .base = Money::parse(context["base_amount"].number_text(), *currency).value()},
                .offers_all = is_set("offered"),
                .adds = is_set("adds"),
                .booking_id = context.maybe_integer("booking_id")};
}

// The units that can still be had; nothing: as many as one likes.
struct Limit {
    std::optional<std::int64_t> most, left;  // units by all limits; pieces of the stock
    bool is_of_stock = false;                // the stock is what limits

    bool lower_to(std::int64_t units) {
        const bool lowers = !most || units < *most;
        most = std::max<std::int64_t>(0, std::min(most.value_or(units), units));
        return lowers;
    }
};

Limit limit_of(const AdditionalService& service, const Wish& wish, store::Session* session) {
    Limit limit;
    if (service.is_automatic())
        return limit;
    const std::int64_t has = wish.units_of_booking(service);
    if (service.max_quantity)
        limit.lower_to(*service.max_quantity - has);
    if (!wish.departure)  // no party was asked for either
        return limit;
    const std::int64_t travelers = std::max<std::int64_t>(1, wish.party.travelers);
    const bool for_each = service.price.is_for_each_traveler();
    if (service.max_per_traveler)
        limit.lower_to(*service.max_per_traveler * (for_each ? 1 : travelers) - has);
    if (service.stock_per_departure && session) {
        const std::int64_t taken =
            pieces_taken(*session, service.id, *wish.departure, wish.adds ? 0 : wish.booking_id.value_or(0));
        limit.left = std::max<std::int64_t>(0, *service.stock_per_departure - taken);
        limit.is_of_stock = limit.lower_to(for_each ? *limit.left / travelers : *limit.left);
    }
    return limit;
}

json::Value entry_of(const AdditionalService& service, const Wish& wish, const Limit& limit, bool is_closed,
                     const std::optional<Instant>& closes) {
    const bool is_share = service.price.is_share();
    const std::int64_t wanted = wish.wanted(service);
    const std::int64_t quantity = std::min(wanted, limit.most.value_or(wanted));
    json::Value entry =
        json::Value::object({{"id", service.id},
                             {"name", service.name},
                             {"price", is_share ? json::Value(service.price.rate) : json::Value(service.price.amount)},
                             {"price_type", service.price.type},
                             {"price_per", service.price.per},
                             {"quantity", quantity},
                             {"units", units_of(service, wish.party)},
                             {"unit_price", price_of(service, wish.party, 1)},
                             {"calculated_price", price_of(service, wish.party, quantity)},
                             {"days", wish.party.days},
                             {"taxable", service.is_taxable},
                             {"selected", wish.chosen(service).has_value()},
                             {"is_required", service.is_required},
                             {"is_included", service.is_included},
                             {"max_quantity", service.max_quantity}});
    if (wish.offers_all) {
        entry.set("description", service.description);
        entry.set("icon", service.icon);
        entry.set("max_per_traveler", service.max_per_traveler);
        entry.set("most", limit.most);
        entry.set("closes_at", closes);
    }
    // Of what was chosen only where it matters: a booking keeps its entries.
    if (wish.offers_all || (quantity < wanted && limit.is_of_stock))
        entry.set("stock_left", limit.left);
    if (wish.offers_all || is_closed)
        entry.set("is_closed", is_closed);
    return entry;
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
    auto wish = wish_of(context);
    if (!wish)
        return others;
    const Published known = published(tx);
    std::vector<const AdditionalService*> sold;
    bool has_limits = false;
    for (const AdditionalService& service : *known) {
        const bool is_wanted = wish->wanted(service) > 0;
        if ((!is_wanted && !wish->offers_all) || !wish->has_place_for(service))
            continue;
        sold.push_back(&service);
        has_limits = has_limits || service.stock_per_departure || service.deadline_hours || service.max_per_traveler;
    }
    const Zone zone = has_limits ? zone_() : Zone::utc();
    const Instant now = clock_.now();
    const auto add_all = [&](store::Session* session) {
        if (session)
            wish->departure = departure_of(*session, context);
        if (session && wish->adds && wish->booking_id)
            wish->has = additional_services::units_of_booking(*session, *wish->booking_id);
        json::Array ours;
        if (tx && wish->departure) {
            std::vector<std::int64_t> stocked;
            for (const AdditionalService* service : sold)
                if (service->stock_per_departure && wish->wanted(*service) > 0)
                    stocked.push_back(service->id);
            std::sort(stocked.begin(), stocked.end());
            for (const std::int64_t id : stocked)
                lock_stock(*tx, id, *wish->departure);
        }
        for (const AdditionalService* service : sold) {
            const auto closes = wish->departure && !service->is_automatic()
                                    ? closes_at(*service, *wish->departure, zone)
                                    : std::nullopt;
            ours.push_back(
                entry_of(*service, *wish, limit_of(*service, *wish, session), closes && now >= *closes, closes));
        }
        return ours;
    };
    const bool reads = has_limits || (wish->adds && wish->booking_id);
    auto ours =
        reads ? read<json::Array>(tx, [&](store::Session& session) { return add_all(&session); }) : add_all(nullptr);
    for (json::Value& each : ours)
        others.push(std::move(each));
    return others;
}

json::Value Pricing::short_of(store::Transaction* tx, json::Value others, std::int64_t booking_id,
                              const json::Value& booking) {
    if (!tx)
        return others;
    const auto departure = departure_of(*tx, booking);
    if (!departure)
        return others;
    const std::int64_t travelers = booking.maybe_integer("travelers_count").value_or(1);
    for (const Stocked& each : stocked_of_booking(*tx, booking_id)) {
        lock_stock(*tx, each.service_id, *departure);
        const std::int64_t left =
            std::max<std::int64_t>(0, each.stock - pieces_taken(*tx, each.service_id, *departure, booking_id));
        if (left < each.pieces(travelers))
            others.push(json::Value::object({{"id", each.service_id}, {"name", each.name}, {"left", left}}));
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
