// Reads `from` and `to`.
#include "shared/api/period.hpp"

namespace svc::api {
namespace {

constexpr std::size_t longest = 40;

// The calendar ends with the year 9999, its last day too.
Instant end_of(Date day, const Zone& zone) {
    return day.text() == "9999-12-31"
               ? zone.instant_of(day, ClockTime::from_minutes(24 * 60 - 1)).plus(std::chrono::minutes(1))
               : zone.instant_of(day.plus_days(1), {});
}

Error unreadable(const char* field) {
    return invalid(field,
                   "This must be a date of the form YYYY-MM-DD or a moment of the form 2026-06-10T09:00:00Z."_sentence);
}

}  // namespace

Schema period_fields() {
    return {{.name = "from",
             .type = text(longest).of_kind(FieldKind::day),
             .help = "From this date or instant.",
             .also = {"date_from"}},
            {.name = "to",
             .type = text(longest).of_kind(FieldKind::day),
             .help = "To this date or instant, inclusive.",
             .also = {"date_to"}}};
}

Schema updated_since_field() {
    return {{.name = "updated_since",
             .type = text(longest).of_kind(FieldKind::day),
             .help = "Only items changed at this instant or later; a date counts from its first moment."}};
}

Result<Period> period_of(const json::Value& query, const Zone& zone) {
    Period period;
    if (const std::string from = query.text_or("from"); !from.empty()) {
        const auto day = Date::parse(from);
        period.from = day ? zone.instant_of(*day, {}) : Instant::parse(from);
        if (!period.from)
            return unreadable("from");
    }
    if (const std::string to = query.text_or("to"); !to.empty()) {
        if (const auto day = Date::parse(to))
            period.to = end_of(*day, zone);
        else if (const auto moment = Instant::parse(to))
            period.to = moment->plus(std::chrono::microseconds(1));
        else
            return unreadable("to");
    }
    if (const std::string since = query.text_or("updated_since"); !since.empty()) {
        const auto day = Date::parse(since);
        period.updated_since = day ? zone.instant_of(*day, {}) : Instant::parse(since);
        if (!period.updated_since)
            return unreadable("updated_since");
    }
    if (period.from && period.to && *period.from >= *period.to)
        return invalid("from", "This must not be after to."_sentence);
    return period;
}

Result<Days> days_of(const json::Value& query, const Zone& zone) {
    SVC_ASSIGN_OR_RETURN(const auto period, period_of(query, zone));
    Days days;
    if (period.from)
        days.from = zone.date_at(*period.from);
    if (period.to)  // the moment after the last one
        days.to = zone.date_at(period.to->plus(std::chrono::microseconds(-1)));
    return days;
}

}  // namespace svc::api
