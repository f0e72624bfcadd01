// RouteSpecs of a customer's own bookings, and of a guest's by its booking_token.
#include "base/people/identity/proven.hpp"
#include "base/sales/booking/checkout/routes.hpp"
#include "base/sales/booking/desk/routes.hpp"
#include "base/sales/booking/guest/routes.hpp"
#include "base/sales/booking/record/masking.hpp"
#include "base/sales/booking/record/wire.hpp"
#include "shared/api/guided.hpp"
#include "shared/api/keeping.hpp"
#include "shared/api/named.hpp"
#include "shared/api/period.hpp"
#include "shared/core/text.hpp"

namespace svc::booking {
namespace {

using api::Method;
using api::Permission;
using api::Reply;
using api::Request;
using json::Value;

api::Type own_answer() {
    return api::object(
        "OwnBooking",
        booking_answer().plus(
            {{.name = "invoice_token", .type = api::text(200), .help = "Grants access to this booking's invoice."},
             {.name = "cancellation_policy",
              .type = api::raw_text(64 * 1024),
              .help = "The trip's current cancellation policy."}}));
}

// Staff may end a booking here too; then it was not the customer.
Actor who_cancels(const Request& request, const std::optional<Booking>& booking) {
    const api::Caller& caller = request.caller;
    if (!caller.is_user())
        return {.kind = "customer", .through = "token"};
    Actor actor = staff_of(request);
    if (!caller.can("svc_change_booking_status") ||
        (identity::is_proven(caller) && booking && booking->user_id == caller.user_id))
        actor.kind = "customer";
    return actor;
}

// Staff who cancel read no more here than on their own routes.
bool is_of_staff(const api::Caller& caller, const Booking& booking) {
    const bool owns = identity::is_proven(caller) && booking.user_id == caller.user_id;
    return !owns && api::may_read_bookings(caller);
}

void add_own_list(api::RouteTable& routes, const OwnRoutes& own) {
    routes.add({.method = Method::get,
                .path = "/customers/my-bookings",
                .name = "listMyBookings",
                .who = Permission::signed_in(),
                .summary = "List the caller's bookings, newest first.",
                .query = api::period_fields().plus(api::updated_since_field()),
                .is_list = true,
                .sortable = sort_keys(),
                .statuses = listed_statuses(false),
                .answer = api::list(api::object("BookingRow", booking_row_answer())),
                .handle = [&lists = own.lists, &settings = own.settings,
                           &guests = own.guests](const Request& request) -> Reply {
                    SVC_ASSIGN_OR_RETURN(const auto period, api::period_of(request.query, settings.zone()));
                    const api::Page page = api::page_of(*request.route, request.query).value();
                    // What was booked with the proven address since the sign-in is the account's too.
                    if (identity::is_proven(request.caller))
                        guests.link_guest_bookings(request.caller.user_id, request.caller.email);
                    const Listed found =
                        lists.list({.status = status_filter(request.query),
                                    .search = text::strip_invisible(request.query.text_or("search")),
                                    .from = period.from,
                                    .to = period.to,
                                    .updated_since = period.updated_since,
                                    // Not proven, the account owns nothing.
                                    .user_id = identity::is_proven(request.caller) ? request.caller.user_id : 0},
                                   page);
                    Value items = Value::array();
                    const settings::Look look = settings::look_of(settings);
                    for (const Booking& booking : found.bookings)
                        items.push(shown_to(request.caller, booking, to_json(booking, look)));
                    return api::list_reply(std::move(items), page, found.total);
                }});
}

}  // namespace

void add_own_routes(api::RouteTable& routes, OwnRoutes own) {
    add_own_list(routes, own);
    const auto policy_of = [&records = own.records](const Booking& booking) {
        const auto trip = records.whole_trip(booking.trip_id);
        return trip ? trip->cancellation_policy : std::string();
    };
    const auto completed = [invoice_token = std::move(own.invoice_token)](
                               const Request& request, Value whole, const Booking& booking, const std::string& policy) {
        Value detail = shown_to(request.caller, booking, std::move(whole));
        if (is_of_staff(request.caller, booking))
            detail = booking_for(request.caller, std::move(detail));
        detail.set("invoice_token", invoice_token(booking));
        detail.set("cancellation_policy", policy);
        return api::ok(std::move(detail));
    };
    const auto shown = [&records = own.records, policy_of, completed](const Request& request, const Booking& booking) {
        return completed(request, records.detail(booking, false), booking, policy_of(booking));
    };
    routes.add({.method = Method::get,
                .path = "/customers/my-bookings/{id}",
                .name = "getMyBooking",
                .who = std::move(own.reads),
                .summary = "Return one of the caller's bookings with its travelers and lines.",
                .query = {booking_token_field(), session_id_field()},
                .answer = own_answer(),
                .errors = {&errc::booking_not_found},
                .handle = [&records = own.records, shown](const Request& request) -> Reply {
                    const auto booking = records.find(request.path_id());
                    return booking && booking->status != status::trash ? shown(request, *booking)
                                                                       : api::failed(errc::booking_not_found);
                }});
    routes.add({.method = Method::post,
                .path = "/customers/my-bookings/{id}/cancel",
                .name = "cancelMyBooking",
                .who = std::move(own.cancels),
                .summary = "Cancel one of the caller's bookings before its first day. Does not refund.",
                .query = {booking_token_field(), session_id_field()},
                .body = {{.name = "reason", .type = api::text(500), .help = "For the operator."},
                         booking_token_field(),
                         session_id_field()},
                .answer = own_answer(),
                .errors = {&errc::booking_not_found, &errc::conflict, &errc::invalid_transition},
                .stores_reply = true,
                .handle = [&records = own.records, &guests = own.guests, policy_of, completed](const Request& request) {
                    const auto found = records.find(request.path_id());
                    const std::string policy = found ? policy_of(*found) : std::string();
                    const auto keeping =
                        api::StoreReply::of<Booking>(request, [&](store::Transaction& tx, const Booking& booking) {
                            return completed(request, records.detail(tx, booking, false), booking, policy);
                        });
                    return api::respond(guests.cancel_own(request.path_id(), request.body.text_or("reason"),
                                                          who_cancels(request, found)),
                                        [&](const Booking& booking) {
                                            return completed(request, records.detail(booking, false), booking, policy);
                                        });
                }});
}

}  // namespace svc::booking
