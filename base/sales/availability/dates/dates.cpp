// The rules of bookable dates: which source applies where departures, recurring rules and open days overlap.
#include "base/sales/availability/dates/dates.hpp"

#include <algorithm>
#include <bitset>

#include "base/sales/availability/dates/offer.hpp"

namespace svc::availability {
namespace {

using catalog::trips::Trip;

// No time sorts before every time.
int minutes_of(const std::optional<ClockTime>& time) { return time ? time->minutes() : -1; }
bool earlier(const Bookable& a, const Bookable& b) { return minutes_of(a.time) < minutes_of(b.time); }

bool in_season(const Trip& trip, Date date) {
    return (!trip.available_from || date >= *trip.available_from) && (!trip.available_to || date <= *trip.available_to);
}

// The times of a day that a departure or a more important rule covers.
class Taken {
  public:
    // False when it was taken before.
    bool take(const std::optional<ClockTime>& time) {
        const int number = minutes_of(time) + 1;
        const auto place = static_cast<std::size_t>(number);
        if (bits_.test(place))
            return false;
        bits_.set(place);
        return true;
    }
    void clear() { bits_.reset(); }

  private:
    std::bitset<24 * 60 + 1> bits_;
};

// Whether a day is closed as a whole: by a departure without a time that is not on sale.
bool closes_day(const Slot& slot) { return !slot.is_deleted() && !slot.on_sale() && !slot.time; }

// Gathers the dates of a span, day by day.
class Gathering {
  public:
    Gathering(const Trip& trip, const TripSlots& known, const Span& span, const Moment& moment)
        : known_(known), span_(span), now_(moment.now), today_(moment.today()), maker_(trip, moment.zone) {
        first_ = std::max(span.first, trip.available_from.value_or(span.first));
        last_ = std::min({span.last, trip.available_to.value_or(span.last), today_.plus_days(farthest_days)});
        for (const Slot& slot : known.slots)
            if (!slot.is_deleted() && slot.start_date >= first_ && slot.start_date <= last_)
                slots_.push_back(&slot);
        std::sort(slots_.begin(), slots_.end(), [](const Slot* a, const Slot* b) {
            return std::pair(a->start_date, a->id) < std::pair(b->start_date, b->id);
        });
        for (const Rule& rule : known.rules)
            if (rule.active())
                rules_.push_back(&rule);
    }

    std::vector<Bookable> dates() {
        if (first_ > last_)
            return {};
        next_ = slots_.begin();
        dates_.reserve(std::min({span_.most, usual_dates(), std::size_t{1024}}));
        for (Day day = Day::of(first_); day.date <= last_ && dates_.size() < span_.most; day.next()) {
            const auto before = static_cast<std::ptrdiff_t>(dates_.size());
            take_day(day);
            if (!std::is_sorted(dates_.begin() + before, dates_.end(), earlier))
                std::sort(dates_.begin() + before, dates_.end(), earlier);
        }
        return std::move(dates_);
    }

  private:
    // About as many as there will be.
    [[nodiscard]] std::size_t usual_dates() const {
        std::size_t times = known_.planned ? 0 : 1;
        for (const Rule* rule : rules_)
            times = std::max(times, std::max<std::size_t>(rule->slots.size(), 1));
        return slots_.size() + times * static_cast<std::size_t>(last_.days() - first_.days() + 1);
    }

    void take_day(const Day& day) {
        const auto of_day = next_;
        while (next_ != slots_.end() && (*next_)->start_date == day.date)
            ++next_;
        if (std::any_of(of_day, next_, [](const Slot* each) { return closes_day(*each); }))
            return;
        taken_.clear();
        for (auto slot = of_day; slot != next_; ++slot) {
            taken_.take((*slot)->time);
            if ((*slot)->on_sale())
                keep(maker_.from_departure(**slot, rule_of(known_.rules, (*slot)->rule_id)));
        }
        for (const Rule* rule : rules_)
            if (rule->produces(day, today_))
                maker_.each_time(*rule, [&](std::optional<ClockTime> time, const RuleSlot* slot) {
                    if (taken_.take(time))
                        keep(maker_.from_rule(*rule, day, time, slot));
                });
        if (!known_.planned)
            maker_.each_time([&](std::optional<ClockTime> time) {
                if (taken_.take(time))
                    keep(maker_.from_trip(day, time));
            });
    }

