// RouteSpecs of the staff's bookings.
#include "base/sales/booking/desk/routes.hpp"
#include "base/sales/booking/record/masking.hpp"
#include "base/sales/booking/record/wire.hpp"
#include "shared/api/author.hpp"
#include "shared/api/guided.hpp"
#include "shared/api/guided_amounts.hpp"
#include "shared/api/keeping.hpp"
#include "shared/api/list_meta.hpp"
#include "shared/api/meaning.hpp"
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

api::Type booking_type() { return api::object("StaffBooking", staff_booking_answer()); }

// How many bookings each status has, and all that are not in the trash.
api::Type stats_answer() {
    std::vector<api::Field> fields;
    for (const std::string_view one : status::all)
        fields.push_back({.name = std::string(one), .type = api::integer(0), .required = true});
    fields.push_back(
        {.name = "all", .type = api::integer(0), .help = "All bookings except those in the trash.", .required = true});
    fields.push_back({.name = "total", .type = api::integer(0), .help = "The same as all.", .required = true});
    fields.push_back({.name = "by_status",
                      .type = api::map(api::object({{.name = "status", .type = api::text(30), .required = true},
                                                    {.name = "count", .type = api::integer(0), .required = true}})),
                      .help = "The same counts, keyed by status."});
    fields.push_back(
        {.name = "total_revenue",
         .type = api::money().or_null(),
         .help = "Sum of the totals of bookings that were not cancelled, in the site's currency; null for guides."});
    fields.push_back({.name = "total_collected",
                      .type = api::money().or_null(),
                      .help = "Sum of the payments for bookings outside the trash; null for guides."});
    fields.push_back({.name = "currency", .type = api::text(3)});
    fields.push_back({.name = "this_month",
                      .type = api::integer(0),
                      .help = "Created since the first of this month, regardless of the period."});
    fields.push_back(
        {.name = "upcoming", .type = api::integer(0), .help = "Active bookings that travel today or later."});
    fields.push_back({.name = "needs_attention",
                      .type = api::integer(0),
                      .help = "Bookings that need attention, regardless of the period."});
    fields.push_back({.name = "refund_due",
                      .type = api::integer(0),
                      .help = "Bookings with money to refund, regardless of the period."});
    return api::object(api::Schema(std::move(fields)));
}

Result<Filter> filter_of(const Request& request, const Zone& zone) {
    const Value& query = request.query;
    SVC_ASSIGN_OR_RETURN(const auto period, api::period_of(query, zone));
    return Filter{.status = status_filter(query),
                  .payment_status = query.text_or("payment_status"),
                  .search = text::strip_invisible(query.text_or("search")),
                  .trip_id = query.maybe_integer("trip_id"),
                  .customer_id = query.maybe_integer("customer_id"),
                  .from = period.from,
                  .to = period.to,
                  .updated_since = period.updated_since,
                  .needs_attention = query.maybe_boolean("needs_attention").value_or(false),
                  .refund_due = query.maybe_boolean("refund_due").value_or(false),
                  .guide_id = api::guided_by(request.caller)};
}

void add_reading(api::RouteTable& routes, const DeskRoutes& staff) {
    routes.add(api::without_amounts_for_guides(
        {.method = Method::get,
         .path = "/bookings",
         .who = Permission::can("svc_view_bookings"),
         .summary = "List bookings, newest first; search matches reference, name, e-mail and phone.",
         .query = api::Schema{{.name = "payment_status",
                               .type = api::choice({"pending", "partial", "paid", "refunded", "failed"}),
                               .help = "Only bookings with this payment status."},
                              {.name = "trip_id", .type = api::id(), .help = "Only bookings of this trip."},
                              {.name = "customer_id", .type = api::id(), .help = "Only bookings of this customer."},
                              {.name = "needs_attention",
                               .type = api::boolean(),
                               .help = "true: only bookings that need attention."},
                              {.name = "refund_due",
                               .type = api::boolean(),
                               .help = "true: only bookings with money to refund, because it arrived after the booking"
                                       " had ended or was paid, or because it exceeds the total."}}
                      .plus(api::period_fields())
                      .plus(api::updated_since_field()),
         .is_list = true,
         .sortable = sort_keys(),
         .statuses = listed_statuses(true),
         .answer = api::with_meta(api::list(api::object("BookingRow", booking_row_answer())),
                                  {{.name = "counts",
                                    .type = api::map(api::integer(0)),
                                    .help = "Counts by status; `all` excludes the trash."}}),
         .handle = [staff](const Request& request) -> Reply {
             const api::Page page = api::page_of(*request.route, request.query).value();
             SVC_ASSIGN_OR_RETURN(const auto filter, filter_of(request, staff.lists.zone()));
             Listed found = staff.lists.list(filter, page);
             Value items = Value::array();
             const settings::Look look = settings::look_of(staff.settings);
             for (const Booking& booking : found.bookings)
                 items.push(to_json(booking, look));
             Reply reply = api::list_reply(std::move(items), page, found.total);
             reply.more_meta = Value::object({{"counts", std::move(found.counts)}});
             return reply;
         }}));
    routes.add(api::without_amounts_for_guides(
        {.method = Method::get,
         .path = "/bookings/stats",
         .who = Permission::can("svc_view_bookings"),
         .summary = "Count bookings by status and sum their revenue; from and to are creation dates.",
         .query = api::period_fields(),
         .answer = stats_answer(),
         .handle = [staff](const Request& request) -> Reply {
             const auto filter = filter_of(request, staff.lists.zone());
             return filter ? api::ok(staff.lists.stats(*filter)) : api::failed(filter.error());
         }}));
    routes.add(api::without_amounts_for_guides(
        {.method = Method::get,
         .path = "/bookings/{id}",
         .who = Permission::can("svc_view_bookings"),
         .summary = "Return a booking with its travelers, price lines and status log.",
         .answer = booking_type(),
         .errors = {&errc::booking_not_found},
         .handle = [staff](const Request& request) -> Reply {
             const auto booking = staff.records.seen(request.path_id(), request.caller);
             return booking ? api::ok(booking_for(request.caller, staff.records.detail(*booking, true)))
                            : api::failed(errc::booking_not_found);
         }}));
}

