// Blanks a person's data, table by table, as the features' facts say. Issued invoices and credit notes
// (svc_issued_documents) stay as they are, and so do amounts, dates, gateways and references of payments and refunds;
// of bookings trip, days, party and price. None of these names the person. Travelers of the person's bookings are
// blanked with them, since the person entered their data. An address is compared as a whole value, never as a part of a
// text. Stored replies to requests and drafts of checkout sessions are sealed and expire within days.
#include "base/feature/facts.hpp"
#include "base/people/privacy/mentions.hpp"
#include "base/people/privacy/person.hpp"
#include "shared/json/own.hpp"

namespace svc::privacy {

json::Value Repository::account(store::Session& session, const Person& person) {
    auto accounts = facts::of_base().exported(session, "account", person);
    return accounts.size() > 0 ? accounts[std::size_t{0}] : json::Value();
}

json::Value Repository::emails(store::Session& session, const Person& person) {
    return facts::of_base().exported(session, "emails", person);
}

json::Value Repository::tracking_consents(store::Session& session, const Person& person) {
    return facts::of_base().exported(session, "tracking_consents", person);
}

json::Value Repository::erase(store::Transaction& tx, const Person& person, const std::vector<hooks::Action>& actions,
                              Instant now) {
    auto changed = json::Value::object();
    const auto count = [&](std::string_view table, std::int64_t rows) {
        if (rows > 0)
            changed.set(std::string(table), changed.maybe_integer(table).value_or(0) + rows);
    };
    const Mentions mentions(person);
    const auto names = [&](facts::Naming::Kind kind, const std::string& text) {
        if (kind == facts::Naming::Kind::words)
            return mentions.among_words(text);
        const auto value = json::parse_own(text);
        return value && mentions.in(*value);
    };
    const Traces traces = erase_traces(tx, person, actions, now);
    count("svc_domain_events", traces.events);
    count("bookings_of_others", traces.bookings_of_others);
    facts::of_base().erase_names(tx, person, names, count);
    facts::of_base().erase(tx, person, now, count);
    return changed;
}

}  // namespace svc::privacy
