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
    return object(
        "ScheduledPayment",
        {{"id", id(), "", true},
         {"booking_id", id(), "", true},
         {"booking_reference", text(32)},
         {"customer_name", text(201)},
         {"kind", choice({"charge", "link"}), "link: the customer was sent a payment link and is not charged."},
         {"amount", money(), "", true},
         {"currency", text(3), "", true},
         {"gateway", text(50), "Empty for a link."},
         {"payment_type", choice({"balance", "installment"})},
         {"scheduled_date", date(), "Date in the site's time zone."},
         {"status", choice({"scheduled", "processing", "paid", "failed", "cancelled"}),
          "processing: the charge is in progress.", true},
         {"status_label", choice({"Scheduled", "Processing", "Paid", "Failed", "cancelled"})},
         {"attempts", integer(0), "Number of failed attempts."},
         {"max_attempts", integer(1)},
         {"next_attempt_at", instant().or_null(), "Next attempt after a failure; not before scheduled_date."},
         {"permanent_failure", boolean(), "Whether there are no further attempts."},
         {"last_error", text(1000).or_null(), "Why the last attempt failed."},
         {"payment_id", id().or_null(), "Id of the resulting payment."},
         {"reminder_sent_at", instant().or_null()},
         {"link_sent_at", instant().or_null()},
         {"cancelled_at", instant().or_null()},
         {"cancel_reason", choice({"refund", "cancelled", "trashed", "paid_in_full", "admin"}).or_null()},
         {"created_at", instant()},
         {"updated_at", instant()}});
}

api::Type outstanding_answer() {
    using namespace api;
    using api::text;
    return object("OutstandingBalance",
                  {{"booking_id", id(), "", true},
                   {"reference", text(32)},
                   {"customer_name", text(201)},
                   {"customer_email", text(254)},
                   {"amount_due", money(), "The balance.", true},
                   {"currency", text(3), "", true},
                   {"tour_date", date()},
                   {"reason",
                    choice({"guest_booking", "no_saved_method", "gateway_unsupported", "charge_failed",
                            "cancelled_by_admin", "module_enabled_later", "travel_too_soon"}),
                    "Why the balance is not charged automatically.", true}});
}

api::Type stats_answer() {
    using namespace api;
    using api::text;
    std::vector<Field> fields;
    for (const char* one : {"scheduled", "paid", "failed", "cancelled"}) {
        fields.push_back({one, integer(0), "Number of scheduled payments.", true});
        fields.push_back({std::string("amount_") + one, money(), "Sum in the site's currency.", true});
    }
    fields.push_back({"due_next_7_days", integer(0), "Charges in the next 7 days.", true});
    fields.push_back({"due_next_30_days", integer(0), "Charges in the next 30 days."});
    fields.push_back({"overdue", integer(0), "Overdue charges."});
    fields.push_back({"currency", text(3)});
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
    spec.query = api::Schema{{"booking_id", api::id(), "Only payments of this booking."}}
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
        {{"sent", api::boolean(), "Whether the e-mail was queued.", true},
         {"scheduled_payment_id", api::id().referring_to("scheduled-payments"), "The record of the link.", true}});
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
