// What was sold of each service, and what the coming departures need of it.
#include <map>

#include "pro/additional_services/routes.hpp"
#include "shared/api/named.hpp"
#include "shared/api/period.hpp"
#include "shared/store/typed.hpp"

namespace svc::pro::additional_services {
namespace {

using json::Value;

constexpr std::int64_t most_reported = 500, most_departures = 500;

// Of one service in one currency.
struct Sold {
    std::int64_t service_id = 0;
    std::string currency;
    std::int64_t bookings = 0, quantity = 0, amount = 0;
};

std::vector<Sold> sold_between(store::Session& session, Instant from, Instant to) {
    return store::structs<Sold, std::int64_t, std::string, std::int64_t, std::int64_t, std::int64_t>(
        session,
        "SELECT s.service_id, b.currency, COUNT(*), CAST(SUM(s.quantity * CASE WHEN s.price_type = 'fixed' AND"
        " s.price_per = 'person' THEN b.travelers_count ELSE 1 END) AS BIGINT), CAST(SUM(s.amount_minor) AS BIGINT)"
        " FROM svc_booking_services s JOIN svc_booking_v2 b ON b.id = s.booking_id"
        " WHERE s.service_id IS NOT NULL AND b.created_at >= :from AND b.created_at < :to"
        " AND b.status NOT IN ('cancelled', 'refunded', 'failed', 'trash', 'waitlist')"
        " GROUP BY s.service_id, b.currency ORDER BY 5 DESC, 1",
        {{"from", from}, {"to", to}});
}

std::int64_t bookings_between(store::Session& session, Instant from, Instant to) {
    return store::value<std::int64_t>(session,
                                      "SELECT COUNT(*) FROM svc_booking_v2 b WHERE b.created_at >= :from AND"
                                      " b.created_at < :to"
                                      " AND b.status NOT IN ('cancelled', 'refunded', 'failed', 'trash', 'waitlist')",
                                      {{"from", from}, {"to", to}})
        .value_or(0);
}

Value row_of(const AdditionalService& service, const Sold& sold, Currency currency, std::int64_t all) {
    constexpr std::int64_t whole = 1'000'000;
    const Rate share{all > 0 ? sold.bookings * whole / all : 0};
    return Value::object({{"service_id", service.id},
                          {"name", service.name},
                          {"status", service.status},
                          {"bookings_count", sold.bookings},
                          {"share_of_bookings", share},
                          {"quantity", sold.quantity},
                          {"revenue", Money{sold.amount, currency}},
                          {"currency", currency.code()}});
}

api::Type sales_answer() {
    const api::Schema row{
        {.name = "service_id", .type = api::id(), .required = true},
        {.name = "name", .type = api::text(190), .required = true},
        {.name = "status", .type = api::choice({"publish", "draft"}), .required = true},
        {.name = "bookings_count",
         .type = api::integer(0),
         .help = "Bookings that have it, without those given up.",
         .required = true},
        {.name = "share_of_bookings",
         .type = api::percent(),
         .help = "Of all bookings of the period.",
         .required = true},
        {.name = "quantity",
         .type = api::integer(0),
         .help = "Pieces: one with a price per person is a piece for each traveler.",
         .required = true},
        {.name = "revenue", .type = api::money(), .help = "Before tax where prices are without tax.", .required = true},
        {.name = "currency", .type = api::text(3), .required = true}};
    return api::object(
        "ServiceSales",
        {{.name = "bookings_count", .type = api::integer(0), .help = "All bookings of the period.", .required = true},
         {.name = "services",
          .type = api::list(api::object("ServiceSalesRow", row), 2000),
          .help = "A row for each service and currency; services that nobody bought are last.",
          .required = true}});
}

api::RouteSpec sales_route(const Site& site) {
    api::RouteSpec spec{.method = api::Method::get,
                        .path = "/additional-services/report",
                        .who = api::Permission::can("svc_view_financial_reports")};
    spec.module = module_slug;
    spec.summary = "Return what was sold of each service with the bookings made in a period, best seller first.";
    spec.query = api::period_fields();
    spec.answer = sales_answer();
    spec.handle = [&site](const api::Request& request) -> api::Reply {
        SVC_ASSIGN_OR_RETURN(const auto period, api::period_of(request.query, site.zone()));
        const Instant from = period.from.value_or(Instant::from_micros(0));
        const Instant to = period.to.value_or(request.now.plus(std::chrono::hours(24)));
        std::vector<Sold> sold;
        std::int64_t all = 0;
        const auto services = site.store.reading<std::vector<AdditionalService>>([&](store::Session& session) {
            sold = sold_between(session, from, to);
            all = bookings_between(session, from, to);
            return service_record().list(session,
                                         {.order_by = "sort_order", .ascending = true, .limit = most_reported});
        });
        std::map<std::int64_t, const AdditionalService*> by_id;
        for (const AdditionalService& each : services)
            if (each.status != "trash")
                by_id.emplace(each.id, &each);
        Value rows = Value::array();
        std::map<std::int64_t, bool> has_row;
        for (const Sold& each : sold)
            if (const auto service = by_id.find(each.service_id); service != by_id.end())
                if (const auto currency = Currency::parse(each.currency)) {
                    rows.push(row_of(*service->second, each, *currency, all));
                    has_row[each.service_id] = true;
                }
        for (const AdditionalService& each : services)
            if (by_id.contains(each.id) && !has_row.contains(each.id))
                rows.push(row_of(each, {}, each.price.currency, all));
        return api::ok(Value::object({{"bookings_count", all}, {"services", std::move(rows)}}));
    };
    return spec;
}

struct Need {
    std::int64_t service_id = 0;
    std::string name;
    std::int64_t trip_id = 0;
    std::string trip_title, day;
    std::optional<std::string> time;
    std::int64_t bookings = 0, quantity = 0;
    std::optional<std::int64_t> stock;
};

api::RouteSpec departures_route(const Site& site) {
    api::RouteSpec spec{.method = api::Method::get,
                        .path = "/additional-services/departures",
                        .who = api::Permission::can("svc_view_trips")};
    spec.module = module_slug;
    spec.summary = "List how many pieces of each service the departures of a period need, by day.";
    spec.query = {{.name = "from", .type = api::date(), .help = "First day; default today."},
                  {.name = "to", .type = api::date(), .help = "Last day; default in 30 days."}};
    const api::Schema row{
        {.name = "service_id", .type = api::id(), .required = true},
        {.name = "name", .type = api::text(190), .required = true},
        {.name = "trip_id", .type = api::id(), .required = true},
        {.name = "trip_title", .type = api::text(255), .required = true},
        {.name = "travel_date", .type = api::date(), .required = true},
        {.name = "departure_time", .type = api::time().or_null(), .required = true},
        {.name = "bookings_count", .type = api::integer(0), .required = true},
        {.name = "quantity", .type = api::integer(0), .help = "Pieces that bookings have.", .required = true},
        {.name = "stock_per_departure", .type = api::integer(1).or_null(), .required = true}};
    spec.answer = api::list(api::object("ServiceNeed", row), most_departures);
    spec.handle = [&site](const api::Request& request) -> api::Reply {
        const Date today = site.today(request.now);
        const auto day = [&](const char* name, Date otherwise) {
            const auto given = request.query.maybe_text(name);
            return given ? Date::parse(*given).value_or(otherwise) : otherwise;
        };
        const Date from = day("from", today), to = day("to", from.plus_days(30));
        const auto needs = site.store.reading<std::vector<Need>>([&](store::Session& session) {
            return store::structs<Need, std::int64_t, std::string, std::int64_t, std::string, std::string,
                                  std::optional<std::string>, std::int64_t, std::int64_t, std::optional<std::int64_t>>(
                session,
                "SELECT a.id, a.name, b.trip_id, t.title, b.travel_date, b.departure_time, COUNT(*),"
                " CAST(SUM(s.quantity * CASE WHEN s.price_type = 'fixed' AND s.price_per = 'person' THEN"
                " b.travelers_count ELSE 1 END) AS BIGINT), a.stock_per_departure FROM svc_booking_services s"
                " JOIN svc_additional_services a ON a.id = s.service_id JOIN svc_booking_v2 b ON b.id = s.booking_id"
                " JOIN svc_trip_v1 t ON t.id = b.trip_id"
                " WHERE b.travel_date >= :from AND b.travel_date <= :to"
                " AND b.status NOT IN ('cancelled', 'refunded', 'failed', 'trash')"
                " GROUP BY a.id, a.name, a.stock_per_departure, b.trip_id, t.title, b.travel_date, b.departure_time"
                " ORDER BY b.travel_date, b.departure_time, t.title, a.name LIMIT 500",
                {{"from", from}, {"to", to}});
        });
        return api::ok(json::array_of(needs, [](const Need& each) {
            return Value::object({{"service_id", each.service_id},
                                  {"name", each.name},
                                  {"trip_id", each.trip_id},
                                  {"trip_title", each.trip_title},
                                  {"travel_date", each.day},
                                  {"departure_time", each.time},
                                  {"bookings_count", each.bookings},
                                  {"quantity", each.quantity},
                                  {"stock_per_departure", each.stock}});
        }));
    };
    return spec;
}

}  // namespace

void add_report_routes(const Site& site) {
    site.routes.add(sales_route(site));
    site.routes.add(departures_route(site));
}

}  // namespace svc::pro::additional_services
