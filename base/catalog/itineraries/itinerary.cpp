// The rules of entries.
#include "base/catalog/itineraries/itinerary.hpp"

#include "base/platform/html/html.hpp"
#include "shared/core/exact_money.hpp"

namespace svc::catalog::itineraries {
namespace {

constexpr std::int64_t longest_minutes = 14'400;  // ten days

template <class T, class Into>
void take(const std::optional<T>& sent, Into& into) {
    if (sent)
        into = *sent;
}

void take_cost(Entry& entry, const EntryChange& change, Currency currency, const std::string& before, Faults& faults) {
    if (!change.cost)
        return;
    entry.cost.reset();
    if (!*change.cost)
        return;
    const auto money = parse_exact(**change.cost, currency);
    if (!money || money->minor() < 0)
        faults.at(before + "cost", "Enter an amount."_sentence);
    else
        entry.cost = *money;
}

}  // namespace

std::optional<TimeType> time_type(std::string_view name) {
    for (const TimeType type : {TimeType::exact, TimeType::duration, TimeType::flexible})
        if (name_of(type) == name)
            return type;
    return std::nullopt;
}

Result<Entry> changed(Entry entry, const EntryChange& change, Currency currency, const std::string& before) {
    Faults faults;
    take(change.item_type_id, entry.item_type_id);
    take(change.item_id, entry.item_id);
    take(change.title, entry.title);
    if (change.description)
        entry.description = html::clean_html(*change.description);
    if (change.time_type)
        entry.time_type = time_type(*change.time_type).value_or(entry.time_type);
    take(change.start_time, entry.start_time);
    take(change.end_time, entry.end_time);
    take(change.duration_minutes, entry.duration_minutes);
    take(change.location, entry.location);
    take(change.cost_per_person, entry.cost_per_person);
    take(change.charge, entry.charge);
    take(change.notes, entry.notes);
    take(change.included_items, entry.included_items);
    take(change.excluded_items, entry.excluded_items);
    take(change.gallery, entry.gallery);
    take(change.video_url, entry.video_url);
    take(change.order, entry.order);
    if (change.status)
        entry.is_published = *change.status == "publish";
    if (change.latitude || change.longitude) {
        entry.place.reset();
        trips::take_place(entry.place, change.latitude, change.longitude, before + "location", faults);
    }
    take_cost(entry, change, currency, before, faults);
    if (entry.time_type == TimeType::exact && !entry.start_time)
        faults.at(before + "start_time", "Enter start_time for time_type exact."_sentence);
    if (entry.time_type == TimeType::duration && !entry.duration_minutes)
        faults.at(before + "duration_minutes", "Enter duration_minutes for time_type duration."_sentence);
    if (entry.end_time && !entry.start_time)
        faults.at(before + "start_time", "Enter start_time with end_time."_sentence);
    if (entry.charge && !entry.cost)
        faults.at(before + "cost", "Enter a cost to charge."_sentence);
    SVC_RETURN_IF_ERROR(faults.outcome());
    return entry;
}

std::string duration_label(std::int64_t minutes) {
    std::string label;
    if (minutes >= 60)
        label = std::to_string(minutes / 60) + " h";
    if (minutes % 60 != 0 || label.empty())
        label += (label.empty() ? "" : " ") + std::to_string(minutes % 60) + " min";
    return label;
}

std::optional<std::int64_t> duration_of(std::string_view text) {
    const auto digit = [](char c) { return c >= '0' && c <= '9'; };
    const auto blank = [&] {
        while (text.starts_with(' '))
            text.remove_prefix(1);
    };
    std::int64_t minutes = 0;
    bool any = false;
    for (blank(); !text.empty(); blank()) {
        std::int64_t number = 0, tenths = 0;
        std::size_t digits = 0;
        for (; !text.empty() && digit(text.front()); text.remove_prefix(1), ++digits)
            number = number * 10 + (text.front() - '0');
        if (digits == 0 || digits > 5)
            return std::nullopt;
        if (text.starts_with(':') && text.size() == 3 && digit(text[1]) && digit(text[2]) && !any)
            return duration_of(std::to_string(number * 60 + (text[1] - '0') * 10 + (text[2] - '0')));
        if (text.size() > 1 && text.front() == '.' && digit(text[1])) {
            tenths = text[1] - '0';
            text.remove_prefix(2);
        }
        blank();
        std::string unit;
        for (; !text.empty() && !digit(text.front()) && text.front() != ' '; text.remove_prefix(1))
            unit += static_cast<char>(text.front() | 0x20);
        const bool hours = unit == "h" || unit == "hr" || unit == "hrs" || unit == "hour" || unit == "hours";
        if (!hours && !(unit.empty() && !any) && unit != "m" && unit != "min" && unit != "mins" && unit != "minute" &&
            unit != "minutes")
            return std::nullopt;
        minutes += hours ? number * 60 + tenths * 6 : number;
        any = true;
    }
    return any && minutes >= 1 && minutes <= longest_minutes ? std::optional(minutes) : std::nullopt;
}

}  // namespace svc::catalog::itineraries
