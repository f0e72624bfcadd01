// Whether a module is on or off: the data that it stored belongs to the person.
#include "pro/tracking/privacy.hpp"

#include "pro/tracking/repository.hpp"
#include "shared/record/facts.hpp"

namespace svc::pro::tracking {
namespace {

using facts::By;
using json::Value;

facts::Facts facts_of(std::string condition, std::string key) {
    using Kind = facts::Exported::Kind;
    const facts::Whose whose{By::booking, "booking_id", std::move(condition)};
    return facts::Facts({{.name = "svc_tracking_events",
                          .erased = {{.of = {whose}}},
                          .exported = {{.key = std::move(key),
                                        .of = whose,
                                        .members = {{"event", "event"},
                                                    {"booking", "event_id"},
                                                    {"status", "status"},
                                                    {"reason", "reason"},
                                                    {"occurred_at", "occurred_at", Kind::instant}}}}}});
}

std::string key_of(const Partner& partner) { return "reported_to_" + std::string(partner.key); }

const facts::Facts& event_facts(const Partner& partner) {
    static const facts::Facts of_meta = facts_of("partner = 'meta'", key_of(meta));
    static const facts::Facts of_google = facts_of("partner = 'google'", key_of(google));
    return partner.key == meta.key ? of_meta : of_google;
}

// rows or export, email, user_id, customer_id, booking_ids
facts::Person person_of(const json::Array& given) {
    constexpr std::size_t bookings = 4;
    facts::Person person;
    if (given.size() > bookings && given[bookings].is_array())
        for (const Value& id : given[bookings].items())
            if (id.is_number())
                person.booking_ids.push_back(id.integer());
    return person;
}

Value exported(store::Session& session, const Partner& partner, const json::Array& given) {
    Value more = given.front();
    const auto person = person_of(given);
    if (person.booking_ids.empty() || !Repository::has_tables(session))
        return more;
    if (Value rows = event_facts(partner).exported(session, key_of(partner), person); rows.size() > 0)
        more.set(key_of(partner), std::move(rows));
    return more;
}

}  // namespace

void take_part_in_privacy(const Site& site, const Partner& partner) {
    const hooks::Listener listener{.name = "svc_" + std::string(partner.module), .module = {}};
    site.filter_if_known("svc_person_export", listener,
                         [&store = site.store, &partner](store::Transaction* tx, const json::Array& given) {
                             return tx ? exported(*tx, partner, given)
                                       : store.reading<Value>([&](store::Session& session) {
                                             return exported(session, partner, given);
                                         });
                         });
    site.filter_if_known("svc_person_erasure", listener, [&partner](store::Transaction* tx, const json::Array& given) {
        if (!tx || !Repository::has_tables(*tx))
            return given.front();
        std::int64_t rows = given.front().integer();
        event_facts(partner).erase(*tx, person_of(given), {},
                                   [&](std::string_view, std::int64_t changed) { rows += changed; });
        return Value(rows);
    });
}

}  // namespace svc::pro::tracking
