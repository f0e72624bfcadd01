// Scheduled payments of a person's bookings: exported with their data, and without names after its erasure.
#include "pro/scheduled_payments/privacy.hpp"

#include "pro/common/tables.hpp"
#include "pro/scheduled_payments/repository.hpp"
#include "shared/record/facts.hpp"

namespace svc::pro::scheduled_payments {
namespace {

using json::Value;

constexpr std::string_view exported = "svc_person_export", erased = "svc_person_erasure";
constexpr std::size_t of_bookings = 4;  // the argument, from an older base not there

// The provider's reason of a failed charge may name a person.
const facts::Facts& scheduled_facts() {
    static const facts::Facts facts(
        {{.name = "svc_scheduled_payments",
          .erased = {{.of = {{facts::By::booking, "booking_id", "last_error <> ''"}}, .blanked = {{"last_error"}}}}}});
    return facts;
}

std::int64_t erase(store::Transaction& tx, std::vector<std::int64_t> booking_ids) {
    std::int64_t rows = 0;
    scheduled_facts().erase(tx, {.booking_ids = std::move(booking_ids)}, {},
                            [&](std::string_view, std::int64_t changed) { rows += changed; });
    return rows;
}

// A module that was never on has no tables.
bool has_tables(store::Session& session) { return has_table(session, "svc_scheduled_payments"); }

std::vector<std::int64_t> ids_of(const json::Array& given) {
    std::vector<std::int64_t> ids;
    if (given.size() > of_bookings && given[of_bookings].is_array())
        for (const Value& id : given[of_bookings].items())
            if (id.is_number())
                ids.push_back(id.integer());
    return ids;
}

Value scheduled_of(store::Session& session, const json::Array& given) {
    auto all = Value::array();
    if (has_tables(session))
        for (const std::int64_t booking_id : ids_of(given))
            for (const ScheduledPayment& each : Repository::of_booking(session, booking_id))
                all.push(shown(each));
    return all;
}

}  // namespace

void take_part_in_privacy(const Site& site) {
    // Whether the module is enabled or not: the data that it stored belongs to the person.
    const hooks::Listener listener{.name = "svc_scheduled_payments", .module = {}};
    site.filter_if_known(exported, listener, [&store = site.store](store::Transaction* tx, const json::Array& given) {
        Value more = given.front();
        Value scheduled =
            tx ? scheduled_of(*tx, given)
               : store.reading<Value>([&](store::Session& session) { return scheduled_of(session, given); });
        if (scheduled.size() > 0)
            more.set("scheduled_payments", std::move(scheduled));
        return more;
    });
    site.filter_if_known(erased, listener, [](store::Transaction* tx, const json::Array& given) {
        if (!tx || !has_tables(*tx))
            return given.front();
        return Value(given.front().integer() + erase(*tx, ids_of(given)));
    });
}

}  // namespace svc::pro::scheduled_payments
