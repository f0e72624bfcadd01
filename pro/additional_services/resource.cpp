// The rules of additional services.
#include "pro/additional_services/resource.hpp"

#include "shared/core/exact_money.hpp"

namespace svc::pro::additional_services {
namespace {

void take_price(Price& price, const std::string& given, Currency currency, Faults& faults) {
    constexpr std::int64_t whole = 1'000'000;
    price.currency = currency;
    price.amount = Money::zero(currency);
    price.rate = {};
    if (price.is_share()) {
        if (const auto rate = Rate::parse_percent(given); rate && rate->ppm >= 0 && rate->ppm <= whole)
            price.rate = *rate;
        else
            faults.at("price", "Enter a percentage from 0 to 100 with at most 4 decimals."_sentence);
    } else if (const auto amount = parse_exact(given, currency); amount && !amount->is_negative()) {
        price.amount = *amount;
    } else {
        faults.at("price", "Enter a price of 0 or more."_sentence);
    }
}

void adjust(const AdditionalService* before, AdditionalService& after, const json::Value& body, Currency site,
            Faults& faults) {
    if (const auto& price = body["price"]; price.is_number())
        take_price(after.price, price.number_text(), site, faults);
    else if (before && before->price.type != after.price.type)  // ten per cent must not become ten dollars
        faults.at("price", "Enter a price when changing price_type."_sentence);
    if (after.applicable_to == "all")
        after.trip_ids.clear();
}

}  // namespace

resource::Resource<AdditionalService> service_resource(store::Store& store, std::function<Currency()> currency,
                                                       std::function<Zone()> zone, std::function<void()> written,
                                                       std::function<void(store::Transaction&)> note_change) {
    using Does = resource::BulkAction::Does;
    const auto may_write = api::Permission::can("svc_edit_trips");
    resource::Options options{.store = store,
                              .path = "/additional-services",
                              .one = "additional service",
                              .many = "additional services",
                              .reads = api::Permission::can("svc_view_trips"),
                              .writes = may_write,
                              .removes = may_write,
                              .module = std::string(module_slug),
                              .ascending = true,
                              .bulk = {{.name = "publish", .status = "publish"},
                                       {.name = "draft", .status = "draft"},
                                       {.name = "trash", .status = "trash"},
                                       {.name = "restore", .does = Does::restore},
                                       {.name = "delete", .does = Does::remove}},
                              .zone = std::move(zone),
                              .note_change = std::move(note_change),
                              .changed = std::move(written)};
    resource::Rules<AdditionalService> rules;
    rules.adjust = [currency = std::move(currency)](const auto* before, auto& after, const json::Value& body,
                                                    Faults& faults) {
        adjust(before, after, body, currency(), faults);
    };
    rules.check = [](const auto* before, const AdditionalService& after, Faults& faults) {
        // Its last trip may have been taken away on the trip's own page.
        const bool had_none = before && before->applicable_to != "all" && before->trip_ids.empty();
        if (after.applicable_to != "all" && after.trip_ids.empty() && !had_none)
            faults.at("trip_ids", "Enter at least one trip."_sentence);
        if (after.stock_per_departure && after.is_automatic())
            faults.at(
                "stock_per_departure",
                "A required or included service is part of every booking, so the seats limit it. Clear the stock."_sentence);
    };
    rules.may_delete = [](store::Session&, const AdditionalService& service, bool) -> Result<void> {
        if (service.bookings_count > 0)
            return Error(errc::in_use,
                         "Bookings use this service. Set its status to draft to stop offering it."_sentence);
        return {};
    };
    return {service_record(), std::move(options), std::move(rules)};
}

std::vector<api::RouteSpec> service_routes(const resource::Resource<AdditionalService>& services) {
    return {services.list_route(),   services.stats_route(),  services.read_route(), services.create_route(),
            services.update_route(), services.remove_route(), services.bulk_route()};
}

}  // namespace svc::pro::additional_services
