// A departure's fields against each other.
#include "base/sales/availability/departures/change.hpp"

#include <algorithm>

#include "base/sales/availability/dates/offer.hpp"
#include "shared/core/exact_money.hpp"
#include "shared/core/text.hpp"

namespace svc::availability {
namespace {

using catalog::trips::take_place;
using catalog::trips::Trip;

// The names of fields, which differ between the two views.
struct Names {
    const char *start_date, *end_date, *regular, *lowered;
};
constexpr Names operational{"start_date", "end_date", "price_override", "sale_price"};
constexpr Names sale{"departure_date", "arrival_date", "original_price", "discounted_price"};

// Bounds that keep all computed days valid dates.
const Date earliest = Date::from(1970, 1, 1), latest = Date::from(2200, 12, 31);
constexpr std::int32_t longest = 3660;

template <class T>
void take(std::optional<T>& field, const Sent<T>& sent) {
    if (sent)
        field = *sent;
}

void take_text(std::string& field, const std::optional<std::string>& sent) {
    if (sent)
        field = text::clean_lines(*sent);
}

std::optional<Money> amount_of(const std::string& decimal, Currency currency, const std::string& name, Faults& faults) {
    const auto amount = parse_exact(decimal, currency);
    if (amount && !amount->is_negative())
        return *amount;
    faults.at(name, "Enter an amount of at least 0."_sentence);
    return std::nullopt;
}

void take_money(std::optional<Money>& field, const Sent<std::string>& sent, Currency currency, const char* name,
                Faults& faults) {
    if (sent)
        field = *sent ? amount_of(**sent, currency, name, faults) : std::nullopt;
}

void take_days(Departure& departure, const DepartureChange& change, const Trip& trip, const Names& names,
               Faults& faults) {
    if (change.start_date && (*change.start_date < earliest || *change.start_date > latest))
        return faults.at(names.start_date, "This year is out of range."_sentence);
    const auto length = departure.end_date.days() - departure.start_date.days();
    const auto moved = change.start_date ? change.start_date->days() - departure.start_date.days() : 0;
    departure.start_date = departure.start_date.plus_days(moved);
    departure.end_date = departure.start_date.plus_days(length);
    if (departure.return_date)
        departure.return_date = departure.return_date->plus_days(moved);
    if (departure.cutoff_date)
        departure.cutoff_date = departure.cutoff_date->plus_days(moved);
    if (change.end_date)
        departure.end_date = change.end_date->value_or(departure.start_date.plus_days(trip.length() - 1));
    if (departure.end_date < departure.start_date)
        faults.at(names.end_date, "This must not be before the start."_sentence);
    if (departure.end_date.days() - departure.start_date.days() > longest)
        faults.at(names.end_date, "The departure is too long."_sentence);
    take(departure.return_date, change.return_date);
    if (departure.return_date == departure.end_date)
        departure.return_date.reset();  // the default: a departure sent back as it was read is unchanged
    if (departure.return_date && *departure.return_date < departure.start_date)
        faults.at("return_date", "This must not be before the start."_sentence);
    if (departure.return_date && departure.return_date->days() - departure.start_date.days() > longest)
        faults.at("return_date", "The departure is too long."_sentence);
    take(departure.time, change.time);
    take(departure.arrival_time, change.arrival_time);
    // Sale dates are answered with the day of arrival: sent back it is the same departure.
    if (&names == &sale && trip.length() == 1 && departure.end_date == departure.start_date.plus_days(1) &&
        arrives_next_day(departure.time, departure.arrival_time))
        departure.end_date = departure.start_date;
    take(departure.cutoff_date, change.cutoff_date);
    take(departure.cutoff_hours, change.cutoff_hours);
}

void take_category_prices(Departure& departure, const DepartureChange& change, Faults& faults) {
    departure.prices.clear();
    std::size_t number = 0;
    for (const CategoryPriceChange& sent : *change.prices) {
        const std::string path =
            change.by_sale_names ? "price_types." + std::to_string(++number) + "." : "price_by_traveler_type.";
        const std::string id = std::to_string(sent.category_id);
        CategoryPrice price{sent.category_id, Money::zero(departure.currency), {}};
        const auto regular =
            amount_of(sent.regular, departure.currency, path + (change.by_sale_names ? "original_price" : id), faults);
        price.regular = regular.value_or(price.regular);
        if (sent.lowered) {
            price.lowered = amount_of(*sent.lowered, departure.currency, path + "discounted_price", faults);
            if (regular && price.lowered && *price.lowered > price.regular)
                faults.at(path + "discounted_price", "This must not be above original_price."_sentence);
        }
        for (const CategoryPrice& other : departure.prices)
            if (other.category_id == sent.category_id)
                faults.at(path + "category_id", "This category is listed twice."_sentence);
        departure.prices.push_back(price);
    }
    std::sort(departure.prices.begin(), departure.prices.end(),
              [](const CategoryPrice& a, const CategoryPrice& b) { return a.category_id < b.category_id; });
}

void take_prices(Departure& departure, const DepartureChange& change, const Names& names, Faults& faults) {
    Faults unread;
    take_money(departure.regular_price, change.regular_price, departure.currency, names.regular, unread);
    take_money(departure.sale_price, change.sale_price, departure.currency, names.lowered, unread);
    if (unread.none() && departure.sale_price &&
        (!departure.regular_price || *departure.sale_price > *departure.regular_price))
        faults.at(names.lowered, "This must not be above {regular}."_sentence.with("regular", names.regular));
    if (!unread.none()) {
        const Error all = unread.error();
        for (const FieldError& fault : all.fields())
            faults.at(fault.field, fault.sentence);
    }
    if (change.pricing_type)
        departure.traveler_based =
            *change.pricing_type ? std::optional(**change.pricing_type == "traveler_based") : std::nullopt;
    if (change.prices)
        take_category_prices(departure, change, faults);
}

// A way of pricing is refused where there is no price to be had that way.
void has_price(const Departure& departure, const DepartureChange& change, const Trip& trip, Faults& faults) {
    if (!change.pricing_type || !departure.traveler_based || *departure.traveler_based == trip.traveler_based)
        return;
    if (!*departure.traveler_based) {
        if (!departure.regular_price && !departure.rule_id && trip.regular_price.is_zero())
            faults.at("pricing_type",
                      "Enter a price; neither the date nor the trip has a price without categories."_sentence);
    } else if (!shown_type_on(trip, departure.prices, departure.start_date)) {
        faults.at("pricing_type", "The trip has no price by traveler category on this date. Add one first."_sentence);
    }
}

void take_texts(Departure& departure, const DepartureChange& change) {
    take_text(departure.from_location, change.from_location);
    take_text(departure.to_location, change.to_location);
    take_text(departure.pickup_location, change.pickup_location);
    take_text(departure.dropoff_location, change.dropoff_location);
    take_text(departure.notes, change.notes);
    take_text(departure.special_notes, change.special_notes);
    take_text(departure.equipment_included, change.equipment_included);
    take_text(departure.block_reason, change.block_reason);
}

// The status and the sale state are cancelled together; the trash only keeps the latter.
void take_states(Departure& departure, const DepartureChange& change, bool was_sold_out) {
    const bool was_cancelled = departure.status == Status::cancelled || departure.sale_state == SaleState::cancelled;
    if (change.status) {
        departure.status = *change.status == name_of(Status::cancelled) ? Status::cancelled : Status::upcoming;
        if (departure.status == Status::cancelled)
            departure.sale_state = SaleState::cancelled;
        else if (was_cancelled)
            departure.sale_state = SaleState::open;
    }
    // A cancelled departure is not for sale until a status reopens it.
    const bool opens = change.sale_state && *change.sale_state == name_of(SaleState::open);
    const bool stays = opens && change.seats_status && departure.sale_state != SaleState::blocked;
    if (change.sale_state && !stays && departure.sale_state != SaleState::cancelled)
        departure.sale_state = sale_state_of(*change.sale_state).value();
    // A request when seats are left; ignored when it repeats the current value.
    if (change.seats_status && *change.seats_status == "sold_out" && !was_sold_out && departure.on_sale() &&
        departure.available() > 0)
        departure.sale_state = SaleState::unavailable;
}

}  // namespace

Departure changed(Departure departure, const DepartureChange& change, const Trip& trip, Faults& faults) {
    const Names& names = change.by_sale_names ? sale : operational;
    const bool was_sold_out = sale_status(departure) == "sold_out";
    take_days(departure, change, trip, names, faults);
    if (change.capacity)
        departure.capacity = change.capacity->value_or(trip.default_capacity());
    departure.may_be_overbooked = change.may_be_overbooked.value_or(departure.may_be_overbooked);
    if (change.alert_threshold)
        departure.alert_threshold = change.alert_threshold->value_or(Departure{}.alert_threshold);
    take_prices(departure, change, names, faults);
    if (faults.none())
        has_price(departure, change, trip, faults);
    take_place(departure.from_place, change.from_latitude, change.from_longitude, "from", faults);
    take_place(departure.to_place, change.to_latitude, change.to_longitude, "to", faults);
    take(departure.guide_user_id, change.guide_user_id);
    take_texts(departure, change);
    take_states(departure, change, was_sold_out);
    return departure;
}

Departure fresh_departure(const Trip& trip, Date start, Origin origin) {
    Departure fresh;
    fresh.trip_id = trip.id;
    fresh.origin = origin;
    fresh.start_date = start;
    fresh.end_date = start.plus_days(trip.length() - 1);
    fresh.capacity = trip.default_capacity();
    fresh.currency = trip.currency;
    return fresh;
}

Status status_on(const Departure& departure, Date today) {
    if (departure.status == Status::cancelled)
        return Status::cancelled;
    if (departure.end_date < today)
        return Status::past;
    return departure.booked >= departure.capacity ? Status::full : Status::upcoming;
}

}  // namespace svc::availability
