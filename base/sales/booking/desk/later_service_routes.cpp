// RouteSpecs of additional services that a booking gets after it was made, for its customer and for staff.
#include "base/sales/booking/desk/later_service_routes.hpp"

#include "base/people/identity/proven.hpp"
#include "base/sales/booking/checkout/routes.hpp"
#include "base/sales/booking/desk/routes.hpp"
#include "base/sales/booking/record/proof.hpp"
#include "shared/api/keeping.hpp"
#include "shared/api/named.hpp"
#include "shared/plugin/pro_modules.hpp"

namespace svc::booking {
namespace {

using api::Method;
using api::Reply;
using api::Request;
using json::Value;

api::Type offered_answer() {
    using namespace api;
    using api::text;
    return object(
        "OfferedServices",
        {{.name = "booking_id", .type = id(), .required = true},
         {.name = "currency", .type = text(3), .required = true},
         {.name = "row_version",
          .type = integer(1),
          .help = "Of the booking, to make the order a condition.",
          .required = true},
         {.name = "can_add", .type = boolean(), .required = true},
         {.name = "reason", .type = text(500).or_null(), .help = "Why nothing can be added.", .required = true},
         {.name = "services",
          .type = list(map(anything()), 1000),
          .help = "What can be added, priced for the booking's party: with most (units that can still be had),"
                  " stock_left, closes_at and is_closed.",
          .required = true}});
}

api::Type added_answer() {
    using namespace api;
    using api::text;
    const Schema line{{.name = "label", .type = text(255), .required = true},
                      {.name = "quantity", .type = integer(0), .required = true},
                      {.name = "unit_price", .type = decimal(), .required = true},
                      {.name = "amount", .type = decimal(), .required = true}};
    return object("AddedServices",
                  {{.name = "booking_id", .type = id(), .required = true},
                   {.name = "currency", .type = text(3), .required = true},
                   {.name = "preview", .type = boolean(), .help = "true: nothing was written.", .required = true},
                   {.name = "lines", .type = list(object("AddedServiceLine", line), 100), .required = true},
                   {.name = "services_total", .type = money(), .help = "Of the added services.", .required = true},
                   {.name = "tax_amount", .type = money(), .help = "The tax on them.", .required = true},
                   {.name = "tax_inclusive",
                    .type = boolean(),
                    .help = "Whether services_total has that tax in it.",
                    .required = true},
                   {.name = "amount", .type = money(), .help = "By which the booking's total grows.", .required = true},
                   {.name = "total", .type = money(), .help = "Of the booking with them.", .required = true},
                   {.name = "amount_paid", .type = money(), .required = true},
                   {.name = "amount_due", .type = money(), .help = "What is to be paid now.", .required = true},
                   {.name = "balance", .type = money(), .help = "What is left to pay in all.", .required = true},
                   {.name = "payment_status", .type = text(20), .required = true},
                   {.name = "row_version", .type = integer(1), .required = true}});
}

Value to_json(const LaterServices::Added& added, bool is_preview) {
    const Booking& booking = added.booking;
    return Value::object({{"booking_id", booking.id},
                          {"currency", booking.currency.code()},
                          {"preview", is_preview},
                          {"lines", json::array_of(added.lines,
                                                   [](const Line& line) {
                                                       return Value::object({{"label", line.label},
                                                                             {"quantity", line.quantity},
                                                                             {"unit_price", line.unit},
                                                                             {"amount", line.amount}});
                                                   })},
                          {"services_total", added.services},
                          {"tax_amount", added.tax},
                          {"tax_inclusive", booking.tax_inclusive},
                          {"amount", added.amount()},
                          {"total", booking.total},
                          {"amount_paid", booking.amount_paid},
                          {"amount_due", booking.amount_due()},
                          {"balance", booking.balance()},
                          {"payment_status", booking.payment_status},
                          {"row_version", booking.row_version}});
}

api::Schema order_fields() {
    return {
        {.name = "selected_services",
         .type = api::anything(),
         .help =
             "Quantity by service id; or a list of ids, for one of each. In addition to those that the booking has."},
        {.name = "additional_services",
         .type = api::anything(),
         .help = "Ids of services, or services with id and quantity."},
        {.name = "expected_amount",
         .type = api::money().or_null(),
         .help = "The amount that was shown; when it is another by now nothing is added."},
        {.name = "row_version",
         .type = api::integer(1).or_null(),
         .help = "Of the booking as it was shown; when it has changed since nothing is added."},
        {.name = "preview", .type = api::boolean(), .help = "true: return what it would cost and write nothing."}};
}

Reply offers_reply(const LaterServices& services, const Booking& booking, const Request& request, bool by_staff) {
    const auto fault = services.why_not(booking, by_staff);
    return api::ok(Value::object({{"booking_id", booking.id},
                                  {"currency", booking.currency.code()},
                                  {"row_version", booking.row_version},
                                  {"can_add", !fault},
                                  {"reason", fault ? Value(request.say(fault->message())) : Value()},
                                  {"services", fault ? Value::array() : services.offers(booking)}}));
}

Reply ordered(LaterServices& services, const Request& request, const Actor& actor, bool by_staff) {
    const Choice choice = choice_of(request.body);
    if (choice.fault)
        return api::failed(*choice.fault);
    LaterServices::Wanted wanted{.row_version = request.body.maybe_integer("row_version"), .by_staff = by_staff};
    if (choice.services)
        wanted.services = *choice.services;
    if (const Value& amount = request.body["expected_amount"]; amount.is_number())
        wanted.expected_amount = amount.number_text();
    if (request.body.maybe_boolean("preview").value_or(false))
        return api::respond(services.preview(request.path_id(), wanted),
                            [](const LaterServices::Added& added) { return api::ok(to_json(added, true)); });
    return api::respond_once(
        request, [&] { return services.add(request.path_id(), wanted, actor); },
        [](const LaterServices::Added& added) { return api::ok(to_json(added, false)); });
}

api::RouteSpec order_route(std::string path, api::Permission who) {
    api::RouteSpec spec{.method = Method::post, .path = std::move(path), .who = std::move(who)};
    spec.module = plugin::slugs::additional_services;
    spec.body = order_fields();
    spec.answer = added_answer();
    spec.errors = {&errc::booking_not_found, &errc::conflict, &errc::price_changed};
    spec.stores_reply = true;
    return spec;
}

}  // namespace

void add_later_service_routes(api::RouteTable& routes, const LaterServiceRoutes& given) {
    const auto services = given.services;
    Service& records = given.records;
    routes.add({.method = Method::get,
                .path = "/customers/my-bookings/{id}/services",
                .who = given.reads,
                .module = plugin::slugs::additional_services,
                .summary = "List the additional services that the caller can add to a booking.",
                .query = {booking_token_field(), session_id_field()},
                .answer = offered_answer(),
                .errors = {&errc::booking_not_found},
                .handle = [services, &records](const Request& request) -> Reply {
                    const auto booking = records.find(request.path_id());
                    return booking && booking->status != status::trash
                               ? offers_reply(*services, *booking, request, false)
                               : api::failed(errc::booking_not_found);
                }});
    auto own = order_route("/customers/my-bookings/{id}/services", given.orders);
    own.summary = "Add additional services to one of the caller's bookings; their price is due with its balance.";
    own.query = {booking_token_field(), session_id_field()};
    own.body = own.body.plus({booking_token_field(), session_id_field()});
    own.handle = [services](const Request& request) -> Reply {
        Actor actor{.kind = "customer", .through = "token"};
        if (request.caller.is_user())
            actor = staff_of(request);
        if (request.caller.is_user() && !request.caller.can("svc_edit_bookings"))
            actor.kind = "customer";
        return ordered(*services, request, actor, false);
    };
    routes.add(std::move(own));

    routes.add({.method = Method::get,
                .path = "/bookings/{id}/services",
                .who = api::Permission::can("svc_view_bookings"),
                .module = plugin::slugs::additional_services,
                .summary = "List the additional services that staff can add to a booking, also after their deadline.",
                .answer = offered_answer(),
                .errors = {&errc::booking_not_found},
                .handle = [services, &records](const Request& request) -> Reply {
                    const auto booking = records.seen(request.path_id(), request.caller);
                    return booking && booking->status != status::trash
                               ? offers_reply(*services, *booking, request, true)
                               : api::failed(errc::booking_not_found);
                }});
    auto staff = order_route("/bookings/{id}/services", api::Permission::can("svc_edit_bookings"));
    staff.summary = "Add additional services to a booking; its price stays as it was agreed.";
    staff.handle = [services](const Request& request) -> Reply {
        return ordered(*services, request, staff_of(request), true);
    };
    routes.add(std::move(staff));
}

}  // namespace svc::booking
