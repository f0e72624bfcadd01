// Contacts are deleted here at once, and at Mailchimp by the job, which knows their digest alone.
#include "pro/mailchimp/privacy.hpp"

#include "pro/common/tables.hpp"
#include "pro/mailchimp/client.hpp"
#include "pro/mailchimp/repository.hpp"
#include "shared/core/text.hpp"
#include "shared/record/facts.hpp"
#include "shared/store/typed.hpp"

namespace svc::pro::mailchimp {
namespace {

using facts::By;
using json::Value;

const facts::Facts& table_facts() {
    static const facts::Facts facts(
        {{.name = "svc_mailchimp_members", .erased = {{.of = {{By::customer, "customer_id"}, {By::address, "email"}}}}},
         {.name = "svc_mailchimp_queue", .erased = {{.of = {{By::customer, "customer_id"}}}}},
         {.name = "svc_mailchimp_reports", .erased = {{.of = {{By::address, "email"}}}}},
         {.name = "svc_mailchimp_log", .erased = {{.of = {{By::customer, "customer_id"}, {By::address, "search"}}}}}});
    return facts;
}

// A module that was never on has no tables.
bool has_tables(store::Session& session) { return has_table(session, "svc_mailchimp_members"); }

// rows or data, email, user_id, customer_id, booking_ids
facts::Person person_in(const json::Array& given) {
    constexpr std::size_t email = 1, customer = 3;
    facts::Person person;
    if (given.size() > email && given[email].is_string())
        person.email = text::folded(given[email].text());
    if (given.size() > customer && given[customer].is_number())
        person.customer_id = given[customer].integer();
    return person;
}

Value contacts_of(store::Session& session, const facts::Person& person) {
    Value all = Value::array();
    if (!has_tables(session))
        return all;
    for (const auto& [list, email, status, at] : store::tuples<std::string, std::string, std::string, Instant>(
             session,
             "SELECT list_id, email, status, status_at FROM svc_mailchimp_members WHERE email = :email OR"
             " (customer_id = :customer_id AND :customer_id > 0) ORDER BY id",
             {{"email", person.email}, {"customer_id", person.customer_id}}))
        all.push(Value::object({{"audience", list}, {"email", email}, {"status", status}, {"since", at}}));
    return all;
}

void remove_there(store::Transaction& tx, const Site& site, const facts::Person& person) {
    const auto now = site.clock.now();
    const auto contacts = store::tuples<std::string, std::string>(
        tx,
        "SELECT list_id, email FROM svc_mailchimp_members WHERE email = :email OR (customer_id = :customer_id AND"
        " :customer_id > 0)",
        {{"email", person.email}, {"customer_id", person.customer_id}});
    for (const auto& [list_id, email] : contacts)
        Repository::remove_later(tx, list_id, member_hash(email), now);
    if (!contacts.empty() && site.jobs)
        tx.after_commit([jobs = site.jobs] { jobs->wake(sync_job); });
}

}  // namespace

void take_part_in_privacy(const Site& site) {
    // Whether the module is enabled or not: the data that it stored belongs to the person.
    const hooks::Listener listener{.name = "svc_mailchimp", .module = {}};
    site.filter_if_known(
        "svc_person_export", listener, [&store = site.store](store::Transaction* tx, const json::Array& given) {
            Value more = given.front();
            const auto person = person_in(given);
            Value contacts =
                tx ? contacts_of(*tx, person)
                   : store.reading<Value>([&](store::Session& session) { return contacts_of(session, person); });
            if (contacts.size() > 0)
                more.set("mailchimp", std::move(contacts));
            return more;
        });
    site.filter_if_known("svc_person_erasure", listener, [&site](store::Transaction* tx, const json::Array& given) {
        if (!tx || !has_tables(*tx))
            return given.front();
        const auto person = person_in(given);
        remove_there(*tx, site, person);
        std::int64_t rows = given.front().integer();
        table_facts().erase(*tx, person, site.clock.now(),
                            [&](std::string_view, std::int64_t changed) { rows += changed; });
        return Value(rows);
    });
}

}  // namespace svc::pro::mailchimp
