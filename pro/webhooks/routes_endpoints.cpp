// CRUD of /webhooks/endpoints; POST …/{id}/regenerate-secret, …/{id}/ping.
#include "pro/webhooks/routes.hpp"
#include "pro/webhooks/signature.hpp"
#include "pro/webhooks/target.hpp"
#include "shared/api/keeping.hpp"
#include "shared/api/named.hpp"
#include "shared/plugin/host_fetch.hpp"

namespace svc::pro::webhooks {
namespace {

using api::Method;
using json::Value;
using Endpoints = resource::Resource<Endpoint>;

// The record with its secret, which no other answer has.
struct Revealed {
    Endpoint endpoint;
    std::string secret;
};

// The base requests a host of the operator's network only if the configuration allows it: it is asked for one answer.
Result<void> must_be_allowed(const plugin::Fetch& fetch, const Value& body) {
    const auto url = body.text_or("url");
    const auto place = place_of(url);
    if (url.empty() || !place || *place == Place::elsewhere)
        return {};
    if (fetch({.method = "HEAD", .url = origin_of(url) + "/", .timeout = std::chrono::milliseconds(3000)}))
        return {};
    return invalid("url",
                   "This address is within a network and does not answer, or is not among the hosts that the"
                   " configuration allows (outbound.private_hosts)."_sentence);
}

api::RouteSpec create_route(const Site& site, const Endpoints& endpoints, const plugin::Fetch& fetch) {
    auto spec = endpoints.create_route();
    spec.summary = "Create a webhook endpoint; this answer alone has its secret.";
    spec.answer = api::object(endpoint_record()
                                  .answer_schema()
                                  .plus({{.name = "secret", .type = api::text(200), .help = "Not shown again."}})
                                  .named("WebhookEndpointCreated"));
    spec.handle = [&site, endpoints, &fetch](const api::Request& request) -> api::Reply {
        SVC_RETURN_IF_ERROR(must_be_allowed(fetch, request.body));
        const auto chosen = key_of(request.body.text_or("custom_secret"));
        const std::string key = chosen ? *chosen : fresh_key();
        return endpoints.engine().guarded(true, [&] {
            return api::respond_once(
                request,
                [&] {
                    return site.store.transact<Revealed>([&](store::Transaction& tx) -> Result<Revealed> {
                        SVC_ASSIGN_OR_RETURN(auto made, endpoints.create(tx, endpoint_with(key, site.secrets),
                                                                         request.body, resource::writer_of(request)));
                        return Revealed{.endpoint = std::move(made), .secret = secret_text(key)};
                    });
                },
                [](const Revealed& made) {
                    Value shown = endpoint_record().to_json(made.endpoint);
                    shown.set("secret", made.secret);
                    return api::created(std::move(shown), "/webhooks/endpoints/" + std::to_string(made.endpoint.id));
                });
        });
    };
    return spec;
}

api::RouteSpec update_route(const Endpoints& endpoints, const plugin::Fetch& fetch) {
    auto spec = endpoints.update_route();
    spec.handle = [inner = spec.handle, &fetch](const api::Request& request) -> api::Reply {
        SVC_RETURN_IF_ERROR(must_be_allowed(fetch, request.body));
        return inner(request);
    };
    return spec;
}

api::RouteSpec regenerate_route(const Site& site, const Endpoints& endpoints) {
    auto spec = route(Method::post, "/webhooks/endpoints/{id}/regenerate-secret",
                      "Replace the secret; the earlier one signs beside it for 24 hours.");
    spec.answer = api::object("WebhookSecret", {{.name = "secret", .type = api::text(200), .help = "Not shown again."},
                                                {.name = "old_secret_until", .type = api::instant()}});
    spec.errors = {&errc::not_found};
    spec.stores_reply = true;
    spec.handle = [&site, endpoints](const api::Request& request) {
        const std::string key = fresh_key();
        return api::respond_once(
            request,
            [&] {
                return site.store.transact<Revealed>([&](store::Transaction& tx) -> Result<Revealed> {
                    SVC_ASSIGN_OR_RETURN(auto changed, endpoints.change(
                                                           tx, request.path_id(),
                                                           [&](Endpoint& endpoint, Faults&) {
                                                               replace_secret(endpoint, key, site.secrets, request.now);
                                                           },
                                                           resource::writer_of(request)));
                    return Revealed{.endpoint = std::move(changed), .secret = secret_text(key)};
                });
            },
            [](const Revealed& changed) {
                return api::ok(Value::object(
                    {{"secret", changed.secret}, {"old_secret_until", changed.endpoint.old_secret_until}}));
            });
    };
    return spec;
}

api::RouteSpec ping_route(Service& service) {
    auto spec = route(Method::post, "/webhooks/endpoints/{id}/ping", "Send the event webhook.ping to the endpoint.");
    spec.answer = api::object("WebhookPing", {{.name = "delivery_id", .type = api::text(64)},
                                              {.name = "row_id", .type = api::id(), .help = "Of the delivery."}});
    spec.errors = {&errc::not_found, &endpoint_inactive};
    spec.stores_reply = true;
    spec.handle = [&service](const api::Request& request) {
        return api::respond_once(
            request, [&] { return service.ping(request.path_id()); },
            [](const Delivery& delivery) {
                return api::ok(Value::object({{"delivery_id", delivery.delivery_id}, {"row_id", delivery.id}}));
            });
    };
    return spec;
}

}  // namespace

api::RouteSpec route(Method method, std::string path, std::string summary) {
    api::RouteSpec spec{
        .method = method, .path = std::move(path), .who = api::Permission::can(std::string(capability)), .handle = {}};
    spec.module = std::string(module_slug);
    spec.summary = std::move(summary);
    return spec;
}

void add_endpoint_routes(const Site& site, Service& service) {
    const auto& fetch = site.host.need<plugin::Fetch>();
    const auto endpoints = endpoint_resource(
        site.store, site.secrets, [&site] { return site.zone(); },
        [&site] {
            if (site.jobs)
                site.jobs->wake(deliver_job);  // messages of an endpoint that was activated are due
        });
    site.routes.add(endpoints.list_route(), resource::Routes::headers());
    site.routes.add(endpoints.read_route(), resource::Routes::headers());
    site.routes.add(create_route(site, endpoints, fetch), resource::Routes::headers());
    site.routes.add(update_route(endpoints, fetch), resource::Routes::headers());
    site.routes.add(endpoints.remove_route(), resource::Routes::headers());
    site.routes.add(regenerate_route(site, endpoints));
    site.routes.add(ping_route(service));
    if (site.host.find<plugin::FetchTwo>())
        add_certificate_routes(site, endpoints);
}

void add_routes(const Site& site, Service& service) {
    add_event_routes(site, service);
    add_endpoint_routes(site, service);
    add_delivery_routes(site, service);
}

}  // namespace svc::pro::webhooks
