// Which dates recurring rules produce, by a table of named cases at fixed moments.
#include <iostream>

#include <doctest/doctest.h>

#include "base/sales/availability/dates/dates.hpp"
#include "base/sales/availability/record/rule.hpp"
#include "tests/support/databases.hpp"

using namespace svc;
using namespace svc::availability;

namespace {

Date on(const char* text) { return Date::parse(text).value(); }
ClockTime at(const char* text) { return ClockTime::parse(text).value(); }

catalog::trips::Trip one_day() {
    catalog::trips::Trip trip;
    trip.id = 1;
    trip.status = catalog::trips::TripStatus::publish;
    trip.type = catalog::trips::TripType::single_day;
    trip.duration_days = 1;
    trip.booking_deadline_hours = 0;
    trip.regular_price = Money{20'000, Currency::usd()};
    return trip;
}

catalog::trips::Trip with_time(const char* time) {
    auto trip = one_day();
    trip.departure_time = at(time);
    return trip;
}
catalog::trips::Trip within(const char* first, const char* last) {
    auto trip = one_day();
    if (first)
        trip.available_from = on(first);
    if (last)
        trip.available_to = on(last);
    return trip;
}

Rule rule_of_type(RuleType type) {
    Rule rule;
    rule.id = 1;
    rule.trip_id = 1;
    rule.type = type;
    return rule;
}

Rule weekly(std::initializer_list<unsigned> days) {
    Rule rule = rule_of_type(RuleType::weekly);
    for (const unsigned day : days)
        rule.weekdays.add(day);
    return rule;
}
Rule daily() { return weekly({0, 1, 2, 3, 4, 5, 6}); }
Rule nth(int week, int weekday) {
    Rule rule = rule_of_type(RuleType::monthly);
    rule.week_of_month = week;
    rule.day_of_week = weekday;
    return rule;
}
Rule day_of_month(int day) {
    Rule rule = rule_of_type(RuleType::monthly);
    rule.day_of_month = day;
    return rule;
}
Rule every(int days, const char* from) {
    Rule rule = rule_of_type(RuleType::interval);
    rule.interval_days = days;
    rule.interval_start = on(from);
    return rule;
}
template <class Change>
Rule with(Rule rule, Change change) {
    change(rule);
    return rule;
}

struct Case {
    const char* name;
    Rule rule;
    const char *first, *last, *dates;  // dates without the year of `first`, with it where it is another
    const char* now = "2026-05-04T10:00:00Z";
    const char* zone = "UTC";
    catalog::trips::Trip trip = one_day();
};

// "05-06 05-13@09:00", and the date of each whose cut-off is asked for.
std::string produced(const Case& each) {
    const std::vector<Rule> rules{each.rule};
    const std::vector<Slot> none;
    const Moment moment{Instant::parse(each.now).value(), Zone::named(each.zone).value()};
    std::string text;
    for (const Bookable& date :
         bookable_dates(each.trip, {none, true, rules}, {.first = on(each.first), .last = on(each.last)}, moment)) {
        const std::string day = date.date.text();
        text += (text.empty() ? "" : " ") + (day.substr(0, 4) == std::string(each.first, 4) ? day.substr(5) : day) +
                (date.time ? "@" + date.time->text() : "");
    }
    return text;
}

const std::vector<Case>& cases() {
    static const std::vector<Case> all{
        {"weekly on one day", weekly({3}), "2026-05-04", "2026-05-31", "05-06 05-13 05-20 05-27"},
        {"weekly on several days", weekly({0, 6}), "2026-05-04", "2026-05-17", "05-09 05-10 05-16 05-17"},
        {"the first day of the span counts", weekly({1}), "2026-05-04", "2026-05-10", "05-04", "2026-05-03T10:00:00Z"},
        {"the last day of the span counts", weekly({0}), "2026-05-04", "2026-05-10", "05-10"},
        {"Sunday is 0", weekly({0}), "2026-05-04", "2026-05-18", "05-10 05-17"},
        {"a week that crosses the year's end", weekly({4}), "2026-12-24", "2027-01-14",
         "12-24 12-31 2027-01-07 2027-01-14"},
        {"every day over the year's end", daily(), "2026-12-30", "2027-01-02", "12-30 12-31 2027-01-01 2027-01-02"},
        {"first Monday of the month", nth(1, 1), "2026-05-05", "2026-08-31", "06-01 07-06 08-03"},
        {"second Tuesday of the month", nth(2, 2), "2026-05-05", "2026-07-31", "05-12 06-09 07-14"},
        {"third Wednesday of the month", nth(3, 3), "2026-05-05", "2026-07-31", "05-20 06-17 07-15"},
        {"fourth Thursday of the month, which may not be the last", nth(4, 4), "2026-07-01", "2026-07-31", "07-23"},
        {"last Thursday, the fifth", nth(Rule::last_week, 4), "2026-07-01", "2026-07-31", "07-30"},
        {"last Friday, the fourth", nth(Rule::last_week, 5), "2026-06-01", "2026-06-30", "06-26"},
        {"last Sunday of February in a common year", nth(Rule::last_week, 0), "2027-02-01", "2027-02-28", "02-28"},
        {"last Tuesday of February in a leap year", nth(Rule::last_week, 2), "2028-02-01", "2028-02-29", "02-29"},
        {"a day of the month", day_of_month(15), "2026-05-05", "2026-08-01", "05-15 06-15 07-15"},
        {"the 31st skips short months", day_of_month(31), "2026-05-05", "2026-12-31", "05-31 07-31 08-31 10-31 12-31"},
        {"the 30th skips February", day_of_month(30), "2027-01-01", "2027-03-31", "01-30 03-30"},
        {"the 29th is in February of leap years alone", with(day_of_month(29), [](Rule& r) { r.months.add(1); }),
         "2026-05-05", "2032-12-31", "2028-02-29 2032-02-29"},
        {"the 29th of February is not in 2100 either", with(day_of_month(29), [](Rule& r) { r.months.add(1); }),
         "2097-01-01", "2104-12-31", "2104-02-29", "2096-06-01T00:00:00Z"},
        {"every third day", every(3, "2026-05-05"), "2026-05-05", "2026-05-15", "05-05 05-08 05-11 05-14"},
        {"an interval is counted from its start, wherever the span begins", every(10, "2026-01-01"), "2026-05-05",
         "2026-06-05", "05-11 05-21 05-31"},
        {"an interval has no day before its start", every(7, "2026-06-01"), "2026-05-05", "2026-06-10", "06-01 06-08"},
        {"an interval over 29 February", every(1, "2028-02-27"), "2028-02-27", "2028-03-01", "02-27 02-28 02-29 03-01",
         "2028-01-01T00:00:00Z"},
        {"an interval of a year", every(365, "2026-06-01"), "2026-05-05", "2029-12-31",
         "06-01 2027-06-01 2028-05-31 2029-05-31"},
        {"an interval without its own start is counted from the rule's",
         with(every(4, "2026-01-01"),
              [](Rule& r) {
                  r.interval_start.reset();
                  r.start_date = on("2026-05-06");
              }),
         "2026-05-05", "2026-05-16", "05-06 05-10 05-14"},
        {"nothing before the rule's first day", with(weekly({3}), [](Rule& r) { r.start_date = on("2026-05-13"); }),
         "2026-05-04", "2026-05-27", "05-13 05-20 05-27"},
        {"nothing after the rule's last day", with(weekly({3}), [](Rule& r) { r.end_date = on("2026-05-13"); }),
         "2026-05-04", "2026-05-27", "05-06 05-13"},
        {"only the months it names",
         with(weekly({3}),
              [](Rule& r) {
                  r.months.add(5);
                  r.months.add(7);
              }),
         "2026-05-20", "2026-08-12", "06-03 06-10 06-17 06-24 08-05 08-12"},
        {"months over the year's end",
         with(day_of_month(1),
              [](Rule& r) {
                  r.months.add(11);
                  r.months.add(0);
              }),
         "2026-11-01", "2027-03-01", "12-01 2027-01-01"},
        {"excluded dates are left out",
         with(weekly({3}),
              [](Rule& r) {
                  r.excluded = {on("2026-05-13"), on("2026-05-20")};
              }),
         "2026-05-04", "2026-05-31", "05-06 05-27"},
        {"an excluded date that was none changes nothing",
         with(weekly({3}), [](Rule& r) { r.excluded = {on("2026-05-14")}; }), "2026-05-04", "2026-05-17",
         "05-06 05-13"},
        {"days of notice", with(daily(), [](Rule& r) { r.advance_days = 3; }), "2026-05-04", "2026-05-09",
         "05-07 05-08 05-09"},
        {"days of notice are counted on the site's own calendar", with(daily(), [](Rule& r) { r.advance_days = 1; }),
         "2026-05-04", "2026-05-06", "05-06", "2026-05-04T10:00:00Z", "Pacific/Kiritimati"},
        {"times in order, one date each",
         with(weekly({3}),
              [](Rule& r) {
                  r.slots = {{at("08:00")}, {at("14:30")}};
              }),
         "2026-05-04", "2026-05-14", "05-06@08:00 05-06@14:30 05-13@08:00 05-13@14:30"},
        {"the rule's own time without slots", with(weekly({3}), [](Rule& r) { r.departure_time = at("07:15"); }),
         "2026-05-04", "2026-05-10", "05-06@07:15"},
        {"the trip's time where the rule has none", weekly({3}), "2026-05-04", "2026-05-10", "05-06@11:00",
         "2026-05-04T10:00:00Z", "UTC", with_time("11:00")},
        {"a cut-off of its own", with(daily(), [](Rule& r) { r.cutoff_hours = 48; }), "2026-05-04", "2026-05-08",
         "05-07 05-08"},
        {"a cut-off passes to the second",
         with(daily(),
              [](Rule& r) {
                  r.departure_time = at("10:00");
                  r.cutoff_hours = 24;
              }),
         "2026-05-04", "2026-05-06", "05-06@10:00", "2026-05-04T10:00:00Z"},
        {"a second before the cut-off",
         with(daily(),
              [](Rule& r) {
                  r.departure_time = at("10:00");
                  r.cutoff_hours = 24;
              }),
         "2026-05-04", "2026-05-06", "05-05@10:00 05-06@10:00", "2026-05-04T09:59:59Z"},
        // Berlin, 29 March 2026: 02:00 is followed by 03:00; 02:30 is 03:30, which is 01:30 in UTC.
        {"a time that does not exist is later by the gap: still open",
         with(daily(), [](Rule& r) { r.departure_time = at("02:30"); }), "2026-03-29", "2026-03-29", "03-29@02:30",
         "2026-03-29T01:29:59Z", "Europe/Berlin"},
        {"a time that does not exist is later by the gap: closed",
         with(daily(), [](Rule& r) { r.departure_time = at("02:30"); }), "2026-03-29", "2026-03-29", "",
         "2026-03-29T01:30:00Z", "Europe/Berlin"},
        // Berlin, 25 October 2026: 03:00 is followed by 02:00; the first 02:30 is 00:30 in UTC.
        {"a time that occurs twice is the first: still open",
         with(daily(), [](Rule& r) { r.departure_time = at("02:30"); }), "2026-10-25", "2026-10-25", "10-25@02:30",
         "2026-10-25T00:29:59Z", "Europe/Berlin"},
        {"a time that occurs twice is the first: closed",
         with(daily(), [](Rule& r) { r.departure_time = at("02:30"); }), "2026-10-25", "2026-10-25", "",
         "2026-10-25T00:30:00Z", "Europe/Berlin"},
        {"a day without a time is on sale until it is over, also before the clocks change", daily(), "2026-03-28",
         "2026-03-30", "03-28 03-29 03-30", "2026-03-28T12:00:00Z", "Europe/Berlin"},
        {"24 hours before are 24 hours, also over a change of the clocks",
         with(daily(),
              [](Rule& r) {
                  r.departure_time = at("12:00");
                  r.cutoff_hours = 24;
              }),
         // 29 March 12:00 in Berlin is 10:00 UTC; a day before that is 11:00 in Berlin.
         "2026-03-29", "2026-03-29", "", "2026-03-28T10:00:00Z", "Europe/Berlin"},
        // Santiago sets its clocks forward at midnight: 6 September 2026 begins at 01:00, which is 04:00 in UTC.
        {"a midnight that does not exist", daily(), "2026-09-06", "2026-09-06", "09-06", "2026-09-06T03:59:59Z",
         "America/Santiago"},
        {"half an hour of change in Lord Howe", with(daily(), [](Rule& r) { r.departure_time = at("02:15"); }),
         // 4 October 2026, 02:00 becomes 02:30; 02:15 is 02:45, which is 15:45 in UTC the day before.
         "2026-10-04", "2026-10-04", "10-04@02:15", "2026-10-03T15:44:59Z", "Australia/Lord_Howe"},
        {"in Kiritimati today began ten hours before UTC's today did", daily(), "2026-05-04", "2026-05-06",
         "05-05 05-06", "2026-05-04T10:00:00Z", "Pacific/Kiritimati"},
        {"in Pago Pago it is still yesterday", daily(), "2026-05-03", "2026-05-05", "05-03 05-04 05-05",
         "2026-05-04T10:00:00Z", "Pacific/Pago_Pago"},
        {"twelve hours behind it is still yesterday", daily(), "2026-05-03", "2026-05-05", "05-03 05-04 05-05",
         "2026-05-04T10:00:00Z", "Etc/GMT+12"},
        {"east of the date line a New Year comes first", daily(), "2026-12-31", "2027-01-02", "2027-01-01 2027-01-02",
         "2026-12-31T10:30:00Z", "Pacific/Kiritimati"},
        // Apia had no 30 December 2011; a departure on it is a day later.
        {"a day that a country left out", with(daily(), [](Rule& r) { r.departure_time = at("08:00"); }), "2011-12-29",
         "2011-12-31", "12-29@08:00 12-30@08:00 12-31@08:00", "2011-12-29T17:00:00Z", "Pacific/Apia"},
        {"a day that a country left out ends its sale with the day after it",
         with(daily(), [](Rule& r) { r.departure_time = at("08:00"); }), "2011-12-30", "2011-12-31", "",
         "2011-12-30T18:00:00Z", "Pacific/Apia"},
        {"the trip's own first day wins", daily(), "2026-05-05", "2026-05-09", "05-08 05-09", "2026-05-04T10:00:00Z",
         "UTC", within("2026-05-08", nullptr)},
        {"the trip's own last day wins", daily(), "2026-05-05", "2026-05-09", "05-05 05-06", "2026-05-04T10:00:00Z",
         "UTC", within(nullptr, "2026-05-06")},
        {"a rule that is off offers nothing", with(daily(), [](Rule& r) { r.status = RuleStatus::inactive; }),
         "2026-05-05", "2026-05-09", ""},
        {"a paused rule offers nothing", with(daily(), [](Rule& r) { r.status = RuleStatus::paused; }), "2026-05-05",
         "2026-05-09", ""},
    };
    return all;
}

}  // namespace

TEST_CASE("a recurring rule produces its dates and no others") {
    for (const Case& each : cases()) {
        CAPTURE(each.name);
        CHECK(produced(each) == each.dates);
    }
    std::cout << "figure: rule cases " << cases().size() << std::endl;
    CHECK(cases().size() >= 40);
}

TEST_CASE("a rule far away costs no more than the bound, whatever is asked for") {
    const std::vector<Slot> none;
    std::vector<Rule> rules;
    for (int i = 0; i < 50; ++i) {
        rules.push_back(daily());
        rules.back().id = i + 1;
        for (int hour = 0; hour < 24; ++hour)
            rules.back().slots.push_back({ClockTime::from_minutes(hour * 60 + i)});
    }
    const Moment moment{Instant::parse("2026-05-04T10:00:00Z").value(), Zone::utc()};
    const auto dates =
        bookable_dates(one_day(), {none, true, rules}, {.first = on("2026-05-05"), .last = on("9999-12-31")}, moment);
    CHECK(dates.size() >= most_dates);
    CHECK(dates.size() < most_dates + 24 * 60);
    CHECK(bookable_dates(one_day(), {none, true, rules}, {.first = on("9999-12-31"), .last = on("9999-12-31")}, moment)
              .empty());
    const std::vector<Rule> one{daily()};
    const auto far =
        bookable_dates(one_day(), {none, true, one}, {.first = on("2026-05-05"), .last = on("9999-12-31")}, moment);
    CHECK(far.back().date == on("2026-05-04").plus_days(farthest_days));
}

TEST_CASE("where rules meet the higher priority offers the time, then the newer rule; other times stay") {
    const std::vector<Slot> none;
    const Moment moment{Instant::parse("2026-05-04T10:00:00Z").value(), Zone::utc()};
    auto low = daily(), high = daily(), newer = daily();
    low.seats = 1;
    low.slots = {{at("09:00")}, {at("15:00")}};
    high.id = 2;
    high.seats = 2;
    high.slots = {{at("09:00")}};
    newer.id = 3;
    newer.seats = 3;
    newer.slots = {{at("09:00")}};
    const auto seats = [&](std::vector<Rule> rules) {
        sort_by_precedence(rules);
        std::string text;
        for (const Bookable& each : bookable_dates(one_day(), {none, true, rules},
                                                   {.first = on("2026-05-06"), .last = on("2026-05-06")}, moment))
            text += each.time->text() + "=" + std::to_string(each.capacity) + "/" + std::to_string(*each.rule_id) + " ";
        return text;
    };
    CHECK(seats({low, high, newer}) == "09:00=3/3 15:00=1/1 ");
    high.priority = 1;
    CHECK(seats({low, high, newer}) == "09:00=2/2 15:00=1/1 ");
    newer.priority = 1;
    CHECK(seats({low, high, newer}) == "09:00=3/3 15:00=1/1 ");
    newer.status = RuleStatus::paused;
    CHECK(seats({low, high, newer}) == "09:00=2/2 15:00=1/1 ");
}

TEST_CASE("seats come from the time, the weekday, the rule, the trip, or are 20") {
    const std::vector<Slot> none;
    const Moment moment{Instant::parse("2026-05-04T10:00:00Z").value(), Zone::utc()};
    auto rule = daily();
    auto trip = one_day();
    const auto seats = [&] {
        const std::vector<Rule> rules{rule};
        return bookable_dates(trip, {none, true, rules}, {.first = on("2026-05-06"), .last = on("2026-05-06")}, moment)
            .at(0)
            .capacity;
    };
    CHECK(seats() == 20);
    trip.max_travelers = 12;
    CHECK(seats() == 12);
    rule.seats = 9;
    CHECK(seats() == 9);
    rule.overrides = {{.weekday = 2, .seats = 4}, {.weekday = 3, .seats = 6}};
    CHECK(seats() == 6);
    rule.slots = {{.departure_time = at("09:00")}};
    CHECK(seats() == 6);
    rule.slots = {{.departure_time = at("09:00"), .seats = 3}};
    CHECK(seats() == 3);
}

TEST_CASE("list and sale price come as a pair from the first level that has a list price") {
    const auto pair = [](std::int64_t regular, std::int64_t lowered = 0) {
        PricePair made{Money{regular * 100, Currency::usd()}, std::nullopt};
        if (lowered)
            made.lowered = Money{lowered * 100, Currency::usd()};
        return made;
    };
    auto trip = one_day();
    trip.sale_price = Money{15'000, Currency::usd()};
    Slot slot;
    slot.start_date = on("2026-05-06");
    slot.time = at("09:00");
    auto rule = daily();
    const auto price = [&](const Rule* by) {
        const PricePair made = availability::price_of(trip, slot, by);
        return made.regular.decimal() + "/" + made.effective().decimal();
    };
    CHECK(price(nullptr) == "200.00/150.00");
    CHECK(price(&rule) == "200.00/150.00");
    rule.price = pair(260);
    CHECK(price(&rule) == "260.00/260.00");
    rule.overrides = {{.weekday = 3, .price = pair(270, 250)}};
    CHECK(price(&rule) == "270.00/250.00");
    rule.slots = {{.departure_time = at("09:00")}};
    CHECK(price(&rule) == "270.00/250.00");
    rule.slots = {{.departure_time = at("09:00"), .price = pair(300)}};
    CHECK(price(&rule) == "300.00/300.00");
    slot.regular_price = Money{11'000, Currency::usd()};
    CHECK(price(&rule) == "110.00/110.00");
}

TEST_CASE("one date is found where it is shown: a departure, then a rule, then an open day") {
    auto trip = one_day();
    const Moment moment{Instant::parse("2026-05-04T10:00:00Z").value(), Zone::utc()};
    auto rule = weekly({3});
    rule.slots = {{.departure_time = at("09:00"), .seats = 4}, {.departure_time = at("15:00"), .seats = 8}};
    rule.advance_days = 5;
    const std::vector<Rule> rules{rule};
    Slot row;
    row.id = 7;
    row.start_date = row.end_date = on("2026-05-13");
    row.time = at("09:00");
    row.capacity = 4;
    row.booked = 4;
    const auto found = [&](const std::vector<Slot>& slots, const char* date, const char* time, int seats,
                           bool any_notice = false) {
        const auto one =
            resolve(trip, {slots, true, rules}, on(date), ClockTime::parse(time), seats, moment, any_notice);
        if (!one)
            return std::string(one.error().code().name);
        return (one->departure_id ? "row " + std::to_string(*one->departure_id) : std::string("rule")) + " " +
               one->time->text();
    };
    CHECK(found({}, "2026-05-13", "", 1) == "rule 09:00");
    CHECK(found({}, "2026-05-13", "", 5) == "rule 15:00");
    CHECK(found({}, "2026-05-13", "15:00", 1) == "rule 15:00");
    CHECK(found({}, "2026-05-13", "15:00", 9) == "sold_out");
    CHECK(found({}, "2026-05-13", "11:00", 1) == "date_unavailable");
    CHECK(found({}, "2026-05-14", "", 1) == "date_unavailable");
    CHECK(found({}, "2026-05-06", "", 1) == "date_unavailable");
    CHECK(found({}, "2026-05-06", "", 1, true) == "rule 09:00");
    CHECK(found({row}, "2026-05-13", "09:00", 1) == "sold_out");
    CHECK(found({row}, "2026-05-13", "", 1) == "rule 15:00");
    row.booked = 3;
    CHECK(found({row}, "2026-05-13", "", 1) == "row 7 09:00");
    CHECK(found({row}, "2026-05-13", "", 2) == "rule 15:00");
    row.sale_state = SaleState::blocked;
    CHECK(found({row}, "2026-05-13", "09:00", 1) == "date_blocked");
    CHECK(found({row}, "2026-05-13", "", 1) == "rule 15:00");
    row.time.reset();
    CHECK(found({row}, "2026-05-13", "15:00", 1) == "date_blocked");
}

TEST_CASE("fields of a rule that contradict each other are named") {
    const auto fault = [](const Rule& rule) {
        const auto checked = consistent(rule);
        return checked ? std::string("none") : checked.error().fields().front().field;
    };
    CHECK(fault(daily()) == "none");
    CHECK(fault(weekly({})) == "days_of_week");
    CHECK(fault(rule_of_type(RuleType::monthly)) == "week_of_month");
    CHECK(fault(with(nth(1, 1), [](Rule& r) { r.day_of_week.reset(); })) == "day_of_week");
    CHECK(fault(with(nth(1, 1), [](Rule& r) { r.day_of_month = 3; })) == "day_of_month");
    CHECK(fault(rule_of_type(RuleType::interval)) == "interval_days");
    CHECK(fault(with(rule_of_type(RuleType::interval), [](Rule& r) { r.interval_days = 2; })) == "interval_start_date");
    CHECK(fault(with(daily(), [](Rule& r) {
              r.start_date = on("2026-05-05");
              r.end_date = on("2026-05-04");
          })) == "end_date");
    CHECK(fault(with(daily(), [](Rule& r) {
              r.start_date = on("2026-05-05");
              r.end_date = on("3026-05-05");
          })) == "end_date");
    CHECK(fault(with(daily(), [](Rule& r) {
              r.slots = {{at("09:00")}, {at("09:00")}};
          })) == "time_slots.2.departure_time");
    CHECK(fault(with(daily(), [](Rule& r) {
              r.price = PricePair{Money{100, Currency::usd()}, Money{100, Currency::usd()}};
          })) == "sale_price");
}

TEST_CASE("a rule's dates are listed together with those that exclusions remove") {
    const Moment moment{Instant::parse("2026-05-04T10:00:00Z").value(), Zone::utc()};
    const std::vector<Rule> rules{with(weekly({3}), [](Rule& r) {
        r.excluded = {on("2026-05-13"), on("2026-05-14")};
    })};
    const auto told = produced_dates(one_day(), rules, on("2026-05-01"), on("2026-05-31"), 2, moment);
    CHECK(told.total == 3);
    CHECK(told.excluded == 1);
    REQUIRE(told.dates.size() == 2);
    CHECK(told.dates[1].date == on("2026-05-20"));
}
