// Calendar feeds: created, renewed and revoked by staff, readable with the address.

#include "base/sales/availability/feeds/routes.hpp"

#include "shared/api/author.hpp"
#include "shared/api/conditions.hpp"
#include "shared/api/keeping.hpp"
#include "shared/api/named.hpp"
#include "shared/api/public_answer.hpp"

namespace svc::availability {
namespace {

using api::Method;
using api::Permission;
using api::Reply;
using api::Request;
using json::Value;

std::optional<std::int64_t> trip_of(const Request& request) {
    return request.path.find("trip_id") ? std::optional(request.path_id("trip_id")) : std::nullopt;
}

Reply feed_address(const std::optional<std::string>& address) {
    return api::ok(Value::object({{"enabled", address.has_value()}, {"url", address}}));
}

api::Type feed_answer() {
    return api::object("CalendarFeed", {{.name = "enabled", .type = api::boolean(), .required = true},
                                        {.name = "url",
                                         .type = api::raw_text(1000).or_null(),
                                         .help = "Secret address: anyone who has it can read the calendar.",
                                         .required = true}});
}

void add_managing(api::RouteTable& routes, Feeds& feeds, const std::string& path, const std::string& whose) {
    const std::vector<const ErrorCode*> errors = path.starts_with("/trips")
                                                     ? std::vector<const ErrorCode*>{&errc::trip_not_found}
                                                     : std::vector<const ErrorCode*>{};
    routes.add({.method = Method::get,
                .path = path,
                .who = Permission::can("svc_manage_departures"),
                .summary = "Return the address of the calendar feed of " + whose + ", null while it is disabled.",
                .answer = feed_answer(),
                .errors = errors,
                .handle = [&feeds](const Request& request) {
                    return api::respond(feeds.address_of(trip_of(request)), feed_address);
                }});
    routes.add({.method = Method::post,
                .path = path,
                .who = Permission::can("svc_manage_departures"),
                .summary = "Enable the calendar feed of " + whose + " at a new address; revokes earlier addresses.",
                .answer = feed_answer(),
                .errors = errors,
                .stores_reply = true,
                .handle = [&feeds](const Request& request) {
                    return api::respond_once(
                        request, [&] { return feeds.open(trip_of(request), api::author(request.caller)); },
                        [](const std::string& address) { return feed_address(address); });
                }});
    routes.add({.method = Method::del,
                .path = path,
                .who = Permission::can("svc_manage_departures"),
                .summary = "Disable the calendar feed of " + whose + "; revokes all its addresses.",
                .answer = feed_answer(),
                .errors = errors,
                .stores_reply = true,
                .handle = [&feeds](const Request& request) {
                    return api::respond_once(
                        request, [&] { return feeds.close(trip_of(request), api::author(request.caller)); },
                        feed_address(std::nullopt));
                }});
}

}  // namespace

void add_routes(api::RouteTable& routes, Feeds& feeds) {
    add_managing(routes, feeds, "/departures/feed", "all departures");
    add_managing(routes, feeds, "/trips/{trip_id}/departures/feed", "a trip's departures");
    routes.add({.method = Method::get,
                .path = "/departures/calendar/{token}",
                .who = Permission::everyone(),
                .summary = "Return a departure calendar as text/calendar (RFC 5545) to anyone who has its address.",
                .enveloped = false,
                .files = {"text/calendar"},
                .errors = {&errc::not_found},
                .limit = {.burst = 60, .seconds = 60},
                .handle = [&feeds](const Request& request) -> Reply {
                    SVC_ASSIGN_OR_RETURN(auto text, feeds.read(request.path["token"].text()));
                    const std::string etag = api::entity_tag(text);
                    Reply reply = api::prebuilt(std::make_shared<const std::string>(std::move(text)));
                    reply.content_type = "text/calendar; charset=utf-8";
                    reply.headers.emplace_back("Cache-Control", "private, max-age=60");
                    reply.headers.emplace_back("Referrer-Policy", "no-referrer");
                    reply.headers.emplace_back("ETag", etag);
                    return api::unless_known(request, std::move(reply));
                }});
}

}  // namespace svc::availability
