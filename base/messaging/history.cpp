// GET /bookings/{id}/history: the history of a booking, from its logs, its payments and refunds and the e-mails about
// it.
#include <algorithm>
#include <map>
#include <vector>

#include "base/messaging/outbox/repository.hpp"
#include "base/messaging/routes.hpp"
#include "base/sales/booking/record/changes.hpp"
#include "base/sales/payment/record/intent.hpp"
#include "shared/api/guided.hpp"
#include "shared/api/guided_amounts.hpp"
#include "shared/api/named.hpp"
#include "shared/api/sometimes_sent.hpp"
#include "shared/store/read_rows.hpp"

namespace svc::messaging {
namespace {

using json::Value;

constexpr int most_mails = 500;

Value entry(const char* kind, Value at, std::string title) {
    return Value::object({{"kind", kind},
                          {"at", std::move(at)},
                          {"title", std::move(title)},
                          {"detail", ""},
                          {"actor", Value()},
                          {"status", Value()},
                          {"amount", Value()},
                          {"currency", Value()},
                          {"ref_id", Value()},
                          {"changes", Value::array()}});
}

void add_status_changes(std::vector<Value>& entries, const Value& booking) {
    for (const Value& change : booking["status_log"].items()) {
        const std::string from = change.text_or("from"), to = change.text_or("to");
        Value made = entry("status", change["at"], from.empty() ? "Created as " + to : from + " to " + to);
        const std::string name = change.text_or("actor_name");
        made.set("actor", name.empty() ? change.text_or("actor") : name)
            .set("detail", change.text_or("reason"))
            .set("status", to);
        entries.push_back(std::move(made));
    }
}

void add_payments(std::vector<Value>& entries, const Value& booking, store::Session& session) {
    std::map<std::int64_t, std::string> recorded_by;
    store::each_row(session,
                    "SELECT p.id, u.login FROM svc_payments p JOIN svc_users u ON u.id = p.recorded_by"
                    " WHERE p.booking_id = :id",
                    {{"id", booking["id"].integer()}},
                    [&](std::int64_t id, const std::string& login) { recorded_by.emplace(id, login); });
    for (const Value& payment : booking["payments"].items()) {
        Value made = entry("payment", payment["created_at"], payment.text_or("reference"));
        const auto person = recorded_by.find(payment["id"].integer());
        made.set("detail", payment.text_or("method_label"))
            .set("actor", person == recorded_by.end() ? payment.text_or("source") : person->second)
            .set("status", payment.text_or("status"))
            .set("amount", payment["amount"])
            .set("currency", payment["currency"])
            .set("ref_id", payment["id"]);
        entries.push_back(std::move(made));
    }
}

void add_refunds(std::vector<Value>& entries, std::int64_t booking_id, store::Session& session) {
    store::each_row(
        session,
        "SELECT r.id, r.amount_minor, r.currency, r.status, r.reason, r.source, r.created_at, u.login"
        " FROM svc_refunds r LEFT JOIN svc_users u ON u.id = r.initiated_by WHERE r.booking_id = :id",
        {{"id", booking_id}},
        [&](std::int64_t id, std::int64_t minor, const std::string& code, const std::string& status,
            const std::string& reason, const std::string& source, Instant at, const std::optional<std::string>& login) {
            const auto currency = Currency::parse(code);
            if (!currency)
                return;
            Value made = entry("refund", Value(at), payment::Refunded{.id = id}.reference());
            made.set("detail", reason)
                .set("actor", login.value_or(source))
                .set("status", status)
                .set("amount", Money{minor, *currency})
                .set("currency", code)
                .set("ref_id", id);
            entries.push_back(std::move(made));
        });
}

// What was changed in the booking, with the values before and after.
void add_changes(std::vector<Value>& entries, std::int64_t booking_id, store::Session& session) {
    for (const Value& change : booking::changes_of(session, booking_id).items()) {
        const std::string kind = change.text_or("kind"), name = change.text_or("actor_name");
        Value made = entry(kind.c_str(), change["at"], kind);
        made.set("actor", name.empty() ? change.text_or("actor") : name).set("changes", change["fields"]);
        entries.push_back(std::move(made));
    }
}

void add_mails(std::vector<Value>& entries, const std::vector<MailOfBooking>& mails) {
    for (const MailOfBooking& mail : mails) {
        Value made = entry("email", Value(mail.created_at), mail.subject);
        made.set("detail", mail.error.empty() ? "To " + mail.to : "To " + mail.to + ": " + mail.error)
            .set("actor", mail.template_key)
            .set("status", mail.status)
            .set("ref_id", mail.id);
        entries.push_back(std::move(made));
    }
}

// What the types of the answer do not show as amounts.
void take_words_of_money(Value& entry) {
    if (entry.text_or("kind") == "email")
        entry.set("title", entry["actor"]);  // a subject may name a sum
    if (entry.text_or("kind") == "price")
        entry.set("changes", Value::array());
}

}  // namespace

void add_history_route(api::RouteTable& routes, store::Store& store, const Bookings& bookings) {
    const api::Schema changed{
        {.name = "field", .type = api::text(200), .required = true},
        api::sometimes_sent({.name = "traveler",
                             .type = api::integer(1),
                             .help = "The traveler's place in the list, where the field is a traveler's."}),
        {.name = "before", .type = api::anything()},
        {.name = "after", .type = api::anything()},
        {.name = "withheld",
         .type = api::boolean(),
         .help = "An answer about health or papers, whose values are not recorded."}};
    const api::Schema happened{
        {.name = "kind",
         .type = api::choice({"status", "payment", "refund", "email", "date", "party", "price", "travelers", "contact",
                              "note", "other"}),
         .help = "date to other: changes of the booking.",
         .required = true},
        {.name = "at", .type = api::instant(), .required = true},
        {.name = "title",
         .type = api::text(1000),
         .help =
             "The status change, the reference of the payment or refund, the e-mail's subject, or the kind of change.",
         .required = true},
        {.name = "detail",
         .type = api::text(3000),
         .help = "The reason, the method, or the recipient and the failure.",
         .required = true},
        {.name = "actor",
         .type = api::text(100).or_null(),
         .help = "The person who did it, where one did; else the origin of the payment, or the e-mail's template.",
         .required = true},
        {.name = "status", .type = api::text(30).or_null(), .help = "The new or present status.", .required = true},
        {.name = "amount",
         .type = api::decimal().or_null(),
         .help = "Of payments and refunds; null for the others.",
         .required = true},
        {.name = "currency", .type = api::text(3).or_null(), .required = true},
        {.name = "ref_id",
         .type = api::id().or_null(),
         .help = "Of the payment, the refund or the e-mail.",
         .required = true},
        {.name = "changes",
         .type = api::list(api::object("BookingChange", changed), 1000),
         .help = "Of changes of the booking: each field with its values before and after."}};
    routes.add(api::without_amounts_for_guides(
        {.method = api::Method::get,
         .path = "/bookings/{id}/history",
         .who = api::Permission::can("svc_view_bookings"),
         .summary = "List what happened to a booking, newest first: status, changes with the values before and"
                    " after, payments, refunds and e-mails.",
         .answer = api::list(api::object("BookingEvent", happened), 10'000),
         .errors = {&errc::booking_not_found},
         .handle = [&store, &bookings](const api::Request& request) -> api::Reply {
             const auto booking = bookings.seen(request.path_id(), request.caller);
             if (!booking)
                 return api::failed(errc::booking_not_found);
             std::vector<Value> entries;
             store.read([&](store::Session& session) {
                 entries.clear();
                 add_status_changes(entries, *booking);
                 add_changes(entries, request.path_id(), session);
                 add_payments(entries, *booking, session);
                 add_refunds(entries, request.path_id(), session);
                 add_mails(entries, outbox::of_booking(session, request.path_id(), most_mails));
             });
             if (api::guided_by(request.caller))
                 for (Value& each : entries)
                     take_words_of_money(each);
             std::stable_sort(entries.begin(), entries.end(),
                              [](const Value& a, const Value& b) { return a.text_or("at") > b.text_or("at"); });
             auto list = json::array_of(entries, [&](Value& each) { return std::move(each); });
             return api::ok(std::move(list));
         }}));
}

}  // namespace svc::messaging
