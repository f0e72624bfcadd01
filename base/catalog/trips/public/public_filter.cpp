// Filters of the public list.
#include "base/catalog/trips/public/public_filter.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

namespace svc::catalog::trips {
namespace {

constexpr std::int64_t no_least = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t no_most = std::numeric_limits<std::int64_t>::max();
constexpr std::int32_t no_day = std::numeric_limits<std::int32_t>::min();

// An amount in whole minor units; a fraction is rounded towards the inside of the range.
std::optional<std::int64_t> minor_bound(std::string decimal, Currency currency, bool is_least) {
    bool more = false;
    if (const auto point = decimal.find('.'); point != std::string::npos) {
        const auto exponent = static_cast<std::size_t>(currency.exponent());
        const auto end = std::min(decimal.size(), exponent == 0 ? point : point + 1 + exponent);
        more = decimal.find_first_of("123456789", end) != std::string::npos;
        decimal.resize(end);
    }
    const auto amount = Money::parse(decimal, currency);
    if (!amount)
        return std::nullopt;
    return amount->minor() + (more && is_least ? 1 : 0);
}

std::optional<std::int64_t> whole_number(std::string_view text) {
    std::int64_t number = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failure != std::errc{} || end != text.data() + text.size())
        return std::nullopt;
    return number;
}

// By its id, else by its slug.
std::optional<ClassKey> class_named(Kind kind, const std::string& given, const ClassNames& names) {
    if (const auto id = whole_number(given); id && names.contains({kind, *id}))
        return ClassKey{kind, *id};
    for (auto at = names.lower_bound({kind, no_least}); at != names.end() && at->first.kind == kind; ++at)
        if (at->second.slug == given)
            return at->first;
    return std::nullopt;
}

// Whether `fits(season, first, last)` is true of a season with days from `first` to `last`, with these days; or, with
// null, of the days that no season has.
template <class Fits>
bool any_season(const Trip& trip, Date first, Date last, Fits fits) {
    Date next = first;  // the first day that is not dealt with
    bool is_left = false;
    for (const PricedSeason& season : trip.seasons) {
        const Date from = std::max(first, season.first), to = std::min(last, season.last);
        if (to < from)
            continue;
        is_left = is_left || next < from;
        next = to.plus_days(1);
        if (fits(&season, from, to))
            return true;
    }
    return (is_left || next <= last) && fits(static_cast<const PricedSeason*>(nullptr), first, last);
}

Money price_in(const PricedSeason* season, const PriceType& type) {
    if (season)
        for (const CategoryPrice& each : season->by_category)
            if (each.category_id == type.category_id)
                return PricePair{each.regular, each.lowered}.effective();
    return type.pair().effective();
}

}  // namespace

bool FactFilter::fits(const TripFact& fact) const {
    if (fact.about != about)
        return false;
    if ((least && fact.amount.value_or(no_least) < *least) || (most && fact.amount.value_or(no_most) > *most))
        return false;
    return texts.empty() || std::any_of(texts.begin(), texts.end(), [&](const std::string& text) {
               return fact.kind == FactKind::words ? fact.text.find(text) != std::string::npos : fact.text == text;
           });
}

std::string FactFilter::key() const {
    std::string key = std::to_string(about);
    for (const auto& bound : {least, most})
        key += ' ' + (bound ? std::to_string(*bound) : std::string("-"));
    for (const std::string& text : texts)
        key += ' ' + std::to_string(text.size()) + ' ' + text;
    return key;
}

bool PublicQuery::filters() const {
    const bool sorted_into =
        std::any_of(classes.begin(), classes.end(), [](const std::string& each) { return !each.empty(); });
    return sorted_into || !search.empty() || !trip_type.empty() || min_price || max_price || min_duration ||
           max_duration || min_rating || from || to || facets || !wishes.empty();
}

std::string PublicQuery::key() const {
    std::string key = order_by;
    key += ascending ? '+' : '-';
    const auto add_number = [&](std::int64_t number) {
        char digits[24];
        const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
        key.append(digits, end) += ' ';
    };
    add_number(per_page);
    add_number(page);
    if (!filters())
        return key;
    key += facets ? 'f' : ' ';
    const auto add = [&](std::string_view text) { (key += '\n') += text; };
    add(trip_type);
    for (const auto& each : classes)
        add(each);
    add(min_price.value_or(""));
    add(max_price.value_or(""));
    for (const auto& number : {min_duration, max_duration, min_rating})
        add(number ? std::to_string(*number) : "");
    for (const auto& date : {from, to})
        add(date ? date->text() : "");
    for (const FactFilter& wish : wishes)
        add("a" + wish.key());
    key += search.empty() ? "" : "\ns";
    for (const auto& word : search_query(search))
        add(word);
    return key;
}

