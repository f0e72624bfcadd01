// GET /scheduled-payments, …/stats, …/outstanding; POST …/{id}/cancel, …/outstanding/{booking_id}/send-link.
#include "pro/scheduled_payments/routes.hpp"

#include "shared/api/guided.hpp"
#include "shared/api/guided_amounts.hpp"
#include "shared/api/keeping.hpp"
#include "shared/api/named.hpp"
#include "shared/api/period.hpp"

namespace svc::pro::scheduled_payments {
namespace {

api::Type payment_answer() {
    using namespace api;
    using api::text;
    return object("ScheduledPayment",
                  {{.name = "id", .type = id(), .required = true},
                   {.name = "booking_id", .type = id(), .required = true},
                   {.name = "booking_reference", .type = text(32)},
                   {.name = "customer_name", .type = text(201)},
                   {.name = "kind",
                    .type = choice({"charge", "link"}),
                    .help = "link: the customer was sent a payment link and is not charged."},
                   {.name = "amount", .type = money(), .required = true},
                   {.name = "currency", .type = text(3), .required = true},
                   {.name = "gateway", .type = text(50), .help = "Empty for a link."},
                   {.name = "payment_type", .type = choice({"balance", "installment"})},
                   {.name = "scheduled_date", .type = date(), .help = "Date in the site's time zone."},
                   {.name = "status",
                    .type = choice({"scheduled", "processing", "paid", "failed", "cancelled"}),
                    .help = "processing: the charge is in progress.",
                    .required = true},
                   {.name = "status_label", .type = choice({"Scheduled", "Processing", "Paid", "Failed", "cancelled"})},
                   {.name = "attempts", .type = integer(0), .help = "Number of failed attempts."},
                   {.name = "max_attempts", .type = integer(1)},
                   {.name = "next_attempt_at",
                    .type = instant().or_null(),
                    .help = "Next attempt after a failure; not before scheduled_date."},
                   {.name = "permanent_failure", .type = boolean(), .help = "Whether there are no further attempts."},
                   {.name = "last_error", .type = text(1000).or_null(), .help = "Why the last attempt failed."},
                   {.name = "payment_id", .type = id().or_null(), .help = "Id of the resulting payment."},
                   {.name = "reminder_sent_at", .type = instant().or_null()},
                   {.name = "link_sent_at", .type = instant().or_null()},
                   {.name = "cancelled_at", .type = instant().or_null()},
                   {.name = "cancel_reason",
                    .type = choice({"refund", "cancelled", "trashed", "paid_in_full", "admin"}).or_null()},
                   {.name = "created_at", .type = instant()},
                   {.name = "updated_at", .type = instant()}});
}

api::Type outstanding_answer() {
    using namespace api;
    using api::text;
    return object("OutstandingBalance",
                  {{.name = "booking_id", .type = id(), .required = true},
                   {.name = "reference", .type = text(32)},
                   {.name = "customer_name", .type = text(201)},
                   {.name = "customer_email", .type = text(254)},
                   {.name = "amount_due", .type = money(), .help = "The balance.", .required = true},
                   {.name = "currency", .type = text(3), .required = true},
                   {.name = "tour_date", .type = date()},
                   {.name = "reason",
                    .type = choice({"guest_booking", "no_saved_method", "gateway_unsupported", "charge_failed",
                                    "cancelled_by_admin", "module_enabled_later", "travel_too_soon"}),
                    .help = "Why the balance is not charged automatically.",
                    .required = true}});
}

api::Type stats_answer() {
    using namespace api;
    using api::text;
    std::vector<Field> fields;
    for (const char* one : {"scheduled", "paid", "failed", "cancelled"}) {
        fields.push_back({.name = one, .type = integer(0), .help = "Number of scheduled payments.", .required = true});
        fields.push_back({std::string("amount_") + one, money(), "Sum in the site's currency.", true});
    }
    fields.push_back(
        {.name = "due_next_7_days", .type = integer(0), .help = "Charges in the next 7 days.", .required = true});
    fields.push_back({.name = "due_next_30_days", .type = integer(0), .help = "Charges in the next 30 days."});
    fields.push_back({.name = "overdue", .type = integer(0), .help = "Overdue charges."});
    fields.push_back({.name = "currency", .type = text(3)});
    return object(Schema(std::move(fields)));
}

api::RouteSpec route(api::Method method, std::string path, api::Permission who, std::string summary) {
    api::RouteSpec spec{.method = method, .path = std::move(path), .who = std::move(who)};
    spec.module = module_slug;
    spec.summary = std::move(summary);
    return spec;
}

api::Permission readers() { return api::Permission::any_of({"svc_view_bookings", "svc_view_financial_reports"}); }

api::RouteSpec list_route(Service& payments) {
    auto spec =
        route(api::Method::get, "/scheduled-payments", readers(),
              "List scheduled payments, next first; search matches the booking's reference, name, e-mail and phone.");
    spec.is_list = true;
    spec.sortable = sort_keys();
    spec.ascending = true;
    spec.statuses = {"scheduled", "processing", "paid", "failed", "cancelled"};
    spec.query = api::Schema{{.name = "booking_id", .type = api::id(), .help = "Only payments of this booking."}}
                     .plus(api::period_fields())
                     .plus(api::updated_since_field());
    spec.answer = api::list(payment_answer(), 100);
    spec.handle = [&](const api::Request& request) -> api::Reply {
        SVC_ASSIGN_OR_RETURN(const auto page, api::page_of(*request.route, request.query));
        SVC_ASSIGN_OR_RETURN(const auto days, api::days_of(request.query, payments.zone()));
        SVC_ASSIGN_OR_RETURN(const auto period, api::period_of(request.query, payments.zone()));
        const Query query{.status = request.query.text_or("status"),
                          .search = request.query.text_or("search"),
                          .order_by = page.order_by,
                          .booking_id = request.query.maybe_integer("booking_id").value_or(0),
                          .guide_id = api::guided_by(request.caller).value_or(0),
                          .from = days.from,
                          .to = days.to,
                          .updated_since = period.updated_since,
                          .ascending = page.ascending,
                          .limit = page.per_page,
                          .offset = page.offset()};
        const Listed found = payments.list(query);
        auto items = json::array_of(found.payments, [&](const ScheduledPayment& payment) { return shown(payment); });
        return api::list_reply(std::move(items), page, found.total);
    };
    return spec;
}

api::RouteSpec stats_route(Service& payments) {
    auto spec = route(api::Method::get, "/scheduled-payments/stats", readers(),
                      "Count and sum scheduled payments by status and period.");
    spec.answer = stats_answer();
    spec.handle = [&](const api::Request& request) {
        return api::ok(payments.stats(request.now, api::guided_by(request.caller).value_or(0)));
    };
    return spec;
}

api::RouteSpec outstanding_route(Service& payments) {
    auto spec = route(api::Method::get, "/scheduled-payments/outstanding", readers(),
                      "List bookings with an unscheduled balance and the reason, next to travel first; from"
                      " and to filter by travel date.");
    spec.is_list = true;
    spec.query = api::period_fields();
    spec.sortable = outstanding_sort_keys();
    spec.ascending = true;
    spec.answer = api::list(outstanding_answer(), 100);
    spec.handle = [&](const api::Request& request) -> api::Reply {
        SVC_ASSIGN_OR_RETURN(const auto page, api::page_of(*request.route, request.query));
        SVC_ASSIGN_OR_RETURN(const auto days, api::days_of(request.query, payments.zone()));
        const Owed owed = payments.outstanding({.search = request.query.text_or("search"),
                                                .order_by = page.order_by,
                                                .guide_id = api::guided_by(request.caller).value_or(0),
                                                .from = days.from,
                                                .to = days.to,
                                                .ascending = page.ascending,
                                                .limit = page.per_page,
                                                .offset = page.offset()});
        auto items = json::Value::array();
        for (const auto& [booking, reason] : owed.bookings)
            items.push(json::Value::object({{"booking_id", booking.id},
                                            {"reference", booking.reference},
                                            {"customer_name", booking.first_name + " " + booking.last_name},
                                            {"customer_email", booking.email},
                                            {"amount_due", booking.balance()},
                                            {"currency", booking.total.currency().code()},
                                            {"tour_date", booking.travel_date},
                                            {"reason", reason}}));
        return api::list_reply(std::move(items), page, owed.total);
    };
    return spec;
}

api::Reply answer_shown(const ScheduledPayment& payment) { return api::ok(shown(payment)); }
api::Reply answer_sent(const ScheduledPayment& payment) {
    return api::ok(json::Value::object({{"sent", true}, {"scheduled_payment_id", payment.id}}));
}

api::RouteSpec cancel_route(Service& payments) {
    auto spec = route(api::Method::post, "/scheduled-payments/{id}/cancel", api::Permission::can("svc_edit_bookings"),
                      "Cancel a scheduled payment that has not run; svc_conflict if it has.");
    spec.answer = payment_answer();
    spec.errors = {&errc::not_found, &errc::conflict};
    spec.handle = [&](const api::Request& request) {
        return api::respond_once(
            request, [&] { return payments.cancel(request.path_id(), request.caller.user_id, request.now); },
            answer_shown);
    };
    return spec;
}

api::RouteSpec link_route(Service& payments) {
    auto spec = route(api::Method::post, "/scheduled-payments/outstanding/{booking_id}/send-link",
                      api::Permission::can("svc_edit_bookings"),
                      "E-mail the customer a payment link for the balance; only once per booking.");
    spec.answer = api::object(
        {{.name = "sent", .type = api::boolean(), .help = "Whether the e-mail was queued.", .required = true},
         {.name = "scheduled_payment_id",
          .type = api::id().referring_to("scheduled-payments"),
          .help = "The record of the link.",
          .required = true}});
    spec.errors = {&errc::booking_not_found, &errc::no_balance_due, &errc::not_payable, &errc::conflict,
                   &link_already_sent};
    spec.handle = [&](const api::Request& request) {
        return api::respond_once(
            request, [&] { return payments.send_link(request.path_id("booking_id"), request.now); }, answer_sent);
    };
    return spec;
}

}  // namespace

void add_routes(plugin::Routes& routes, Service& payments) {
    routes.add(api::without_amounts_for_guides(list_route(payments)));
    routes.add(api::without_amounts_for_guides(stats_route(payments)));
    routes.add(api::without_amounts_for_guides(outstanding_route(payments)));
    routes.add(cancel_route(payments));
    routes.add(link_route(payments));
}

}  // namespace svc::pro::scheduled_payments
