// GET, POST /consent/requests; DELETE /consent/requests/{id}; POST /consent/requests/{id}/resend.
#include "pro/consent/routes.hpp"
#include "shared/api/keeping.hpp"
#include "shared/api/named.hpp"
#include "shared/resource/resource.hpp"

namespace svc::pro::consent {
namespace {

using api::Method;
using json::Value;

api::Type request_type() { return api::object(request_record().answer_schema()); }

api::RouteSpec create_route(Requests& requests) {
    auto spec = route(Method::post, "/consent/requests",
                      "Ask travelers of a booking to sign a form, each once; an e-mail with a link goes to each.");
    spec.body = {{.name = "form_id", .type = api::id().referring_to("consent/forms"), .required = true},
                 {.name = "booking_id", .type = api::id(), .required = true},
                 {.name = "traveler_indexes",
                  .type = api::list(api::integer(0, 10'000), 500, 1),
                  .help = "0: the contact. Left out: whom the form asks."}};
    spec.answer =
        api::object("ConsentRequested", {{.name = "requests", .type = api::list(request_type(), 500), .required = true},
                                         {.name = "existing",
                                          .type = api::list(api::integer(0), 500),
                                          .help = "Travelers who were asked before: nothing is sent to them.",
                                          .required = true}});
    spec.success = 201;
    spec.errors = {&errc::conflict};
    spec.stores_reply = true;
    spec.handle = [&requests](const api::Request& request) {
        const Value& given = request.body["traveler_indexes"];
        std::optional<std::vector<std::int64_t>> indexes;
        if (given.is_array()) {
            indexes.emplace();
            for (const Value& each : given.items())
                indexes->push_back(each.integer());
        }
        return api::respond_once(
            request,
            [&] {
                return requests.create(request.body["form_id"].integer(), request.body["booking_id"].integer(), indexes,
                                       request.now);
            },
            [](const Requests::Made& made) {
                return api::created(Value::object(
                    {{"requests",
                      json::array_of(made.requests,
                                     [](const ConsentRequest& each) { return request_record().to_json(each); })},
                     {"existing", json::array_of(made.existing)}}));
            });
    };
    return spec;
}

api::RouteSpec resend_route(Requests& requests) {
    auto spec = route(Method::post, "/consent/requests/{id}/resend",
                      "Send a request again: a new link to today's address, the newest version of the form, and its"
                      " time anew. Older links end.");
    spec.answer = request_type();
    spec.errors = {&errc::not_found, &errc::conflict, &already_signed};
    spec.stores_reply = true;
    spec.handle = [&requests](const api::Request& request) {
        return api::respond_once(
            request, [&] { return requests.send_again(request.path_id(), request.now); },
            [](const ConsentRequest& sent) { return api::ok(request_record().to_json(sent)); });
    };
    return spec;
}

api::RouteSpec revoke_route(Requests& requests) {
    auto spec = route(Method::del, "/consent/requests/{id}", "Revoke a request: its links end.");
    spec.answer =
        api::object("ConsentRevoked", {{.name = "id", .type = api::id(), .required = true},
                                       {.name = "status", .type = api::choice({"revoked"}), .required = true}});
    spec.errors = {&errc::not_found, &already_signed};
    spec.stores_reply = true;
    spec.handle = [&requests](const api::Request& request) {
        return api::respond_once(
            request, [&] { return requests.revoke(request.path_id(), request.now); },
            [](const ConsentRequest& revoked) {
                return api::ok(Value::object({{"id", revoked.id}, {"status", revoked.status}}));
            });
    };
    return spec;
}

}  // namespace

void add_request_routes(const Site& site, Requests& requests) {
    site.routes.add(listed_resource(site, request_record(), "/consent/requests", "consent request", "consent requests")
                        .list_route(),
                    resource::Routes::headers());
    site.routes.add(create_route(requests));
    site.routes.add(resend_route(requests));
    site.routes.add(revoke_route(requests));
}

}  // namespace svc::pro::consent
