// GET, POST and DELETE /webhooks/endpoints/{id}/mtls: the certificate that endpoints with mutual TLS ask for.
#include "pro/crypto/certificate.hpp"
#include "pro/webhooks/routes.hpp"
#include "shared/api/keeping.hpp"
#include "shared/api/named.hpp"

namespace svc::pro::webhooks {
namespace {

using api::Method;
using json::Value;
using Endpoints = resource::Resource<Endpoint>;

constexpr std::size_t longest_pem = 32 * 1024;

api::Reply certificate_reply(const Endpoint& endpoint) {
    return api::ok(Value::object({{"configured", !endpoint.certificate.empty()},
                                  {"fingerprint", endpoint.certificate_fingerprint},
                                  {"expires_at", endpoint.certificate_expires_at}}));
}

api::RouteSpec spec_of(Method method, std::string name, std::string summary) {
    auto spec = route(method, "/webhooks/endpoints/{id}/mtls", std::move(summary));
    spec.name = std::move(name);
    spec.answer =
        api::object("WebhookCertificate",
                    {{.name = "configured", .type = api::boolean()},
                     {.name = "fingerprint", .type = api::text(200).or_null(), .help = "SHA-256 of the certificate."},
                     {.name = "expires_at", .type = api::instant().or_null()}});
    spec.errors = {&errc::not_found};
    return spec;
}

// With the endpoint's certificate as `change` leaves it.
api::Reply changed(const Site& site, const Endpoints& endpoints, const api::Request& request,
                   const std::function<void(Endpoint&)>& change) {
    return api::respond_once(
        request,
        [&] {
            return site.store.transact<Endpoint>([&](store::Transaction& tx) {
                return endpoints.change(
                    tx, request.path_id(), [&](Endpoint& endpoint, Faults&) { change(endpoint); },
                    resource::writer_of(request));
            });
        },
        certificate_reply);
}

}  // namespace

void add_certificate_routes(const Site& site, const Endpoints& endpoints) {
    auto read = spec_of(Method::get, "getWebhookCertificate",
                        "Return whether the endpoint gets a client certificate; never the key.");
    read.handle = [&site](const api::Request& request) -> api::Reply {
        const auto found = site.store.reading<std::optional<Endpoint>>(
            [&](store::Session& session) { return endpoint_record().find(session, request.path_id()); });
        return found ? certificate_reply(*found) : api::failed(errc::not_found);
    };
    auto write = spec_of(Method::post, "setWebhookCertificate",
                         "Set the client certificate that the endpoint asks for (mutual TLS).");
    write.body = {{.name = "cert",
                   .type = api::raw_text(longest_pem),
                   .help = "PEM, with the certificates that link it to its root behind it.",
                   .required = true},
                  {.name = "key", .type = api::raw_text(longest_pem), .help = "PEM.", .required = true},
                  {.name = "passphrase", .type = api::raw_text(200), .help = "Of an encrypted key; it is not stored."}};
    write.stores_reply = true;
    write.handle = [&site, endpoints](const api::Request& request) -> api::Reply {
        const Value& body = request.body;
        SVC_ASSIGN_OR_RETURN(const auto pair,
                             crypto::client_pair(body["cert"].text(), body["key"].text(), body.text_or("passphrase")));
        if (pair.expires_at <= request.now)
            return api::failed(invalid("cert", "The certificate has expired."_sentence));
        return changed(site, endpoints, request, [&](Endpoint& endpoint) {
            endpoint.certificate = site.secrets.seal(Value::object({{"chain", pair.chain}, {"key", pair.key}}).dump(),
                                                     endpoint.place_of("certificate"));
            endpoint.certificate_fingerprint = pair.fingerprint;
            endpoint.certificate_expires_at = pair.expires_at;
        });
    };
    auto remove = spec_of(Method::del, "deleteWebhookCertificate", "Remove the client certificate.");
    remove.stores_reply = true;
    remove.handle = [&site, endpoints](const api::Request& request) {
        return changed(site, endpoints, request, [](Endpoint& endpoint) {
            endpoint.certificate.clear();
            endpoint.certificate_fingerprint.reset();
            endpoint.certificate_expires_at.reset();
        });
    };
    site.routes.add(std::move(read));
    site.routes.add(std::move(write));
    site.routes.add(std::move(remove));
}

}  // namespace svc::pro::webhooks
