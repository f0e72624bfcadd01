// Deletes the stored messages about a person's bookings and account.
#include "pro/webhooks/privacy.hpp"

#include "pro/common/tables.hpp"
#include "shared/record/facts.hpp"

namespace svc::pro::webhooks {
namespace {

using facts::By;
using json::Value;

const facts::Facts& webhook_facts() {
    const auto of_person = [](const char* table) {
        return facts::Table{.name = table,
                            .erased = {{.of = {{By::booking, "subject_id", "subject_type = 'booking'"},
                                               {By::user, "subject_id", "subject_type = 'account'"}}}}};
    };
    static const facts::Facts facts(
        {of_person("svc_webhook_events"), of_person("svc_webhook_deliveries"), of_person("svc_webhook_samples")});
    return facts;
}

// A module that was never on has no tables.
bool has_tables(store::Session& session) { return has_table(session, "svc_webhook_samples"); }

// rows, email, user_id, customer_id, booking_ids
facts::Person person_of(const json::Array& given) {
    constexpr std::size_t user = 2, bookings = 4;
    facts::Person person;
    if (given.size() > user && given[user].is_number())
        person.user_id = given[user].integer();
    if (given.size() > bookings && given[bookings].is_array())
        for (const Value& id : given[bookings].items())
            if (id.is_number())
                person.booking_ids.push_back(id.integer());
    return person;
}

}  // namespace

void take_part_in_privacy(const Site& site) {
    // Whether the module is enabled or not: the data that it stored belongs to the person.
    site.filter_if_known("svc_person_erasure", {.name = "svc_webhooks", .module = {}},
                         [](store::Transaction* tx, const json::Array& given) {
                             if (!tx || !has_tables(*tx))
                                 return given.front();
                             std::int64_t rows = given.front().integer();
                             webhook_facts().erase(*tx, person_of(given), {},
                                                   [&](std::string_view, std::int64_t changed) { rows += changed; });
                             return Value(rows);
                         });
}

}  // namespace svc::pro::webhooks