Filter::Filter(const PublicQuery& query, const TripDates& dates, const FactRows& rows, const ClassNames& names)
    : query_(query),
      dates_(dates),
      rows_(rows),
      by_price_(query.min_price || query.max_price),
      today_(by_price_ && dates.today ? dates.today() : Date::from_days(no_day)),
      min_duration_(query.min_duration.value_or(no_least)),
      max_duration_(query.max_duration.value_or(no_most)),
      min_rating_(query.min_rating.value_or(no_least)) {
    for (const TripType each : {TripType::single_day, TripType::multi_day})
        if (query.trip_type == name_of(each))
            type_ = each;
    impossible_ = !query.trip_type.empty() && !type_;
    for (std::size_t kind = 0; kind < query.classes.size(); ++kind) {
        if (query.classes[kind].empty())
            continue;
        const auto found = class_named(static_cast<Kind>(kind), query.classes[kind], names);
        const auto number = found ? rows.number_of(*found) : std::nullopt;
        if (number)
            classes_.push_back(*number);
        else
            impossible_ = true;
    }
}

const Filter::Bounds& Filter::bounds(Currency currency) const {
    for (const Bounds& each : bounds_)
        if (each.currency == currency)
            return each;
    const auto read = [&](const std::optional<std::string>& given, bool is_least, std::int64_t none) {
        return given ? minor_bound(*given, currency, is_least).value_or(is_least ? no_most : no_least) : none;
    };
    return bounds_.emplace_back(
        Bounds{currency, read(query_.min_price, true, no_least), read(query_.max_price, false, no_most)});
}

bool Filter::within(const Money& price) const {
    const Bounds& limits = bounds(price.currency());
    return price.minor() >= limits.least && price.minor() <= limits.most;
}

// Compares the trip's own price, for dates from `first` to `last`.
bool Filter::fits_own_price(const FactRow& row, Date first, Date last) const {
    const Trip& trip = row.shown->trip;
    if (row.shown->from)  // its facts are the prices of its dates
        return fits_plain_price(row);
    if (row.windows || (row.seasons && trip.traveler_based))
        return fits_category(trip, nullptr, first, last);
    if (!row.seasons)
        return fits_plain_price(row);
    return any_season(trip, first, last, [&](const PricedSeason* season, Date, Date) {
        return season && season->price ? within(season->price->effective()) : fits_plain_price(row);
    });
}

// The same on every date.
bool Filter::fits_plain_price(const FactRow& row) const {
    const Bounds& limits = bounds(row.currency);
    const auto inside = [&](std::int64_t minor) { return minor >= limits.least && minor <= limits.most; };
    if (inside(row.least) || inside(row.most))
        return true;
    if (!row.between || row.least > limits.most || row.most < limits.least)
        return false;
    const auto& prices = row.shown->facts.prices;
    return std::any_of(prices.begin(), prices.end(), inside);
}

// Some traveler category that is offered then, at the dates' own price, the season's or the trip's.
bool Filter::fits_category(const Trip& trip, const DatePrices::Categories* own, Date first, Date last) const {
    return any_season(trip, first, last, [&](const PricedSeason* season, Date from, Date to) {
        return std::any_of(trip.price_types.begin(), trip.price_types.end(), [&](const PriceType& type) {
            if ((type.valid_from && *type.valid_from > to) || (type.valid_to && *type.valid_to < from))
                return false;
            Money price = price_in(season, type);
            if (own)
                for (const auto& [category, other] : *own)
                    if (category == type.category_id)
                        price = other;
            return !price.is_zero() && within(price);  // a free category does not make a trip cheap
        });
    });
}

// Compares the prices of dates that have their own.
bool Filter::fits_dates(const FactRow& row, const DatePrices& dates) const {
    const Trip& trip = row.shown->trip;
    if (row.shown->from)  // listeners have set the prices of all dates, which the trip's facts are
        return fits_own_price(row, dates.first, dates.last);
    const Date first = std::max({dates.first, today_, Date::from_days(row.first_day)});
    const Date last = std::min(dates.last, Date::from_days(row.last_day));
    if (last < first)
        return false;
    if (!dates.by_category.value_or(trip.traveler_based)) {
        if (dates.own)
            return dates.own->currency() == trip.currency && within(*dates.own);
        if (!trip.traveler_based)
            return fits_own_price(row, first, last);
        return any_season(trip, first, last, [&](const PricedSeason* season, Date from, Date to) {
            return fits_alike(row, dates, season, from, to);
        });
    }
    return fits_by_category(row, dates, first, last);
}

