// The listing of trips with its filters.
#include <algorithm>
#include <array>
#include <optional>

#include "base/website/views/listing_model.hpp"
#include "shared/core/text.hpp"

namespace svc::pages {

using json::Value;

namespace {

// The query fields of a listing, in the order of its canonical address.
constexpr std::array<std::string_view, 13> filters{
    "search",    "destination",  "activity",     "trip_category", "difficulty", "trip_type", "min_price",
    "max_price", "min_duration", "max_duration", "min_rating",    "from",       "to"};

struct Sort {
    std::string_view name, order_by, order;
};
constexpr std::array<Sort, 6> sorts{{{"", "", ""},
                                     {"price", "price", "asc"},
                                     {"price-desc", "price", "desc"},
                                     {"duration", "duration", "asc"},
                                     {"duration-desc", "duration", "desc"},
                                     {"title", "title", "asc"}}};

std::string label_of(const Sort& sort, const Format& words) {
    return sort.name == "price"           ? words.say_text("Price: low to high")
           : sort.name == "price-desc"    ? words.say_text("Price: high to low")
           : sort.name == "duration"      ? words.say_text("Shortest first")
           : sort.name == "duration-desc" ? words.say_text("Longest first")
           : sort.name == "title"         ? words.say_text("Title, A to Z")
                                          : words.say_text("Newest first");
}

Pairs chosen(const PageRequest& visit) {
    Pairs pairs;
    for (const std::string_view name : filters)
        if (std::string value = visit.parameter(name); !value.empty() && value.size() <= 200)
            pairs.emplace_back(name, std::move(value));
    return pairs;
}

Pairs without(Pairs pairs, std::string_view name) {
    std::erase_if(pairs, [&](const auto& pair) { return pair.first == name; });
    return pairs;
}

Pairs with(Pairs pairs, std::string_view name, std::string_view value) {
    pairs = without(std::move(pairs), name);
    if (!value.empty())
        pairs.emplace_back(name, value);
    return pairs;
}

std::string kind_label(std::string_view kind, const Format& words) {
    return kind == "destination"     ? words.say_text("Destination")
           : kind == "activity"      ? words.say_text("Activity")
           : kind == "trip_category" ? words.say_text("Kind of trip")
           : kind == "difficulty"    ? words.say_text("Difficulty")
                                     : words.say_text("Length");
}

// The groups of links that narrow the listing; `fixed` is the group that the page itself represents.
Value facets_json(const Value& facets, const Pairs& now, const Pairs& kept, std::string_view fixed,
                  const std::string& path, const Format& words) {
    Value groups = Value::array();
    for (const std::string_view kind : {"destination", "activity", "trip_category", "difficulty"}) {
        if (kind == fixed || !facets[kind].is_array())
            continue;
        Value options = Value::array();
        const auto current = std::find_if(now.begin(), now.end(), [&](const auto& pair) { return pair.first == kind; });
        for (const Value& each : facets[kind].items()) {
            const std::string slug = each.text_or("slug");
            const bool is_on = current != now.end() && current->second == slug;
            Pairs to = is_on ? without(now, kind) : with(now, kind, slug);
            to.insert(to.end(), kept.begin(), kept.end());
            options.push(Value::object(
                {{"name", each["name"]}, {"count", each["count"]}, {"on", is_on}, {"url", path + query_of(to)}}));
        }
        if (options.size() > 0)
            groups.push(Value::object(
                {{"label", kind_label(kind, words)}, {"many", options.size() > 8}, {"options", std::move(options)}}));
    }
    return groups;
}

std::optional<std::string> name_in(const Value& facets, std::string_view kind, const std::string& slug) {
    if (facets[kind].is_array())
        for (const Value& each : facets[kind].items())
            if (each.text_or("slug") == slug)
                return each.text_or("name");
    return std::nullopt;
}

// The name of a class by its slug. What no trip of this listing has is looked up among all trips; a slug that no trip
// has at all is its own name.
std::string facet_name(PageRequest& visit, const Value& facets, std::string_view kind, const std::string& slug) {
    if (auto name = name_in(facets, kind, slug))
        return *name;
    const Answered all = visit.get_held("/trips/public?facets=1&per_page=1");
    return name_in(all.body["meta"]["facets"], kind, slug).value_or(slug);
}

std::string chip_label(PageRequest& visit, const Value& facets, const std::string& name, const std::string& value,
                       const std::string& currency) {
    const Format& words = visit.words;
    if (name == "search")
        return words.say_text("“{words}”", {{"words", value}});
    if (name == "trip_type")
        return value == "single_day" ? words.say_text("Day trips") : words.say_text("Several days");
    if (name == "min_price")
        return words.say_text("From {price}", {{"price", words.price(json::Number{value}, currency)}});
    if (name == "max_price")
        return words.say_text("Up to {price}", {{"price", words.price(json::Number{value}, currency)}});
    if (name == "min_duration")
        return words.say_text("{days, plural, one {At least # day} other {At least # days}}", {{"days", value}});
    if (name == "max_duration")
        return words.say_text("{days, plural, one {At most # day} other {At most # days}}", {{"days", value}});
    if (name == "min_rating")
        return words.say_text("Rated {rating} and better", {{"rating", value}});
    if (name == "from")
        return words.say_text("From {day}", {{"day", words.day(value)}});
    if (name == "to")
        return words.say_text("Until {day}", {{"day", words.day(value)}});
    return facet_name(visit, facets, name, value);
}

std::string layout_of(const settings::Settings& settings, const PageRequest& visit) {
    const std::string asked = visit.parameter("card_layout");
    for (const std::string_view known : {"standard", "compact_mobile", "compact"})
        if (asked == known)
            return asked;
    return settings.text("trip_card_layout");
}

Value options_of(const Value& facet, const std::string& now) {
    Value options = Value::array();
    for (const Value& each : list_of(facet))
        options.push(Value::object(
            {{"value", each["slug"]}, {"label", each["name"]}, {"selected", each.text_or("slug") == now}}));
    return options;
}

Value pages_json(std::int64_t page, std::int64_t last, const std::string& path, const Pairs& now) {
    if (last <= 1)
        return {};
    const auto to = [&](std::int64_t number) {
        return path + query_of(with(now, "page", number > 1 ? std::to_string(number) : ""));
    };
    Value numbers = Value::array();
    for (std::int64_t number = 1; number <= last; ++number) {
        if (number != 1 && number != last && std::abs(number - page) > 2) {
            if (number == 2 || number == last - 1)
                numbers.push(Value::object({{"gap", true}}));
            continue;
        }
        numbers.push(Value::object({{"number", number}, {"url", to(number)}, {"current", number == page}}));
    }
    Value pages = Value::object({{"numbers", std::move(numbers)}});
    if (page > 1)
        pages.set("previous", to(page - 1));
    if (page < last)
        pages.set("next", to(page + 1));
    return pages;
}

}  // namespace

Value search_json(const Views& views, const PageRequest& visit, const Value& facets, const Pairs& now) {
    const auto on = [&](const char* key) { return views.settings().flag(key); };
    Value hidden = Value::array();
    for (const auto& [name, value] : now)
        if (name == "trip_category" || name == "difficulty" || name == "trip_type")
            hidden.push(Value::object({{"name", name}, {"value", value}}));
    Value search = Value::object({{"action", views.path({views.bases().trip})},
                                  {"keyword", on("search_show_keyword")},
                                  {"suggest", views.local(views.site.installation.root + "/trips/public")},
                                  {"text", visit.parameter("search")},
                                  {"duration", on("search_show_duration")},
                                  {"max_duration", visit.parameter("max_duration")},
                                  {"budget", on("search_show_budget")},
                                  {"max_price", visit.parameter("max_price")},
                                  {"date", on("search_show_date")},
                                  {"from", visit.parameter("from")},
                                  {"currency", views.settings().currency().code()},
                                  {"hidden", std::move(hidden)}});
    if (on("search_show_destination"))
        search.set("destination",
                   Value::object({{"options", options_of(facets["destination"], visit.parameter("destination"))}}));
    if (on("search_show_activities"))
        search.set("activity",
                   Value::object({{"options", options_of(facets["activity"], visit.parameter("activity"))}}));
    return search;
}

Value breadcrumbs(const Views& views, const std::vector<std::pair<std::string, std::string>>& places) {
    Value items = Value::array();
    std::int64_t position = 0;
    for (const auto& [name, path] : places)
        items.push(Value::object({{"@type", "ListItem"},
                                  {"position", ++position},
                                  {"name", name},
                                  {"item", views.site.installation.address + path}}));
    return Value::object(
        {{"@context", "https://schema.org"}, {"@type", "BreadcrumbList"}, {"itemListElement", std::move(items)}});
}

void list_trips(const Views& views, PageRequest& visit, View& view, std::string_view fixed,
                const std::string& fixed_slug, const std::string& path, Sight sight) {
    Pairs now = chosen(visit);
    if (!fixed.empty())
        now = without(std::move(now), fixed);
    const std::string sort = visit.parameter("sort"), page_text = visit.parameter("page");
    const auto order = std::find_if(sorts.begin(), sorts.end(), [&](const Sort& each) { return each.name == sort; });
    Pairs asked = now;
    if (!fixed.empty())
        asked.emplace_back(fixed, fixed_slug);
    Pairs question = asked;
    question.emplace_back("facets", "1");
    question.emplace_back("per_page", std::to_string(views.settings().integer("trips_per_page")));
    if (!page_text.empty())
        question.emplace_back("page", page_text);
    if (order != sorts.end() && !order->order_by.empty()) {
        question.emplace_back("orderby", order->order_by);
        question.emplace_back("order", order->order);
    }
    Listed listed = list_of_trips(views, visit, "/trips/public" + query_of(question));
    Answered& found = listed.found;
    Value faults = Value::array();
    if (!found.is_good()) {  // an unreadable filter is ignored and reported
        for (const auto& [field, help] : found.faults()) {
            faults.push(help);
            now = without(std::move(now), field);
        }
        Pairs plain = {{"facets", "1"}, {"per_page", std::to_string(views.settings().integer("trips_per_page"))}};
        if (!fixed.empty())
            plain.emplace_back(fixed, fixed_slug);
        for (const auto& pair : now)
            plain.push_back(pair);
        listed = list_of_trips(views, visit, "/trips/public" + query_of(plain));
        if (!found.is_good())
            throw Stopped{400, found.message()};
    }
    // An old link to a page that there no longer is: the last one there is.
    if (const Value& counted = found.body["meta"];
        counted["total"].integer() > 0 && counted["page"].integer() > counted["total_pages"].integer()) {
        const std::string last = std::to_string(counted["total_pages"].integer());
        listed = list_of_trips(views, visit, "/trips/public" + query_of(with(question, "page", last)));
    }
    const Value &meta = found.body["meta"], &facets = meta["facets"];
    const std::int64_t total = meta["total"].integer();
    Value for_themes = Value::object();  // listeners' members too: svc_trip_listing_context, svc_listing_nonce
    for (const auto& [name, value] : meta.members())
        if (name != "facets")
            for_themes.set(name, value);
    view.model.set("meta", std::move(for_themes));
    const std::string currency(views.settings().currency().code());
    Pairs kept;
    if (!sort.empty())
        kept.emplace_back("sort", sort);
    Value chips = Value::array();
    for (const auto& [name, value] : now) {
        Pairs to = without(now, name);
        to.insert(to.end(), kept.begin(), kept.end());
        chips.push(
            Value::object({{"label", chip_label(visit, facets, name, value, currency)}, {"url", path + query_of(to)}}));
    }
    Value orders = Value::array();
    for (const Sort& each : sorts)
        orders.push(Value::object({{"label", label_of(each, visit.words)},
                                   {"current", each.name == sort},
                                   {"url", path + query_of(with(now, "sort", each.name))}}));
    Pairs paged = now;
    paged.insert(paged.end(), kept.begin(), kept.end());
    Value& model = view.model;
    model.set("total", total);
    model.set("one", total == 1);
    model.set("faults", std::move(faults));
    model.set("chips", Value(chips));
    if (chips.size() > 0)
        model.set("clear", path);
    model.set("facets", facets_json(facets, now, kept, fixed, path, visit.words));
    model.set("sorts", std::move(orders));
    model.set("sort_label", label_of(order == sorts.end() ? sorts[0] : *order, visit.words));
    model.set("layout", layout_of(views.settings(), visit));
    model.set("compares", views.settings().flag("enable_comparison") && total > 1);
    model.set("collapsed", views.settings().flag("collapse_filters_on_mobile"));
    // Two or three trips of a destination are seen at one glance.
    const bool is_empty = total == 0 && now.empty();
    model.set("is_empty", is_empty);
    model.set("has_filters", !is_empty && (fixed.empty() || total > 3 || !now.empty()));
    model.set("pagination", pages_json(meta["page"].integer(), meta["total_pages"].integer(), path, paged));
    Value hidden = Value::array();
    for (const auto& [name, value] : paged)
        if (name != "min_price" && name != "max_price" && name != "min_duration" && name != "max_duration")
            hidden.push(Value::object({{"name", name}, {"value", value}}));
    model.set("ranges", Value::object({{"action", path},
                                       {"hidden", std::move(hidden)},
                                       {"currency", currency},
                                       {"min_price", visit.parameter("min_price")},
                                       {"max_price", visit.parameter("max_price")},
                                       {"min_duration", visit.parameter("min_duration")},
                                       {"max_duration", visit.parameter("max_duration")}}));
    if (total == 0) {  // suggest removing the narrowest filter, and show some trips
        std::int64_t best = 0;
        Value offer;
        for (const auto& [name, value] : now) {
            Pairs to = without(asked, name);
            to.emplace_back("per_page", "1");
            const Answered other = visit.get_held("/trips/public" + query_of(to));
            if (const std::int64_t count = other.is_good() ? other.body["meta"]["total"].integer() : 0; count > best) {
                best = count;
                offer = Value::object({{"label", chip_label(visit, facets, name, value, currency)},
                                       {"count", count},
                                       {"one", count == 1},
                                       {"url", path + query_of(without(now, name))}});
            }
        }
        model.set("offer", std::move(offer));
        Listed others = list_of_trips(views, visit, "/trips/public?per_page=3");
        model.set("similar_title", !others.cards.empty());
        add_cards(views, visit, view, "similar", std::move(others), sight);
        model.set("similar_sizes", card_sizes("standard", "25rem"));
    }
    // One canonical address for the plain listing; searches, sorts and second filters are nobody's to index.
    const bool is_plain = now.empty() && sort.empty() && visit.parameter("card_layout").empty();
    const std::int64_t page = meta["page"].integer();
    view.head.is_indexed = is_plain && total > 0;
    view.head.canonical = path + (is_plain && page > 1 ? "?page=" + std::to_string(page) : "");
    view.head.structured.push_back(item_list(listed));
    model.set("search", search_json(views, visit, facets, now));
    model.set("sizes", card_sizes(model["layout"].text(), model["has_filters"].boolean() ? "19rem" : "25rem"));
    add_cards(views, visit, view, "trips", std::move(listed), sight);
}

View Views::listing(PageRequest& visit) const {
    View view{.page = "listing-trip"};
    const std::string own = path({bases().trip});
    list_trips(*this, visit, view, {}, {}, own, Sight::leading);
    const std::string title = settings().text("seo_trip_meta_title");
    const std::string heading = visit.words.say_text("Trips");
    view.model.set("heading", heading);
    view.head.title = title.empty() ? heading : title;
    view.head.description = settings().text("seo_trip_meta_description");
    view.head.keywords = settings().text("seo_trip_meta_keywords");
    if (const std::int64_t image = settings().integer("seo_trip_meta_image"); image > 0)
        view.head.image = site.installation.root + "/media/" + std::to_string(image) + "/file";
    view.head.structured.push_back(breadcrumbs(*this, {{company(visit.words), "/"}, {heading, own}}).dump());
    return view;
}

}  // namespace svc::pages
