// Jobs of departures.
#include "base/sales/availability/upkeep/service.hpp"

#include "base/platform/store/changes.hpp"
#include "base/sales/availability/upkeep/repository.hpp"
#include "shared/core/log.hpp"

namespace svc::availability {
namespace {

constexpr std::int64_t most_repaired = 1000, most_lapsed = 200;

}  // namespace

Result<json::Value> Upkeep::refresh_statuses(Instant now) {
    rows::Refreshed done;
    auto written = parts_.store.write([&](store::Transaction& tx) -> Result<void> {
        done = rows::refresh_statuses(tx, parts_.settings.zone().date_at(now), now);
        if (done.past + done.full + done.upcoming > 0)
            store::touch(tx, channel);
        return {};
    });
    if (!written)
        return written.error();
    return json::Value::object({{"past", done.past}, {"full", done.full}, {"upcoming", done.upcoming}});
}

Result<json::Value> Upkeep::audit_seats(Instant now) {
    const auto wrong = parts_.store.reading<std::vector<rows::Mismatch>>(
        [](store::Session& session) { return rows::mismatches(session, most_repaired); });
    std::int64_t repaired = 0;
    for (const rows::Mismatch& each : wrong) {
        bool done = false;
        auto written = parts_.store.write([&](store::Transaction& tx) -> Result<void> {
            const auto slot = rows::repair(tx, each.departure_id, parts_.settings.zone().date_at(now), now);
            done = slot.has_value();
            if (slot)
                calendar_.follow(tx, *slot);
            if (slot && slot->available() > 0)
                waitlist_.promote(tx, each.departure_id, now);
            return {};
        });
        if (!written)
            return written.error();
        repaired += done ? 1 : 0;
        log::error("seat_ledger_mismatch", {{"departure_id", each.departure_id},
                                            {"booked", each.booked},
                                            {"ledger", each.ledger},
                                            {"repaired", done}});
    }
    if (parts_.metrics) {
        parts_.metrics->counter("svc_seat_audits_total", "Audits of the seat counts.").add();
        parts_.metrics->counter("svc_seat_mismatches_total", "Departures whose seat count differed from the ledger.")
            .add(wrong.size());
    }
    return json::Value::object({{"mismatches", static_cast<std::int64_t>(wrong.size())}, {"repaired", repaired}});
}

Result<json::Value> Upkeep::release_lapsed(Instant now) {
    const auto ended = parts_.store.reading<std::vector<std::int64_t>>(
        [&](store::Session& session) { return Seats::lapsed(session, now, most_lapsed); });
    std::int64_t released = 0;
    for (const std::int64_t booking_id : ended) {
        bool done = false;
        auto written = parts_.store.write([&](store::Transaction& tx) -> Result<void> {
            Seats::lock_of(tx, booking_id);
            // It may have been verified while we looked.
            done = Seats::has_lapsed(tx, booking_id, now);
            if (!done)
                return {};
            if (const auto departure = seats_.release(tx, booking_id, "hold_lapsed", now))
                waitlist_.promote(tx, *departure, now);
            return {};
        });
        if (!written)
            return written.error();
        released += done ? 1 : 0;
    }
    return json::Value::object({{"released", released}});
}

}  // namespace svc::availability
