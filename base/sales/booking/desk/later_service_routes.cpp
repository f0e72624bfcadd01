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
    return object("OfferedServices",
                  {{"booking_id", id(), "", true},
                   {"currency", text(3), "", true},
                   {"row_version", integer(1), "Of the booking, to make the order a condition.", true},
                   {"can_add", boolean(), "", true},
                   {"reason", text(500).or_null(), "Why nothing can be added.", true},
                   {"services", list(map(anything()), 1000),
                    "What can be added, priced for the booking's party: with most (units that can still be had),"
                    " stock_left, closes_at and is_closed.",
                    true}});
}

api::Type added_answer() {
    using namespace api;
    using api::text;
    const Schema line{{"label", text(255), "", true},
                      {"quantity", integer(0), "", true},
                      {"unit_price", decimal(), "", true},
                      {"amount", decimal(), "", true}};
    return object("AddedServices", {{"booking_id", id(), "", true},
                                    {"currency", text(3), "", true},
                                    {"preview", boolean(), "true: nothing was written.", true},
                                    {"lines", list(object("AddedServiceLine", line), 100), "", true},
                                    {"services_total", money(), "Of the added services.", true},
                                    {"tax_amount", money(), "The tax on them.", true},
                                    {"tax_inclusive", boolean(), "Whether services_total has that tax in it.", true},
                                    {"amount", money(), "By which the booking's total grows.", true},
                                    {"total", money(), "Of the booking with them.", true},
                                    {"amount_paid", money(), "", true},
                                    {"amount_due", money(), "What is to be paid now.", true},
                                    {"balance", money(), "What is left to pay in all.", true},
                                    {"payment_status", text(20), "", true},
                                    {"row_version", integer(1), "", true}});
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
    return {{"selected_services", api::anything(),
             "Quantity by service id; or a list of ids, for one of each. In addition to those that the booking has."},
            {"additional_services", api::anything(), "Ids of services, or services with id and quantity."},
            {"expected_amount", api::money().or_null(),
             "The amount that was shown; when it is another by now nothing is added."},
            {"row_version", api::integer(1).or_null(),
             "Of the booking as it was shown; when it has changed since nothing is added."},
            {"preview", api::boolean(), "true: return what it would cost and write nothing."}};
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
