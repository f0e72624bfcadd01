// GET /webhooks/deliveries, …/{id}, …/dead-letter; POST …/{id}/replay, …/bulk-replay.
#include "pro/webhooks/routes.hpp"
#include "shared/api/bulk.hpp"
#include "shared/api/keeping.hpp"
#include "shared/api/named.hpp"

namespace svc::pro::webhooks {
namespace {

using api::Method;
using json::Value;

api::Type delivery_answer() { return api::object(delivery_record().answer_schema()); }

resource::Resource<Delivery> delivery_resource(const Site& site) {
    const auto may = api::Permission::can(std::string(capability));
    return {delivery_record(),
            resource::Options{.store = site.store,
                              .path = "/webhooks/deliveries",
                              .one = "webhook delivery",
                              .many = "webhook deliveries",
                              .reads = may,
                              .writes = may,
                              .removes = may,
                              .module = std::string(module_slug),
                              .filters = {{.name = "endpoint_id", .type = api::id().referring_to("webhooks/endpoints")},
                                          {.name = "event_key", .type = api::text(64)}},
                              .zone = [&site] { return site.zone(); }},
            resource::Rules<Delivery>{}};
}

api::RouteSpec list_route(const Site& site) {
    auto spec = delivery_resource(site).list_route();
    spec.summary = "List webhook deliveries.";
    return spec;
}

api::RouteSpec read_route(const Site& site) {
    auto spec = route(Method::get, "/webhooks/deliveries/{id}", "Return a delivery with its request and response.");
    spec.answer = api::object(whole_schema());
    spec.errors = {&errc::not_found};
    spec.handle = [&site](const api::Request& request) -> api::Reply {
        const auto found = site.store.reading<std::optional<Delivery>>(
            [&](store::Session& session) { return delivery_record().find(session, request.path_id()); });
        return found ? api::ok(shown_whole(*found)) : api::failed(errc::not_found);
    };
    return spec;
}

api::RouteSpec replay_route(Service& service) {
    auto spec = route(Method::post, "/webhooks/deliveries/{id}/replay",
                      "Send a message again, with the same webhook-id; its attempts begin anew.");
    spec.answer = delivery_answer();
    spec.errors = {&errc::not_found, &errc::conflict, &endpoint_inactive};
    spec.stores_reply = true;
    spec.handle = [&service](const api::Request& request) {
        return api::respond_once(
            request, [&] { return service.replay(request.path_id()); },
            [](const Delivery& delivery) { return api::ok(delivery_record().to_json(delivery)); });
    };
    return spec;
}

std::optional<Instant> moment_of(const Value& filter, const char* name) {
    const auto text = filter.maybe_text(name);
    return text ? Instant::parse(*text) : std::nullopt;
}

api::Reply outcome_of(const Replayed& done) {
    return api::ok(Value::object({{"requeued", done.requeued},
                                  {"skipped", done.skipped},
                                  {"skipped_inactive_endpoint", done.skipped_inactive_endpoint},
                                  {"skipped_missing", done.skipped_missing},
                                  {"capped_total", done.capped_total}}));
}

api::RouteSpec bulk_route(Service& service) {
    auto spec = route(Method::post, "/webhooks/deliveries/bulk-replay",
                      "Send many messages again: at most 200 of `ids`, or the oldest 500 that match `filter`.");
    spec.body = {{.name = "ids", .type = api::list(api::id(), most_replayed_ids, 1)},
                 {.name = "filter",
                  .type = api::object(
                      {{.name = "endpoint_id", .type = api::id().referring_to("webhooks/endpoints")},
                       {.name = "event_key", .type = api::text(64)},
                       {.name = "status", .type = api::choice({"queued", "delivered", "failed", "permanent_failure"})},
                       {.name = "after", .type = api::instant(), .help = "Created at that time or later."},
                       {.name = "before", .type = api::instant(), .help = "Created earlier."}})}};
    spec.answer = api::object(
        "WebhookReplay",
        {{.name = "requeued", .type = api::integer(0)},
         {.name = "skipped", .type = api::integer(0), .help = "All that were not queued."},
         {.name = "skipped_inactive_endpoint", .type = api::integer(0)},
         {.name = "skipped_missing", .type = api::integer(0)},
         {.name = "capped_total",
          .type = api::integer(0).or_null(),
          .help = "How many match, where they are more than are sent at once; repeat the call for the rest."}});
    spec.stores_reply = true;
    spec.handle = [&service](const api::Request& request) -> api::Reply {
        const Value& ids = request.body["ids"];
        const Value& filter = request.body["filter"];
        if (ids.is_array() == filter.is_object())
            return api::failed(invalid("ids", "Enter either ids or a filter."_sentence));
        return api::respond_once(
            request,
            [&] {
                if (ids.is_array()) {
                    std::vector<std::int64_t> all;
                    for (const Value& id : ids.items())
                        all.push_back(id.integer());
                    return service.replay(all);
                }
                return service.replay(Filter{.endpoint_id = filter.maybe_integer("endpoint_id"),
                                             .event_key = filter.text_or("event_key"),
                                             .status = filter.text_or("status"),
                                             .after = moment_of(filter, "after"),
                                             .before = moment_of(filter, "before")});
            },
            outcome_of);
    };
    return spec;
}

api::RouteSpec dead_letter_route(const Site& site) {
    auto spec = route(Method::get, "/webhooks/deliveries/dead-letter",
                      "Count the messages that failed for good, by endpoint, event and reason.");
    const auto counted = [](const api::Field& of, bool named = false) {
        std::vector<api::Field> fields{of, {.name = "count", .type = api::integer(1)}};
        if (named)
            fields.push_back({.name = "name", .type = api::text(190)});
        return api::list(api::object(api::Schema(std::move(fields))), 50);
    };
    spec.answer = api::object(
        {{.name = "total", .type = api::integer(0)},
         {.name = "by_endpoint",
          .type = counted({.name = "endpoint_id", .type = api::id().referring_to("webhooks/endpoints")}, true)},
         {.name = "by_event", .type = counted({.name = "event_key", .type = api::text(64)})},
         {.name = "by_error", .type = counted({.name = "fingerprint", .type = api::text(500)})},
         {.name = "recent", .type = api::list(delivery_answer(), 20)}});
    spec.handle = [&site](const api::Request&) -> api::Reply {
        return api::ok(site.store.reading<Value>([](store::Session& session) {
            Value answer = Repository::dead_letters(session);
            return answer.set(
                "recent",
                json::array_of(delivery_record().list(session, {.status = std::string(status::permanent_failure)}),
                               [](const Delivery& each) { return delivery_record().to_json(each); }));
        }));
    };
    return spec;
}

}  // namespace

void add_delivery_routes(const Site& site, Service& service) {
    site.routes.add(list_route(site), resource::Routes::headers());
    site.routes.add(dead_letter_route(site));
    site.routes.add(read_route(site));
    site.routes.add(replay_route(service));
    site.routes.add(bulk_route(service));
}

}  // namespace svc::pro::webhooks
