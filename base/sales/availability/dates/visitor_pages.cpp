// Date cards and the price of one date, as JSON and as HTML that a page can put in as it is.
#include "base/sales/availability/dates/visitor_pages.hpp"

#include <algorithm>
#include <array>

#include "base/catalog/trips/record/display.hpp"
#include "base/catalog/trips/record/hooks.hpp"
#include "base/platform/html/html.hpp"
#include "base/sales/availability/dates/offer.hpp"
#include "base/sales/availability/dates/wire.hpp"
#include "base/settings/values/look.hpp"
#include "shared/api/named.hpp"
#include "shared/core/date_format.hpp"
#include "shared/core/text.hpp"

namespace svc::availability {
namespace {

using api::Reply;
using api::Request;
using json::Value;

constexpr std::int64_t most_cards = 50;

// "2026-06" of a day.
std::string month_of(Date date) { return date.text().substr(0, 7); }

// The month of "2026-06"; "" for all months, nullopt for an invalid one.
std::optional<std::string> month_in(const std::string& given) {
    static constexpr std::array<std::string_view, 12> names{"jan", "feb", "mar", "apr", "may", "jun",
                                                            "jul", "aug", "sep", "oct", "nov", "dec"};
    const std::string name = text::folded(given);
    if (name.empty() || name == "all")
        return std::string();
    if (Date::parse(name + "-01"))
        return name;
    if (name.size() != 8 || name[3] != '-')
        return std::nullopt;
    const auto* month = std::find(names.begin(), names.end(), name.substr(0, 3));
    if (month == names.end())
        return std::nullopt;
    const auto number = std::to_string(month - names.begin() + 101).substr(1);
    const std::string month_text = name.substr(4) + "-" + number;
    return Date::parse(month_text + "-01") ? std::optional(month_text) : std::nullopt;
}

Value months_of(const std::vector<Bookable>& dates) {
    Value months = Value::array();
    for (std::size_t first = 0; first < dates.size();) {
        const std::string month = month_of(dates[first].date);
        std::size_t end = first;
        while (end < dates.size() && month_of(dates[end].date) == month)
            ++end;
        months.push(Value::object({{"value", month},
                                   {"label", svc::formatted(dates[first].date, "F Y")},
                                   {"count", static_cast<std::int64_t>(end - first)}}));
        first = end;
    }
    return months;
}

// Equal ones stay in the order of their dates.
void sort_cards(std::vector<Bookable>& dates, std::string_view order) {
    const auto by = [&](auto less) { std::stable_sort(dates.begin(), dates.end(), less); };
    if (order == "date-desc")
        std::reverse(dates.begin(), dates.end());
    else if (order == "price-asc")
        by([](const Bookable& a, const Bookable& b) { return a.price.effective() < b.price.effective(); });
    else if (order == "price-desc")
        by([](const Bookable& a, const Bookable& b) { return b.price.effective() < a.price.effective(); });
    else if (order == "seats-desc")
        by([](const Bookable& a, const Bookable& b) { return b.available() < a.available(); });
}

std::string seats_words(const Bookable& date) {
    if (date.available() <= 0)
        return "Sold out";
    return std::to_string(date.available()) + (date.available() == 1 ? " seat left" : " seats left");
}

struct Look {
    settings::Look site;
    std::optional<Date> selected;
};

void add_card(std::string& html, const Bookable& date, const Look& look) {
    const auto status = seats_status(date.capacity, date.available());
    html += R"(<li class="svc-date svc-date--)";
    html += status;
    html += look.selected == date.date ? " svc-date--selected" : "";
    html += R"(" data-date=")" + date.date.text() + '"';
    if (date.time)
        html += R"( data-time=")" + date.time->text() + '"';
    html += R"(><span class="svc-date__day">)" + html::escaped(look.site.day(date.date)) + "</span>";
    if (date.time)
        html += R"(<span class="svc-date__time">)" + date.time->text() + "</span>";
    if (date.price.discount_percent() > 0)
        html +=
            R"(<del class="svc-date__list-price">)" + html::escaped(look.site.amount(date.price.regular)) + "</del>";
    html += R"(<span class="svc-date__price">)" + html::escaped(look.site.amount(date.price.effective())) + "</span>";
    html += R"(<span class="svc-date__seats">)" + seats_words(date) + "</span></li>";
}

