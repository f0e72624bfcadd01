// The trash, the way out of it, deletion for good, many at once, and what staff read of all bookings.
#include "base/booking/record/hooks.hpp"
#include "base/booking/record/service.hpp"
#include "base/booking/record/wire.hpp"
#include "shared/api/steps.hpp"

namespace svc::booking {
namespace {

constexpr std::int64_t most_trips = 500;
constexpr std::string_view marks = "mark_";

// Each by a write of its own, which is not made again by a request that goes on where it was interrupted.
std::vector<Service::Outcome> each(const std::vector<std::int64_t>& ids,
                                   const std::function<Result<void>(std::int64_t id)>& done) {
    std::vector<Service::Outcome> outcomes;
    for (const std::int64_t id : ids) {
        const api::Step step(std::to_string(id));
        const auto result = step.before() ? Result<void>{} : done(id);
        outcomes.push_back({id, result ? std::nullopt : std::optional(result.error())});
    }
    return outcomes;
}

}  // namespace

json::Value Service::record_of(store::Session& session, const Booking& booking) {
    // Events lie in plain text: what is sealed stays sealed.
    json::Value record = to_detail(booking, Repository::travelers(session, booking.id),
                                   Repository::lines(session, booking.id, booking.total.currency()),
                                   Repository::particulars(session, booking.id));
    record.set("internal_notes", booking.internal_notes);
    record.set("attention_reason", booking.attention_reason);
    record.set("status_log", Repository::status_log(session, booking));
    if (parts_.payments)
        parts_.payments->tell(session, booking.id, true, record);
    return record;
}

Result<void> Service::trash(std::int64_t id, const Actor& actor, const std::function<void(store::Transaction&)>& kept) {
    return parts_.store.write([&](store::Transaction& tx) -> Result<void> {
        availability::Seats::lock_of(tx, id);
        const auto booking = Repository::lock(tx, id);
        if (!booking)
            return errc::booking_not_found;
        if (booking->status == status::trash)
            return errc::invalid_transition;
        parts_.hooks.emit(tx, booking_deleted, {id, record_of(tx, *booking)});
        if (kept)
            kept(tx);
        return change(tx, *booking, status::trash, Cause::removal, actor, "deleted", parts_.clock.now());
    });
}

Result<Booking> Service::restore(std::int64_t id, const Actor& actor, bool forced) {
    return parts_.store.transact<Booking>([&](store::Transaction& tx) -> Result<Booking> {
        availability::Seats::lock_of(tx, id);
        const auto booking = Repository::lock(tx, id);
        if (!booking)
            return errc::booking_not_found;
        if (booking->status != status::trash)
            return errc::invalid_transition;
        const std::string before = Repository::status_before_trash(tx, id);
        if (auto changed = change(tx, *booking, before.empty() ? status::pending : std::string_view(before),
                                  Cause::restoring, actor, "restored", parts_.clock.now(), forced);
            !changed)
            return changed.error();
        return Repository::find(tx, id).value();
    });
}

Result<void> Service::remove(std::int64_t id, const Actor* forced_by,
                             const std::function<void(store::Transaction&)>& kept) {
    return parts_.store.write([&](store::Transaction& tx) -> Result<void> {
        availability::Seats::lock_of(tx, id);
        const auto booking = Repository::lock(tx, id);
        if (!booking)
            return errc::booking_not_found;
        const bool in_trash = booking->status == status::trash;
        if (!in_trash && !forced_by)
            return Error{errc::conflict,
                         "Only bookings in the trash can be deleted permanently. Move it to the trash first."};
        parts_.hooks.emit(tx, booking_deleted, {id, record_of(tx, *booking)});
        if (!in_trash)
            if (auto left =
                    change(tx, *booking, status::trash, Cause::removal, *forced_by, "deleted", parts_.clock.now());
                !left)
                return left;
        if (kept)
            kept(tx);
        if (parts_.payments)
            if (auto forgotten = parts_.payments->forget(tx, id); !forgotten)
                return forgotten;
        end_secrets(tx, id, parts_.clock.now());
        availability::Seats::forget(tx, id);
        Repository::remove(tx, id);
        return {};
    });
}

std::vector<Service::Outcome> Service::bulk(std::string_view action, const std::vector<std::int64_t>& ids,
                                            const Actor& actor) {
    const auto done = [&](std::int64_t id) -> Result<void> {
        if (action == "trash")
            return trash(id, actor);
        if (action == "delete") {  // as DELETE of one: to the trash first
            const auto booking = find(id);
            return booking && booking->status != status::trash ? trash(id, actor) : remove(id);
        }
        auto changed =
            action == "restore" ? restore(id, actor) : set_status(id, action.substr(marks.size()), "", actor);
        return changed ? Result<void>{} : Result<void>{changed.error()};
    };
    return each(ids, done);
}

std::vector<Service::Outcome> Service::remove_travelers(const std::vector<std::int64_t>& ids) {
    return each(ids, [&](std::int64_t id) {
        return parts_.store.write([&](store::Transaction& tx) -> Result<void> {
            const auto known = Repository::traveler(tx, id);
            const auto booking = known ? Repository::lock(tx, known->booking_id) : std::nullopt;
            if (!booking || !Repository::traveler(tx, id))
                return errc::not_found;
            if (known->traveler.is_lead && holds_seats(booking->status))
                return Error{errc::in_use, "The lead traveler of an active booking cannot be removed."};
            Repository::remove_traveler(tx, id);
            parts_.hooks.emit(tx, booking_updated, {booking->id});
            return {};
        });
    });
}

std::pair<std::vector<ListedTraveler>, std::int64_t> Service::travelers(const TravelerFilter& filter,
                                                                        const api::Page& page) {
    std::pair<std::vector<ListedTraveler>, std::int64_t> found;
    parts_.store.read([&](store::Session& session) {
        found = {Repository::travelers(session, filter, page, &sealing_), Repository::count(session, filter)};
    });
    return found;
}

std::vector<std::pair<std::int64_t, std::string>> Service::booked_trips() {
    return parts_.store.reading<std::vector<std::pair<std::int64_t, std::string>>>(
        [](store::Session& session) { return Repository::booked_trips(session, most_trips); });
}

json::Value Service::stats(const Filter& filter) {
    const Currency currency = parts_.settings.currency();
    const Date today = parts_.settings.zone().date_at(parts_.clock.now());
    const Instant month = parts_.settings.zone().instant_of(today.plus_days(1 - static_cast<int>(today.day())),
                                                            ClockTime::from_minutes(0));
    return parts_.store.reading<json::Value>([&](store::Session& session) {
        json::Value counts = Repository::count_by_status(session, filter);
        json::Value by_status = json::Value::object();
        std::int64_t all = 0;
        for (const auto& [status, count] : counts.members()) {
            by_status.set(status, json::Value::object({{"status", status}, {"count", count}}));
            if (status != status::trash)
                all += count.integer();
        }
        const Totals totals = Repository::totals(session, filter, currency.code(), month, today);
        counts.set("all", all);
        counts.set("total", all);
        counts.set("by_status", std::move(by_status));
        counts.set("total_revenue", Money{totals.revenue_minor, currency});
        counts.set("total_collected", Money{totals.collected_minor, currency});
        counts.set("currency", currency.code());
        counts.set("this_month", totals.this_month);
        counts.set("upcoming", totals.upcoming);
        const Repository::Waiting waiting = Repository::waiting(session, filter.guide_id);
        counts.set("needs_attention", waiting.attention);
        counts.set("refund_due", waiting.refund);
        return counts;
    });
}

}  // namespace svc::booking
