// Timed work on bookings: unpaid ones end, travelers get reminders, past trips are completed.
#include "base/sales/booking/upkeep/upkeep.hpp"

#include "base/sales/booking/checkout/repository.hpp"
#include "base/sales/booking/form/files.hpp"
#include "base/sales/booking/record/hooks.hpp"
#include "base/sales/booking/record/locks.hpp"
#include "base/sales/booking/record/repository.hpp"
#include "base/sales/booking/record/wire.hpp"
#include "base/sales/booking/upkeep/repository.hpp"
#include "shared/core/log.hpp"
#include "shared/store/in_pages.hpp"

namespace svc::booking {
namespace {

constexpr std::int64_t most_expired = 200, page_of_candidates = 2000, most_completed = 500, most_sealed = 500,
                       most_indexed = 500;
constexpr std::int64_t most_offers = 200;
constexpr std::string_view unpaid = "unpaid";
constexpr Actor by_clock{.kind = "system", .through = "job"};

// Every candidate that is due, read in pages.
std::vector<std::int64_t> due_of(store::Store& store,
                                 const std::function<std::vector<UpkeepRepository::Candidate>(
                                     store::Session&, const std::optional<UpkeepRepository::Candidate>& behind)>& page,
                                 const std::function<bool(Date travel_date, Instant created_at)>& is_due) {
    std::vector<std::int64_t> ids;
    std::optional<UpkeepRepository::Candidate> behind;
    for (std::int64_t last = page_of_candidates; last == page_of_candidates;) {
        const auto some = store.reading<std::vector<UpkeepRepository::Candidate>>(
            [&](store::Session& session) { return page(session, behind); });
        last = std::ssize(some);
        for (const UpkeepRepository::Candidate& one : some)
            if (is_due(one.travel_date, one.created_at))
                ids.push_back(one.id);
        if (!some.empty())
            behind = some.back();
    }
    return ids;
}

// Each booking separately: a failure is logged and does not stop the others. Returns the number of successes.
json::Value swept(store::Store& store, std::string_view what, const std::vector<std::int64_t>& ids,
                  const std::function<Result<bool>(store::Transaction&, std::int64_t)>& one) {
    std::int64_t done = 0, failed = 0;
    for (const std::int64_t id : ids) {
        try {
            const auto result = store.transact<bool>([&](store::Transaction& tx) { return one(tx, id); });
            done += result && *result ? 1 : 0;
            failed += result ? 0 : 1;
            if (!result)
                log::warning("sweep_of_a_booking_failed",
                             {{"what", what}, {"booking", id}, {"why", result.error().message().english()}});
        } catch (const store::Failure& failure) {
            ++failed;
            log::warning("sweep_of_a_booking_failed", {{"what", what}, {"booking", id}, {"why", failure.what()}});
        }
    }
    return json::Value::object(
        {{"seen", static_cast<std::int64_t>(ids.size())}, {std::string(what), done}, {"failed", failed}});
}

}  // namespace

Result<std::string> Upkeep::since_when(const char* key, const std::string& fresh) {
    if (std::string known = parts_.settings.text(key); !known.empty())
        return known;
    SVC_RETURN_IF_ERROR(parts_.settings.write(json::Value::object({{key, fresh}}), 0));
    return fresh;
}

void Upkeep::note_expiry(Instant now) {
    if (parts_.settings.integer("booking_expiry_hours") == 0)
        return;
    try {
        static_cast<void>(since_when("booking_expiry_since", now.text()));
    } catch (const store::Failure& failure) {
        log::warning("booking_expiry_not_noted", {{"why", failure.what()}});
    }
}

// The deadline of bookings that have none stored follows from their gateway: the list cannot know it.
bool Upkeep::is_late(store::Session& session, std::int64_t id, Instant now) const {
    const auto booking = Repository::find(session, id);
    const auto end = booking ? records_.unpaid_until(session, *booking) : std::nullopt;
    return end && *end < now;
}

Result<json::Value> Upkeep::expire_unpaid(Instant now) {
    const std::int64_t hours = parts_.settings.integer("booking_expiry_hours");
    const bool on = hours > 0 && parts_.hooks.apply(auto_expire, true, {}).boolean();
    if (!on) {
        // Enabling it again starts from now: bookings left unpaid meanwhile are exempt.
        if (hours == 0 && !parts_.settings.text("booking_expiry_since").empty())
            SVC_RETURN_IF_ERROR(parts_.settings.write(json::Value::object({{"booking_expiry_since", ""}}), 0));
        return json::Value::object({{"off", true}});
    }
    SVC_ASSIGN_OR_RETURN(const auto activated, since_when("booking_expiry_since", now.text()));
    const Instant since = Instant::parse(activated).value_or(now);
    const Instant before = now.minus(std::chrono::hours(hours));
    const auto ids = parts_.store.reading<std::vector<std::int64_t>>([&](store::Session& session) {
        // Bookings with a payment in progress stay, and do not block those after them.
        std::vector<std::int64_t> found;
        for (std::int64_t seen = 0, last = most_expired; last == most_expired && std::ssize(found) < most_expired;
             seen += last) {
            const auto some = UpkeepRepository::unpaid(session, since, before, now, most_expired, seen);
            last = std::ssize(some);
            for (const std::int64_t id : some)
                if (std::ssize(found) < most_expired &&
                    !(ports_.payments && ports_.payments->is_awaited(session, id, now)) && is_late(session, id, now))
                    found.push_back(id);
        }
        return found;
    });
    return swept(parts_.store, "expired", ids, [&](store::Transaction& tx, std::int64_t id) -> Result<bool> {
        const auto booking = lock_with_seats(tx, id);
        // It was paid or ended, or a payment began, since the list was read.
        if (!booking || booking->status != status::pending || !booking->amount_paid.is_zero() ||
            (ports_.payments && ports_.payments->is_awaited(tx, id, now)) || !is_late(tx, id, now))
            return false;
        const auto changed = lifecycle_.change(tx, *booking, status::cancelled, Cause::sweep, by_clock, unpaid, now);
        return changed ? Result<bool>(true) : Result<bool>(changed.error());
    });
}

Result<json::Value> Upkeep::remind(Instant now) {
    const auto days = static_cast<std::int32_t>(parts_.settings.integer("booking_reminder_days"));
    if (days <= 0)
        return json::Value::object({{"off", true}});
    const Zone zone = parts_.settings.zone();
    const Date today = zone.date_at(now), last = today.plus_days(days);
    // A missed day is made up for; bookings made after the day of the reminder need none.
    const auto is_due = [&](Date travel_date, Instant created_at) {
        return travel_date == last || zone.date_at(created_at) < travel_date.plus_days(-days);
    };
    const auto ids = due_of(
        parts_.store,
        [&](store::Session& session, const auto& behind) {
            return UpkeepRepository::due_for_reminder(session, today, last, behind, page_of_candidates);
        },
        is_due);
    return swept(parts_.store, "reminded", ids, [&](store::Transaction& tx, std::int64_t id) -> Result<bool> {
        const auto booking = Repository::lock(tx, id);
        const bool travels = booking && booking->travel_date > today && booking->travel_date <= last &&
                             (booking->status == status::confirmed ||
                              (booking->status == status::pending && !booking->amount_paid.is_zero()));
        if (!travels || !is_due(booking->travel_date, booking->created_at) ||
            !UpkeepRepository::claim_reminder(tx, id, now))
            return false;
        parts_.hooks.emit(tx, reminder_due, {id, to_json(*booking), booking->travel_date.days() - today.days()});
        return true;
    });
}

Result<json::Value> Upkeep::complete_ended(Instant now) {
    if (!parts_.hooks.apply(auto_complete, true, {}).boolean())
        return json::Value::object({{"off", true}});
    const Date today = parts_.settings.zone().date_at(now);
    SVC_ASSIGN_OR_RETURN(const auto known, since_when("booking_autocomplete_since", today.text()));
    const Date since = Date::parse(known).value_or(today);
    const auto ids = parts_.store.reading<std::vector<std::int64_t>>(
        [&](store::Session& session) { return UpkeepRepository::find_ended(session, since, today, most_completed); });
    return swept(parts_.store, "completed", ids, [&](store::Transaction& tx, std::int64_t id) -> Result<bool> {
        const auto booking = lock_with_seats(tx, id);
        if (!booking || booking->status != status::confirmed || booking->end_date >= today)
            return false;
        const auto changed =
            lifecycle_.change(tx, *booking, status::completed, Cause::clock, by_clock, "the trip is over", now);
        return changed ? Result<bool>(true) : Result<bool>(changed.error());
    });
}

Result<json::Value> Upkeep::watch_deadlines(Instant now) {
    const auto reminders = ports_.payments ? ports_.payments->reminders() : Payments::Reminders{};
    if (reminders.days.empty())
        return json::Value::object({{"off", true}});
    const Zone zone = parts_.settings.zone();
    const Date today = zone.date_at(now);
    constexpr std::int64_t longest_time = 61;  // in days, that a gateway gives
    const auto days = [](std::int64_t count) { return std::chrono::hours(24 * count); };
    const UpkeepRepository::Owing which{.gateway = reminders.gateway,
                                        .now = now,
                                        .until = now.plus(days(reminders.days.front() + 1)),
                                        .recent = now.minus(days(longest_time))};
    const auto ids = due_of(
        parts_.store,
        [&](store::Session& session, const auto& behind) {
            return UpkeepRepository::owing(session, which, behind, page_of_candidates);
        },
        [](Date, Instant) { return true; });
    return swept(parts_.store, "served", ids, [&](store::Transaction& tx, std::int64_t id) -> Result<bool> {
        const auto booking = lock_with_seats(tx, id);
        if (!booking || (booking->status != status::pending && booking->status != status::confirmed) ||
            !booking->amount_paid.is_zero())
            return false;
        const auto end = records_.pay_by(tx, *booking);
        if (!end || *end < now)
            return false;
        const Date start = zone.date_at(booking->payable_since.value_or(booking->created_at));
        const Date due = zone.date_at(*end);
        const std::int64_t left = due.days() - today.days();
        // The last reminder that is due; days that were missed are made up for, the day of booking needs none.
        std::optional<std::int64_t> turn;
        for (const std::int64_t before : reminders.days)
            if (left <= before && start < today)
                turn = before;
        const auto reminded = UpkeepRepository::reminded_deadline(tx, id);
        if (!turn || (reminded && *reminded <= *turn))
            return false;
        UpkeepRepository::note_reminder(tx, id, *turn);
        parts_.hooks.emit(tx, payment_due, {id, to_json(*booking), left, due});
        return true;
    });
}

Result<json::Value> Upkeep::add_up_counts() {
    auto done = parts_.store.write_relaxed([](store::Transaction& tx) -> Result<void> {
        UpkeepRepository::add_up_counts(tx);
        return {};
    });
    return done ? Result<json::Value>(json::Value::object()) : Result<json::Value>(done.error());
}

Result<json::Value> Upkeep::index_search(Instant now) {
    std::int64_t indexed = 0;
    for (std::int64_t last = most_indexed; last == most_indexed; indexed += last) {
        auto some = parts_.store.transact<std::int64_t>(
            [&](store::Transaction& tx) -> Result<std::int64_t> {
                return UpkeepRepository::index_search(tx, now.minus(std::chrono::minutes(2)), most_indexed);
            },
            store::Durability::relaxed);
        if (!some)
            return some.error();
        last = *some;
    }
    return json::Value::object({{"indexed", indexed}});
}

Result<json::Value> Upkeep::seal_answers() {
    std::int64_t travelers = 0, bookings = 0;
    const auto all = [&](auto seal, std::int64_t& done) -> Result<void> {
        for (std::int64_t last = most_sealed; last == most_sealed; done += last) {
            auto some = parts_.store.transact<std::int64_t>(
                [&](store::Transaction& tx) -> Result<std::int64_t> { return seal(tx, sealing_, most_sealed); });
            if (!some)
                return some.error();
            last = *some;
        }
        return {};
    };
    SVC_RETURN_IF_ERROR(all(&UpkeepRepository::seal_travelers, travelers));
    SVC_RETURN_IF_ERROR(all(&UpkeepRepository::seal_bookings, bookings));
    return json::Value::object({{"travelers", travelers}, {"bookings", bookings}});
}

Result<std::int64_t> Upkeep::renew_sealed() {
    std::int64_t count = 0;
    for (const auto renew :
         {&UpkeepRepository::renew_travelers, &UpkeepRepository::renew_bookings, &SessionRepository::renew_drafts}) {
        const auto some = store::in_pages(parts_.store, [&](store::Transaction& tx, std::int64_t& last) {
            return renew(tx, parts_.keyring, most_sealed, last);
        });
        if (!some)
            return some.error();
        count += *some;
    }
    // Files are large: one in a transaction.
    std::int64_t behind = 0;
    for (bool more = true; more;) {
        const auto one = parts_.store.transact<std::optional<std::int64_t>>(
            [&](store::Transaction& tx) -> Result<std::optional<std::int64_t>> {
                return form::FileRepository::renew_next(tx, parts_.keyring, behind);
            });
        if (!one)
            return one.error();
        more = one->has_value();
        count += one->value_or(0);
    }
    return count;
}

Result<json::Value> Upkeep::end_offers(Instant now) {
    const auto ended = parts_.store.reading<std::vector<std::int64_t>>(
        [&](store::Session& session) { return availability::Waitlist::ended_offers(session, now, most_offers); });
    std::int64_t cancelled = 0;
    for (const std::int64_t id : ended) {
        bool done = false;
        auto written = parts_.store.write([&](store::Transaction& tx) -> Result<void> {
            const auto booking = lock_with_seats(tx, id);
            // Bookings with a payment in progress or expected by staff are checked again next time.
            const bool is_unpaid = booking && booking->status == status::pending && booking->amount_paid.is_zero() &&
                                   booking->payment_status != "refunded" && !booking->total.is_zero();
            if (is_unpaid && ports_.payments && ports_.payments->is_awaited(tx, id, now))
                return {};
            availability::Waitlist::end_offer(tx, id);
            // Paid or confirmed meanwhile, it has taken its seats.
            done = is_unpaid;
            if (!done)
                return {};
            return lifecycle_.change(tx, *booking, status::cancelled, Cause::sweep, by_clock,
                                     "The seats from the waitlist were not taken in time.", now);
        });
        if (!written)
            return written.error();
        cancelled += done ? 1 : 0;
    }
    SVC_ASSIGN_OR_RETURN(const auto served, parts_.availability.waitlist.serve_waiting(now));
    return json::Value::object(
        {{"ended", static_cast<std::int64_t>(ended.size())}, {"cancelled", cancelled}, {"seats_given", served}});
}

}  // namespace svc::booking
