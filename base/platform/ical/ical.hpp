// Calendars as other programs subscribe to them (RFC 5545): the only folder that sees libical.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "shared/core/date.hpp"

namespace svc::ical {

struct Event {
    std::string uid;  // the same for ever, unique in the world
    std::string summary, description = {}, location = {}, url = {};
    Date first = {}, last = {};                     // whole days, both inclusive
    std::optional<Instant> starts = {}, ends = {};  // set: these count instead of the days
    bool cancelled = false;
    std::int64_t sequence = 0;  // higher with every change
    Instant changed = {};
};

struct Calendar {
    std::string name = {};  // empty: of a file of single events, which join the reader's own calendar
    std::vector<Event> events = {};
    std::optional<std::chrono::minutes> read_again = {};  // how often subscribers should refresh
};

// text/calendar: lines end with CR LF and are folded, texts escaped; times are in UTC.
std::string text_of(const Calendar& calendar);

}  // namespace svc::ical
