// Terms, trips and what belongs to them, by the published names of post types, taxonomies and metas.
#include "base/legacy/kinds.hpp"

#include <algorithm>
#include <set>
#include <span>

#include "base/legacy/old_values.hpp"
#include "base/legacy/people.hpp"
#include "base/legacy/php_values.hpp"
#include "base/legacy/trip_sales.hpp"
#include "shared/core/text.hpp"

namespace svc::legacy {
namespace {

using json::Value;
using old::first_meta, old::set_if, old::text_at, old::text_of;

struct Named {
    std::string_view name, kind;
};
constexpr Named taxonomies[] = {
    {"destination", "destinations"},   {"destinations", "destinations"},     {"travel_locations", "destinations"},
    {"activity", "activities"},        {"activities", "activities"},         {"itinerary_types", "trip_categories"},
    {"trip_types", "trip_categories"}, {"trip_category", "trip_categories"}, {"attributes", "attributes"}};
constexpr Named post_types[] = {{"tour", "trips"},
                                {"itineraries", "trips"},
                                {"trip", "trips"},
                                {"trip-packages", "tour_dates"},
                                {"yatra-customers", "customers"},
                                {"customer", "customers"},
                                {"yatra-coupons", "coupons"},
                                {"wp-travel-coupons", "coupons"},
                                {"wte-coupon", "coupons"},
                                {"itinerary-enquiries", "enquiries"},
                                {"enquiry", "enquiries"},
                                {"yatra-booking", "bookings"},
                                {"itinerary-booking", "bookings"},
                                {"booking", "bookings"}};
// Limits of one trip. Pictures have a lower one because one step fetches all pictures of a trip.
constexpr std::size_t most_days = 365, most_pictures = 30, most_lines = 200, most_faqs = 200, most_prices = 50;

std::string_view kind_of(std::span<const Named> names, std::string_view name) {
    for (const Named& each : names)
        if (each.name == name)
            return each.kind;
    return {};
}

std::string slug_of(const Item& item) { return item.slug.empty() ? text::slug_of(item.title, 100) : item.slug; }

Value meta_of(const Item& item, std::string_view key) { return meta_value(item.meta_of(key)); }

// WP Travel Engine stores the settings of a trip in one meta.
Value settings_of(const Item& item) { return meta_of(item, "wp_travel_engine_setting"); }

// Members of `names` with the values of `values` under the same key.
template <class Take>
void each_pair(const Value& names, const Value& values, const Take& take) {
    const auto value_of = [&](const std::string& key, std::size_t index) {
        if (values.is_array())
            return index < values.size() ? text_of(values[index]) : std::string();
        return text_at(values, {key});
    };
    std::size_t index = 0;
    if (names.is_array())
        for (const Value& name : names.items()) {
            take(text_of(name), value_of(std::to_string(index), index));
            ++index;
        }
    else if (names.is_object())
        for (const auto& [key, name] : names.members())
            take(text_of(name), value_of(key, index++));
}

// Leaves out the members that do not fit, and counts them.
void shorten(Value& list, std::size_t most, const char* what, LeftOut& left) {
    left.add_surplus(what, list.size(), most);
    auto& items = list.items();
    items.resize(std::min(items.size(), most));
}

Value items_of(std::string_view html, const char* what, LeftOut& left) {
    auto items = Value::array();
    for (std::string& line : old::lines_of(html, SIZE_MAX))
        items.push(Value::object({{"title", text::first(line, 255)}}));
    shorten(items, most_lines, what, left);
    return items;
}

void set_texts(Value& fields, const Item& item, const Value& settings, LeftOut& left) {
    const Value& cost = settings["cost"];
    const auto set = [&](const char* member, const char* what, std::initializer_list<std::string_view> metas,
                         std::string_view of_cost) {
        std::string html = first_meta(item, metas);
        if (html.empty())
            html = text_at(cost, {of_cost});
        if (Value items = items_of(html, what, left); items.size() > 0)
            fields.set(member, std::move(items));
    };
    set("included_items", "Included items",
        {"wp_travel_trip_include", "cost_info_price_included", "yatra_tour_meta_price_included"}, "cost_includes");
    set("excluded_items", "Excluded items",
        {"wp_travel_trip_exclude", "cost_info_price_excluded", "yatra_tour_meta_price_excluded"}, "cost_excludes");
    auto highlights = Value::array();
    const auto add_highlight = [&](const Value& one) {
        const std::string title =
            one.is_object() ? text_at(one, {"highlight_text", "title", "text", "name"}) : text_of(one);
        if (!title.empty())
            highlights.push(text::first(title, 255));
    };
    for (const Value& list : {settings["trip_highlights"], meta_of(item, "yatra_tour_meta_highlights")})
        if (list.is_array())
            for (const Value& one : list.items())
                add_highlight(one);
    shorten(highlights, most_lines, "Highlights", left);
    if (highlights.size() > 0)
        fields.set("highlights", std::move(highlights));
    auto faqs = Value::array();
    const auto add_faq = [&](const std::string& question, const std::string& answer) {
        if (!question.empty() && !answer.empty())
            faqs.push(Value::object({{"question", text::first(question, 500)}, {"answer", answer}}));
    };
    each_pair(settings["faq"]["faq_title"], settings["faq"]["faq_content"], add_faq);
    each_pair(meta_of(item, "wp_travel_faq_question"), meta_of(item, "wp_travel_faq_answer"), add_faq);
    const Value of_yatra = meta_of(item, "faq_repeator");
    each_pair(of_yatra["faq_heading"], of_yatra["faq_description"], add_faq);
    shorten(faqs, most_faqs, "Questions with answers", left);
    if (faqs.size() > 0)
        fields.set("faqs", std::move(faqs));
}

void set_terms(Value& fields, const Item& item) {
    for (const auto& [kind, member] : {std::pair<std::string_view, const char*>("destinations", "destinations"),
                                       {"activities", "activity_types"},
                                       {"trip_categories", "trip_category"}}) {
        auto slugs = Value::array();
        for (const TermOfItem& term : item.terms)
            if (kind_of(taxonomies, term.taxonomy) == kind)
                slugs.push(term.slug);
        if (slugs.size() > 0)
            fields.set(member, std::move(slugs));
    }
}

// {slug of the attribute: text}.
Value attributes_of(const Item& item, const References& references) {
    auto values = Value::object();
    const Value of_yatra = meta_of(item, "tour_meta_custom_attributes");
    const auto add = [&](const std::string& id, const Value& given) {
        const auto slug = references.attributes.find(id);
        const std::string text = given.is_object() ? text_at(given, {"content", "value"}) : text_of(given);
        if (slug != references.attributes.end() && !text.empty())
            values.set(slug->second, text);
    };
    if (of_yatra.is_object())
        for (const auto& [id, given] : of_yatra.members())
            add(id, given);
    else if (of_yatra.is_array())
        for (std::size_t i = 0; i < of_yatra.size(); ++i)
            add(std::to_string(i), of_yatra[i]);
    return values;
}

Value trip_fields_of(const Item& item, const References& references, LeftOut& left) {
    const Value settings = settings_of(item);
    auto fields = Value::object({{"title", item.title}, {"status", item.status == "publish" ? "publish" : "draft"}});
    set_if(fields, "slug", slug_of(item));
    std::string description = item.content;
    if (text::clean(description).empty())  // the former site showed one of these instead
        description = first_meta(item, {"wp_travel_overview", "wp_travel_outline"});
    if (text::clean(description).empty())
        description = text_at(settings["tab_content"], {"1_wpeditor"});
    set_if(fields, "description", std::move(description));
    if (const auto summary = old::lines_of(item.excerpt, 1); !summary.empty())
        fields.set("summary", text::first(summary.front(), 500));
    OldPrice price = price_of_trip(item, settings);
    if (const auto of_package = references.prices.find(item.id);
        price.regular.empty() && of_package != references.prices.end())
        price.regular = of_package->second;
    set_if(fields, "regular_price", price.regular);
    set_if(fields, "sale_price", price.sale);
    if (price.regular.empty())
        fields.set("status", "draft");  // prevents free sales by mistake
    std::string days = old::whole_of(first_meta(item, {"yatra_tour_meta_tour_duration_days", "wp_travel_trip_duration",
                                                       "_s_duration", "wp_travel_engine_setting_trip_duration"}));
    if (days.empty()) {
        days = old::whole_of(text_at(settings, {"trip_duration"}));
        if (text_at(settings, {"trip_duration_unit"}) == "hours") {
            set_if(fields, "duration_hours", std::move(days));
            days = "1";
        }
    }
    std::string nights =
        old::whole_of(first_meta(item, {"yatra_tour_meta_tour_duration_nights", "wp_travel_trip_duration_night"}));
    if (nights.empty())
        nights = old::whole_of(text_at(settings, {"trip_duration_nights"}));
    // Nights must be fewer than days; else the default applies.
    if (days.size() < 6 && nights.size() < 6 && !nights.empty() && !days.empty() && std::stoi(nights) < std::stoi(days))
        fields.set("duration_nights", nights);
    set_if(fields, "duration", std::move(days));
    std::string most = old::whole_of(
        first_meta(item, {"yatra_tour_maximum_number_of_traveller", "yatra_tour_maximum_pax",
                          "yatra_tour_meta_tour_group_size", "wp_travel_group_size", "_s_max_pax", "wte_max_pax"}));
    if (most.empty())
        most = old::whole_of(text_at(settings, {"trip_maximum_pax"}));
    if (most != "0")
        set_if(fields, "max_travelers", std::move(most));
    set_terms(fields, item);
    set_texts(fields, item, settings, left);
    if (Value attributes = attributes_of(item, references); attributes.size() > 0)
        fields.set("_attributes", std::move(attributes));
    return fields;
}

Value days_of(const Item& item, LeftOut& left) {
    auto days = Value::array();
    const auto add = [&](const std::string& title, const std::string& text) {
        if (!title.empty() || !text.empty())
            days.push(Value::object({{"day_number", static_cast<std::int64_t>(days.size()) + 1},
                                     {"title", text::first(title, 255)},
                                     {"description", text::first(text, 20'000)}}));
    };
    const Value of_yatra = meta_of(item, "itinerary_repeator");
    if (of_yatra.is_object())
        each_pair(of_yatra[of_yatra.find("itinerary_title") ? "itinerary_title" : "itinerary_heading"],
                  of_yatra["itinerary_details"], add);
    if (const Value of_travel = meta_of(item, "wp_travel_trip_itinerary_data"); of_travel.is_array())
        for (const Value& day : of_travel.items())
            add(text_at(day, {"title", "label"}), text_at(day, {"desc"}));
    const Value of_engine = settings_of(item)["itinerary"];
    each_pair(of_engine["itinerary_title"], of_engine["itinerary_content"], add);
    shorten(days, most_days, "Days of the itinerary", left);
    return days;
}

// Returns the address of a picture: of the attachment with this number, or the text itself. Empty unless it is http(s).
std::string address_of(const std::string& stored, const References& references) {
    const auto found = references.pictures.find(stored);
    const std::string& address = found == references.pictures.end() ? stored : found->second;
    return address.starts_with("http://") || address.starts_with("https://") ? address : std::string();
}

Value pictures_of(const Item& item, const References& references, LeftOut& left) {
    auto pictures = Value::array();
    std::set<std::string> known;
    const auto add = [&](const std::string& stored) {
        const std::string address = address_of(stored, references);
        if (!address.empty() && known.insert(address).second)
            pictures.push(address);
    };
    add(item.meta_of("_thumbnail_id"));
    for (const char* key :
         {"yatra_tour_meta_gallery", "yatra_tour_gallery", "wp_travel_itinerary_gallery_ids", "wpte_gallery_id"}) {
        const Value stored = meta_of(item, key);
        if (stored.is_string()) {
            std::string_view rest = stored.text();
            while (!rest.empty()) {
                const auto comma = rest.find(',');
                add(text::clean(std::string(rest.substr(0, comma))));
                rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
            }
        }
        const auto add_one = [&](const Value& one) {
            add(one.is_object() ? text_at(one, {"url", "id"}) : text_of(one));
        };
        if (stored.is_array())
            for (const Value& one : stored.items())
                add_one(one);
        if (stored.is_object())
            for (const auto& [name, one] : stored.members())
                if (name != "enable")
                    add_one(one);
    }
    shorten(pictures, most_pictures, "Pictures", left);
    return pictures;
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
    Value fields = trip_fields_of(item, references, left);
    const std::string seats = fields.text_or("max_travelers");
    all.push_back({"trips", std::move(fields)});
    add_prices(category_prices_of_trip(item, settings_of(item)), slug, all, left);
    add_dates(dates_of_trip(item), slug, seats, all);
    if (Value days = days_of(item, left); days.size() > 0)
        all.push_back({"itinerary", Value::object({{"trip", slug}, {"days", std::move(days)}})});
    if (Value pictures = pictures_of(item, references, left); pictures.size() > 0)
        all.push_back({"pictures", Value::object({{"trip", slug}, {"addresses", std::move(pictures)}})});
    for (const CommentOfItem& comment : item.comments)
        if (auto review = review_fields(comment, slug))
            all.push_back({"reviews", std::move(*review)});
}

}  // namespace

std::string References::trip_of(const std::string& id) const {
    const auto found = trips.find(id);
    return found == trips.end() ? std::string() : found->second;
}

void collect_references(const Item& item, References& references) {
    if (item.post_type.empty()) {
        if (item.taxonomy == "attributes")
            references.attributes[item.id] = item.slug;
    } else if (item.post_type == "attachment") {
        if (!item.url.empty())
            references.pictures[item.id] = item.url;
    } else if (kind_of(post_types, item.post_type) == "trips") {
        references.trips[item.id] = slug_of(item);
    } else if (kind_of(post_types, item.post_type) == "tour_dates" && item.status != "trash") {
        const auto prices = category_prices_of_package(item);
        if (!prices.empty())
            references.prices.try_emplace(item.meta_of("trip_ID"), prices.front().text_or("regular_price"));
    } else if (item.post_type == "yatra-payment" && item.status == "publish") {
        references.paid[item.meta_of("booking_id")].push_back(
            old::decimal_of(first_meta(item, {"paid_amount", "total_amount"})));
    } else if (item.post_type == "wp-travel-payment") {
        references.payments[item.id] = old::decimal_of(item.meta_of("wp_travel_payment_amount"));
    }
}

std::vector<StagedRecord> records_of(const Item& item, const References& references, LeftOut& left) {
    std::vector<StagedRecord> all;
    if (item.post_type.empty()) {
        const auto kind = kind_of(taxonomies, item.taxonomy);
        if (kind.empty() || item.title.empty())
            return all;
        auto fields = Value::object({{"name", item.title}, {"status", "publish"}});
        set_if(fields, "slug", item.slug);
        set_if(fields, "description", item.description);
        all.push_back({std::string(kind), std::move(fields)});
        return all;
    }
    const auto kind = kind_of(post_types, item.post_type);
    if (kind.empty() || item.status == "trash" || item.status == "auto-draft")
        return all;
    if (kind == "trips") {
        add_trip(item, references, all, left);
    } else if (kind == "tour_dates") {
        const std::string trip = references.trip_of(item.meta_of("trip_ID"));
        add_prices(category_prices_of_package(item), trip, all, left);
        add_dates(dates_of_package(item), trip, {}, all);
    } else {
        all.push_back({std::string(kind), kind == "customers"   ? customer_fields(item)
                                          : kind == "coupons"   ? coupon_fields(item)
                                          : kind == "enquiries" ? enquiry_fields(item, references)
                                                                : booking_fields(item, references)});
    }
    return all;
}

}  // namespace svc::legacy
