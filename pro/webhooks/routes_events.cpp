// GET /webhooks/meta, /webhooks/events, …/{key}/sample, …/{key}/listen; GET /events.
#include "pro/webhooks/catalogue.hpp"
#include "pro/webhooks/payload.hpp"
#include "pro/webhooks/routes.hpp"
#include "shared/api/keeping.hpp"
#include "shared/api/named.hpp"

namespace svc::pro::webhooks {
namespace {

using api::Method;
using json::Value;

Value parsed(const std::string& text) {
    auto value = json::parse(text);
    return value ? std::move(*value) : Value();
}

// A message: the document describes it by event, under `webhooks`.
api::Type free_object() { return api::map(api::anything().or_null()); }

api::Type paths_answer() {
    return api::list(api::object("WebhookPath", {{.name = "path", .type = api::text(500)},
                                                 {.name = "sample", .type = api::anything().or_null()}}),
                     300);
}

api::RouteSpec meta_route(const Site& site) {
    auto spec = route(Method::get, "/webhooks/meta", "Return the form of messages and the number of events.");
    spec.answer = api::object("WebhookMeta", {{.name = "is_module_enabled", .type = api::boolean()},
                                              {.name = "api_version", .type = api::text(20)},
                                              {.name = "signature_header", .type = api::text(40)},
                                              {.name = "event_count", .type = api::integer(0)}});
    spec.handle = [&site](const api::Request&) {
        return api::ok(Value::object({{"is_module_enabled", site.modules.enabled(module_slug)},
                                      {"api_version", api_version},
                                      {"signature_header", "webhook-signature"},
                                      {"event_count", static_cast<std::int64_t>(events().size())}}));
    };
    return spec;
}

api::RouteSpec events_route() {
    auto spec = route(Method::get, "/webhooks/events", "List the events that endpoints can receive.");
    spec.answer = api::list(api::object("WebhookEvent", {{.name = "key", .type = api::text(64)},
                                                         {.name = "name", .type = api::text(100)},
                                                         {.name = "description", .type = api::text(300)},
                                                         {.name = "hook", .type = api::text(100)},
                                                         {.name = "entity", .type = api::text(40)}}),
                            100);
    spec.handle = [](const api::Request&) {
        return api::ok(json::array_of(events(), [](const Event& event) {
            return Value::object({{"key", event.key},
                                  {"name", event.name},
                                  {"description", event.description},
                                  {"hook", event.hook},
                                  {"entity", event.entity}});
        }));
    };
    return spec;
}

// The captured message, else the latest one, else an example.
Value sample_of(store::Session& session, const Event& event) {
    const std::string key(event.key);
    Value payload;
    const char* source = "example";
    std::optional<Instant> at;
    if (const auto sample = Repository::sample(session, key); sample && sample->captured_at) {
        payload = parsed(sample->payload);
        source = "captured";
        at = sample->captured_at;
    } else if (const auto latest = Repository::latest_event(session, key)) {
        payload = parsed(latest->payload);
        source = "delivery_log";
        at = latest->occurred_at;
    } else {
        payload = example_of(event);
    }
    Value paths = paths_of(payload);
    return Value::object({{"event", key},
                          {"payload", std::move(payload)},
                          {"paths", std::move(paths)},
                          {"source", source},
                          {"captured_at", at}});
}

api::RouteSpec sample_route(const Site& site) {
    auto spec = route(Method::get, "/webhooks/events/{key}/sample",
                      "Return a message of this event: the captured one, else the latest, else an example.");
    spec.answer =
        api::object("WebhookSample", {{.name = "event", .type = api::text(64)},
                                      {.name = "payload", .type = free_object()},
                                      {.name = "paths", .type = paths_answer()},
                                      {.name = "source", .type = api::choice({"captured", "delivery_log", "example"})},
                                      {.name = "captured_at", .type = api::instant().or_null()}});
    spec.errors = {&errc::not_found};
    spec.handle = [&site](const api::Request& request) -> api::Reply {
        const Event* event = find_event(request.path["key"].text());
        if (!event)
            return api::failed(errc::not_found);
        return api::ok(site.store.reading<Value>([&](store::Session& session) { return sample_of(session, *event); }));
    };
    return spec;
}

Value sample_json(const std::optional<Sample>& sample, Instant now) {
    const bool is_armed = sample && sample->armed_until && *sample->armed_until > now;
    Value captured;
    if (sample && sample->captured_at) {
        Value payload = parsed(sample->payload);
        Value paths = paths_of(payload);
        captured = Value::object(
            {{"captured_at", sample->captured_at}, {"payload", std::move(payload)}, {"paths", std::move(paths)}});
    }
    return Value::object({{"armed", is_armed},
                          {"expires_at", is_armed ? Value(sample->armed_until) : Value()},
                          {"captured", std::move(captured)}});
}

api::Type listen_answer() {
    return api::object("WebhookListener",
                       {{.name = "armed", .type = api::boolean(), .help = "Whether the next event becomes the sample."},
                        {.name = "expires_at", .type = api::instant().or_null()},
                        {.name = "captured",
                         .type = api::object({{.name = "captured_at", .type = api::instant()},
                                              {.name = "payload", .type = free_object()},
                                              {.name = "paths", .type = paths_answer()}})
                                     .or_null()}});
}

template <class Handle>
api::RouteSpec listen_route(Method method, std::string name, std::string summary, Handle handle) {
    auto spec = route(method, "/webhooks/events/{key}/listen", std::move(summary));
    spec.name = std::move(name);
    spec.answer = listen_answer();
    spec.errors = {&errc::not_found};
    spec.handle = [handle](const api::Request& request) -> api::Reply {
        const Event* event = find_event(request.path["key"].text());
        return event ? handle(request, std::string(event->key)) : api::failed(errc::not_found);
    };
    return spec;
}

std::vector<api::RouteSpec> listen_routes(const Site& site, Service& service) {
    const auto state = [&site](const api::Request& request, const std::string& key) {
        return api::ok(sample_json(site.store.reading<std::optional<Sample>>(
                                       [&](store::Session& session) { return Repository::sample(session, key); }),
                                   request.now));
    };
    auto arm =
        listen_route(Method::post, "startWebhookListener", "Capture the next event of this kind within ten minutes.",
                     [&service](const api::Request& request, const std::string& key) {
                         return api::respond_once(
                             request, [&] { return service.listen(key); },
                             [&](const Sample& sample) { return api::ok(sample_json(sample, request.now)); });
                     });
    arm.stores_reply = true;
    auto stop = listen_route(
        Method::del, "stopWebhookListener", "Stop waiting for an event; `forget` deletes the captured one too.",
        [&service, state](const api::Request& request, const std::string& key) -> api::Reply {
            SVC_RETURN_IF_ERROR(service.forget(key, request.query.maybe_boolean("forget").value_or(false)));
            return state(request, key);
        });
    stop.query = {{.name = "forget", .type = api::boolean()}};
    stop.repeats_safely = true;
    return {listen_route(Method::get, "getWebhookListener",
                         "Return whether the next event is captured, and the captured one.", state),
            std::move(arm), std::move(stop)};
}

api::RouteSpec catch_up_route(const Site& site) {
    auto spec = route(Method::get, "/events",
                      "List events in their order after a number, whether or not they were delivered; for 30 days.");
    spec.query = {{.name = "after",
                   .type = api::integer(0),
                   .help = "next_after of the previous call; 0: from the beginning.",
                   .otherwise = Value(0)},
                  {.name = "event_key", .type = api::text(64)},
                  {.name = "limit", .type = api::integer(1, 500), .otherwise = Value(100)}};
    spec.answer = api::object(
        "EventPage",
        {{.name = "events",
          .type = api::list(
              api::object("NumberedEvent",
                          {{.name = "seq", .type = api::integer(1)},
                           {.name = "event", .type = free_object(), .help = "The message as endpoints receive it."}}),
              500)},
         {.name = "next_after", .type = api::integer(0)},
         {.name = "has_more", .type = api::boolean()}});
    spec.handle = [&site](const api::Request& request) {
        const auto after = request.query["after"].integer(), limit = request.query["limit"].integer();
        auto found = site.store.reading<std::vector<StoredEvent>>([&](store::Session& session) {
            return Repository::events_after(session, after, request.query.text_or("event_key"), limit + 1);
        });
        const bool has_more = static_cast<std::int64_t>(found.size()) > limit;
        if (has_more)
            found.pop_back();
        Value items = json::array_of(found, [](const StoredEvent& event) {
            return Value::object({{"seq", event.seq}, {"event", parsed(event.payload)}});
        });
        return api::ok(Value::object({{"events", std::move(items)},
                                      {"next_after", found.empty() ? after : found.back().seq},
                                      {"has_more", has_more}}));
    };
    return spec;
}

}  // namespace

void add_event_routes(const Site& site, Service& service) {
    site.routes.add(meta_route(site));
    site.routes.add(events_route());
    site.routes.add(sample_route(site));
    for (auto& spec : listen_routes(site, service))
        site.routes.add(std::move(spec));
    site.routes.add(catch_up_route(site));
}

}  // namespace svc::pro::webhooks
