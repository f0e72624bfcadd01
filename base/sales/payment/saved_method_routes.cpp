// RouteSpecs of saved payment methods: customers see and take them away, staff charge a balance by one.
#include "base/sales/payment/routes.hpp"
#include "shared/api/keeping.hpp"
#include "shared/api/named.hpp"
#include "shared/api/steps.hpp"
#include "shared/core/exact_money.hpp"

namespace svc::payment {
namespace {

using api::Method;
using api::Permission;
using api::Reply;
using api::Request;
using json::Value;

api::Type method_answer() {
    using namespace api;
    using api::text;
    return object(
        "SavedMethod",
        {{.name = "id", .type = id(), .required = true},
         {.name = "gateway", .type = text(50), .required = true},
         {.name = "brand", .type = text(50), .help = "Card brand such as visa; empty if unknown."},
         {.name = "last4", .type = text(4), .help = "The last four digits."},
         {.name = "exp_month", .type = integer(0, 12), .help = "0: unknown."},
         {.name = "exp_year", .type = integer(0), .help = "0: unknown."},
         {.name = "is_expired", .type = boolean(), .help = "Whether the card has expired in the site's time zone."},
         {.name = "is_default", .type = boolean(), .help = "Whether it is the gateway's default method."},
         {.name = "created_at", .type = instant()}});
}

Value to_json(const StoredMethod& stored, Date today) {
    const SavedMethod& method = stored.method;
    const bool is_expired = method.exp_year > 0 &&
                            (method.exp_year < today.year() ||
                             (method.exp_year == today.year() && method.exp_month < static_cast<int>(today.month())));
    return Value::object({{"id", stored.id},
                          {"gateway", stored.gateway},
                          {"brand", method.brand},
                          {"last4", method.last4},
                          {"exp_month", method.exp_month},
                          {"exp_year", method.exp_year},
                          {"is_expired", is_expired},
                          {"is_default", stored.is_default},
                          {"created_at", stored.created_at}});
}

Value methods_json(const std::vector<StoredMethod>& methods, Date today) {
    return json::array_of(methods, [&](const StoredMethod& one) { return to_json(one, today); });
}

void add_own(api::RouteTable& routes, const Paying& paying) {
    const std::string path = "/customers/me/payment-methods";
    routes.add({.method = Method::get,
                .path = path,
                .name = "listMyPaymentMethods",
                .who = Permission::signed_in(),
                .summary = "List the caller's saved payment methods, newest first.",
                .answer = api::list(method_answer()),
                .handle = [paying](const Request& request) {
                    return api::ok(methods_json(paying.checkout.saved.of_user(request.caller.user_id),
                                                paying.bookings.zone().date_at(request.now)));
                }});
    routes.add({.method = Method::del,
                .path = path + "/{id}",
                .name = "deleteMyPaymentMethod",
                .who = Permission::signed_in(),
                .summary = "Delete a saved payment method; it is no longer charged.",
                .answer = api::deleted(),
                .errors = {&errc::not_found},
                .lane = api::Lane::provider,
                .stores_reply = true,
                .handle = [paying](const Request& request) {
                    return api::respond_once(
                        request,
                        [&] { return paying.checkout.saved.forget(request.caller.user_id, request.path_id()); },
                        api::deleted(request.path_id()));
                }});
}

void add_of_booking(api::RouteTable& routes, const Paying& paying) {
    routes.add({.method = Method::get,
                .path = "/bookings/{id}/payment-methods",
                .who = Permission::can("svc_view_bookings"),
                .summary = "List the saved payment methods of a booking's customer.",
                .answer = api::list(method_answer()),
                .errors = {&errc::booking_not_found},
                .handle = [paying](const Request& request) -> Reply {
                    if (!paying.bookings.seen(request.path_id(), request.caller))
                        return api::failed(errc::booking_not_found);
                    return api::respond(
                        paying.checkout.saved.chargeable(request.path_id()),
                        [&](const std::vector<StoredMethod>& methods) {
                            return api::ok(methods_json(methods, paying.bookings.zone().date_at(request.now)));
                        });
                }});
    routes.add({.method = Method::post,
                .path = "/bookings/{id}/charge",
                .who = Permission::can("svc_edit_bookings"),
                .summary = "Charge a booking's balance to a saved payment method without the customer.",
                .body = {{.name = "saved_method_id",
                          .type = api::id(),
                          .help = "Id of one of the booking's payment methods.",
                          .required = true},
                         {.name = "amount",
                          .type = api::money(),
                          .help = "Above zero and at most the balance; defaults to the balance."}},
                .answer = outcome_answer(),
                .errors = {&errc::booking_not_found, &errc::payment_method_unavailable, &errc::no_balance_due,
                           &errc::not_payable, &errc::conflict, &errc::charge_in_progress, &errc::payment_failed,
                           &errc::gateway_unavailable},
                .lane = api::Lane::provider,
                .repeats_safely = true,
                .handle = [paying](const Request& request) -> Reply {
                    // A repeated request is the same charge: the provider knows its key.
                    const auto started = api::Step::of<PaymentIntent>(
                        "charge", [](const PaymentIntent& intent) { return Value(intent.key); });
                    SavedMethods::Request charge_request{
                        .booking_id = request.path_id(),
                        .method_id = request.body["saved_method_id"].integer(),
                        .key = started.before() ? started.before()->text() : crypto::random_token()};
                    if (request.body["amount"].is_number()) {
                        const auto booking = paying.bookings.find(charge_request.booking_id);
                        if (!booking)
                            return api::failed(errc::booking_not_found);
                        const auto amount =
                            parse_exact(request.body["amount"].number_text(), booking->total.currency());
                        if (!amount)
                            return api::failed(invalid("amount", amount.error().message()));
                        charge_request.amount = *amount;
                    }
                    return outcome_reply(paying, paying.checkout.saved.charge(charge_request));
                }});
}

}  // namespace

void add_saved_method_routes(api::RouteTable& routes, const Paying& paying) {
    add_own(routes, paying);
    add_of_booking(routes, paying);
}

}  // namespace svc::payment
