// GET /email-logs, …/{id}.
#include "pro/email_automation/log.hpp"
#include "pro/email_automation/routes.hpp"
#include "shared/api/named.hpp"
#include "shared/api/period.hpp"

namespace svc::pro::email_automation {
namespace {

using json::Value;

api::Schema row_schema() {
    using namespace api;
    using api::text;
    return {{.name = "id", .type = id(), .required = true},
            {.name = "template_id", .type = id().referring_to("email-templates").or_null(), .required = true},
            {.name = "template_key", .type = text(100), .required = true},
            {.name = "sequence_id",
             .type = id().referring_to("email-sequences").or_null(),
             .help = "The sequence that sent it.",
             .required = true},
            {.name = "recipient_email", .type = text(2000), .required = true},
            {.name = "recipient_name", .type = text(300), .required = true},
            {.name = "subject",
             .type = text(1000),
             .help = "Without svc_view_bookings that of an e-mail about a booking or an enquiry is its template_key.",
             .required = true},
            {.name = "context_type", .type = choice({"booking", "enquiry"}).or_null(), .required = true},
            {.name = "context_id", .type = id().or_null(), .required = true},
            {.name = "status",
             .type = choice({"queued", "sent", "failed", "suppressed", "skipped"}),
             .help = "skipped: a step of a sequence that was not sent. suppressed: switched off.",
             .required = true},
            {.name = "error_message", .type = text(2000).or_null(), .help = "Why it was not sent.", .required = true},
            {.name = "sent_at", .type = instant().or_null(), .required = true},
            {.name = "created_at", .type = instant(), .required = true}};
}

bool reads_bookings(const api::Caller& caller) { return caller.can("svc_view_bookings"); }

// Subjects tell of bookings and enquiries, which not everybody who writes templates may read.
Logged seen_by(const api::Caller& caller, Logged row) {
    if (!reads_bookings(caller) && !row.context_type.empty())
        row.subject = row.template_key;
    return row;
}

Value row_json(const Logged& row) {
    const auto or_null = [](const std::string& text) { return text.empty() ? Value() : Value(text); };
    return Value::object({{"id", row.id},
                          {"template_id", row.template_id},
                          {"template_key", row.template_key},
                          {"sequence_id", row.sequence_id},
                          {"recipient_email", row.recipient_email},
                          {"recipient_name", row.recipient_name},
                          {"subject", row.subject},
                          {"context_type", or_null(row.context_type)},
                          {"context_id", row.context_id},
                          {"status", row.status},
                          {"error_message", or_null(row.error_message)},
                          {"sent_at", row.sent_at},
                          {"created_at", row.created_at}});
}

api::RouteSpec list_route(const Site& site) {
    auto spec =
        route(api::Method::get, "/email-logs",
              "List e-mails and steps of sequences that were not sent, newest first; search matches recipient and"
              " subject.");
    spec.is_list = true;
    spec.sortable = {"created_at"};
    // Opening and clicking is not followed: nothing has the last two.
    spec.statuses = {"queued", "sent", "failed", "suppressed", "skipped", "opened", "clicked"};
    spec.query = api::Schema{{.name = "template_key", .type = api::text(100)},
                             {.name = "recipient_email", .type = api::text(254)},
                             {.name = "booking_id", .type = api::id()},
                             {.name = "sequence_id", .type = api::id().referring_to("email-sequences")}}
                     .plus(api::period_fields());
    spec.answer = api::list(api::object("EmailLog", row_schema()), 100);
    spec.handle = [&site](const api::Request& request) -> api::Reply {
        SVC_ASSIGN_OR_RETURN(const auto page, api::page_of(*request.route, request.query));
        SVC_ASSIGN_OR_RETURN(const auto period, api::period_of(request.query, site.zone()));
        const std::string status = request.query.text_or("status");
        const LogQuery query{.status = status == "all" ? std::string() : status,
                             .template_key = request.query.text_or("template_key"),
                             .recipient_email = request.query.text_or("recipient_email"),
                             .search = request.query.text_or("search"),
                             .booking_id = request.query.maybe_integer("booking_id").value_or(0),
                             .sequence_id = request.query.maybe_integer("sequence_id").value_or(0),
                             .from = period.from,
                             .to = period.to,
                             .sees_subjects = reads_bookings(request.caller),
                             .ascending = page.ascending,
                             .limit = page.per_page,
                             .offset = page.offset()};
        std::int64_t total = 0;
        auto items = site.store.reading<Value>([&](store::Session& session) {
            total = MailLog::count(session, query, request.now);
            return json::array_of(MailLog::list(session, query, request.now),
                                  [&](Logged& row) { return row_json(seen_by(request.caller, std::move(row))); });
        });
        return api::list_reply(std::move(items), page, total);
    };
    return spec;
}

api::RouteSpec read_route(const Site& site) {
    auto spec = route(api::Method::get, "/email-logs/{id}", "Return an e-mail of the log.");
    spec.answer = api::object(
        "EmailLogEntry",
        row_schema().plus(
            {{.name = "body",
              .type = api::raw_text(60'000).or_null(),
              .help = "Of a sequence's e-mail: its text before the tags are filled in. Null for e-mails of the site,"
                      " whose texts are sealed.",
              .required = true},
             {.name = "metadata",
              .type = api::object("EmailLogMetadata", {{.name = "event_key", .type = api::text(100), .required = true},
                                                       {.name = "locale", .type = api::text(20), .required = true}}),
              .required = true}}));
    spec.errors = {&errc::not_found};
    spec.handle = [&site](const api::Request& request) -> api::Reply {
        const auto found = site.store.reading<std::optional<Logged>>(
            [&](store::Session& session) { return MailLog::find(session, request.path_id(), request.now); });
        if (!found)
            return api::failed(errc::not_found);
        Value shown = row_json(seen_by(request.caller, *found));
        shown.set("body", found->body.empty() ? Value() : Value(found->body))
            .set("metadata", Value::object({{"event_key", found->event_key}, {"locale", found->locale}}));
        return api::ok(std::move(shown));
    };
    return spec;
}

}  // namespace

void add_log_routes(const Site& site) {
    site.routes.add(list_route(site));
    site.routes.add(read_route(site));
}

}  // namespace svc::pro::email_automation
