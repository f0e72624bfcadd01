// GET, PUT, DELETE /trips/{id}/payment-plan; POST /trips/{id}/payment-plan/preview.
#include "pro/scheduled_payments/routes.hpp"
#include "shared/api/keeping.hpp"
#include "shared/api/named.hpp"

namespace svc::pro::scheduled_payments {
namespace {

using api::Request;
using json::Value;

api::Schema part_schema() {
    using namespace api;
    return {
        {.name = "amount",
         .type = money().or_null(),
         .help = "Fixed amount in the trip's currency; the last part takes the rest."},
        {.name = "percentage", .type = percent().or_null(), .help = "Percentage of the price, in place of an amount."},
        {.name = "due",
         .type = choice({"booking", "date", "after_booking", "before_departure"}),
         .help = "The first part is due at booking, and it alone.",
         .required = true},
        {.name = "date", .type = api::date().or_null(), .help = "Where due is date."},
        {.name = "days",
         .type = integer(0, TripPlan::most_days).or_null(),
         .help = "Where due is after_booking or before_departure: number of days."}};
}

api::Schema plan_schema() {
    using namespace api;
    return {{.name = "kind",
             .type = choice({"fixed", "flexible"}),
             .help = "fixed: customers pay part by part. flexible: they may also pay earlier, and all at once.",
             .required = true},
            {.name = "parts",
             .type = list(object("PaymentPlanPart", part_schema()), TripPlan::most_parts, 1),
             .help = "At most 10; parts whose day has come are paid with the first one.",
             .required = true}};
}

api::Type plan_answer() {
    using namespace api;
    using api::text;
    return object(
        "TripPaymentPlan",
        {{.name = "trip_id", .type = id(), .required = true},
         {.name = "kind",
          .type = choice({"fixed", "flexible"}).or_null(),
          .help = "Null: the trip has no plan of its own."},
         {.name = "currency", .type = text(3), .help = "The trip's.", .required = true},
         {.name = "parts",
          .type = list(object("PaymentPlanPart", part_schema()), TripPlan::most_parts),
          .required = true},
         {.name = "is_used",
          .type = boolean(),
          .help = "Whether bookings are paid by it: false while scheduled payments are off, and where its amounts are"
                  " in another currency than the trip's.",
          .required = true},
         {.name = "updated_at", .type = instant().or_null()}});
}

api::Type preview_answer() {
    using namespace api;
    return object(
        "PaymentPlanPreview",
        {{.name = "currency", .type = api::text(3), .required = true},
         {.name = "total", .type = money(), .required = true},
         {.name = "payments",
          .type =
              list(object({{.name = "date", .type = api::date(), .help = "The day of the payment.", .required = true},
                           {.name = "amount", .type = money(), .required = true},
                           {.name = "at_booking", .type = boolean(), .required = true}}),
                   TripPlan::most_parts),
          .help = "They come to the total.",
          .required = true}});
}

Value part_json(const TripPlanPart& part) {
    return Value::object({{"amount", part.amount ? Value(*part.amount) : Value()},
                          {"percentage", part.rate ? Value(*part.rate) : Value()},
                          {"due", part.due},
                          {"date", part.on},
                          {"days", part.days ? Value(std::int64_t{*part.days}) : Value()}});
}

Value plan_json(std::int64_t trip_id, Currency currency, const std::optional<StoredPlan>& stored, bool is_on) {
    Value value = Value::object({{"trip_id", trip_id},
                                 {"kind", stored ? Value(stored->plan.kind) : Value()},
                                 {"currency", currency.code()},
                                 {"parts", Value::array()},
                                 {"is_used", stored && is_on && stored->plan.fits(currency)},
                                 {"updated_at", stored ? Value(stored->updated_at) : Value()}});
    if (stored)
        value.set("parts", json::array_of(stored->plan.parts, part_json));
    return value;
}

// The last part's share is what the others leave; so that a plan in percentages reads as it was written.
StoredPlan with_last_share(StoredPlan stored) {
    std::int64_t left = 1'000'000;
    for (std::size_t at = 0; at + 1 < stored.plan.parts.size(); ++at) {
        if (!stored.plan.parts[at].rate)
            return stored;
        left -= stored.plan.parts[at].rate->ppm;
    }
    if (stored.plan.parts.size() > 1)
        stored.plan.parts.back().rate = Rate{.ppm = left};
    return stored;
}

TripPlanPart part_in(const Value& given, Currency currency, std::size_t number, Faults& faults) {
    TripPlanPart part{.due = given["due"].text()};
    if (given["amount"].is_number()) {
        const auto amount = Money::parse(given["amount"].number_text(), currency);
        if (amount)
            part.amount = *amount;
        else
            faults.at("parts." + std::to_string(number) + ".amount", amount.error().message());
    }
    if (given["percentage"].is_number())
        if (const auto rate = Rate::parse_percent(given["percentage"].number_text()))
            part.rate = *rate;
    part.on = Date::parse(given.text_or("date"));
    if (const auto days = given.maybe_integer("days"))
        part.days = static_cast<int>(*days);
    return part;
}

Result<TripPlan> plan_in(const Value& body, Currency currency) {
    Faults faults;
    TripPlan plan{.kind = body["kind"].text(), .currency = currency};
    for (const Value& each : body["parts"].items())
        plan.parts.push_back(part_in(each, currency, plan.parts.size() + 1, faults));
    // A single part is the whole price, in whatever words.
    if (plan.parts.size() == 1 && plan.parts[0].rate && plan.parts[0].rate->ppm == 1'000'000)
        plan.parts[0].rate.reset();
    if (faults.none())
        check(plan, faults);
    if (!faults.none())
        return faults.error();
    return plan;
}

api::RouteSpec route(api::Method method, std::string path, std::string_view right, std::string summary) {
    api::RouteSpec spec{.method = method, .path = std::move(path), .who = api::Permission::can(std::string(right))};
    spec.module = module_slug;
    spec.summary = std::move(summary);
    spec.errors = {&errc::trip_not_found};
    return spec;
}

constexpr const char* path = "/trips/{id}/payment-plan";

api::RouteSpec read_route(const Site& site, Plans& plans) {
    auto spec = route(api::Method::get, path, "svc_view_trips",
                      "Return the payment plan of a trip; without parts, the settings of the site are used.");
    spec.answer = plan_answer();
    spec.handle = [&](const Request& request) -> api::Reply {
        std::optional<Currency> currency;
        std::optional<StoredPlan> stored;
        site.store.read([&](store::Session& session) {
            currency = TripPlans::currency_of_trip(session, request.path_id());
            stored = TripPlans::find(session, request.path_id());
        });
        if (!currency)
            return api::failed(errc::trip_not_found);
        if (stored)
            stored = with_last_share(std::move(*stored));
        return api::ok(plan_json(request.path_id(), *currency, stored, plans.is_on()));
    };
    return spec;
}

api::RouteSpec write_route(const Site& site, Plans& plans) {
    auto spec = route(api::Method::put, path, "svc_edit_trips",
                      "Set the payment plan of a trip. What customers have agreed to stays as it is.");
    spec.body = plan_schema();
    spec.answer = plan_answer();
    spec.repeats_safely = true;
    spec.stores_reply = true;
    spec.handle = [&](const Request& request) {
        const std::int64_t trip_id = request.path_id();
        auto reply = api::respond_once(
            request,
            [&] {
                return site.store.transact<Value>([&](store::Transaction& tx) -> Result<Value> {
                    const auto currency = TripPlans::currency_of_trip(tx, trip_id);
                    if (!currency)
                        return errc::trip_not_found;
                    SVC_ASSIGN_OR_RETURN(const TripPlan plan, plan_in(request.body, *currency));
                    TripPlans::put(tx, trip_id, plan, request.now);
                    plans.known.touch(tx);
                    return plan_json(trip_id, *currency, with_last_share({.plan = plan, .updated_at = request.now}),
                                     plans.is_on());
                });
            },
            [](const Value& plan) { return api::ok(plan); });
        plans.known.forget();
        return reply;
    };
    return spec;
}

api::RouteSpec remove_route(const Site& site, Plans& plans) {
    auto spec = route(api::Method::del, path, "svc_edit_trips",
                      "Remove the payment plan of a trip: its bookings are paid by the settings of the site.");
    spec.answer = api::object({{.name = "id", .type = api::id(), .required = true},
                               {.name = "deleted", .type = api::boolean(), .required = true}});
    spec.repeats_safely = true;
    spec.stores_reply = true;
    spec.handle = [&](const Request& request) {
        auto reply = api::respond_once(
            request,
            [&] {
                return site.store.transact<std::int64_t>([&](store::Transaction& tx) -> Result<std::int64_t> {
                    if (!TripPlans::currency_of_trip(tx, request.path_id()))
                        return errc::trip_not_found;
                    TripPlans::remove(tx, request.path_id());
                    plans.known.touch(tx);
                    return request.path_id();
                });
            },
            [](std::int64_t id) { return api::deleted(id); });
        plans.known.forget();
        return reply;
    };
    return spec;
}

Value preview_json(const Divided& divided, const Money& total, Date booked_on) {
    const auto row = [](Date day, const Money& amount, bool at_booking) {
        return Value::object({{"date", day}, {"amount", amount}, {"at_booking", at_booking}});
    };
    Value payments = Value::array({row(booked_on, divided.first, true)});
    for (const AgreedPart& each : divided.later)
        payments.push(row(each.part.date, each.part.amount, false));
    return Value::object({{"currency", total.currency().code()}, {"total", total}, {"payments", std::move(payments)}});
}

api::RouteSpec preview_route(const Site& site) {
    auto spec = route(api::Method::post, std::string(path) + "/preview", "svc_view_trips",
                      "Return what a booking of today would pay by this plan, without storing it.");
    spec.body = plan_schema().plus(
        {{.name = "total", .type = api::money(), .help = "The price of the booking.", .required = true},
         {.name = "travel_date", .type = api::date(), .help = "The day of departure.", .required = true}});
    spec.answer = preview_answer();
    spec.repeats_safely = true;
    spec.handle = [&](const Request& request) -> api::Reply {
        const auto currency = site.store.reading<std::optional<Currency>>(
            [&](store::Session& session) { return TripPlans::currency_of_trip(session, request.path_id()); });
        if (!currency)
            return api::failed(errc::trip_not_found);
        const Date today = site.today(request.now);
        const auto total = Money::parse(request.body["total"].number_text(), *currency);
        if (!total || total->is_zero())
            return api::failed(invalid("total", "Enter a price above zero."_sentence));
        const Date travel_date = Date::parse(request.body["travel_date"].text()).value_or(today);
        if (travel_date <= today)
            return api::failed(invalid("travel_date", "Enter a day after today."_sentence));
        SVC_ASSIGN_OR_RETURN(const TripPlan plan, plan_in(request.body, *currency));
        return api::ok(preview_json(divide(plan, *total, today, travel_date), *total, today));
    };
    return spec;
}

}  // namespace

void add_plan_routes(const Site& site, Plans& plans) {
    site.routes.add(read_route(site, plans));
    site.routes.add(write_route(site, plans));
    site.routes.add(remove_route(site, plans));
    site.routes.add(preview_route(site));
}

}  // namespace svc::pro::scheduled_payments
