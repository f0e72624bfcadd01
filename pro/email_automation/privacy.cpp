// Sequences that a person's bookings are in, what they were sent, and that they unsubscribed.
#include "pro/email_automation/privacy.hpp"

#include "pro/common/tables.hpp"
#include "shared/core/mailbox.hpp"
#include "shared/record/facts.hpp"
#include "shared/store/typed.hpp"

namespace svc::pro::email_automation {
namespace {

using facts::By;
using json::Value;

// That somebody unsubscribed stays: an erasure must not make them receive marketing again.
const facts::Facts& table_facts() {
    static const facts::Facts facts(
        {{.name = "svc_email_enrolments", .erased = {{.of = {{By::booking, "booking_id"}}}}},
         {.name = "svc_email_step_logs", .erased = {{.of = {{By::booking, "booking_id"}}}}}});
    return facts;
}

// A module that was never on has no tables.
bool has_tables(store::Session& session) { return has_table(session, "svc_email_step_logs"); }

// rows or data, email, user_id, customer_id, booking_ids
std::vector<std::int64_t> bookings_in(const json::Array& given) {
    constexpr std::size_t bookings = 4;
    std::vector<std::int64_t> ids;
    if (given.size() > bookings && given[bookings].is_array())
        for (const Value& id : given[bookings].items())
            if (id.is_number())
                ids.push_back(id.integer());
    return ids;
}

Value sent_to(store::Session& session, const json::Array& given) {
    auto all = Value::array();
    if (!has_tables(session))
        return all;
    for (const std::int64_t booking : bookings_in(given))
        for (const auto& [subject, email, reason, at] : store::tuples<std::string, std::string, std::string, Instant>(
                 session,
                 "SELECT subject, recipient_email, reason, created_at FROM svc_email_step_logs WHERE booking_id ="
                 " :booking_id ORDER BY id",
                 {{"booking_id", booking}}))
            all.push(Value::object({{"booking_id", booking},
                                    {"subject", subject},
                                    {"to", email},
                                    {"not_sent_because", reason},
                                    {"at", at}}));
    return all;
}

}  // namespace

void take_part_in_privacy(const Site& site) {
    // Whether the module is enabled or not: the data that it stored belongs to the person.
    const hooks::Listener listener{.name = "svc_email_automation", .module = {}};
    site.filter_if_known(
        "svc_person_export", listener, [&store = site.store](store::Transaction* tx, const json::Array& given) {
            Value more = given.front();
            Value sent = tx ? sent_to(*tx, given)
                            : store.reading<Value>([&](store::Session& session) { return sent_to(session, given); });
            if (sent.size() > 0)
                more.set("email_sequences", std::move(sent));
            return more;
        });
    site.filter_if_known("svc_person_erasure", listener, [](store::Transaction* tx, const json::Array& given) {
        if (!tx || !has_tables(*tx))
            return given.front();
        std::int64_t rows = given.front().integer();
        table_facts().erase(*tx, {.booking_ids = bookings_in(given)}, {},
                            [&](std::string_view, std::int64_t changed) { rows += changed; });
        return Value(rows);
    });
}

}  // namespace svc::pro::email_automation