// `whole`: with the list around the cards and its heading, else the cards alone.
std::string cards_html(const std::string& title, const std::vector<Bookable>& cards, const Look& look, bool whole) {
    std::string html;
    if (whole)
        html += R"(<ul class="svc-dates" aria-label=")" + html::escaped(title) + R"(">)";
    for (const Bookable& each : cards)
        add_card(html, each, look);
    return whole ? html + "</ul>" : html;
}

Value cards_json(const std::vector<Bookable>& cards, bool waitlist, const Look& look) {
    const auto text = dates_json(cards, waitlist, [&](std::string& out, const Bookable& date) {
        out += R"(,"formatted_price":)";
        json::quote_to(out, look.site.amount(date.price.effective()));
        out += R"(,"label":)";
        json::quote_to(out, look.site.day(date.date));
        out += R"(,"css_status":"svc-date--)";
        out += seats_status(date.capacity, date.available());
        out += '"';
    });
    return json::parse(text, {.depth = 32, .elements = 10'000'000, .text = 64 * 1024}).value();
}

std::string_view refusal_name(const Error& error) {
    if (&error.code() == &errc::date_blocked)
        return "blocked";
    if (&error.code() == &errc::cutoff_passed)
        return "closed";
    return &error.code() == &errc::sold_out ? "sold_out" : "unavailable";
}

