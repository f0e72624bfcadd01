// GET /bookings/{id}/history: the history of a booking, from its log, its payments and the e-mails about it.
#include <algorithm>
#include <vector>

#include "base/messaging/repository.hpp"
#include "base/messaging/routes.hpp"
#include "shared/api/named.hpp"

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
                          {"ref_id", Value()}});
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

void add_payments(std::vector<Value>& entries, const Value& booking) {
    for (const Value& payment : booking["payments"].items()) {
        Value made = entry("payment", payment["created_at"], payment.text_or("reference"));
        made.set("detail", payment.text_or("method_label"))
            .set("actor", payment.text_or("source"))
            .set("status", payment.text_or("status"))
            .set("amount", payment["amount"])
            .set("currency", payment["currency"])
            .set("ref_id", payment["id"]);
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

}  // namespace

void add_history_route(api::RouteTable& routes, store::Store& store, const Bookings& bookings) {
    const api::Schema happened{
        {"kind", api::choice({"status", "payment", "email"}), "", true},
        {"at", api::instant(), "", true},
        {"title", api::text(1000), "The status change, the payment's reference or the e-mail's subject.", true},
        {"detail", api::text(3000), "The reason, the method, or the recipient and the failure.", true},
        {"actor", api::text(100).or_null(),
         "The person who changed it, the payment's origin, or the e-mail's template.", true},
        {"status", api::text(30).or_null(), "The new or present status.", true},
        {"amount", api::decimal().or_null(), "Of payments; null for the others.", true},
        {"currency", api::text(3).or_null(), "", true},
        {"ref_id", api::id().or_null(), "Of the payment or of the e-mail.", true}};
    routes.add({.method = api::Method::get,
                .path = "/bookings/{id}/history",
                .who = api::Permission::can("svc_view_bookings"),
                .summary = "List the status changes, payments and e-mails of a booking, newest first.",
                .answer = api::list(api::object("BookingEvent", happened), 10'000),
                .errors = {&errc::booking_not_found},
                .handle = [&store, &bookings](const api::Request& request) -> api::Reply {
                    const auto booking = bookings.seen(request.path_id(), request.caller);
                    if (!booking)
                        return api::failed(errc::booking_not_found);
                    std::vector<MailOfBooking> mails;
                    store.read([&](store::Session& session) {
                        mails = outbox::of_booking(session, request.path_id(), most_mails);
                    });
                    std::vector<Value> entries;
                    add_status_changes(entries, *booking);
                    add_payments(entries, *booking);
                    add_mails(entries, mails);
                    std::stable_sort(entries.begin(), entries.end(),
                                     [](const Value& a, const Value& b) { return a.text_or("at") > b.text_or("at"); });
                    auto list = json::array_of(entries, [&](Value& each) { return std::move(each); });
                    return api::ok(std::move(list));
                }});
}

}  // namespace svc::messaging