    void keep(Bookable&& date) {
        if (now_ >= date.cutoff_at || (span_.time && date.time != span_.time))
            return;
        if (span_.has_room(date))
            dates_.push_back(std::move(date));
    }

    const TripSlots& known_;
    const Span& span_;
    Instant now_;
    Date today_, first_, last_;
    Maker maker_;
    Taken taken_;
    std::vector<const Rule*> rules_;
    std::vector<const Slot*> slots_;
    std::vector<const Slot*>::const_iterator next_;
    std::vector<Bookable> dates_;
};

// The departure of a date for a request: the earliest with enough seats, else the one with the most. `blocked`: one at
// that time is off sale; `closed`: the day is.
struct Choice {
    const Slot* best = nullptr;
    bool blocked = false, closed = false, time_taken = false;
};
Choice chosen_of(const std::vector<Slot>& slots, Date date, std::optional<ClockTime> time, int seats) {
    Choice choice;
    const auto rank = [&](const Slot& each) {
        const bool fits = each.available() >= seats;
        return std::tuple(!fits, fits ? minutes_of(each.time) : -each.available(), each.id);
    };
    for (const Slot& slot : slots) {
        if (slot.is_deleted() || slot.start_date != date)
            continue;
        choice.closed = choice.closed || closes_day(slot);
        choice.time_taken = choice.time_taken || (time && slot.time == time);
        if (!slot.on_sale())
            choice.blocked = choice.blocked || !slot.time || !time || slot.time == time;
        else if ((!time || slot.time == time) && (!choice.best || rank(slot) < rank(*choice.best)))
            choice.best = &slot;
    }
    return choice;
}

// The times of one day that rules, or the trip itself, offer where no departure exists.
std::vector<Bookable> virtual_dates(const Trip& trip, const TripSlots& known, Date date, std::optional<ClockTime> time,
                                    const Moment& moment, bool any_notice) {
    Maker maker(trip, moment.zone);
    Taken taken;
    for (const Slot& slot : known.slots)
        if (!slot.is_deleted() && slot.start_date == date)
            taken.take(slot.time);
    const Day day = Day::of(date);
    const Date asked_on = any_notice ? Date() : moment.today();
    std::vector<Bookable> dates;
    for (const Rule& rule : known.rules)
        if (rule.active() && rule.produces(day, asked_on))
            maker.each_time(rule, [&](std::optional<ClockTime> at, const RuleSlot* slot) {
                if (taken.take(at) && (!time || at == time))
                    dates.push_back(maker.from_rule(rule, day, at, slot));
            });
    if (!known.planned)
        maker.each_time([&](std::optional<ClockTime> at) {
            if (taken.take(at) && (!time || at == time))
                dates.push_back(maker.from_trip(day, at));
        });
    std::sort(dates.begin(), dates.end(), earlier);
    return dates;
}

// Departures on dates that rules produce, which they replace.
class Standing {
  public:
    explicit Standing(const std::vector<Slot>& slots) {
        for (const Slot& slot : slots)
            if (!slot.is_deleted())
                slots_.push_back(&slot);
        std::sort(slots_.begin(), slots_.end(),
                  [](const Slot* a, const Slot* b) { return a->start_date < b->start_date; });
    }

    // Leaves the state as it is where the date can be booked as far as departures are concerned.
    void set_state(ProducedDate& date) const {
        auto at = std::lower_bound(slots_.begin(), slots_.end(), date.date,
                                   [](const Slot* slot, Date day) { return slot->start_date < day; });
        for (; at != slots_.end() && (*at)->start_date == date.date; ++at) {
            const Slot& slot = **at;
            if (slot.time == date.time) {
                date.capacity = slot.capacity;
                date.booked = slot.booked;
            }
            if (!slot.on_sale() && (slot.time == date.time || !slot.time))
                date.state = sale_status(slot);
        }
    }

