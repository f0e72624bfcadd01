// Trips by the published names of metas.
#include "base/data/wordpress_import/trip_fields.hpp"

#include "base/data/wordpress_import/people.hpp"
#include "base/data/wordpress_import/trip_reading.hpp"
#include "base/data/wordpress_import/trip_sales.hpp"
#include "shared/core/text.hpp"

namespace svc::wordpress_import {
namespace {

using json::Value;
using old::first_meta, old::set_if, old::text_at, old::text_of, old::whole_meta, old::whole_text;

// Limits of one trip.
constexpr std::size_t most_lines = 200, most_faqs = 200, most_prices = 50;

void set_items(Reading& reading, const char* member, const char* what, const std::string& html) {
    auto items = Value::array();
    for (const std::string& line : old::lines_of(without_shortcodes(html, reading.remains), SIZE_MAX))
        items.push(Value::object({{"title", text::first(line, 255)}}));
    shorten(items, most_lines, what, reading.left);
    if (items.size() > 0)
        reading.fields.set(member, std::move(items));
}

void set_costs(Reading& reading) {
    const Value& cost = reading.settings["cost"];
    const auto html_of = [&](std::initializer_list<std::string_view> metas, const char* of_cost) {
        std::string html = whole_meta(reading.item, metas);
        return html.empty() ? whole_text(cost[of_cost]) : html;
    };
    set_items(reading, "included_items", "Included items",
              html_of({"wp_travel_trip_include", "cost_info_price_includes_description"}, "cost_includes"));
    set_items(reading, "excluded_items", "Excluded items",
              html_of({"wp_travel_trip_exclude", "cost_info_price_excludes_description"}, "cost_excludes"));
    // Their headings are the site's own here.
    static_cast<void>(first_meta(reading.item, {"cost_info_price_includes_title", "cost_info_price_excludes_title"}));
}

void set_highlights(Reading& reading) {
    auto highlights = Value::array();
    const auto add_highlight = [&](const Value& one) {
        const std::string title =
            one.is_object() ? text_at(one, {"highlight_text", "title", "text", "name"}) : text_of(one);
        if (!title.empty())
            highlights.push(text::first(title, 255));
    };
    for (const Value& list : {reading.settings["trip_highlights"], reading.meta("yatra_tour_meta_highlights")})
        if (list.is_array())
            for (const Value& one : list.items())
                add_highlight(one);
    shorten(highlights, most_lines, "Highlights", reading.left);
    if (highlights.size() > 0)
        reading.fields.set("highlights", std::move(highlights));
}

void set_faqs(Reading& reading) {
    auto faqs = Value::array();
    std::size_t number = 0;
    const auto add_faq = [&](const std::string& question, const std::string& answer) {
        ++number;
        if (!question.empty() && !answer.empty())
            faqs.push(Value::object(
                {{"question", text::first(numbered(question, number), 500)}, {"answer", reading.shown(answer)}}));
    };
    each_pair(reading.settings["faq"]["faq_title"], reading.settings["faq"]["faq_content"], add_faq);
    each_pair(reading.meta("wp_travel_faq_question"), reading.meta("wp_travel_faq_answer"), add_faq);
    const Value of_yatra = reading.meta("faq_repeator");
    each_pair(of_yatra["faq_heading"], of_yatra["faq_description"], add_faq);
    shorten(faqs, most_faqs, "Questions with answers", reading.left);
    if (faqs.size() > 0)
        reading.fields.set("faqs", std::move(faqs));
}

void set_terms(Reading& reading) {
    for (const auto& [kind, member] : {std::pair<std::string_view, const char*>("destinations", "destinations"),
                                       {"activities", "activity_types"},
                                       {"trip_categories", "trip_category"}}) {
        auto slugs = Value::array();
        for (const TermOfItem& term : reading.item.terms)
            if (kind_of_taxonomy(term.taxonomy) == kind)
                slugs.push(term.slug);
        if (slugs.size() > 0)
            reading.fields.set(member, std::move(slugs));
    }
}

// {slug of the attribute: text}.
void set_attributes(Reading& reading) {
    auto values = Value::object();
    const Value of_yatra = reading.meta("tour_meta_custom_attributes");
    const auto add = [&](const std::string& id, const Value& given) {
        const auto slug = reading.references.attributes.find(id);
        const std::string text = given.is_object() ? text_at(given, {"content", "value"}) : text_of(given);
        if (slug != reading.references.attributes.end() && !text.empty())
            values.set(slug->second, text);
    };
    if (of_yatra.is_object())
        for (const auto& [id, given] : of_yatra.members())
            add(id, given);
    else if (of_yatra.is_array())
        for (std::size_t i = 0; i < of_yatra.size(); ++i)
            add(std::to_string(i), of_yatra[i]);
    if (values.size() > 0)
        reading.fields.set("_attributes", std::move(values));
}

// Yatra shows its overview and the text of the post, the overview first; the others one of these.
void set_description(Reading& reading) {
    const Item& item = reading.item;
    std::string description = whole_meta(item, {"overview_description"});
    if (!text::clean(item.content).empty() && text::clean(item.content) != text::clean(description))
        description += (description.empty() ? "" : "\n\n") + item.content;
    const std::string other = whole_meta(item, {"wp_travel_overview", "wp_travel_outline"});
    if (text::clean(description).empty())
        description = other;
    if (text::clean(description).empty())
        description = whole_text(reading.settings["tab_content"]["1_wpeditor"]);
    set_if(reading.fields, "description", reading.shown(description));
    if (const auto summary = old::lines_of(without_shortcodes(item.excerpt, reading.remains), 1); !summary.empty())
        reading.fields.set("summary", text::first(summary.front(), 500));
}

void set_duration(Reading& reading) {
    const Item& item = reading.item;
    std::string days = old::whole_of(first_meta(item, {"yatra_tour_meta_tour_duration_days", "wp_travel_trip_duration",
                                                       "_s_duration", "wp_travel_engine_setting_trip_duration"}));
    if (days.empty()) {
        days = old::whole_of(text_at(reading.settings, {"trip_duration"}));
        if (text_at(reading.settings, {"trip_duration_unit"}) == "hours") {
            set_if(reading.fields, "duration_hours", std::move(days));
            days = "1";
        }
    }
    std::string nights =
        old::whole_of(first_meta(item, {"yatra_tour_meta_tour_duration_nights", "wp_travel_trip_duration_night"}));
    if (nights.empty())
        nights = old::whole_of(text_at(reading.settings, {"trip_duration_nights"}));
    // Nights must be fewer than days; else the default applies.
    if (days.size() < 6 && nights.size() < 6 && !nights.empty() && !days.empty() && std::stoi(nights) < std::stoi(days))
        reading.fields.set("duration_nights", nights);
    set_if(reading.fields, "duration", std::move(days));
}

// Makes it a draft, which the job's list names.
void withhold(Reading& reading, const char* counted, const std::string& why) {
    reading.fields.set("status", "draft");
    reading.left.add(counted);
    add_remark(reading.fields, why + " It is a draft here.");
}

bool is_on(const std::string& stored) { return !stored.empty() && stored != "0" && stored != "no"; }

void set_status(Reading& reading) {
    const Item& item = reading.item;
    const bool was_shown = item.status == "publish";
    reading.fields.set("status", was_shown ? "publish" : "draft");
    const bool is_closed = is_on(first_meta(item, {"yatra_tour_meta_disable_booking"}));
    const bool is_external = first_meta(item, {"yatra_tour_meta_tour_type"}) == "external";
    const std::string address = first_meta(item, {"yatra_tour_meta_tour_external_url"}),
                      button = first_meta(item, {"yatra_tour_meta_tour_external_button_text"});
    if (!item.password.empty())
        withhold(reading, "Trips behind a password, which are drafts", "Its page was behind a password.");
    if (was_shown && is_closed)
        withhold(reading, "Trips whose booking was switched off, which are drafts", "Its booking was switched off.");
    if (was_shown && is_external)
        withhold(reading, "Trips that are sold on another site, which are drafts",
                 "It was sold on another site" + (address.empty() ? "" : ", " + address) +
                     (button.empty() ? "." : " (\"" + button + "\")."));
    if (was_shown && reading.fields.text_or("regular_price").empty())
        withhold(reading, "Trips without a price, which are drafts", "It has no price.");  // prevents free sales
}

// The prices that are staged on their own.
CategoryPrices set_prices(Reading& reading) {
    TripPrices prices = prices_of_trip(reading.item, reading.settings, reading.left);
    const auto packages = reading.references.packages.find(reading.item.id);
    if (packages != reading.references.packages.end() && !packages->second.empty()) {
        if (prices.whole.regular.empty())
            prices.whole.regular = packages->second.front().text_or("regular_price");
        if (is_by_group(packages->second)) {
            prices.categories = packages->second;
            prices.belong_to_trip = true;
            const std::string most = seats_of_trip(reading.item, reading.settings);
            for (Value& price : prices.categories)
                if (price.find("group_size") && !most.empty())
                    price.set("group_size", most);
        }
    }
    set_if(reading.fields, "regular_price", prices.whole.regular);
    set_if(reading.fields, "sale_price", prices.whole.sale);
    if (!prices.belong_to_trip)
        return std::move(prices.categories);
    auto all = Value::array();
    for (Value& price : prices.categories)
        all.push(std::move(price));
    shorten(all, most_prices, "Prices by traveler category", reading.left);
    reading.fields.set("_prices", std::move(all));
    return {};
}

// Counts what the texts had, and names it in the job's list.
void report_remains(Reading& reading) {
    std::string names;
    for (const std::string& name : reading.remains.shortcodes) {
        reading.left.add("Trips with the shortcode '" + name + "', of which the words are kept");
        names += (names.empty() ? "[" : ", [") + name + "]";
    }
    if (!names.empty())
        add_remark(reading.fields, "Of these shortcodes only the words are kept: " + names + ".");
    if (reading.fields.text_or("description").find("<img") != std::string::npos)
        reading.left.add("Trips with pictures within the text, which stay on the former site");
}

}  // namespace

void add_remark(Value& fields, const std::string& sentence) {
    Value remarks = fields.find("_remarks") ? fields["_remarks"] : Value::array();
    remarks.push(sentence);
    fields.set("_remarks", std::move(remarks));
}

std::string slug_of(const Item& item) { return item.slug.empty() ? text::slug_of(item.title, 100) : item.slug; }

Value engine_settings(const Item& item) { return meta_value(item.meta_of("wp_travel_engine_setting")); }

std::string picture_address(const std::string& stored, const References& references) {
    const auto found = references.pictures.find(stored);
    const std::string& address = found == references.pictures.end() ? stored : found->second;
    return address.starts_with("http://") || address.starts_with("https://") ? address : std::string();
}

void add_dates(std::vector<Value> dates, const std::string& trip, const std::string& seats,
               std::vector<StagedRecord>& all) {
    for (Value& date : dates) {
        date.set("trip_slug", trip);
        if (!date.find("seats"))
            set_if(date, "seats", seats);
        all.push_back({"tour_dates", std::move(date)});
    }
}

void add_prices(std::vector<Value> prices, const std::string& trip, std::vector<StagedRecord>& all, LeftOut& left) {
    left.add_surplus("Prices by traveler category", prices.size(), most_prices);
    prices.resize(std::min(prices.size(), most_prices));
    for (Value& price : prices) {
        price.set("trip", trip);
        all.push_back({"traveler_categories", std::move(price)});
    }
}

void add_trip(const Item& item, const References& references, std::vector<StagedRecord>& all, LeftOut& left) {
    const std::string slug = slug_of(item);
    Reading reading{.item = item, .references = references, .left = left};
    reading.fields.set("title", item.title);
    set_if(reading.fields, "slug", slug);
    set_description(reading);
    CategoryPrices prices = set_prices(reading);
    set_status(reading);
    set_duration(reading);
    const std::string seats = seats_of_trip(item, reading.settings);
    set_if(reading.fields, "max_travelers", seats);
    set_if(reading.fields, "min_travelers", least_travelers(item, reading.settings));
    if (is_on(first_meta(item, {"yatra_tour_meta_tour_featured"})))
        reading.fields.set("featured_priority", "featured");
    set_terms(reading);
    set_costs(reading);
    set_highlights(reading);
    set_faqs(reading);
    set_attributes(reading);
    const std::string duration = reading.fields.text_or("duration");
    auto itinerary = Value::object({{"trip", slug}});
    Value days = days_of(reading, duration.size() < 5 ? static_cast<std::size_t>(std::atoi(duration.c_str())) : 0,
                         itinerary),
          pictures = pictures_of(reading);
    report_remains(reading);
    if (reading.settings["trip_facts"].size() > 0)
        left.add("Trips with facts");
    if (duration.empty() && days.size() > 1)  // nothing was said of it
        reading.fields.set("duration", std::to_string(days.size()));
    all.push_back({"trips", std::move(reading.fields)});
    add_prices(std::move(prices), slug, all, left);
    add_dates(dates_of_trip(item, references.today, left), slug, seats, all);
    if (days.size() > 0)
        all.push_back({"itinerary", std::move(itinerary.set("days", std::move(days)))});
    if (pictures.size() > 0)
        all.push_back({"pictures", Value::object({{"trip", slug}, {"addresses", std::move(pictures)}})});
    for (const CommentOfItem& comment : item.comments)
        if (auto review = review_fields(comment, slug))
            all.push_back({"reviews", std::move(*review)});
}

}  // namespace svc::wordpress_import
