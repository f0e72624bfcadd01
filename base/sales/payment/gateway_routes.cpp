// RouteSpecs of gateways: the customers' choice and the operator's configuration.
#include "base/sales/payment/gateways/wire.hpp"
#include "base/sales/payment/routes.hpp"

namespace svc::payment {

using api::Method;
using api::Permission;
using api::Reply;
using api::Request;
using json::Value;

void add_gateway_routes(api::RouteTable& routes, GatewayService& gateways, settings::Settings& settings) {
    routes.add(
        {.method = Method::get,
         .path = "/payment/gateways",
         .who = Permission::everyone(),
         .summary = "List the gateways that a customer can choose, without secrets.",
         .query = {{.name = "context",
                    .type = api::choice({"initial", "remaining"}),
                    .help = "remaining excludes gateways whose payments staff record by hand.",
                    .otherwise = Value("initial")}},
         .answer = api::object({{.name = "gateways", .type = api::list(gateway_answer())},
                                {.name = "currency", .type = api::text(3)},
                                {.name = "context", .type = api::text(20)}}),
         .handle = [&gateways, &settings](const Request& request) {
             const std::string context = request.query.text_or("context", "initial");
             Value list = Value::array();
             const Money nothing = Money::zero(settings.currency());
             for (const OfferedGateway& one :
                  context == "remaining" ? gateways.available(nothing, true) : gateways.bookable(nothing))
                 list.push(to_json(one, gateways.pay_by(one, std::nullopt)));
             return api::ok(Value::object(
                 {{"gateways", std::move(list)}, {"currency", settings.currency().code()}, {"context", context}}));
         }});
    routes.add(
        {.method = Method::get,
         .path = "/payment/gateways/definitions",
         .who = Permission::can("svc_manage_payment_gateways"),
         .summary = "List all gateways with their configuration fields; secrets are masked.",
         .answer = api::object(
             {{.name = "gateways", .type = api::map(definition_answer())}, {.name = "currency", .type = api::text(3)}}),
         .handle = [&gateways, &settings](const Request&) {
             Value all = Value::object();
             for (const OfferedGateway& one : gateways.all())
                 all.set(one.gateway->info().id, to_definition(one, gateways.shipped_text(one.gateway->info().id)));
             return api::ok(Value::object({{"gateways", std::move(all)}, {"currency", settings.currency().code()}}));
         }});
    routes.add({.method = Method::post,
                .path = "/payment/gateways/{gateway}/config",
                .who = Permission::can("svc_manage_payment_gateways"),
                .summary = "Save a gateway's configuration; a masked secret sent back is kept.",
                .answer = definition_answer(),
                .errors = {&errc::invalid_gateway},
                .free_body = true,
                .repeats_safely = true,
                .handle = [&gateways](const Request& request) -> Reply {
                    return api::respond(
                        gateways.configure(request.path["gateway"].text(), request.body),
                        [&](const OfferedGateway& one) {
                            return api::ok(to_definition(one, gateways.shipped_text(one.gateway->info().id)));
                        });
                }});
}

}  // namespace svc::payment