  private:
    std::vector<const Slot*> slots_;
};

}  // namespace

std::vector<Bookable> bookable_dates(const Trip& trip, const TripSlots& known, const Span& span, const Moment& moment) {
    return Gathering(trip, known, span, moment).dates();
}

Produced produced_dates(const Trip& trip, std::span<const Rule> rules, Date first, Date last, std::size_t most,
                        const Moment& moment, const std::vector<Slot>& slots) {
    Produced produced;
    Maker maker(trip, moment.zone);
    const Standing standing(slots);
    Taken taken;
    const Date asked_on;  // long ago: notice is the buyer's matter
    for (Day day = Day::of(first); day.date <= last && produced.total < most_dates; day.next()) {
        taken.clear();
        const auto before = static_cast<std::ptrdiff_t>(produced.dates.size());
        for (const Rule& rule : rules) {
            if (!rule.means(day, asked_on))
                continue;
            if (rule.excludes(day.date)) {
                ++produced.excluded;
                continue;
            }
            maker.each_time(rule, [&](std::optional<ClockTime> time, const RuleSlot* slot) {
                if (!taken.take(time))
                    return;
                ++produced.total;
                if (produced.dates.size() >= most)
                    return;
                ProducedDate date{maker.from_rule(rule, day, time, slot)};
                date.from_location = rule.from_location;
                date.to_location = rule.to_location;
                date.from_place = rule.from_place;
                date.to_place = rule.to_place;
                date.cutoff_hours = rule.cutoff_hours;
                standing.set_state(date);
                if (date.state == "available")
                    date.state =
                        in_season(trip, day.date) && rule.means(day, moment.today()) && moment.now < date.cutoff_at
                            ? seats_status(date.capacity, date.available())
                            : "closed";
                produced.dates.push_back(std::move(date));
            });
        }
        std::sort(produced.dates.begin() + before, produced.dates.end(), earlier);
        produced.until = day.date;
    }
    produced.truncated = produced.total > produced.dates.size() || (first <= last && produced.until < last);
    return produced;
}

bool settled_by_departures(const std::vector<Slot>& slots, Date date, std::optional<ClockTime> time, int seats) {
    const Choice choice = chosen_of(slots, date, time, seats);
    return choice.closed || choice.time_taken || (choice.best && choice.best->available() >= seats);
}

std::vector<ClockTime> times_on(const Trip& trip, const TripSlots& known, Date date, const Moment& moment,
                                bool any_notice) {
    std::vector<Bookable> offered = virtual_dates(trip, known, date, std::nullopt, moment, any_notice);
    Maker maker(trip, moment.zone);
    for (const Slot& slot : known.slots)
        if (!slot.is_deleted() && slot.start_date == date && slot.on_sale())
            offered.push_back(maker.from_departure(slot, rule_of(known.rules, slot.rule_id)));
    std::vector<ClockTime> times;
    for (const Bookable& each : offered) {
        if (!any_notice && moment.now >= each.cutoff_at)
            continue;
        if (!each.time)
            return {};
        times.push_back(*each.time);
    }
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());
    return times;
}

Result<Bookable> resolve(const Trip& trip, const TripSlots& known, Date date, std::optional<ClockTime> time, int seats,
                         const Moment& moment, bool any_notice) {
    const Date today = moment.today();
    if (!trip.is_public() || (date < today && !any_notice) || date > today.plus_days(farthest_days) ||
        !in_season(trip, date))
        return errc::date_unavailable;
    const Choice choice = chosen_of(known.slots, date, time, seats);
    if (choice.closed)
        return errc::date_blocked;
    if (choice.best && choice.best->available() >= seats)
        return Maker(trip, moment.zone).from_departure(*choice.best, rule_of(known.rules, choice.best->rule_id));

    int most = choice.best ? choice.best->available() : -1;
    for (Bookable& each : virtual_dates(trip, known, date, time, moment, any_notice)) {
        if (each.available() >= seats)
            return std::move(each);
        most = std::max(most, each.available());
    }
    if (any_notice && choice.best && choice.best->may_be_overbooked)
        return Maker(trip, moment.zone).from_departure(*choice.best, rule_of(known.rules, choice.best->rule_id));
    if (most >= 0)
        return Error{errc::sold_out}.with("available", std::to_string(most));
    return choice.blocked ? errc::date_blocked : errc::date_unavailable;
}

}  // namespace svc::availability
