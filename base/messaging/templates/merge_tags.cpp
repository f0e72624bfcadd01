// One row for each merge tag.
#include "base/messaging/templates/merge_tags.hpp"

#include <algorithm>
#include <array>

#include "base/platform/html/html.hpp"
#include "base/platform/texts/countries.hpp"

namespace svc::messaging {
namespace {

using json::Value;

std::optional<Money> money(const Value& booking, std::string_view member) {
    const auto currency = Currency::parse(booking.text_or("currency"));
    const std::string text = number_or_text(booking[member]);
    if (!currency || text.empty())
        return std::nullopt;
    const auto amount = Money::parse(text, *currency);
    return amount ? std::optional(*amount) : std::nullopt;
}

std::string display_text(const TagContext& context, std::string_view member) {
    const auto amount = money(context.booking, member);
    return amount ? context.look.amount(*amount) : number_or_text(context.booking[member]);
}

// The whole outstanding amount; the amount due now may be a part of it.
std::optional<Money> owed(const Value& booking) {
    const auto total = money(booking, "total"), paid = money(booking, "amount_paid");
    constexpr std::array<std::string_view, 5> open{"pending", "processing", "on-hold", "confirmed", "completed"};
    if (!total || !paid || std::find(open.begin(), open.end(), booking.text_or("status")) == open.end())
        return money(booking, "amount_due");
    return max(Money::zero(total->currency()), *total - *paid);
}

std::string balance(const TagContext& context) {
    const auto amount = owed(context.booking);
    return amount ? context.look.amount(*amount) : display_text(context, "amount_due");
}

// The one partial of e-mails for the money: rows of a table, whose plain text are the same lines.
std::string money_rows(const TagContext& context) {
    std::string rows;
    if (context.money)
        for (const booking::MoneyLine& line : booking::lines_of(
                 *context.money, {.locale = context.words.locale, .look = context.look, .way = context.gateway_title}))
            rows += "<tr><th>" + html::escaped(line.label) + "</th><td>" + html::escaped(line.value) + "</td></tr>\n";
    return rows;
}

// "Thu, 14 January 2027 – Sat, 16 January 2027", "Sun, 13 December 2026, 18:30".
std::string travel_period(const TagContext& context) {
    const std::string first = context.booking.text_or("travel_date"), last = context.booking.text_or("end_date");
    std::string text = context.words.day(context.look, first);
    if (!last.empty() && last != first)
        text += " – " + context.words.day(context.look, last);
    const auto time = ClockTime::parse(context.booking.text_or("departure_time"));
    return time ? text + ", " + settings::time_in(context.look, *time) : text;
}

std::string status_in_words(const TagContext& context) {
    const std::string status = context.booking.text_or("status");
    const Words& words = context.words;
    return status == "pending"                ? words.say_text("Received")
           : status == "pending_verification" ? words.say_text("Waiting for the proof of the address")
           : status == "confirmed"            ? words.say_text("Confirmed")
           : status == "processing"           ? words.say_text("Being processed")
           : status == "on-hold"              ? words.say_text("On hold")
           : status == "completed"            ? words.say_text("Completed")
           : status == "cancelled"            ? words.say_text("Cancelled")
           : status == "refunded"             ? words.say_text("Refunded")
           : status == "failed"               ? words.say_text("Failed")
           : status == "waitlist"             ? words.say_text("On the waiting list")
                                              : status;
}

std::string contact(const TagContext& context, const char* field, const char* member) {
    return context.booking["contact"].text_or(field, context.booking.text_or(member));
}

std::string schedule_label(std::string_view schedule, const Words& words) {
    return schedule == "full"      ? words.say_text("Full payment")
           : schedule == "deposit" ? words.say_text("Deposit")
           : schedule == "partial" ? words.say_text("Part payment")
                                   : std::string();
}

std::string answers_html(const Value& answers) {
    std::string items;
    for (const auto& [field, value] : answers.members())
        if (const std::string answer = number_or_text(value); !answer.empty())
            items += "<li>" + html::escaped(label_of(field)) + ": " + html_lines(answer) + "</li>";
    return items.empty() ? items : "<ul>" + items + "</ul>";
}

}  // namespace

std::string number_or_text(const json::Value& value) {
    if (value.is_number())
        return value.number_text();
    return value.is_string() ? value.text() : std::string();
}

std::string label_of(std::string key) {
    std::replace(key.begin(), key.end(), '_', ' ');
    if (!key.empty() && key[0] >= 'a' && key[0] <= 'z')
        key[0] = static_cast<char>(key[0] - 'a' + 'A');
    return key;
}

std::string html_lines(std::string_view text) {
    std::string out;
    for (const char c : html::escaped(text)) {
        if (c == '\n')
            out += "<br>";
        else if (c != '\r')
            out += c;
    }
    return out;
}

const std::vector<MergeTag>& booking_tags() {
    static const std::vector<MergeTag> tags{
        {"customer_name", [](const TagContext& t) { return t.booking.text_or("customer_name"); }},
        {"customer_first_name", [](const TagContext& t) { return contact(t, "first_name", "customer_name"); }},
        {"customer_last_name", [](const TagContext& t) { return contact(t, "last_name", "customer_last_name"); }},
        {"customer_email", [](const TagContext& t) { return t.booking.text_or("customer_email"); }},
        {"customer_phone", [](const TagContext& t) { return t.booking.text_or("customer_phone"); }},
        {"booking_reference", [](const TagContext& t) { return t.booking.text_or("reference"); }},
        {"booking_id", [](const TagContext& t) { return std::to_string(t.id); }},
        {"booking_url",
         [](const TagContext& t) {
             return t.site_url + "/" + t.booking_base + "/confirmation/" + t.booking.text_or("reference");
         }},
        {"admin_booking_url",
         [](const TagContext& t) { return t.site_url + "/admin/bookings/" + std::to_string(t.id); }},
        {"booking_status_label", status_in_words},
        {"money_rows_html", money_rows},
        {"travel_period", travel_period},
        {"departure_time", [](const TagContext& t) { return t.booking.text_or("departure_time"); }},
        {"meeting_point", [](const TagContext& t) { return t.meeting.place; }},
        {"map_url", [](const TagContext& t) { return t.meeting.map_url; }},
        {"company_phone", [](const TagContext& t) { return t.company_phone; }},
        {"booking_status", [](const TagContext& t) { return t.booking.text_or("status"); }},
        {"payment_status", [](const TagContext& t) { return t.booking.text_or("payment_status"); }},
        {"trip_id",
         [](const TagContext& t) {
             const std::string id = number_or_text(t.booking["trip_id"]);
             return id.empty() ? std::string("0") : id;
         }},
        {"trip_name", [](const TagContext& t) { return t.booking.text_or("trip_title"); }},
        {"trip_url", [](const TagContext& t) { return t.booking.text_or("trip_url", t.trip_url); }},
        {"travel_date", [](const TagContext& t) { return t.words.day(t.look, t.booking.text_or("travel_date")); }},
        {"return_date", [](const TagContext& t) { return t.words.day(t.look, t.booking.text_or("end_date")); }},
        {"travelers_count", [](const TagContext& t) { return number_or_text(t.booking["traveler_count"]); }},
        {"total_amount", [](const TagContext& t) { return number_or_text(t.booking["total"]); }},
        {"total_amount_formatted", [](const TagContext& t) { return display_text(t, "total"); }},
        {"amount_paid", [](const TagContext& t) { return number_or_text(t.booking["amount_paid"]); }},
        {"amount_paid_formatted", [](const TagContext& t) { return display_text(t, "amount_paid"); }},
        {"amount_due", balance},
        {"amount_due_formatted", balance},
        {"balance_due", balance},
        {"pay_now_amount_formatted", [](const TagContext& t) { return display_text(t, "amount_due"); }},
        {"currency", [](const TagContext& t) { return t.booking.text_or("currency"); }},
        {"payment_gateway", [](const TagContext& t) { return t.booking.text_or("payment_gateway"); }},
        {"payment_gateway_label", [](const TagContext& t) { return t.gateway_title; }},
        {"payment_schedule", [](const TagContext& t) { return t.booking.text_or("payment_method"); }},
        {"payment_schedule_label",
         [](const TagContext& t) { return schedule_label(t.booking.text_or("payment_method"), t.words); }},
        {"special_requests", [](const TagContext& t) { return t.answers.text_or("special_requests"); }, true},
        {"special_requests_html", [](const TagContext& t) { return html_lines(t.answers.text_or("special_requests")); },
         true},
        {"booking_custom_fields_html", [](const TagContext& t) { return answers_html(t.answers["contact_data"]); },
         true},
    };
    return tags;
}

std::string still_to_pay(const TagContext& context) {
    const auto amount = owed(context.booking);
    return amount && !amount->is_zero() ? context.look.amount(*amount) : std::string();
}

Variables values_of(const TagContext& context, const std::function<bool(std::string_view)>& is_asked) {
    Variables values;
    const auto add = [&values](const char* prefix, const Value& fields) {
        if (fields.is_object())
            for (const auto& [field, value] : fields.members())
                if (const std::string answer = number_or_text(value); !answer.empty())
                    values[prefix + field] = answer;
    };
    add("contact_", context.answers["contact_data"]);
    add("emergency_", context.answers["emergency_contact"]);
    add("contact_", context.booking["contact"]);
    if (const auto country = values.find("contact_country"); country != values.end())
        country->second = texts::country_name(country->second, context.words.locale);
    for (const auto* tags : {&booking_tags(), &cancellation_tags()})
        for (const MergeTag& tag : *tags)
            if (is_asked(tag.name) && (!tag.of_answers || context.answers.is_object()))
                values[std::string(tag.name)] = tag.value(context);
    return values;
}

bool shows_answers(std::string_view text) {
    for (const std::string_view part : {"special_requests", "booking_custom_fields", "contact_", "emergency_"})
        if (text.find(part) != std::string_view::npos)
            return true;
    return false;
}

}  // namespace svc::messaging
