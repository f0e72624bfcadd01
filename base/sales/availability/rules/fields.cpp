// The fields of a recurring rule in a body, and the resulting rule.
#include <algorithm>

#include "base/sales/availability/rules/wire.hpp"
#include "shared/api/named.hpp"
#include "shared/core/exact_money.hpp"
#include "shared/core/text.hpp"

namespace svc::availability {
namespace {

using catalog::trips::Degrees;
using catalog::trips::Place;
using json::Value;

constexpr std::size_t most_excluded = 1000, most_slots = 48, most_categories = 50;

api::Type prices_type() {
    using namespace api;
    using api::text;
    return list(object("SlotPrice",
                       {{.name = "category_id", .type = id(), .help = "Id of the traveler category.", .required = true},
                        {.name = "original_price",
                         .type = money(),
                         .help = "List price.",
                         .required = true,
                         .also = {"regular_price"}},
                        {.name = "sale_price",
                         .type = money().or_null(),
                         .help = "Reduced price.",
                         .also = {"discounted_price"}}}),
                most_categories)
        .or_null();
}

api::Type slots_type() {
    using namespace api;
    using api::text;
    return list(object("TimeSlotInput",
                       {{.name = "departure_time", .type = time(), .help = "Departure time.", .required = true},
                        {.name = "arrival_time",
                         .type = time().or_null(),
                         .help = "Arrival time; on the next day if earlier than departure_time."},
                        {.name = "seats", .type = integer(1, 100'000).or_null(), .also = {"seats_total"}},
                        {.name = "price",
                         .type = money().or_null(),
                         .help = "List price at this time.",
                         .also = {"original_price", "regular_price"}},
                        {.name = "sale_price", .type = money().or_null(), .help = "Reduced price."},
                        {.name = "traveler_pricing", .type = prices_type(), .help = "Prices by traveler category."}}),
                most_slots)
        .or_null();
}

api::Type overrides_type() {
    using namespace api;
    using api::text;
    return map(object("DayOverride",
                      {{.name = "original_price",
                        .type = money().or_null(),
                        .help = "List price on this weekday.",
                        .also = {"regular_price", "price"}},
                       {.name = "sale_price", .type = money().or_null(), .help = "Reduced price."},
                       {.name = "seats_total", .type = integer(1, 100'000).or_null(), .also = {"seats"}}}),
               7)
        .or_null();
}

// Applies a body to a rule; error() has every invalid field.
class RuleReader {
  public:
    RuleReader(Rule& rule, const Value& body) : rule_(rule), body_(body) {}

    Error& error() { return error_; }

    void apply() {
        recurrence();
        bounds();
        prices();
        times();
        places();
        text("name", rule_.name);
        if (body_.find("notes"))
            rule_.notes = svc::text::clean_lines(body_.text_or("notes"));
        whole("seats_total", rule_.seats);
        whole("cutoff_hours", rule_.cutoff_hours);
        if (const Value* guide = body_.find("guide_user_id"))
            rule_.guide_user_id = guide->is_null() ? std::nullopt : std::optional(guide->integer());
        whole("alert_threshold", rule_.alert_threshold, 5);
        whole("advance_booking_days", rule_.advance_days, 0);
        whole("priority", rule_.priority, 0);
        if (const auto status = body_.maybe_text("status"))
            rule_.status = rule_status_of(*status).value();
    }

  private:
    void recurrence() {
        if (const auto type = body_.maybe_text("rule_type"))
            rule_.type = rule_type_of(*type).value();
        bits("days_of_week", rule_.weekdays, 0);
        bits("months", rule_.months, 1);
        week();
        whole("day_of_week", rule_.day_of_week);
        whole("day_of_month", rule_.day_of_month);
        // A day of the month replaces a weekday of the month and the reverse.
        if (given("day_of_month") && !given("week_of_month") && !given("day_of_week")) {
            rule_.week_of_month.reset();
            rule_.day_of_week.reset();
        } else if (given("week_of_month") && !given("day_of_month")) {
            rule_.day_of_month.reset();
        }
        whole("interval_days", rule_.interval_days);
        date("interval_start_date", rule_.interval_start);
        if (rule_.type != RuleType::weekly)
            rule_.weekdays = {};
        if (rule_.type != RuleType::monthly)
            rule_.week_of_month = rule_.day_of_week = rule_.day_of_month = std::nullopt;
        if (rule_.type != RuleType::interval) {
            rule_.interval_days.reset();
            rule_.interval_start.reset();
        }
        rule_.custom_days = rule_.custom_days && rule_.type == RuleType::weekly;
    }

    void week() {
        const Value* value = body_.find("week_of_month");
        if (!value)
            return;
        rule_.week_of_month.reset();
        if (value->is_null())
            return;
        const std::string week_name = value->text();
        const auto* found = std::find(weeks.begin(), weeks.end(), week_name);
        if (found == weeks.end())
            found =
                std::find(week_numbers.begin(), week_numbers.end(), week_name) - week_numbers.begin() + weeks.begin();
        rule_.week_of_month = static_cast<int>(found - weeks.begin()) + 1;
    }

    void bounds() {
        date("start_date", rule_.start_date);
        date("end_date", rule_.end_date);
        const Value* excluded = body_.find("excluded_dates");
        if (!excluded)
            return;
        rule_.excluded.clear();
        for (std::size_t i = 0; i < excluded->size(); ++i)
            rule_.excluded.push_back(Date::parse((*excluded)[i].text()).value());
        std::sort(rule_.excluded.begin(), rule_.excluded.end());
        rule_.excluded.erase(std::unique(rule_.excluded.begin(), rule_.excluded.end()), rule_.excluded.end());
    }

    void prices() {
        if (const Value* type = body_.find("pricing_type"))
            rule_.traveler_based = type->is_null() ? std::nullopt : std::optional(type->text() == "traveler_based");
        if (given_at_all("original_price") || given_at_all("sale_price"))
            rule_.price = pair(body_, "original_price", "", rule_.price);
        if (const Value* by_category = body_.find("traveler_pricing"))
            rule_.by_category = categories(*by_category, "traveler_pricing");
        if (const Value* overrides = body_.find("day_overrides")) {
            rule_.overrides.clear();
            if (overrides->is_object())
                for (const auto& [weekday, value] : overrides->members())
                    take_override(weekday, value);
            std::sort(rule_.overrides.begin(), rule_.overrides.end(),
                      [](const RuleWeekday& a, const RuleWeekday& b) { return a.weekday < b.weekday; });
        }
    }

    void take_override(const std::string& weekday, const Value& value) {
        const std::string at = "day_overrides." + weekday;
        if (weekday.size() != 1 || weekday.front() < '0' || weekday.front() > '6') {
            error_.at(at, "Enter weekdays as numbers from 0 (Sunday) to 6."_sentence);
            return;
        }
        RuleWeekday day{.weekday = static_cast<unsigned>(weekday.front() - '0')};
        if (const auto seats = value.maybe_integer("seats_total"))
            day.seats = static_cast<int>(*seats);
        day.price = pair(value, "original_price", at + ".", std::nullopt);
        rule_.overrides.push_back(day);
    }

    void times() {
        time("departure_time", rule_.departure_time);
        time("arrival_time", rule_.arrival_time);
        const Value* slots = body_.find("time_slots");
        if (!slots)
            return;
        rule_.slots.clear();
        for (std::size_t i = 0; i < slots->size(); ++i) {
            const Value& each = (*slots)[i];
            const std::string at = "time_slots." + std::to_string(i + 1) + ".";
            RuleSlot slot{.departure_time = ClockTime::parse(each["departure_time"].text()).value()};
            if (const auto arrival = each.maybe_text("arrival_time"))
                slot.arrival_time = ClockTime::parse(*arrival);
            if (const auto seats = each.maybe_integer("seats"))
                slot.seats = static_cast<int>(*seats);
            slot.price = pair(each, "price", at, std::nullopt);
            slot.by_category = categories(each["traveler_pricing"], at + "traveler_pricing");
            rule_.slots.push_back(std::move(slot));
        }
        std::stable_sort(rule_.slots.begin(), rule_.slots.end(),
                         [](const RuleSlot& a, const RuleSlot& b) { return a.departure_time < b.departure_time; });
    }

    void places() {
        text("from_location", rule_.from_location);
        text("to_location", rule_.to_location);
        place("from", rule_.from_place);
        place("to", rule_.to_place);
    }

    void place(const std::string& end, std::optional<Place>& into) {
        const std::string names[] = {end + "_latitude", end + "_longitude"};
        if (!body_.find(names[0]) && !body_.find(names[1]))
            return;
        const auto angle = [&](const std::string& name, int most, Degrees Place::*member) -> std::optional<Degrees> {
            const Value* value = body_.find(name);
            if (!value)
                return into ? std::optional((*into).*member) : std::nullopt;
            return value->is_null() ? std::nullopt : Degrees::parse(value->number_text(), most);
        };
        const auto latitude = angle(names[0], 90, &Place::latitude),
                   longitude = angle(names[1], 180, &Place::longitude);
        if (latitude.has_value() != longitude.has_value())
            error_.at(latitude ? names[1] : names[0], "Enter both latitude and longitude, or neither."_sentence);
        into = latitude && longitude ? std::optional(Place{*latitude, *longitude}) : std::nullopt;
    }

    [[nodiscard]] bool given_at_all(std::string_view name) const { return body_.find(name) != nullptr; }
    [[nodiscard]] bool given(std::string_view name) const { return !body_[name].is_null(); }

    void text(std::string_view name, std::string& into) const {
        if (body_.find(name))
            into = body_.text_or(name);
    }
    void whole(std::string_view name, std::optional<int>& into) const {
        if (const Value* value = body_.find(name))
            into = value->is_null() ? std::nullopt : std::optional(static_cast<int>(value->integer()));
    }
    void whole(std::string_view name, int& into, int otherwise) const {
        if (const Value* value = body_.find(name))
            into = value->is_null() ? otherwise : static_cast<int>(value->integer());
    }
    void date(std::string_view name, std::optional<Date>& into) const {
        if (const Value* value = body_.find(name))
            into = value->is_null() ? std::nullopt : Date::parse(value->text());
    }
    void time(std::string_view name, std::optional<ClockTime>& into) const {
        if (const Value* value = body_.find(name))
            into = value->is_null() ? std::nullopt : ClockTime::parse(value->text());
    }
    void bits(std::string_view name, Bits& into, std::int64_t first) const {
        const Value* value = body_.find(name);
        if (!value)
            return;
        into = {};
        for (std::size_t i = 0; i < value->size(); ++i)
            into.add(static_cast<unsigned>((*value)[i].integer() - first));
    }

    std::optional<Money> amount(const Value& of, const std::string& name, const std::string& at) {
        const Value* value = of.find(name);
        if (!value || value->is_null())
            return std::nullopt;
        const auto read = parse_exact(value->number_text(), rule_.currency);
        if (!read) {
            error_.at(at + name, read.error().message());
            return std::nullopt;
        }
        return *read;
    }

    // A member that is not sent stays as in `before`.
    std::optional<PricePair> pair(const Value& of, const std::string& list, const std::string& at,
                                  const std::optional<PricePair>& before) {
        auto regular = before ? std::optional(before->regular) : std::nullopt;
        auto lowered = before ? before->lowered : std::nullopt;
        if (of.find(list))
            regular = amount(of, list, at);
        if (of.find("sale_price"))
            lowered = amount(of, "sale_price", at);
        if (!regular && lowered)
            error_.at(at + "sale_price", "A sale price requires a list price."_sentence);
        return regular ? std::optional(PricePair{*regular, lowered}) : std::nullopt;
    }

    CategoryPrices categories(const Value& list, const std::string& at) {
        CategoryPrices prices;
        for (std::size_t i = 0; i < list.size(); ++i) {
            const std::string item = at + "." + std::to_string(i + 1) + ".";
            if (const auto price = pair(list[i], "original_price", item, std::nullopt))
                prices.push_back({list[i]["category_id"].integer(), price->regular, price->lowered});
        }
        std::stable_sort(prices.begin(), prices.end(),
                         [](const CategoryPrice& a, const CategoryPrice& b) { return a.category_id < b.category_id; });
        return prices;
    }

    Rule& rule_;
    const Value& body_;
    Error error_{errc::validation_error};
};

std::vector<std::string> names_of_weeks() {
    std::vector<std::string> names{weeks.begin(), weeks.end()};
    names.insert(names.end(), week_numbers.begin(), week_numbers.end());
    return names;
}

}  // namespace

api::Schema rule_fields() {
    using namespace api;
    using api::text;
    const Type place_name = api::text(255).or_null(), seats = integer(1, 100'000).or_null();
    return {
        {.name = "name", .type = api::text(150).or_null(), .help = "A label for staff."},
        {.name = "rule_type",
         .type = choice({"weekly", "monthly", "interval"}),
         .help = "Recurrence of the rule.",
         .required = true},
        {.name = "days_of_week", .type = list(integer(0, 6), 7).or_null(), .help = "weekly: 0 (Sunday) to 6."},
        {.name = "week_of_month",
         .type = choice(names_of_weeks()).or_null(),
         .help = "monthly, with day_of_week: 1 to 4 for the first to fourth weekday of the month, -1 for the last."},
        {.name = "day_of_week", .type = integer(0, 6).or_null(), .help = "monthly: weekday from 0 (Sunday) to 6."},
        {.name = "day_of_month", .type = integer(1, 31).or_null(), .help = "monthly: skipped in shorter months."},
        {.name = "interval_days", .type = integer(1, 365).or_null(), .help = "interval: number of days between dates."},
        {.name = "interval_start_date", .type = date().or_null(), .help = "interval: first day; default start_date."},
        {.name = "start_date", .type = date(), .help = "First travel date.", .required = true},
        {.name = "end_date", .type = date().or_null(), .help = "Last travel date; null for open-ended."},
        {.name = "excluded_dates", .type = list(date(), most_excluded).or_null(), .help = "Excluded dates."},
        {.name = "months", .type = list(integer(1, 12), 12).or_null(), .help = "Only in these months; empty for all."},
        {.name = "time_slots", .type = slots_type(), .help = "Departure times; each date is offered at all of them."},
        {.name = "day_overrides", .type = overrides_type(), .help = "Prices and seats by weekday, \"0\" to \"6\"."},
        {.name = "pricing_type",
         .type = choice({"regular", "traveler_based"}).or_null(),
         .help = "null inherits from the trip."},
        {.name = "original_price",
         .type = money().or_null(),
         .help = "List price; together with sale_price it replaces the trip's prices.",
         .also = {"regular_price"}},
        {.name = "sale_price", .type = money().or_null(), .help = "Reduced price."},
        {.name = "traveler_pricing", .type = prices_type(), .help = "Prices by traveler category."},
        {.name = "seats_total", .type = seats, .help = "Seats per date; defaults to the trip's."},
        {.name = "alert_threshold", .type = integer(0, 100'000).or_null(), .help = "Notify staff at this number."},
        {.name = "departure_time", .type = time().or_null(), .help = "Only without time_slots."},
        {.name = "arrival_time",
         .type = time().or_null(),
         .help = "Only without time_slots; on the next day if earlier than departure_time."},
        {.name = "from_location", .type = place_name},
        {.name = "to_location", .type = place_name},
        {.name = "from_latitude", .type = decimal(-90, 90).or_null()},
        {.name = "from_longitude", .type = decimal(-180, 180).or_null()},
        {.name = "to_latitude", .type = decimal(-90, 90).or_null()},
        {.name = "to_longitude", .type = decimal(-180, 180).or_null()},
        {.name = "cutoff_hours",
         .type = integer(0, 8760).or_null(),
         .help = "Hours before the start when booking closes; defaults to the trip's."},
        {.name = "guide_user_id", .type = id().or_null(), .help = "Id of the guide's user; its departures inherit it."},
        {.name = "advance_booking_days", .type = integer(0, 3660).or_null(), .help = "Minimum days before the date."},
        {.name = "status", .type = choice({"active", "inactive", "paused"}), .help = "Only active rules offer dates."},
        {.name = "priority",
         .type = integer(-1000, 1000).or_null(),
         .help = "If several rules offer the same time, the higher priority applies, then the newer rule."},
        {.name = "notes", .type = raw_text(64 * 1024).or_null(), .help = "Notes for staff."},
    };
}

Result<Rule> changed(Rule rule, const Value& body) {
    RuleReader reader(rule, body);
    reader.apply();
    Error& error = reader.error();
    if (const auto checked = consistent(rule); !checked)
        for (const FieldError& each : checked.error().fields())
            error.at(each.field, each.sentence);
    if (error.fields().empty())
        return rule;
    Error renamed{errc::validation_error, error.fields().front().sentence};
    for (const FieldError& each : error.fields())
        renamed.at(each.field, each.sentence);
    return renamed;
}

}  // namespace svc::availability
