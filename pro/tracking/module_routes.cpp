// GET /facebook-pixel/events, GET and DELETE /facebook-pixel/event-logs, and the same of Google Analytics.
#include "pro/tracking/module_routes.hpp"

#include "pro/tracking/repository.hpp"
#include "pro/tracking/settings.hpp"
#include "pro/tracking/wire.hpp"
#include "shared/api/keeping.hpp"
#include "shared/api/named.hpp"
#include "shared/resource/resource.hpp"

namespace svc::pro::tracking {
namespace {

using api::Method;
using json::Value;

api::RouteSpec events_route(const Site& site, const Partner& partner, const std::string& path) {
    auto spec =
        route(partner, Method::get, path,
              "List the events that can be reported to " + std::string(partner.name) + ", and whether they are.");
    spec.answer = api::list(
        api::object("TrackedEvent",
                    {{.name = "key", .type = api::text(40), .required = true},
                     {.name = "name", .type = api::text(40), .help = "The partner's.", .required = true},
                     {.name = "enabled", .type = api::boolean(), .required = true},
                     {.name = "help", .type = api::text(200)},
                     {.name = "by_browser", .type = api::boolean(), .help = "The visitor's browser reports it."},
                     {.name = "by_server", .type = api::boolean(), .help = "This server reports it."}}),
        20);
    spec.handle = [&site, &partner](const api::Request&) {
        return api::ok(json::array_of(event_kinds(), [&](const EventKind& kind) {
            return Value::object({{"key", kind.key},
                                  {"name", name_at(kind, partner)},
                                  {"enabled", reports(site, partner, kind)},
                                  {"help", kind.help},
                                  {"by_browser", kind.by_browser},
                                  {"by_server", is_by_server(kind, partner)}});
        }));
    };
    return spec;
}

api::RouteSpec list_route(const Site& site, const Partner& partner, const std::string& path) {
    const auto may = api::Permission::can("manage_svc");
    const resource::Resource<TrackedEvent> events(
        event_record(partner),
        resource::Options{
            .store = site.store,
            .path = path,
            .one = "reported event",
            .many = "reported events",
            .reads = may,
            .writes = may,
            .removes = may,
            .module = std::string(partner.module),
            .filters = {{.name = "event", .type = api::text(40)}, {.name = "booking_id", .type = api::id()}},
            .zone = [&site] { return site.zone(); }},
        resource::Rules<TrackedEvent>{});
    auto spec = events.list_route();
    spec.summary = "List the events that this server reported to " + std::string(partner.name) +
                   ", or did not report for the reason that each says.";
    return spec;
}

api::RouteSpec clear_route(const Site& site, const Partner& partner, const std::string& path) {
    auto spec = route(partner, Method::del, path,
                      "Delete the log of events; those that are still to be sent stay, and nothing is reported again.");
    spec.answer = api::object("TrackedEventsCleared", {{.name = "cleared", .type = api::integer(0), .required = true}});
    spec.stores_reply = true;
    spec.handle = [&site, &partner](const api::Request& request) {
        return api::respond_once(
            request,
            [&] {
                return site.store.transact<std::int64_t>(
                    [&](store::Transaction& tx) -> Result<std::int64_t> { return Repository::clear(tx, partner); });
            },
            [](std::int64_t rows) {
                return api::ok(Value::object({{"cleared", rows}}));
            });
    };
    return spec;
}

}  // namespace

api::RouteSpec route(const Partner& partner, Method method, std::string path, std::string summary) {
    api::RouteSpec spec{
        .method = method, .path = std::move(path), .who = api::Permission::can("manage_svc"), .handle = {}};
    spec.module = std::string(partner.module);
    spec.summary = std::move(summary);
    return spec;
}

api::Type tested_type() {
    return api::object("TrackingTested",
                       {{.name = "valid", .type = api::boolean(), .required = true},
                        {.name = "cause",
                         .type = api::choice({"form", "refused", "no_secret", "no_id", "unproven"}).or_null(),
                         .help = "Why it is not valid, or what of a valid one could not be checked.",
                         .required = true},
                        {.name = "reason",
                         .type = api::text(1000),
                         .help = "The same as a sentence; of refused in the partner's words.",
                         .required = true}});
}

Value tested(bool valid, std::string_view why, std::string_view said) {
    return Value::object({{"valid", valid}, {"cause", why.empty() ? Value() : Value(why)}, {"reason", said}});
}

api::RouteSpec test_route(const Partner& partner, std::string path, std::string summary, api::Schema body) {
    auto spec = route(partner, Method::post, std::move(path), std::move(summary));
    spec.body = std::move(body);
    spec.answer = tested_type();
    spec.errors = {&errc::upstream_error, &errc::rate_limited};
    spec.lane = api::Lane::provider;
    spec.keeps_replay = false;  // it changes nothing here
    return spec;
}

Error unanswered(const Partner& partner, const Error& problem) {
    if (problem.code().name == errc::rate_limited.name)
        return problem;
    return unanswered(partner, problem_of(problem));
}

Error unanswered(const Partner& partner, std::string_view problem) {
    return Error(errc::upstream_error,
                 "{name} gave no usable answer: {problem}"_sentence.with("name", partner.name).with("problem", problem))
        .because(std::string(problem));
}

void add_event_routes(const Site& site, const Partner& partner, const std::string& events, const std::string& logs) {
    site.routes.add(events_route(site, partner, events));
    site.routes.add(list_route(site, partner, logs), resource::Routes::headers());
    site.routes.add(clear_route(site, partner, logs));
}

}  // namespace svc::pro::tracking
