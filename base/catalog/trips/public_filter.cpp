// Filters and facets of the public list.
#include "base/catalog/trips/public_filter.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

namespace svc::catalog::trips {
namespace {

constexpr std::int64_t no_least = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t no_most = std::numeric_limits<std::int64_t>::max();

// An amount in whole minor units; what a currency cannot express is rounded towards the inside of the range.
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

}  // namespace

bool PublicQuery::filters() const {
    const bool sorted_into =
        std::any_of(classes.begin(), classes.end(), [](const std::string& each) { return !each.empty(); });
    return sorted_into || !search.empty() || !trip_type.empty() || min_price || max_price || min_duration ||
           max_duration || min_rating || from || to || facets;
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
    key += search.empty() ? "" : "\ns";
    for (const auto& word : search_query(search))
        add(word);
    return key;
}

Filter::Filter(const PublicQuery& query, const TripDates& dates, const ClassNames& names) : query_(query) {
    if ((query.min_price || query.max_price) && dates.each_price)
        each_price_ = dates.each_price();
    if ((query.from || query.to) && dates.has_date)
        has_date_ = dates.has_date();
    for (std::size_t kind = 0; kind < query.classes.size(); ++kind) {
        if (query.classes[kind].empty())
            continue;
        if (const auto found = class_named(static_cast<Kind>(kind), query.classes[kind], names))
            classes_.push_back(*found);
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

bool Filter::fits_price(const ShownTrip& shown) const {
    const Bounds limits = bounds(shown.trip.currency);
    const auto within = [&](std::int64_t minor) { return minor >= limits.least && minor <= limits.most; };
    if (std::any_of(shown.facts.prices.begin(), shown.facts.prices.end(), within))
        return true;
    if (limits.least > limits.most)
        return false;
    bool any = false;
    if (each_price_)
        each_price_(shown.trip, [&](Money price) { any = any || within(price.minor()); });
    return any;
}

bool Filter::fits(const ShownTrip& shown) const {
    const Trip& trip = shown.trip;
    if (impossible_ || (!query_.trip_type.empty() && query_.trip_type != name_of(trip.type)) ||
        (query_.min_duration && trip.duration_days < *query_.min_duration) ||
        (query_.max_duration && trip.duration_days > *query_.max_duration) ||
        (query_.min_rating && shown.facts.rating < *query_.min_rating))
        return false;
    for (const ClassKey& each : classes_)
        if (!std::binary_search(shown.facts.classes.begin(), shown.facts.classes.end(), each))
            return false;
    if ((query_.min_price || query_.max_price) && !fits_price(shown))
        return false;
    if (has_date_) {
        const Date from = query_.from.value_or(Date{}), to = query_.to.value_or(from.plus_days(366'000));
        return has_date_(trip, from, to);
    }
    return true;
}

void Facets::add(const ShownTrip& shown) {
    for (const ClassKey& each : shown.facts.classes)
        ++classes_[each];
    ++types_[name_of(shown.trip.type)];
    const Currency currency = shown.trip.currency;
    const Money least{shown.facts.prices.front(), currency}, most{shown.facts.prices.back(), currency};
    const auto [range, fresh] = prices_.try_emplace(currency.code(), Range{least, most});
    if (!fresh)
        range->second = {std::min(range->second.least, least), std::max(range->second.most, most)};
}

json::Value Facets::answer(const ClassNames& names) const {
    auto facets = json::Value::object();
    for (std::size_t kind = 0; kind < kind_names.size(); ++kind)
        facets.set(std::string(kind_names[kind]), json::Value::array());
    for (const auto& [key, count] : classes_) {
        const ClassName& name = names.at(key);
        auto list = facets[kind_names[static_cast<std::size_t>(key.kind)]];
        list.push(json::Value::object({{"id", key.id}, {"name", name.name}, {"slug", name.slug}, {"count", count}}));
        facets.set(std::string(kind_names[static_cast<std::size_t>(key.kind)]), std::move(list));
    }
    auto types = json::Value::array(), prices = json::Value::array();
    for (const auto& [type, count] : types_)
        types.push(json::Value::object({{"trip_type", type}, {"count", count}}));
    for (const auto& [currency, range] : prices_)
        prices.push(json::Value::object({{"currency", currency}, {"min", range.least}, {"max", range.most}}));
    facets.set("trip_type", std::move(types));
    facets.set("price", std::move(prices));
    return facets;
}

}  // namespace svc::catalog::trips
