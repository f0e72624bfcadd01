// The facts of the table, and the two hooks of the base.
#include "pro/abandoned_bookings/privacy.hpp"

#include "pro/abandoned_bookings/repository.hpp"
#include "shared/record/facts.hpp"

namespace svc::pro::abandoned_bookings {
namespace {

using facts::By;
using json::Value;

// Counts of what came back stay; links of e-mails end with the uid.
const facts::Facts& abandoned_facts() {
    using Kind = facts::Exported::Kind;
    static const facts::Facts facts(
        {{.name = "svc_abandoned_bookings",
          .erased = {{.of = {{By::address, "email_lower"}, {By::booking, "recovered_booking_id", "email_lower <> ''"}},
                      .blanked = {{"email"},
                                  {"email_lower"},
                                  {"customer_name"},
                                  {"customer_phone", facts::null},
                                  {"search"},
                                  {"fault"},
                                  {"checkout_id", facts::null},
                                  {"next_email_at", facts::null},
                                  {"stage", "4"},
                                  {"status", "CASE WHEN status = 'recovered' THEN status ELSE 'expired' END"},
                                  {"abandoned_at", "COALESCE(abandoned_at, last_activity_at)"},
                                  {"blanked_at", "last_activity_at"},
                                  {"uid", "'erased.' || id"}}}},
          .exported = {{.key = "abandoned_bookings",
                        .of = {By::address, "email_lower"},
                        .members = {{"email", "email"},
                                    {"name", "customer_name"},
                                    {"phone", "COALESCE(customer_phone, '')"},
                                    {"country", "country"},
                                    {"travel_date", "COALESCE(travel_date, '')"},
                                    {"step", "step"},
                                    {"consent", "consent"},
                                    {"consent_at", "consent_at", Kind::instant},
                                    {"status", "status"},
                                    {"began_at", "created_at", Kind::instant}}}}}});
    return facts;
}

// rows or export, email, user_id, customer_id, booking_ids
facts::Person person_of(const json::Array& given) {
    constexpr std::size_t email = 1, bookings = 4;
    facts::Person person;
    if (given.size() > email && given[email].is_string())
        person.email = lower_case(given[email].text());
    if (given.size() > bookings && given[bookings].is_array())
        for (const Value& id : given[bookings].items())
            if (id.is_number())
                person.booking_ids.push_back(id.integer());
    return person;
}

Value exported(store::Session& session, const json::Array& given) {
    Value more = given.front();
    const auto person = person_of(given);
    if (person.email.empty() || !Repository::has_tables(session))
        return more;
    if (Value rows = abandoned_facts().exported(session, "abandoned_bookings", person); rows.size() > 0)
        more.set("abandoned_bookings", std::move(rows));
    if (Repository::has_stopped(session, person.email))
        more.set("wants_no_booking_reminders", true);
    return more;
}

}  // namespace

void take_part_in_privacy(const Site& site) {
    // Whether the module is enabled or not: the data that it stored belongs to the person.
    const hooks::Listener listener{.name = "svc_abandoned_bookings", .module = {}};
    site.filter_if_known(
        "svc_person_export", listener, [&store = site.store](store::Transaction* tx, const json::Array& given) {
            return tx ? exported(*tx, given)
                      : store.reading<Value>([&](store::Session& session) { return exported(session, given); });
        });
    site.filter_if_known("svc_person_erasure", listener, [](store::Transaction* tx, const json::Array& given) {
        if (!tx || !Repository::has_tables(*tx))
            return given.front();
        const auto person = person_of(given);
        std::int64_t rows = given.front().integer();
        abandoned_facts().erase(*tx, person, {}, [&](std::string_view, std::int64_t changed) { rows += changed; });
        if (!person.email.empty())
            rows += Repository::forget_stop(*tx, person.email);
        return Value(rows);
    });
}

}  // namespace svc::pro::abandoned_bookings