void add_changing(api::RouteTable& routes, const DeskRoutes& staff) {
    const auto answered = [staff](const Request& request, Result<Booking> result) {
        return api::respond(std::move(result), [&](const Booking& booking) {
            return api::ok(booking_for(request.caller, staff.records.detail(booking, true)));
        });
    };
    const auto store_reply = [staff](const Request& request) {
        return api::StoreReply::of<Booking>(request, [staff, &request](store::Transaction& tx, const Booking& booking) {
            return api::ok(booking_for(request.caller, staff.records.detail(tx, booking)));
        });
    };
    const api::Type next = set_by_staff(api::text(30, 1));
    routes.add(
        {.method = Method::put,
         .path = "/bookings/{id}/status",
         .who = Permission::can("svc_change_booking_status"),
         .summary = "Change a booking's status; updates seats, fires events and sends e-mails.",
         .body = {{.name = "status",
                   .type = next,
                   .help = "The new status; on_hold is an alias of on-hold.",
                   .required = true},
                  {.name = "cancellation_reason", .type = api::text(500), .help = "Reason, shown to the customer."},
                  force_field()},
         .answer = booking_type(),
         .errors = {&errc::booking_not_found, &errc::invalid_transition, &errc::sold_out},
         .stores_reply = true,
         .handle = [staff, answered, store_reply](const Request& request) -> Reply {
             std::string new_status = request.body["status"].text();
             if (new_status == "on_hold")
                 new_status = status::on_hold;
             bool known = false;
             for (const std::string_view one : status::all)
                 known = known || one == new_status;
             if (!known)
                 return api::failed(invalid("status", "Unknown booking status."_sentence));
             SVC_ASSIGN_OR_RETURN(const auto forced, forced_of(request));
             const api::StoreReply keeping = store_reply(request);
             return answered(request, staff.records.lifecycle().set_status(request.path_id(), new_status,
                                                                           request.body.text_or("cancellation_reason"),
                                                                           staff_of(request), forced));
         }});
    routes.add({.method = Method::post,
                .path = "/bookings/{id}/restore",
                .who = Permission::can("svc_delete_bookings"),
                .summary = "Restore a booking from the trash; its seats must be available.",
                .body = {force_field()},
                .answer = booking_type(),
                .errors = {&errc::booking_not_found, &errc::invalid_transition, &errc::sold_out},
                .stores_reply = true,
                .handle = [staff, answered, store_reply](const Request& request) -> Reply {
                    SVC_ASSIGN_OR_RETURN(const auto forced, forced_of(request));
                    const api::StoreReply keeping = store_reply(request);
                    return answered(request, staff.removal.restore(request.path_id(), staff_of(request), forced));
                }});
}

}  // namespace

Actor staff_of(const Request& request) {
    using Through = api::Caller::Through;
    const Through through = request.caller.through;
    const auto author = api::author(request.caller);
    return {.kind = author ? "admin" : "system",
            .id = author,
            .through = through == Through::cookie    ? "cookie"
                       : through == Through::nothing ? "plugin"
                                                     : "application_password"};
}

api::Field force_field() {
    return {.name = "force",
            .type = api::boolean(),
            .help = "Allow more seats than the departure has; needs svc_manage_departures."};
}

Result<bool> forced_of(const Request& request) {
    const bool forced = request.body.maybe_boolean("force").value_or(false);
    if (forced && !request.caller.can("svc_manage_departures"))
        return Error{errc::forbidden, "Overbooking requires the permission svc_manage_departures."_sentence};
    return forced;
}

std::vector<std::string> listed_statuses(bool with_trash) {
    std::vector<std::string> names{std::begin(status::all), std::end(status::all)};
    if (!with_trash)
        std::erase(names, status::trash);
    names.emplace_back("on_hold");
    return names;
}

api::Type set_by_staff(const api::Type& type) {
    static const auto next = api::next_statuses(
        status::all, [](std::string_view from, std::string_view to) { return may_change(from, to, Cause::staff); });
    return type.followed_by(next);
}

std::string status_filter(const Value& query) {
    std::string name = query.text_or("status");
    if (name == "all")
        return {};
    return name == "on_hold" ? std::string(status::on_hold) : name;
}

void add_admin_routes(api::RouteTable& routes, const DeskRoutes& staff) {
    add_reading(routes, staff);
    add_changing(routes, staff);
}

}  // namespace svc::booking
