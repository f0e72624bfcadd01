// Deadlines in the site's zone.
#include "base/sales/booking/record/deadline.hpp"

namespace svc::booking {

namespace {
const ClockTime end_of_day = ClockTime::from_minutes(24 * 60 - 1);
}

Date working_days_after(Date day, std::int64_t count) {
    while (count > 0) {
        day = day.plus_days(1);
        if (day.weekday() >= 1 && day.weekday() <= 5)
            --count;
    }
    return day;
}

Instant departure_of(const settings::Settings& settings, Date day, std::optional<ClockTime> time) {
    return settings.zone().instant_of(day, time.value_or(ClockTime::from_minutes(0)));
}

std::optional<Instant> pay_by_of(const settings::Settings& settings, const TimeToPay& time, Instant from,
                                 const std::optional<Departs>& departs) {
    const std::int64_t hours = settings.integer("booking_expiry_hours");
    const Zone zone = settings.zone();
    const Date today = zone.date_at(from);
    std::optional<Instant> end;
    if (time.days > 0)
        end = zone.instant_of(today.plus_days(static_cast<std::int32_t>(time.days)), end_of_day);
    else if (time.working_days > 0)
        end = zone.instant_of(working_days_after(today, time.working_days), end_of_day);
    else if (hours > 0)
        end = from.plus(std::chrono::hours(hours));
    if (!end || !departs)
        return end;
    const Instant departure = departure_of(settings, departs->day, departs->time);
    return departure > from ? std::min(*end, departure) : *end;
}

std::optional<Instant> pay_by_of(const settings::Settings& settings, const TimeToPay& time, const Booking& booking,
                                 Instant from) {
    return pay_by_of(settings, time, from, Departs{.day = booking.travel_date, .time = booking.departure_time});
}

}  // namespace svc::booking
