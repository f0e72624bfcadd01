// The dates of a trip as templates show them.
#include "base/website/views/trip_model.hpp"

namespace svc::pages {

using json::Value;

bool is_more(const Value& one, const Value& other, std::string_view currency) {
    const auto known = Currency::parse(currency);
    if (!known || !one.is_number() || !other.is_number())
        return false;
    const auto first = Money::parse(one.number_text(), *known), second = Money::parse(other.number_text(), *known);
    return first && second && *first > *second;
}

namespace {

// A price in words and figures. Most dates have that of the date before.
class PriceWords {
  public:
    explicit PriceWords(const Format& words) : words_(words) {}
    void take(const Value& price, const std::string& currency) {
        if (price == price_ && currency == currency_)
            return;
        price_ = price;
        currency_ = currency;
        text = words_.price(price, currency);
        figures = words_.figures(price, currency);
    }
    std::string text, figures;

  private:
    const Format& words_;
    Value price_ = Value::array();
    std::string currency_;
};

}  // namespace

Value dates_by_month(const Value& dates, const Format& words, const DateOptions& options) {
    PriceWords price(words);
    Value months = Value::array();
    std::string month;
    std::size_t shown = 0;
    for (const Value& each : list_of(dates)) {
        if (options.most && shown >= options.most)
            break;
        const std::string date = each.text_or("date"), status = each.text_or("status"), time = each.text_or("time");
        const std::int64_t left = each.maybe_integer("available_capacity").value_or(0);
        const bool is_full = each.maybe_boolean("is_full").value_or(false) || status == "sold_out" || left <= 0;
        const bool waits = each.maybe_boolean("waitlist").value_or(false);
        const std::string currency = each.text_or("currency");
        price.take(each["price"], currency);
        Value one = Value::object(
            {{"date", date},
             {"time", time},
             {"value", date + (time.empty() ? "" : "T" + time)},
             {"id", "d-" + date + (time.empty() ? "" : "-" + time.substr(0, 2) + time.substr(3))},
             {"label", words.day(date)},
             {"short", words.short_day(date)},
             {"clock", time.empty() ? "" : words.time(time)},
             {"price", price.text},
             {"number", price.figures},
             {"full", is_full},
             {"waitlist", is_full && waits},
             {"open", !is_full || waits},
             {"selected", options.selected == date + (time.empty() ? "" : "T" + time) || options.selected == date}});
        if (const std::string end = each.text_or("end_date"); !end.empty() && end != date)
            one.set("end", words.short_day(end));
        if (options.original && each["original_price"] != each["price"] &&
            is_more(each["original_price"], each["price"], currency))
            one.set("old_price", words.price(each["original_price"], currency));
        if (options.urgency && !is_full && left <= 5)
            one.set("few", Value::object({{"left", left}}));
        if (month != date.substr(0, 7)) {
            month = date.substr(0, 7);
            months.push(Value::object(
                {{"label", words.month(date)}, {"first", months.size() == 0}, {"dates", Value::array()}}));
        }
        Value& last = months.items().back();
        if (one["selected"].boolean())
            last.set("first", true);
        last.members().back().second.push(std::move(one));  // "dates"
        ++shown;
    }
    return months;
}

}  // namespace svc::pages
