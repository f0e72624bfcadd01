// Computes where prices begin from the very dates that the list of dates shows.
#include "base/sales/availability/dates/from_prices.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/sales/availability/dates/offer.hpp"
#include "base/sales/availability/record/hooks.hpp"
#include "shared/core/log.hpp"

namespace svc::availability {
namespace {

using catalog::trips::FromPrice;
using catalog::trips::PriceType;
using catalog::trips::ShownTrip;
using catalog::trips::Trip;

constexpr std::size_t usual_catalogue = 2'000;  // trips, which take about a second
constexpr std::size_t most_prices = 100;        // that filters look through; there are seldom more
constexpr std::int64_t never_due = std::numeric_limits<std::int64_t>::max();
constexpr std::chrono::milliseconds pause{500};

void take_categories(FromPrice& from, const Trip& trip, const Bookable& date) {
    for (const PriceType& type : trip.price_types) {
        if (!type.offered_on(date.date))
            continue;
        const Money price = price_for(type, date.by_category).effective();
        const auto known = std::find_if(from.categories.begin(), from.categories.end(),
                                        [&](const FromPrice::Category& each) { return each.id == type.category_id; });
        if (known == from.categories.end()) {
            from.categories.push_back({.id = type.category_id, .price = price});
        } else if (price != known->price) {
            known->differs = true;
            known->price = min(known->price, price);
        }
        if (price.is_zero())
            continue;
        from.least = from.least ? min(*from.least, price) : price;
        from.most = from.most ? max(*from.most, price) : price;
        from.prices.push_back(price.minor());
    }
}

std::optional<FromPrice> from_price_of(const Trip& trip, const std::vector<Bookable>& dates) {
    const Bookable* cheapest = nullptr;
    bool is_changed = false, differs = false;
    FromPrice from{.price = Money::zero(trip.currency), .regular = Money::zero(trip.currency)};
    for (const Bookable& date : dates) {
        if (date.available() <= 0)
            continue;
        is_changed = is_changed || date.before_listeners;
        const Money price = date.price.effective();
        differs = differs || (cheapest && price != cheapest->price.effective());
        if (!cheapest || price < cheapest->price.effective())
            cheapest = &date;
        if (date.traveler_based)
            take_categories(from, trip, date);
        else
            from.prices.push_back(price.minor());
    }
    if (!cheapest || (!is_changed && trip.seasons.empty()))
        return std::nullopt;
    from.price = cheapest->price.effective();
    from.regular = max(cheapest->price.regular, from.price);
    from.differs = differs || from.least != from.most;
    from.prices.push_back(from.price.minor());
    std::sort(from.prices.begin(), from.prices.end());
    from.prices.erase(std::unique(from.prices.begin(), from.prices.end()), from.prices.end());
    if (from.prices.size() > most_prices)
        from.prices.erase(from.prices.begin() + most_prices - 1, from.prices.end() - 1);
    return from;
}

}  // namespace

bool FromPrices::is_asked() const { return ready_ && hooks_.filtered(date_prices.name); }

std::optional<FromPrice> FromPrices::of(const ShownTrip& trip) {
    if (!trip.trip.seasons.empty())
        has_seasons_ = true;
    if (!is_asked() && (!ready_ || trip.trip.seasons.empty()))
        return std::nullopt;
    const Moment moment = dates_.moment();
    const auto span = dates_.span_of(trip.trip, {}, moment);
    if (!span)
        return std::nullopt;
    Key key{.stamp = trip.stamp,
            .row_version = trip.trip.row_version,
            .dates = dates_.calendar().of(trip.trip.id),
            .first = span->first,
            .last = span->last,
            .sold_out_too = span->sold_out_too,
            .zone = std::string(moment.zone.name())};
    std::uint64_t generation = 0;
    {
        const std::lock_guard lock(knowing_);
        generation = generation_;
        const auto found = known_.find(trip.trip.id);
        if (found != known_.end() && found->second.key == key && moment.now < found->second.until) {
            due_ = std::min<std::int64_t>(due_, found->second.until.micros());
            return found->second.from;
        }
    }
    Known fresh = computed(trip, std::move(key), *span, moment);
    const std::lock_guard lock(knowing_);
    if (generation == generation_) {
        due_ = std::min<std::int64_t>(due_, fresh.until.micros());
        known_[trip.trip.id] = fresh;
    }
    return std::move(fresh.from);
}

FromPrices::Known FromPrices::computed(const ShownTrip& trip, Key key, const Span& span, const Moment& moment) const {
    const auto dates = dates_.offered_dates(trip.trip, *key.dates, span, moment).dates;
    Instant until = moment.zone.instant_of(moment.today().plus_days(1), ClockTime());
    for (const Bookable& each : dates)
        until = std::min(until, each.cutoff_at);
    return {.key = std::move(key), .until = until, .from = from_price_of(trip.trip, dates)};
}

void FromPrices::forget() {
    const std::lock_guard lock(knowing_);
    ++generation_;
    known_.clear();
}

void FromPrices::begin() {
    ready_ = true;
    due_ = never_due;
    if (is_asked() || has_seasons_)
        trips_.follow_prices();
    was_asked_ = is_asked();
}

void FromPrices::listeners_changed() {
    if (trips_.size() > usual_catalogue || !is_asked())
        return listeners_changed_elsewhere();
    forget();
    trips_.follow_prices();
}

void FromPrices::listeners_changed_elsewhere() {
    forget();
    {
        const std::lock_guard lock(running_);
        is_due_ = true;
    }
    woken_.notify_one();
}

void FromPrices::look(bool is_due) {
    const bool is_now = is_asked(), was = was_asked_.exchange(is_now);
    if (!is_now && !was && !has_seasons_)
        return;
    if (is_now != was)
        forget();
    const std::uint64_t edition = dates_.calendar().edition(false);
    const std::int64_t now = dates_.moment().now.micros();
    if (!is_due && is_now == was && edition == edition_ && now < due_)
        return;
    edition_ = edition;
    due_ = never_due;
    trips_.follow_prices();
}

void FromPrices::run() {
    std::unique_lock lock(running_);
    while (!stopping_) {
        woken_.wait_for(lock, pause, [this] { return stopping_ || is_due_; });
        if (stopping_)
            return;
        const bool is_due = std::exchange(is_due_, false);
        lock.unlock();
        try {
            look(is_due);
        } catch (const std::exception& error) {  // the database is away: the next look tries again
            log::warning("from_prices_failed", {{"cause", log::redacted(error.what())}});
            due_ = 0;
        }
        lock.lock();
    }
}

void FromPrices::start() {
    if (!thread_.joinable())
        thread_ = std::thread([this] { run(); });
}

void FromPrices::stop() {
    {
        const std::lock_guard lock(running_);
        stopping_ = true;
    }
    woken_.notify_one();
    if (thread_.joinable())
        thread_.join();
}

}  // namespace svc::availability
