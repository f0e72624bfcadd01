// Lists, counts and sums over all bookings, and their travelers.
#include "base/sales/booking/desk/lists.hpp"

#include <algorithm>

#include "base/sales/booking/desk/repository.hpp"
#include "base/sales/booking/form/files.hpp"
#include "base/sales/booking/record/hooks.hpp"
#include "base/sales/booking/record/repository.hpp"
#include "shared/api/steps.hpp"
#include "shared/store/snapshot.hpp"

namespace svc::booking {
namespace {

constexpr std::int64_t most_trips = 500;

}  // namespace

// Each in its own write, which a resumed request does not repeat.
std::vector<Outcome> each_of_many(const std::vector<std::int64_t>& ids,
                                  const std::function<Result<void>(std::int64_t id)>& done) {
    std::vector<Outcome> outcomes;
    for (const std::int64_t id : ids) {
        const api::Step step(std::to_string(id));
        const auto result = step.before() ? Result<void>{} : done(id);
        outcomes.push_back({id, result ? std::nullopt : std::optional(result.error())});
    }
    return outcomes;
}

std::vector<Outcome> Lists::remove_travelers(const std::vector<std::int64_t>& ids) const {
    return each_of_many(ids, [&](std::int64_t id) {
        return parts_.store.write([&](store::Transaction& tx) -> Result<void> {
            const auto known = TravelerListRepository::traveler(tx, id);
            const auto booking = known ? Repository::lock(tx, known->booking_id) : std::nullopt;
            if (!booking || !TravelerListRepository::traveler(tx, id))
                return errc::not_found;
            if (known->traveler.is_lead && holds_seats(booking->status))
                return Error{errc::in_use, "The lead of a live booking cannot be removed."_sentence};
            TravelerListRepository::remove_traveler(tx, id);
            form::FileRepository::settle(tx, booking->id, sealing_);
            parts_.hooks.emit(tx, booking_updated, {booking->id});
            return {};
        });
    });
}

std::pair<std::vector<ListedTraveler>, std::int64_t> Lists::travelers(const TravelerFilter& filter,
                                                                      const api::Page& page) const {
    std::pair<std::vector<ListedTraveler>, std::int64_t> found;
    parts_.store.read([&](store::Session& session) {
        found = {TravelerListRepository::travelers(session, filter, page, &sealing_),
                 TravelerListRepository::count(session, filter)};
    });
    return found;
}

std::map<std::int64_t, Lists::Contact> Lists::contacts(const std::vector<ListedTraveler>& travelers) const {
    std::vector<std::int64_t> ids;
    for (const ListedTraveler& one : travelers)
        ids.push_back(one.booking_id);
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    return parts_.store.reading<std::map<std::int64_t, Contact>>(
        [&](store::Session& session) { return TravelerListRepository::contacts(session, ids); });
}

void Lists::in_one_state(const std::function<void()>& work) const { store::read_one_state(parts_.store, work); }

std::vector<std::pair<std::int64_t, std::string>> Lists::booked_trips() const {
    return parts_.store.reading<std::vector<std::pair<std::int64_t, std::string>>>(
        [](store::Session& session) { return TravelerListRepository::booked_trips(session, most_trips); });
}

json::Value Lists::stats(const Filter& filter) const {
    const Currency currency = parts_.settings.currency();
    const Date today = parts_.settings.zone().date_at(parts_.clock.now());
    const Instant month = parts_.settings.zone().instant_of(today.plus_days(1 - static_cast<int>(today.day())),
                                                            ClockTime::from_minutes(0));
    return parts_.store.reading<json::Value>([&](store::Session& session) {
        json::Value counts = ListRepository::count_by_status(session, filter);
        json::Value by_status = json::Value::object();
        std::int64_t all = 0;
        for (const auto& [status, count] : counts.members()) {
            by_status.set(status, json::Value::object({{"status", status}, {"count", count}}));
            if (status != status::trash)
                all += count.integer();
        }
        const Totals totals = ListRepository::totals(session, filter, currency.code(), month, today);
        counts.set("all", all);
        counts.set("total", all);
        counts.set("by_status", std::move(by_status));
        const bool is_for_guide = filter.guide_id.has_value();
        const auto sum = [&](std::int64_t minor) {
            return is_for_guide ? json::Value() : json::Value(Money{minor, currency});
        };
        counts.set("total_revenue", sum(totals.revenue_minor));
        counts.set("total_collected", sum(totals.collected_minor));
        counts.set("currency", currency.code());
        counts.set("this_month", totals.this_month);
        counts.set("upcoming", totals.upcoming);
        const ListRepository::Waiting waiting = ListRepository::waiting(session, filter.guide_id);
        counts.set("needs_attention", waiting.attention);
        counts.set("refund_due", waiting.refund);
        return counts;
    });
}

Listed Lists::list(const Filter& filter, const api::Page& page) const {
    return parts_.store.reading<Listed>(
        [&](store::Session& session) { return ListRepository::list(session, filter, page); });
}

}  // namespace svc::booking
