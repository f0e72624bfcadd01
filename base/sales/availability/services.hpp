// The services of departures, dates and seats, each built on those above it.
#pragma once

#include "base/sales/availability/dates/calendar.hpp"
#include "base/sales/availability/dates/service.hpp"
#include "base/sales/availability/departures/service.hpp"
#include "base/sales/availability/rules/rule_book.hpp"
#include "base/sales/availability/seats/service.hpp"
#include "base/sales/availability/upkeep/service.hpp"
#include "base/sales/availability/waitlist/service.hpp"

namespace svc::availability {

// Memory: calendar.load() at the start, calendar.reload_changed() when the change feed reports `channel`.
struct Services {
    explicit Services(const Parts& parts)
        : calendar(parts.store, parts.clock),
          dates(parts, calendar),
          rules(parts, calendar),
          seats(parts, calendar, dates),
          waitlist(parts, calendar, dates, seats),
          departures(parts, calendar, waitlist),
          upkeep(parts, calendar, seats, waitlist) {}
    Services(const Services&) = delete;
    Services& operator=(const Services&) = delete;

    // The port to bookings; null: none.
    void followed_by(Bookings* bookings) {  // [start-up]
        waitlist.followed_by(bookings);
        departures.followed_by(bookings);
    }

    Calendar calendar;
    OfferedDates dates;
    RuleBook rules;
    Seats seats;
    Waitlist waitlist;
    Departures departures;
    Upkeep upkeep;
};

}  // namespace svc::availability
