// RouteSpecs of payments.
#include "base/sales/booking/record/proof.hpp"
#include "base/sales/payment/record/wire.hpp"
#include "base/sales/payment/routes.hpp"
#include "shared/api/guided.hpp"
#include "shared/api/guided_amounts.hpp"
#include "shared/api/keeping.hpp"
#include "shared/api/meaning.hpp"
#include "shared/api/named.hpp"
#include "shared/api/period.hpp"
#include "shared/api/steps.hpp"

namespace svc::payment {
namespace {

using api::Method;
using api::Permission;
using api::Reply;
using api::Request;
using json::Value;

const api::Schema& draft_schema() {
    static const auto next = api::next_statuses(
        status::all, [](std::string_view from, std::string_view to) { return may_change(from, to, "manual"); });
    static const api::Schema schema{
        {.name = "amount",
         .type = api::money(),
         .help = "The amount paid, in the booking's currency; above zero.",
         .required = true},
        {.name = "currency",
         .type = api::text(3, 3),
         .help = "Must match the booking's currency, which is the default."},
        {.name = "gateway",
         .type = api::text(50, 1),
         .help = "A gateway's id, or cash, cheque, other, card, wallet, regional."},
        {.name = "method", .type = api::text(100), .help = "Same as gateway; with a gateway, same as method_label."},
        {.name = "method_label",
         .type = api::text(100),
         .help = "Name of the payment method; defaults to the gateway's title."},
        {.name = "transaction_id",
         .type = api::text(191).or_null(),
         .help = "The provider's transaction id; unique to one booking."},
        {.name = "status",
         .type = api::text(20).followed_by(next),
         .help = "pending (default), completed, failed or cancelled."},
        {.name = "type",
         .type = api::choice({"initial", "partial", "final"}),
         .help = "Type of an uncompleted payment; derived for completed ones."},
        {.name = "notes", .type = api::raw_text(5000), .help = "Notes for staff."},
        {.name = "date",
         .type = api::date(),
         .help = "Payment date, not in the future; default today.",
         .also = {"payment_date"}},
    };
    return schema;
}

Draft draft_of(const Request& request) {
    const Value& body = request.body;
    Draft draft;
    draft.booking_id = body.maybe_integer("booking_id");
    if (body["amount"].is_number())
        draft.amount = body["amount"].number_text();
    draft.currency = body.maybe_text("currency");
    draft.gateway = body.maybe_text("gateway");
    draft.method = body.maybe_text("method");
    draft.method_label = body.maybe_text("method_label");
    if (const Value* id = body.find("transaction_id"))
        draft.transaction_id = id->is_string() ? id->text() : std::string();
    draft.status = body.maybe_text("status");
    draft.type = body.maybe_text("type");
    draft.notes = body.maybe_text("notes");
    if (auto date = body.maybe_text("date"))
        draft.date = Date::parse(*date);
    return draft;
}

Reply recorded(Service& payments, const Request& request, const Draft& draft) {
    const auto answer = [](const Payment& payment) {
        return api::created(to_json(payment), "/payments/" + std::to_string(payment.id));
    };
    return api::respond_once(
        request, [&] { return payments.record(draft, request.caller.user_id); }, answer);
}

Result<Filter> filter_of(const Request& request, const Zone& zone) {
    SVC_ASSIGN_OR_RETURN(const auto days, api::days_of(request.query, zone));
    SVC_ASSIGN_OR_RETURN(const auto period, api::period_of(request.query, zone));
    Filter filter{.status = request.query.text_or("status"),
                  .gateway = request.query.text_or("gateway"),
                  .booking_id = request.query.maybe_integer("booking_id"),
                  .from = days.from,
                  .to = days.to,
                  .updated_since = period.updated_since,
                  .reconciliation = request.query.text_or("reconciliation"),
                  .search = request.query.text_or("search"),
                  .guide_id = api::guided_by(request.caller)};
    if (filter.status == "all")
        filter.status.clear();
    return filter;
}

Reply list_payments(store::Store& store, const Filter& filter, const api::Page& page) {
    Value items = Value::array();
    std::int64_t total = 0;
    store.read([&](store::Session& session) {
        for (const Payment& payment : Repository::list(session, filter, page))
            items.push(to_json(payment));
        total = Repository::count(session, filter);
    });
    return api::list_reply(std::move(items), page, total);
}

void add_records(api::RouteTable& routes, Service& payments, store::Store& store, const settings::Settings& settings,
                 Refunds& refunds) {
    routes.add(api::without_amounts_for_guides(
        {.method = Method::get,
         .path = "/payments",
         .who = Permission::can("svc_view_bookings"),
         .summary = "List payments, newest first; from and to filter by payment date.",
         .query =
             api::Schema{
                 {.name = "booking_id", .type = api::id(), .help = "Only payments of this booking."},
                 {.name = "gateway", .type = api::text(50), .help = "Only payments of this gateway."},
                 {.name = "reconciliation",
                  .type = api::choice({"manual", "matched", "refund_due"}),
                  .help = "refund_due: payments that were not due, to be refunded: the booking had ended, or less was"
                          " to be paid."}}
                 .plus(api::period_fields())
                 .plus(api::updated_since_field()),
         .is_list = true,
         .sortable = sort_keys(),
         .statuses = {"pending", "completed", "failed", "refunded", "cancelled"},
         .answer = api::list(payment_answer()),
         .handle = [&store, &settings](const Request& request) -> Reply {
             SVC_ASSIGN_OR_RETURN(const auto filter, filter_of(request, settings.zone()));
             return list_payments(store, filter, api::page_of(*request.route, request.query).value());
         }}));
    routes.add(
        {.method = Method::post,
         .path = "/payments",
         .who = Permission::can("svc_edit_bookings"),
         .summary = "Record a manual payment; a completed payment is applied to its booking.",
         .body = api::Schema{{.name = "booking_id", .type = api::id(), .help = "Id of the booking.", .required = true}}
                     .plus(draft_schema()),
         .answer = payment_answer(),
         .success = 201,
         .errors = {&errc::transaction_mismatch, &errc::duplicate_transaction},
         .stores_reply = true,
         .handle = [&payments](const Request& request) { return recorded(payments, request, draft_of(request)); }});
    routes.add(
        {.method = Method::get,
         .path = "/payments/stats",
         .who = Permission::can("svc_view_bookings"),
         .summary = "Count payments by status, and those that need attention.",
         .answer = api::object(
             {{.name = "all", .type = api::integer(0), .required = true},
              {.name = "completed", .type = api::integer(0), .required = true},
              {.name = "pending", .type = api::integer(0), .required = true},
              {.name = "partial",
               .type = api::integer(0),
               .help = "Completed payments that left a balance.",
               .required = true},
              {.name = "failed", .type = api::integer(0), .required = true},
              {.name = "refunded", .type = api::integer(0), .required = true},
              {.name = "cancelled", .type = api::integer(0), .required = true},
              {.name = "refund_due", .type = api::integer(0), .help = "Payments that were not due, to be refunded."},
              {.name = "in_review", .type = api::integer(0), .help = "Charges that differ from the provider's report."},
              {.name = "parked",
               .type = api::integer(0),
               .help = "Provider events without a matching charge or booking."},
              {.name = "unreconciled", .type = api::integer(0), .help = "Charges with unknown outcome."}}),
         .handle = [&store](const Request& request) {
             return api::ok(store.reading<Value>(
                 [&](store::Session& session) { return Repository::counts(session, api::guided_by(request.caller)); }));
         }});
    routes.add(api::without_amounts_for_guides(
        {.method = Method::get,
         .path = "/payments/pending",
         .who = Permission::can("svc_view_bookings"),
         .summary = "List pending payments, newest first.",
         .query =
             api::Schema{{.name = "per_page", .type = api::page_sum(), .otherwise = Value(10)},
                         {.name = "limit", .type = api::integer(1, 100), .help = "Same as per_page; takes precedence."}}
                 .plus(api::period_fields())
                 .plus(api::updated_since_field()),
         .is_list = true,
         .sortable = sort_keys(),
         .statuses = {"pending"},
         .answer = api::list(payment_answer()),
         .handle = [&store, &settings](const Request& request) -> Reply {
             SVC_ASSIGN_OR_RETURN(auto filter, filter_of(request, settings.zone()));
             filter.status = status::pending;
             api::Page page = api::page_of(*request.route, request.query).value();
             page.per_page = request.query.maybe_integer("limit").value_or(page.per_page);
             return list_payments(store, filter, page);
         }}));
    routes.add(api::without_amounts_for_guides(
        {.method = Method::get,
         .path = "/payments/{id}",
         .who = Permission::can("svc_view_bookings"),
         .summary = "Return a payment.",
         .answer = payment_answer(),
         .errors = {&errc::payment_not_found},
         .handle = [&payments](const Request& request) {
             return api::respond(payments.seen(request.path_id(), request.caller),
                                 [](const Payment& payment) { return api::ok(to_json(payment)); });
         }}));
    routes.add({.method = Method::put,
                .path = "/payments/{id}",
                .who = Permission::can("svc_refund_bookings"),
                .summary = "Update a payment; completing it applies it to its booking.",
                .body = draft_schema().partial(),
                .answer = payment_answer(),
                .errors = {&errc::payment_not_found, &errc::invalid_transition, &errc::transaction_mismatch,
                           &errc::duplicate_transaction, &errc::conflict, &errc::payment_error},
                .lane = api::Lane::provider,
                .repeats_safely = true,
                .handle = [&payments, &refunds](const Request& request) -> Reply {
                    Draft draft = draft_of(request);
                    const std::int64_t id = request.path_id(), user_id = request.caller.user_id;
                    const auto answer = [](const Payment& payment) { return api::ok(to_json(payment)); };
                    const auto stored = payments.find(id);
                    const bool is_begun = api::Steps::before(Refunds::first_step).has_value();
                    if (!is_begun &&
                        (draft.status != status::refunded || !stored || stored->status == status::refunded)) {
                        return api::respond_once(
                            request, [&] { return payments.update(id, draft, user_id); }, answer);
                    }
                    // `refunded` is not written to the record: it starts a refund, and the record follows. Other fields
                    // are validated first, since a refund cannot be undone for an invalid date.
                    draft.status.reset();
                    if (!is_begun && stored->status == status::completed) {
                        const api::Step step("record");
                        if (!step.before())
                            if (const auto written = payments.update(id, draft, user_id); !written)
                                return api::failed(written.error());
                    }
                    SVC_ASSIGN_OR_RETURN(const auto refund, refunds.refund({.payment_id = id, .user_id = user_id}));
                    if (refund.status == status::failed)
                        return api::failed(refund.last_error.empty()
                                               ? Error{errc::payment_error}
                                               : Error{errc::payment_error, Sentence::verbatim(refund.last_error)});
                    return api::respond(payments.find(id), answer);
                }});
    routes.add({.method = Method::del,
                .path = "/payments/{id}",
                .who = Permission::can("svc_refund_bookings"),
                .summary = "Delete a manual payment and update the booking's amounts.",
                .answer = api::deleted(),
                .errors = {&errc::payment_not_found, &errc::conflict},
                .stores_reply = true,
                .handle = [&payments](const Request& request) {
                    return api::respond_once(
                        request, [&] { return payments.remove(request.path_id()); }, api::deleted(request.path_id()));
                }});
}

// One statement reads ownership and payments: a second trip to the database costs as much as all the rest.
Reply status_reply(const Request& request, Service& payments, booking::Service& bookings, store::Store& store,
                   const settings::Settings& settings, const booking::Ownership& owns) {
    std::optional<Standing> standing;
    const auto read = [&](const store::Params& params) {
        standing =
            store.reading<Standing>([&](store::Session& session) { return Repository::standing(session, params); });
        return standing->access;
    };
    const std::int64_t id = request.path_id("booking_id");
    SVC_RETURN_IF_ERROR(owns(request, id, read));
    if (!standing)  // staff
        read(booking::access_params(id, {}, request.now));
    if (!standing->account)
        return api::failed(errc::booking_not_found);
    const booking::Account& account = *standing->account;
    // A pay link shows what is to be paid, and nothing of earlier payments.
    const std::optional<Payment> latest = booking::shows_pay_link(request) ? std::nullopt : standing->latest;
    const bool for_staff = request.caller.can("svc_view_bookings");
    Value payment = !latest ? Value() : for_staff ? to_json(*latest) : to_own_json(*latest);
    // While a first payment is due. Only a booking that waited, or is older than stored deadlines, is read again.
    std::optional<Instant> pay_by;
    if (account.amount_paid.is_zero() && !account.amount_due().is_zero()) {
        const bool is_stored =
            standing->pay_by && settings.integer("booking_expiry_hours") > 0 &&
            (account.status == booking::status::pending || account.status == booking::status::confirmed);
        const auto terms = is_stored ? std::nullopt : bookings.money_terms(id);
        pay_by = terms ? terms->due_by : is_stored ? standing->pay_by : std::nullopt;
    }
    if (latest)
        payment.set("invoice_token", payments.invoice_token(*latest));
    Value shown = Value::object(
        {{"status", account.status},
         {"payment_status", account.payment_status},
         {"amount_paid", account.amount_paid},
         {"amount_due", account.amount_due()},
         {"currency", account.total.currency().code()},
         {"pay_by", pay_by},
         {"confirmed", account.status == booking::status::confirmed || account.status == booking::status::completed},
         {"amount", latest ? Value(latest->amount) : Value()},
         {"gateway", latest ? Value(latest->gateway) : Value()},
         {"transaction_id", latest ? Value(latest->transaction_id) : Value()},
         {"created_at", latest ? Value(latest->created_at) : Value()},
         {"payment", std::move(payment)}});
    // Of a guide's own booking it is what its customer is told.
    if (for_staff && api::guided_by(request.caller) && standing->access.user_id != request.caller.user_id)
        api::take_amounts(request.route->answer, shown);
    return api::ok(std::move(shown));
}

// What is paid and due on a booking, and its latest payment.
api::Type standing_answer() {
    return api::without_amounts(api::object(
        {{.name = "status", .type = api::text(30), .help = "The booking's status."},
         {.name = "payment_status", .type = api::text(20)},
         {.name = "amount_paid", .type = api::money()},
         {.name = "amount_due", .type = api::money()},
         {.name = "currency", .type = api::text(3)},
         {.name = "pay_by", .type = api::instant().or_null(), .help = "The deadline of the first payment; null: none."},
         {.name = "confirmed", .type = api::boolean(), .help = "Whether the booking is confirmed or completed."},
         {.name = "amount",
          .type = api::money().or_null(),
          .help = "Of the latest payment, like the following members."},
         {.name = "gateway", .type = api::text(50).or_null()},
         {.name = "transaction_id", .type = api::text(191).or_null()},
         {.name = "created_at", .type = api::instant().or_null()},
         {.name = "payment", .type = payment_status_answer().or_null()}}));
}

void add_of_booking(api::RouteTable& routes, Service& payments, booking::Service& bookings, store::Store& store,
                    const settings::Settings& settings, const booking::Ownership& owns) {
    const auto status_of = [&store, &payments, &bookings, &settings, owns](const Request& request) {
        return status_reply(request, payments, bookings, store, settings, owns);
    };
    routes.add({.method = Method::get,
                .path = "/payment/status/{booking_id}",
                .who = owns.permission_of_handler(),
                .summary = "Return what is paid and due on a booking, and its latest payment.",
                .query = {booking::booking_token_field(), booking::session_id_field()},
                .answer = standing_answer(),
                .errors = {&errc::booking_not_found},
                .brief = true,
                .handle = status_of});
    routes.add(api::without_amounts_for_guides({.method = Method::get,
                                                .path = "/bookings/{id}/payments",
                                                .who = Permission::can("svc_view_bookings"),
                                                .summary = "List a booking's payments, oldest first.",
                                                .answer = api::list(payment_answer()),
                                                .errors = {&errc::booking_not_found},
                                                .handle = [&bookings, &store](const Request& request) -> Reply {
                                                    if (!bookings.seen(request.path_id(), request.caller))
                                                        return api::failed(errc::booking_not_found);
                                                    Value items = Value::array();
                                                    store.read([&](store::Session& session) {
                                                        for (const Payment& payment :
                                                             Repository::of_booking(session, request.path_id()))
                                                            items.push(to_json(payment));
                                                    });
                                                    return api::ok(std::move(items));
                                                }}));
    routes.add({.method = Method::post,
                .path = "/bookings/{id}/payments",
                .who = Permission::can("svc_edit_bookings"),
                .summary = "Record a manual payment for a booking.",
                .body = draft_schema(),
                .answer = payment_answer(),
                .success = 201,
                .errors = {&errc::booking_not_found, &errc::transaction_mismatch, &errc::duplicate_transaction},
                .stores_reply = true,
                .handle = [&payments, &bookings](const Request& request) -> Reply {
                    if (!bookings.seen(request.path_id(), request.caller))
                        return api::failed(errc::booking_not_found);
                    Draft draft = draft_of(request);
                    draft.booking_id = request.path_id();
                    return recorded(payments, request, draft);
                }});
}

}  // namespace

void add_routes(api::RouteTable& routes, Service& payments, booking::Service& bookings, store::Store& store,
                settings::Settings& settings, const booking::Ownership& owns, Refunds& refunds) {
    add_records(routes, payments, store, settings, refunds);
    add_of_booking(routes, payments, bookings, store, settings, owns);
}

}  // namespace svc::payment
