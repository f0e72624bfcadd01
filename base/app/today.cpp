// Each part is what another route answers to the same caller, so that rights, filters and forms are that route's own.
#include "base/app/today.hpp"

#include <algorithm>
#include <stdexcept>

#include "base/app/input.hpp"
#include "shared/api/named.hpp"
#include "shared/api/sometimes_sent.hpp"

namespace svc::app {
namespace {

using api::Reply;
using api::Request;
using json::Value;

// Null: the caller may not call that route, or its module is off.
Value answer_of(const Site& site, const Request& by, const std::string& target) {
    const auto mark = target.find('?');
    auto match = site.routes.match("GET", target.substr(0, mark), site.module_enabled);
    if (!match.route || !match.route->who.admits(by.caller))
        return {};
    const api::RouteSpec& route = *match.route;
    Request request;
    request.route = &route;
    request.caller = by.caller;
    request.path = std::move(match.path);
    request.id = by.id;
    request.address = by.address;
    request.now = by.now;
    request.header = [](std::string_view) { return std::string_view{}; };
    request.say = by.say;
    const auto said = [&by](const Error& error) { return Value::object({{"error", by.say(error.message())}}); };
    const std::string query = mark == std::string::npos ? std::string() : target.substr(mark + 1);
    if (auto read = read_input(request, route.is_list ? api::list_parameters(route).plus(route.query) : route.query,
                               {.query = query, .body = {}, .content_type = {}});
        !read)
        return said(read.error());
    Reply reply = route.handle(request);
    if (reply.error)
        return said(*reply.error);
    return Value::object({{"data", std::move(reply.data)}, {"total", reply.page ? Value(reply.page->total) : Value()}});
}

// What waits for somebody, by section of the rail.
Value counts_of(const Site& site, const Request& by) {
    const Value fresh = answer_of(site, by, "/admin/new-counts"), bookings = answer_of(site, by, "/bookings/stats"),
                enquiries = answer_of(site, by, "/enquiries/stats"), reviews = answer_of(site, by, "/reviews/stats");
    const auto number = [](const Value& part, const char* name) {
        return part["data"].maybe_integer(name).value_or(0);
    };
    const std::int64_t unread =
        enquiries["data"].find("unread") ? number(enquiries, "unread") : number(enquiries, "new");
    return Value::object({{"bookings", std::max(number(bookings, "needs_attention"), number(fresh, "bookings"))},
                          {"payments", number(fresh, "payments")},
                          {"enquiries", unread},
                          {"reviews", number(reviews, "pending")}});
}

Value today_of(const Site& site, const Request& by) {
    const Date day = site.settings.zone().date_at(by.now);
    const std::string today = day.text(), here = "from=" + today + "&to=" + today;
    const std::pair<const char*, std::string> parts[] = {
        {"departures", "/departures?from=" + today + "&to=" + day.plus_days(1).text() + "&per_page=100&order=asc"},
        {"newest", "/bookings?per_page=8"},
        {"booked", "/bookings?per_page=1&" + here},
        {"paid", "/payments?status=completed&per_page=100&" + here},
        {"attention", "/bookings?needs_attention=true&per_page=6"},
        {"refunds", "/bookings?refund_due=true&per_page=6"},
        {"enquiries", "/enquiries?status=new&per_page=6"},
        {"pending", "/bookings?status=pending&order=asc&per_page=6"},
        {"reviews", "/reviews?status=pending&per_page=6"},
        {"notices", "/notices"}};
    Value all = Value::object({{"day", day}, {"counts", counts_of(site, by)}});
    for (const auto& [name, target] : parts)
        all.set(name, answer_of(site, by, target));
    return all;
}

// What the part's own route answers, as it declares it.
api::Type part(const Site& site, std::string component, std::string_view path) {
    const auto always = [](std::string_view) { return true; };
    const auto* route = site.routes.match("GET", path, always).route;
    if (!route)
        throw std::logic_error("Today's screen reads a route that is not there: " + std::string(path));
    api::Type data = route->answer;
    if (data.shape == api::Shape::list)
        data.members = nullptr;  // of the list's meta
    return api::object(
               std::move(component),
               {api::sometimes_sent(
                    {.name = "data", .type = std::move(data), .help = "As the part's own route answers it."}),
                {.name = "total", .type = api::integer(0).or_null(), .help = "Of lists, beyond those that are listed."},
                api::sometimes_sent({.name = "error",
                                     .type = api::text(1000),
                                     .help = "In place of data: why the part cannot be read."})})
        .or_null();
}

api::Type answer(const Site& site) {
    const api::Type number = api::integer(0), bookings = part(site, "TodayBookings", "/bookings");
    const api::Schema members{
        {.name = "day", .type = api::date(), .help = "Today by the site's clock."},
        {.name = "counts",
         .type = api::object("WaitingCounts", {{.name = "bookings", .type = number},
                                               {.name = "payments", .type = number},
                                               {.name = "enquiries", .type = number},
                                               {.name = "reviews", .type = number}}),
         .help = "What waits in each section.",
         .required = true},
        {.name = "departures",
         .type = part(site, "TodayDepartures", "/departures"),
         .help = "Of today and tomorrow. This and each other part is null without the right to it."},
        {.name = "newest", .type = bookings, .help = "Bookings."},
        {.name = "booked", .type = bookings, .help = "Bookings made today; the total counts."},
        {.name = "paid", .type = part(site, "TodayPayments", "/payments"), .help = "Payments of today."},
        {.name = "attention", .type = bookings, .help = "Bookings that need a decision."},
        {.name = "refunds", .type = bookings, .help = "Bookings with money to refund."},
        {.name = "enquiries", .type = part(site, "TodayEnquiries", "/enquiries"), .help = "New ones."},
        {.name = "pending", .type = bookings, .help = "Bookings to be confirmed or paid."},
        {.name = "reviews", .type = part(site, "TodayReviews", "/reviews"), .help = "To be approved."},
        {.name = "notices", .type = part(site, "TodayNotices", "/notices")}};
    // With counts_only the numbers are all.
    return api::object("AdminToday", members.changed([](api::Field& field) {
        if (field.name != "counts")
            field = api::sometimes_sent(std::move(field));
    }));
}

}  // namespace

void add_today_route(const Site& site) {
    site.routes.add({.method = api::Method::get,
                     .path = "/admin/today",
                     .who = api::Permission::can("svc_access_admin"),
                     .summary = "Return what the admin's first screen shows, each part as its own route answers it.",
                     .query = {{.name = "counts_only",
                                .type = api::boolean(),
                                .help = "Only the numbers of what waits.",
                                .otherwise = Value(false)}},
                     .answer = answer(site),
                     .handle = [&site](const Request& request) {
                         return request.query["counts_only"].boolean()
                                    ? api::ok(Value::object({{"counts", counts_of(site, request)}}))
                                    : api::ok(today_of(site, request));
                     }});
}

}  // namespace svc::app
