// Rows of tables that an export lacks: Yatra's dates, enquiries and payments, WP Travel's dates and prices, and
// anything with the names that the interface uses.
#include <algorithm>

#include "base/data/wordpress_import/kinds.hpp"
#include "base/data/wordpress_import/old_values.hpp"
#include "base/data/wordpress_import/people.hpp"
#include "base/data/wordpress_import/php_values.hpp"
#include "base/data/wordpress_import/recurrence.hpp"
#include "base/data/wordpress_import/trip_fields.hpp"
#include "shared/core/text.hpp"

namespace svc::wordpress_import {
namespace {

using json::Value;
using old::set_if, old::text_at, old::text_of;

constexpr json::Limits pricing_limits{.depth = 8, .elements = 2'000, .text = 64 << 10};

class Row {
  public:
    Row(const Value& row, const References& references)
        : given(row), fields(row), trip(references.trip_of(text_at(row, {"tour_id", "trip_id", "trip"}))) {}
    // Copies the first column that says something to a field that is not there.
    void rename(const char* to, std::initializer_list<std::string_view> names) {
        if (!fields.find(to))
            set_if(fields, to, text_at(given, names));
    }
    [[nodiscard]] std::string text(std::initializer_list<std::string_view> names) const {
        return text_at(given, names);
    }

    const Value& given;
    Value fields;
    const std::string trip;
};

// {pricing: JSON of one price, or of one by the number of each category} of a row of Yatra's table.
void set_day_prices(Row& row) {
    auto stored = json::parse(row.text({"pricing"}), pricing_limits);
    if (!stored || !stored->is_object())
        return;
    const auto price_of = [](const Value& one) {
        const OldPrice price = price_from(text_at(one, {"regular_price"}), text_at(one, {"sales_price"}));
        auto fields = Value::object();
        set_if(fields, "name", text_at(one, {"pricing_label"}));
        set_if(fields, "regular_price", price.regular);
        set_if(fields, "sale_price", price.sale);
        return fields;
    };
    auto prices = Value::array();
    if (stored->find("regular_price"))
        prices.push(price_of(*stored));
    else
        for (const auto& [key, one] : stored->members())
            if (one.is_object())
                prices.push(price_of(one));
    row.fields.set("_by_category", !stored->find("regular_price"));
    row.fields.set("_prices", std::move(prices));
}

// A row of Yatra's table says how one day differs from the tour. False: it does not, or the tour does not start then.
bool take_tour_day(Row& row, const std::string& number, const References& references, LeftOut& left) {
    const std::string day = row.fields.text_or("start_date"), availability = row.text({"availability"});
    if (row.given.find("active") && old::whole_of(row.text({"active"})) == "0") {
        left.add("Days of the table that follow the tour");
        return false;
    }
    const auto ranges = references.ranges.find(number);
    if (ranges != references.ranges.end() &&
        std::none_of(ranges->second.begin(), ranges->second.end(),
                     [&](const DayRange& range) { return range.first <= day && day <= range.last; })) {
        left.add("Days of the table outside of the dates of their tour");
        return false;
    }
    if (ranges == references.ranges.end())
        row.fields.set("_is_open_day", true);
    if (availability == "none" || availability == "enquiry" || row.text({"max_travellers"}) == "0")
        row.fields.set("_state", "closed");
    if (availability == "enquiry") {
        left.add("Days of the table for enquiries only, which are closed");
        add_remark(row.fields, "The day was for enquiries only. It is closed here.");
    }
    set_day_prices(row);
    return true;
}

std::vector<Value> dates_of_row(Row& row, const References& references, LeftOut& left) {
    set_if(row.fields, "trip_slug", row.trip);
    row.rename("trip_slug", {"tour_id", "trip_id"});  // names the trip in the file of errors
    for (const char* name : {"start_date", "end_date"})
        if (std::string day = old::date_of(row.text({name})); !day.empty())
            row.fields.set(name, std::move(day));
    if (row.fields.text_or("end_date") == row.fields.text_or("start_date"))
        row.fields.erase("end_date");  // of the day, not of the trip
    const std::string seats = old::whole_of(row.text({"seats", "max_travellers", "max_pax"}));
    row.fields.erase("seats");
    if (!seats.empty() && seats != "0")
        row.fields.set("seats", seats);
    row.rename("time", {"trip_time", "start_time"});
    row.rename("notes", {"note_to_customer"});
    if (const std::string number = row.text({"tour_id"});
        !number.empty() && !row.trip.empty() && !take_tour_day(row, number, references, left))
        return {};
    const auto first = Date::parse(row.fields.text_or("start_date"));
    const std::string recurring = row.text({"recurring"});
    if (!first || recurring.empty() || recurring == "0")
        return {row.fields};
    const DepartureDays found = days_of_row(row.given, *first, row.fields.text_or("end_date"), references.today);
    std::vector<Value> all;
    add_days(all, found, seats, left);
    for (Value& one : all) {
        one.set("trip_slug", row.fields.text_or("trip_slug"));
        set_if(one, "time", row.fields.text_or("time"));
    }
    return all;
}

Value enquiry_of_row(Row& row) {
    set_if(row.fields, "trip", row.trip);
    row.rename("customer_name", {"fullname", "name"});
    row.rename("customer_email", {"email"});
    row.rename("phone", {"phone_number"});
    // What has no field here is added to the message.
    std::string message = old::whole_text(row.given["message"]);
    if (const std::string subject = row.text({"subject"}); !subject.empty())
        message = message.empty() ? subject : subject + "\n\n" + message;
    const auto add_line = [&](const std::string& name, const std::string& value) {
        if (!value.empty() && !message.empty())
            message += "\n" + name + ": " + value;
    };
    add_line("Country", row.text({"country"}));
    if (const Value more = meta_value(row.given.text_or("additional_fields")); more.is_object())
        for (const auto& [name, value] : more.members())
            add_line(name, text_of(value));
    set_if(row.fields, "message", std::move(message));
    const std::int64_t people = old::sum_of(row.given["number_of_adults"]) + old::sum_of(row.given["number_of_childs"]);
    if (people > 0)
        row.fields.set("travelers_count", people);
    set_if(row.fields, "made_at", moment_of(row.text({"created_at"})));
    row.fields.erase("status");
    return row.fields;
}

Value price_of_row(Row& row) {
    set_if(row.fields, "trip", row.trip);
    row.rename("name", {"category", "title", "pricing_label"});
    row.rename("sale_price", {"sales_price"});
    const std::string most = old::whole_of(row.text({"max_pax"}));
    if (row.text({"price_per", "pricing_per"}) == "group") {
        row.fields.set("group_size", most.empty() ? "0" : most);
    } else if (!most.empty() && most != "0") {
        row.fields.set("max", most);
    }
    if (const std::string least = old::whole_of(row.text({"min_pax"})); !least.empty() && least != "0")
        row.fields.set("min", least);
    return row.fields;
}

// {number, reference or booking, amount, date, gateway, transaction, currency}.
std::vector<Value> payment_of_row(const Row& row, const References& references, LeftOut& left) {
    const std::string status = text::folded(row.text({"status", "post_status"}));
    if (status == "refunded") {
        left.add("Payments that were refunded");
        return {};
    }
    if (!status.empty() && status != "publish" && status != "completed" && status != "paid") {
        left.add("Payments that were not completed");
        return {};
    }
    auto fields = Value::object();
    set_if(fields, "number", row.text({"id", "payment_id"}));
    const std::string booking = row.text({"booking_id", "booking"});
    std::string reference = row.text({"reference", "booking_code"});
    reference.erase(0, std::min(reference.find_first_not_of('#'), reference.size()));
    if (const auto known = references.bookings.find(booking); reference.empty() && known != references.bookings.end())
        reference = known->second;
    set_if(fields, "booking", booking);
    set_if(fields, "reference", std::move(reference));
    set_if(fields, "amount", old::decimal_of(row.text({"amount", "paid_amount"})));
    set_if(fields, "date", old::date_of(row.text({"date", "paid_at", "payment_date", "post_date"})));
    set_if(fields, "gateway", row.text({"gateway", "payment_gateway", "method"}));
    set_if(fields, "transaction", row.text({"transaction", "transaction_id"}));
    set_if(fields, "currency", row.text({"currency", "currency_code"}));
    return {std::move(fields)};
}

}  // namespace

std::vector<Value> fields_of_row(std::string_view kind, const Value& given, const References& references,
                                 LeftOut& left) {
    Row row(given, references);
    if (kind == "tour_dates")
        return dates_of_row(row, references, left);
    if (kind == "enquiries")
        return {enquiry_of_row(row)};
    if (kind == "traveler_categories")
        return {price_of_row(row)};
    if (kind == "payments")
        return payment_of_row(row, references, left);
    if (!row.trip.empty())
        row.fields.set("trip", row.trip);
    return {row.fields};
}

}  // namespace svc::wordpress_import
