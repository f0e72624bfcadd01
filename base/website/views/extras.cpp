// Additional services on pages: to choose while booking, and to add to a booking that is made.
#include "base/website/views/extras.hpp"

#include <algorithm>

#include "base/website/views/booked.hpp"

namespace svc::pages {
namespace {

using json::Value;

std::int64_t whole(const std::string& text) {
    return !text.empty() && text.size() <= 5 && text.find_first_not_of("0123456789") == std::string::npos
               ? std::stoll(text)
               : 0;
}

bool is_set(const Value& extra, std::string_view member) { return extra.maybe_boolean(member).value_or(false); }

// Required and included extras come with every booking.
bool can_be_chosen(const Value& extra) { return !is_set(extra, "is_required") && !is_set(extra, "is_included"); }

// A price for each person or day is taken or not, unless there may be several for each.
bool is_taken_for_all(const Value& extra) {
    const std::string per = extra.text_or("price_per");
    return extra.text_or("price_type") != "percentage" && (per == "person" || per == "day") &&
           extra.maybe_integer("max_quantity").value_or(1) <= 1;
}

// What one costs, and for whom: "USD 25 per person", "4 % of the price".
std::string price_of_extra(const Value& extra, const std::string& currency, const Format& words) {
    if (is_set(extra, "is_included"))
        return words.say_text("Included");
    if (extra.text_or("price_type") == "percentage")
        return words.say_text("{percent} % of the price", {{"percent", extra["price"].number_text()}});
    const std::string price = words.price(extra["price"], currency), per = extra.text_or("price_per");
    const bool for_all = is_taken_for_all(extra);
    return per == "person"    ? for_all
                                    ? words.say_text("{price} per person, for all of you", {{"price", price}})
                                    : words.say_text("{price} per person; 1 is one for each of you", {{"price", price}})
              : per == "day" ? for_all ? words.say_text("{price} per day, for all days", {{"price", price}})
                                       : words.say_text("{price} per day; 1 is one for each day", {{"price", price}})
              : per == "booking" ? words.say_text("{price} per booking", {{"price", price}})
                              : price;
}

// What limits an extra, in words; `has_date`: its stock is that of the chosen date.
std::string limits_of_extra(const Value& extra, bool has_date, const Format& words) {
    std::string said;
    const auto say = [&](const std::string& sentence) { said += (said.empty() ? "" : " · ") + sentence; };
    if (has_date && is_set(extra, "is_closed"))
        say(words.say_text("Can no longer be added for your date"));
    else if (const auto left = extra.maybe_integer("stock_left"); has_date && left)
        say(*left == 0 ? words.say_text("Sold out on your date")
                       : words.say_text("{count, plural, one {# left on your date} other {# left on your date}}",
                                        {{"count", *left}}));
    if (const auto each = extra.maybe_integer("max_per_traveler"))
        say(words.say_text("{count, plural, one {at most # per person} other {at most # per person}}",
                           {{"count", *each}}));
    return said;
}

// "2026-12-11T18:30"
std::pair<std::string, std::string> date_and_time(const std::string& value) {
    const auto t = value.find('T');
    return t == std::string::npos ? std::pair{value, std::string()}
                                  : std::pair{value.substr(0, t), value.substr(t + 1)};
}

// The extras as they can be had on the date that the visitor has chosen.
Value extras_of_date(PageRequest& visit, const Checkout& checkout, const std::string& selected) {
    const Value& any = checkout.trip["additional_services"];
    const auto [date, time] = date_and_time(selected);
    if (any.size() == 0 || date.empty())
        return any;
    Pairs query{{"travel_date", date}};
    if (!time.empty())
        query.emplace_back("departure_time", time);
    const Answered page = visit.get("/booking/trip/" + std::to_string(checkout.trip["id"].integer()) + query_of(query));
    return page.is_good() ? page.data()["additional_services"] : any;
}

// The first field's sentence, else that of the whole answer.
std::string sentence_of(const Answered& answered) {
    const auto faults = answered.faults();
    return faults.empty() ? answered.message() : faults.front().second;
}

}  // namespace

bool has_choice_of_extras(const Value& trip) {
    const auto extras = list_of(trip["additional_services"]);
    return std::any_of(extras.begin(), extras.end(), can_be_chosen);
}

Value extras_json(PageRequest& visit, const Checkout& checkout, const std::string& selected) {
    const Value offered = extras_of_date(visit, checkout, selected);
    const bool has_date = !selected.empty();
    const bool is_form = !visit.typed("_extras").empty();
    const Value& chosen = checkout.session["selected_services"];
    Value extras = Value::array();
    for (const Value& each : list_of(offered)) {
        const std::string id = std::to_string(each["id"].integer());
        const Value* now = chosen.is_object() && !is_form ? chosen.find(id) : nullptr;
        const std::int64_t count = now && now->is_number() ? now->integer() : whole(visit.typed("s" + id));
        const auto left = has_date ? each.maybe_integer("stock_left") : std::nullopt;
        const bool is_gone = left == 0 || (has_date && is_set(each, "is_closed"));
        extras.push(Value::object(
            {{"id", id},
             {"name", "s" + id},
             {"label", each.text_or("name", each.text_or("title"))},
             {"text", each["description"]},
             {"price", price_of_extra(each, checkout.trip.text_or("currency"), visit.words)},
             {"limits", limits_of_extra(each, has_date, visit.words)},
             // What was chosen before it went can still be taken out.
             {"can_be_chosen", can_be_chosen(each) && (!is_gone || count > 0)},
             {"is_tick", is_taken_for_all(each)},
             {"always", is_set(each, "is_required")},
             {"max", std::min(each.maybe_integer("max_quantity").value_or(99), std::max(left.value_or(99), count))},
             {"value", count},
             {"is_ticked", count > 0}}));
    }
    return extras;
}

namespace {

std::string route_of(const Value& booking) {
    return "/customers/my-bookings/" + std::to_string(booking["id"].integer()) + "/services";
}

// What the form of extras asks for, by their ids.
Value ordered_in(const PageRequest& visit) {
    Value selected = Value::object();
    for (const auto& [name, value] : visit.form.members())
        if (name.size() > 1 && name.front() == 's' && name.find_first_not_of("0123456789", 1) == std::string::npos)
            if (const std::int64_t count = value.is_string() ? whole(value.text()) : 0; count > 0)
                selected.set(name.substr(1), count);
    return selected;
}

Value offered_json(const PageRequest& visit, const Value& offered, const std::string& currency) {
    Value extras = Value::array();
    for (const Value& each : list_of(offered)) {
        const auto most = each.maybe_integer("most");
        const std::string id = std::to_string(each["id"].integer());
        extras.push(Value::object({{"id", id},
                                   {"name", "s" + id},
                                   {"label", each["name"]},
                                   {"text", each["description"]},
                                   {"price", price_of_extra(each, currency, visit.words)},
                                   {"limits", limits_of_extra(each, true, visit.words)},
                                   {"can_be_chosen", most != 0 && !is_set(each, "is_closed")},
                                   {"is_tick", is_taken_for_all(each) || most == 1},
                                   {"max", most.value_or(99)},
                                   {"value", whole(visit.typed("s" + id))},
                                   {"is_ticked", whole(visit.typed("s" + id)) > 0}}));
    }
    return extras;
}

// What the chosen extras cost, before anything is ordered.
Value cost_json(const Value& added, const Value& selected, const Format& words) {
    const std::string currency = added.text_or("currency");
    const auto amount = [&](const char* member) { return words.amount(added[member], currency); };
    Value fields = Value::array(), lines = added["lines"];
    for (Value& line : lines.items())
        line.set("kind", "service");
    for (const auto& [id, count] : selected.members())
        fields.push(Value::object({{"name", "s" + id}, {"value", count.number_text()}}));
    Value cost = Value::object({{"lines", price_lines(lines, currency, false, words)},
                                {"fields", std::move(fields)},
                                {"amount", amount("amount")},
                                {"expected", added["amount"].number_text()},
                                {"total", amount("total")},
                                {"left", amount("balance")},
                                {"row_version", added["row_version"].number_text()}});
    if (is_some(added["tax_amount"]))
        cost.set("tax", amount("tax_amount"));
    cost.set("tax_is_added", is_some(added["tax_amount"]) && !added.maybe_boolean("tax_inclusive").value_or(false));
    return cost;
}

}  // namespace

void add_later_extras(PageRequest& visit, const Value& booking, Value& model) {
    const std::string status = booking.text_or("status"), action = visit.typed("action");
    if (status != "pending" && status != "confirmed")
        return;
    const Answered offered = visit.get(route_of(booking));
    if (!offered.is_good() || !offered.data()["can_add"].boolean() || offered.data()["services"].size() == 0)
        return;
    const std::string currency = booking.text_or("currency");
    Value later = Value::object({{"extras", offered_json(visit, offered.data()["services"], currency)}});
    if (action == "extras") {
        const Value selected = ordered_in(visit);
        const Answered priced =
            visit.call("POST", route_of(booking), Value::object({{"selected_services", selected}, {"preview", true}}));
        if (priced.is_good())
            later.set("cost", cost_json(priced.data(), selected, visit.words));
        else
            later.set("fault", sentence_of(priced));
    }
    later.set("open", action == "extras");
    model.set("later", std::move(later));
    if (visit.parameter("extras") == "added")
        model.set("payment_note", visit.words.say_text("Your extras are booked. Their price is part of your booking."));
}

bool order_later_extras(PageRequest& visit, const Value& booking, std::string& fault) {
    Value body = Value::object({{"selected_services", ordered_in(visit)}});
    if (const std::string expected = visit.typed("expected");
        !expected.empty() && expected.find_first_not_of("0123456789.") == std::string::npos)
        body.set("expected_amount", json::Number{expected});
    if (const std::int64_t version = whole(visit.typed("row_version")); version > 0)
        body.set("row_version", version);
    const Answered done = visit.call("POST", route_of(booking), body, visit.typed("_key"));
    if (!done.is_good())
        fault = done.code() == "svc_conflict"
                    ? visit.words.say_text("Your booking has changed meanwhile. Look at it, then choose again.")
                    : sentence_of(done);
    return done.is_good();
}

}  // namespace svc::pages