// `travelers`, else the sum of `traveler_counts`: numbers, or numbers by traveler category.
Result<int> travelers_in(const Value& query) {
    if (const auto travelers = query.maybe_integer("travelers"))
        return static_cast<int>(*travelers);
    static const api::Type numbers = api::list(api::integer(0, 100'000), 50);
    const Value& by_category = query["traveler_counts"];
    json::Array given;
    if (by_category.is_object())
        for (const auto& [category, each] : by_category.members())
            given.push_back(each);
    else if (!by_category.is_null())
        given = by_category.is_array() ? by_category.items() : json::Array{by_category};
    SVC_ASSIGN_OR_RETURN(const auto counts, numbers.check(Value(std::move(given)), "traveler_counts"));
    std::int64_t sum = 0;
    for (const Value& each : counts.items())
        sum += each.integer();
    return static_cast<int>(std::clamp<std::int64_t>(sum, 1, 100'000));
}

// The party in `travelers` as JSON: a number, a list, or numbers by traveler category.
Result<int> party_in(const std::string& text) {
    const Error fault =
        invalid("travelers", "This must be JSON such as {example}, from 1 to 100000 in all."_sentence.with(
                                 "example", R"(2, [2,1] or {\"5\":2})"));
    const auto given = json::parse(text);
    if (!given)
        return fault;
    static const api::Type count = api::integer(0, 100'000);
    std::int64_t sum = 0;
    const auto add = [&](const Value& each) {
        const auto number = each.is_number() ? count.check(each, "travelers") : Result<Value>(fault);
        sum = number && sum >= 0 ? sum + number->integer() : -1;
    };
    if (given->is_object())
        for (const auto& [category, each] : given->members())
            api::id().check(Value(category), "travelers") ? add(each) : add(Value());
    else if (given->is_array())
        for (const Value& each : given->items())
            add(each);
    else
        add(*given);
    if (sum < 1 || sum > 100'000)
        return fault;
    return static_cast<int>(sum);
}

Value price_types(const catalog::trips::Trip& trip, const Bookable& date) {
    Value list = Value::array();
    if (!date.traveler_based)
        return list;
    for (const catalog::trips::PriceType& type : trip.price_types) {
        if (!type.offered_on(date.date))
            continue;
        const PricePair price = price_for(type, date.by_category);
        list.push(Value::object({{"category_id", type.category_id},
                                 {"label", type.category.label},
                                 {"original_price", price.regular},
                                 {"price", price.effective()},
                                 {"pricing_mode", type.category.per_group ? "per_group" : "per_person"},
                                 {"min_pax", type.category.min_pax},
                                 {"max_pax", type.category.max_pax}}));
    }
    return list;
}

// The note next to a price of that category; null without one.
std::string unit_label_of(const catalog::trips::PriceType* type, const std::string& unit, const hooks::Hooks& hooks) {
    return hooks
        .apply(catalog::trips::price_unit_label, catalog::trips::unit_label(type ? &type->category : nullptr),
               {unit, type ? catalog::trips::to_json(*type) : Value()})
        .text();
}

std::string travelers_html(const std::string& unit_label, const Bookable& date, const settings::Look& look) {
    return R"(<div class="svc-travelers"><span class="svc-travelers__price">)" +
           html::escaped(look.amount(date.price.effective())) + R"(</span> <span class="svc-travelers__unit">)" +
           html::escaped(unit_label) + "</span></div>";
}

}  // namespace

Reply availability_template(const OfferedDates& service, const Request& request) {
    const auto trip = service.trips().published(request.path_id());
    if (!trip)
        return api::failed(errc::trip_not_found);
    const Value& query = request.query;
    const auto month = month_in(query.text_or("month_filter"));
    if (!month)
        return api::failed(
            invalid("month_filter", "This must be a month such as 2026-06 or jun-2026, or all."_sentence));
    const Moment moment = service.moment();
    DatesQuery dates_query;
    dates_query.travelers = static_cast<int>(query["num_travelers"].integer());
    if (const auto party = query.maybe_text("travelers")) {
        SVC_ASSIGN_OR_RETURN(const auto travelers, party_in(*party));
        dates_query.travelers = travelers;
    }
    SVC_ASSIGN_OR_RETURN(auto span, service.span_of(*trip, dates_query, moment));
    span.most = most_counted_dates;
    auto dates = service.offered_dates(*trip, *service.calendar().of(trip->id), span, moment).dates;
    Value months = months_of(dates);
    if (!month->empty())
        std::erase_if(dates, [&](const Bookable& each) { return month_of(each.date) != *month; });
    const std::string sort = query.text_or("sort");
    sort_cards(dates, sort);

    const auto total = static_cast<std::int64_t>(dates.size());
    const std::int64_t per_page = std::min(query["per_page"].integer(), most_cards), page = query["page"].integer();
    const std::int64_t first = page - 1 > total / per_page ? total : std::min(total, (page - 1) * per_page);
    const std::int64_t end = std::min(total, first + per_page);
    const std::vector<Bookable> cards(dates.begin() + first, dates.begin() + end);
    const bool partial = query["partial"].boolean();
    const Look look{settings::look_of(service.settings()),
                    query.maybe_text("date") ? Date::parse(query.text_or("date")) : std::nullopt};
    Reply reply = api::ok(Value::object({{"months", std::move(months)},
                                         {"dates", cards_json(cards, service.has_waitlist(*trip), look)},
                                         {"html", cards_html(trip->title, cards, look, !partial)},
                                         {"month_filter", month->empty() ? std::string("all") : *month},
                                         {"selected_month", month->empty() ? std::string("all") : *month},
                                         {"selected_date", look.selected ? Value(*look.selected) : Value()},
                                         {"sort", sort},
                                         {"total", total},
                                         {"page", page},
                                         {"per_page", per_page},
                                         {"loaded_count", end},
                                         {"has_more", end < total},
                                         {"partial", partial}}));
    reply.page = api::PageMeta{page, per_page, total};
    return reply;
}

api::Type template_answer() {
    using namespace api;
    using api::text;
    const Schema month{{.name = "value", .type = api::text(7), .required = true},
                       {.name = "label", .type = api::text(40)},
                       {.name = "count", .type = integer(0)}};
    const Schema card =
        date_members().plus({{.name = "formatted_price", .type = api::text(60)},
                             {.name = "label", .type = api::text(200), .help = "The date in the site's format."},
                             {.name = "css_status", .type = api::text(40)}});
    return object({{.name = "months", .type = list(object(month), 200), .help = "Months with dates.", .required = true},
                   {.name = "dates",
                    .type = list(object("DateCard", card), 50),
                    .help = "The dates of this page.",
                    .required = true},
                   {.name = "html", .type = raw_text(1 << 20), .help = "The cards as HTML.", .required = true},
                   {.name = "month_filter", .type = api::text(20)},
                   {.name = "selected_month", .type = api::text(20)},
                   {.name = "selected_date", .type = date().or_null()},
                   {.name = "sort", .type = api::text(20)},
                   {.name = "total", .type = integer(0)},
                   {.name = "page", .type = integer(1)},
                   {.name = "per_page", .type = integer(1, 50)},
                   {.name = "loaded_count", .type = integer(0), .help = "Number of dates up to the end of this page."},
                   {.name = "has_more", .type = boolean()},
                   {.name = "partial", .type = boolean()}});
}

Reply date_pricing(const OfferedDates& service, const Request& request) {
    const auto trip = service.trips().published(request.path_id());
    if (!trip)
        return api::failed(errc::trip_not_found);
    const Moment moment = service.moment();
    const Date date = Date::parse(request.query["date"].text()).value();
    const auto time = ClockTime::parse(request.query.text_or("time"));
    SVC_ASSIGN_OR_RETURN(const auto travelers, travelers_in(request.query));
    DatesQuery dates_query{.from = date, .to = date};
    const auto span = service.span_of(*trip, dates_query, moment);
    const auto of_day = span ? service.offered_dates(*trip, *service.calendar().of(trip->id), *span, moment).dates
                             : std::vector<Bookable>();
    const auto found = service.shown_date(*trip, date, time, travelers, moment);
    const bool by_category = found ? found->traveler_based : trip->traveler_based;
    const auto* type = !found        ? trip->shown_price_type()
                       : by_category ? shown_type_on(*trip, found->by_category, date)
                                     : nullptr;
    const std::string unit = type && type->category.per_group ? "per_group" : "per_person";
    const std::string unit_label = unit_label_of(type, unit, service.trips().hooks());
    Value data = Value::object({{"date", date},
                                {"time", time},
                                {"departures_count", static_cast<std::int64_t>(of_day.size())},
                                {"pricing_type", by_category ? "traveler_based" : "regular"},
                                {"price_unit", unit},
                                {"price_unit_label", unit_label}});
    if (!found) {
        for (const char* member : {"price", "original_price", "discount_percent", "dynamic"})
            data.set(member, Value());
        data.set("price_types", Value::array());
        // The seats do not depend on the number of travelers in the request.
        int seats = 0;
        for (const Bookable& each : of_day)
            if (!time || each.time == time)
                seats = std::max(seats, each.available());
        data.set("available_capacity", seats);
        data.set("status", refusal_name(found.error()));
        data.set("travelers_html", "");
        return api::ok(std::move(data));
    }
    data.set("time", found->time);
    data.set("price", found->price.effective());
    data.set("original_price", found->price.regular);
    const int percent = found->price.discount_percent();
    data.set("discount_percent", percent > 0 ? Value(percent) : Value());
    data.set("dynamic", Value::object({{"applied", found->before_listeners.has_value()},
                                       {"label", found->before_listeners ? "Adjusted price" : ""},
                                       {"original", found->before_listeners.value_or(found->price.effective())}}));
    data.set("price_types", price_types(*trip, *found));
    data.set("available_capacity", found->available());
    data.set("status", seats_status(found->capacity, found->available()));
    data.set("travelers_html", travelers_html(unit_label, *found, settings::look_of(service.settings())));
    return api::ok(std::move(data));
}

api::Type date_pricing_answer() {
    using namespace api;
    using api::text;
    const Schema type{{.name = "category_id", .type = id(), .required = true},
                      {.name = "label", .type = api::text(255)},
                      {.name = "original_price", .type = money()},
                      {.name = "price", .type = money(), .required = true},
                      {.name = "pricing_mode", .type = choice({"per_person", "per_group"})},
                      {.name = "min_pax", .type = integer(1).or_null()},
                      {.name = "max_pax", .type = integer(1).or_null()}};
    const Schema dynamic{{.name = "applied", .type = boolean()},
                         {.name = "label", .type = api::text(200)},
                         {.name = "original", .type = money()}};
    return object(
        {{.name = "date", .type = date(), .required = true},
         {.name = "time", .type = time().or_null(), .help = "The priced departure time.", .required = true},
         {.name = "departures_count", .type = integer(0), .help = "Available departure times of that day."},
         {.name = "pricing_type", .type = choice({"regular", "traveler_based"})},
         {.name = "price_unit", .type = choice({"per_person", "per_group"})},
         {.name = "price_unit_label", .type = api::text(200)},
         {.name = "price", .type = money().or_null(), .help = "null when the date is unavailable.", .required = true},
         {.name = "original_price", .type = money().or_null()},
         {.name = "discount_percent",
          .type = integer(0, 100).or_null(),
          .help = "Whole percent; null without a discount."},
         {.name = "dynamic", .type = object(dynamic).or_null()},
         {.name = "price_types", .type = list(object(type), 100)},
         {.name = "available_capacity", .type = integer(0), .help = "Available seats, even if too few."},
         {.name = "status",
          .type = choice({"available", "limited", "sold_out", "unavailable", "blocked", "closed"}),
          .help = "sold_out: fewer seats than travelers; closed: its cut-off has passed.",
          .required = true},
         {.name = "travelers_html", .type = raw_text(64 * 1024)}});
}

}  // namespace svc::availability