// Everybody alike on a trip by category: at the price of the season or the trip if there is one.
bool Filter::fits_alike(const FactRow& row, const DatePrices& dates, const PricedSeason* season, Date first,
                        Date last) const {
    const Trip& trip = row.shown->trip;
    if (season && season->price && !season->price->effective().is_zero())
        return within(season->price->effective());
    const Money alike = regular_price_of(trip).effective();
    const auto at_time = [&](const TimeSlot& slot) { return slot.price && within(*slot.price); };
    if (trip.has_default_time_slots && std::any_of(trip.time_slots.begin(), trip.time_slots.end(), at_time))
        return true;
    return alike.is_zero() ? fits_by_category(row, dates, first, last) : within(alike);
}

bool Filter::fits_by_category(const FactRow& row, const DatePrices& dates, Date first, Date last) const {
    const Trip& trip = row.shown->trip;
    if (trip.traveler_based && !dates.categories)
        return fits_own_price(row, first, last);
    if (trip.price_types.empty())  // no prices by category
        return fits_own_price(row, first, last);
    return fits_category(trip, dates.categories.get(), first, last);
}

bool Filter::fits(std::size_t slot, const FactRow& row) const {
    if (row.duration_days < min_duration_ || row.duration_days > max_duration_ || row.rating < min_rating_ ||
        (type_ && row.type != *type_))
        return false;
    if (!classes_.empty()) {
        const auto own = rows_.classes_of(slot);
        for (const std::uint32_t each : classes_)
            if (std::find(own.begin(), own.end(), each) == own.end())
                return false;
    }
    return query_.wishes.empty() || help(row.shown->facts.of_parts);
}

bool Filter::help(const std::vector<TripFact>& facts) const {
    return std::all_of(query_.wishes.begin(), query_.wishes.end(), [&](const FactFilter& wish) {
        return std::any_of(facts.begin(), facts.end(), [&](const TripFact& fact) { return wish.fits(fact); });
    });
}

// Adds the trips with a matching price: of their dates where dates have prices, else their own.
void Filter::add_by_price(std::vector<SlotOf>& priced, SlotSet& fitting) const {
    const auto by_id = [](const SlotOf& a, const SlotOf& b) { return a.id < b.id; };
    // Sorted unless the catalogue changed since the start.
    if (!std::is_sorted(priced.begin(), priced.end(), by_id))
        std::sort(priced.begin(), priced.end(), by_id);
    const Date end = Date::from_days(std::numeric_limits<std::int32_t>::max());
    auto at = priced.begin();
    const auto all_before = [&](std::int64_t id) {  // nothing is known of their dates
        for (; at != priced.end() && at->id < id; ++at)
            if (const FactRow& row = rows_[at->slot];
                fits_own_price(row, std::max(today_, Date::from_days(row.first_day)),
                               std::min(end, Date::from_days(row.last_day))))
                fitting.add(at->slot);
    };
    std::int64_t decided = 0;
    if (dates_.each_price)
        dates_.each_price([&](const DatePrices& each) {
            if (decided != 0 && decided != each.trip_id && at != priced.end() && at->id == decided)
                ++at;
            all_before(each.trip_id);
            decided = each.trip_id;
            if (at != priced.end() && at->id == decided && !fitting.has(at->slot) && fits_dates(rows_[at->slot], each))
                fitting.add(at->slot);
        });
    if (decided != 0 && at != priced.end() && at->id == decided)
        ++at;
    all_before(std::numeric_limits<std::int64_t>::max());
}

template <class EachRow>
SlotSet Filter::fitting_of(EachRow each_row) const {
    SlotSet fitting(rows_.slots());
    if (impossible_)
        return fitting;
    std::vector<SlotOf> priced;
    each_row([&](std::size_t slot, const FactRow& row) {
        if (!fits(slot, row))
            return;
        if (by_price_)
            priced.push_back({row.id, slot});
        else
            fitting.add(slot);
    });
    if (!priced.empty())
        add_by_price(priced, fitting);
    if ((!query_.from && !query_.to) || !dates_.has_date)
        return fitting;
    const auto has_date = dates_.has_date();
    const Date from = query_.from.value_or(Date{}),
               to = query_.to.value_or(Date::from_days(std::numeric_limits<std::int32_t>::max()));
    SlotSet dated(rows_.slots());
    fitting.each([&](std::size_t slot) {
        const FactRow& row = rows_[slot];
        const Date first = Date::from_days(std::max(from.days(), row.first_day));
        const Date last = Date::from_days(std::min(to.days(), row.last_day));
        if (first <= last && has_date(row.id, first, last, row.sure_days, row.shown->trip))
            dated.add(slot);
    });
    return dated;
}

SlotSet Filter::fitting() const {
    return fitting_of([this](auto take) { rows_.each(take); });
}

SlotSet Filter::fitting(const std::vector<std::uint16_t>& scores) const {
    return fitting_of([&](auto take) {
        for (std::size_t slot = 0; slot < scores.size(); ++slot)
            if (scores[slot] > 0)
                take(slot, rows_[slot]);
    });
}

}  // namespace svc::catalog::trips
