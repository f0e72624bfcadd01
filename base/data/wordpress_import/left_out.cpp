// Counts the data of an export that is not migrated.
#include "base/data/wordpress_import/left_out.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "base/data/wordpress_import/old_values.hpp"
#include "base/data/wordpress_import/php_values.hpp"

namespace svc::wordpress_import {
namespace {

constexpr std::size_t most_names = 100, longest_name = 60;

// Trips bring their pictures, and bookings bring the amounts of their payments.
constexpr std::array come_with_others{"attachment", "yatra-payment", "wp-travel-payment", "revision"};

struct NamedType {
    std::string_view type, what;
};
constexpr NamedType posts[] = {{"page", "Pages"},
                               {"post", "Articles"},
                               {"nav_menu_item", "Entries of menus"},
                               {"tour_extras", "Trip extras (additional services)"},
                               {"tour-extras", "Trip extras (additional services)"},
                               {"extra-services", "Extra services (additional services)"},
                               {"shop_order", "Orders of WooCommerce"},
                               {"product", "Products of WooCommerce"}};

// A meta of a trip holds services, conditions or price rules if its key contains one of these words. They are not
// migrated.
constexpr NamedType metas[] = {{"extra", "Trips with additional services"},
                               {"service", "Trips with additional services"},
                               {"condition", "Trips with conditions of availability or price"},
                               {"dynamic", "Trips with rules of dynamic pricing"},
                               {"group_discount", "Trips with group discounts"},
                               {"group-discount", "Trips with group discounts"},
                               {"discount_rule", "Trips with rules of discounts"}};

// Fields of trips that have a name in the plugin's form.
constexpr NamedType fields[] = {{"yatra_tour_meta_map_content", "Trips with a map"},
                                {"yatra_tour_meta_tour_country", "Trips with a country"},
                                {"wp_travel_trip_facts", "Trips with facts"},
                                {"wp_travel_location", "Trips with a place on the map"},
                                {"yatra_tour_meta_video", "Trips with a video"}};

std::string quoted(std::string_view name) { return "'" + std::string(name.substr(0, longest_name)) + "'"; }

std::string what_of(const Item& item) {
    if (item.post_type.empty())
        return item.title.empty()            ? "Terms without a name"
               : item.taxonomy == "post_tag" ? "Tags of articles"
               : item.taxonomy == "category" ? "Categories of articles"
                                             : "Terms of the taxonomy " + quoted(item.taxonomy);
    if (item.status == "trash")
        return "Posts of the type " + quoted(item.post_type) + " in the trash";
    if (item.status == "auto-draft")
        return "Posts of the type " + quoted(item.post_type) + " that were never saved";
    for (const NamedType& each : posts)
        if (each.type == item.post_type)
            return std::string(each.what);
    return "Posts of the type " + quoted(item.post_type);
}

bool says_something(const std::string& value) {
    const std::string text = old::text_of(meta_value(value));
    return !text.empty() && text != "0" && text != "no" && text != "false" && text != "[]" && text != "{}";
}

// Whether a meta is of one of the former plugins, not of WordPress, of a theme, or a reference to another record.
bool is_of_trade(std::string_view key) {
    constexpr std::array begins{"yatra",    "wp_travel", "wptravel", "wte",   "trip",    "tour",    "itinerary",
                                "overview", "cost_info", "faq",      "text_", "package", "pricing", "coupon"};
    constexpr std::array references{"yatra_user_id", "yatra_customer_id", "trip_ID", "yatra_booking_meta_params"};
    return std::any_of(begins.begin(), begins.end(), [&](const char* begin) { return key.starts_with(begin); }) &&
           std::find(references.begin(), references.end(), key) == references.end();
}

std::string name_of_field(const std::string& key, std::string_view kind) {
    std::string noun = kind == "tour_dates" ? "packages" : std::string(kind);
    noun.front() = static_cast<char>(noun.front() - 'a' + 'A');
    for (const NamedType& each : fields)
        if (key == each.type)
            return std::string(each.what);
    if (key.starts_with("text_") && key.ends_with("_content"))
        return noun + " with a tab of their own";
    return noun + " with the field " + quoted(key);
}

}  // namespace

void LeftOut::add(const std::string& what, std::int64_t count) {
    const bool is_named = counts_.size() < most_names || counts_.contains(what);
    counts_[is_named ? what : "Others"] += count;
}

void LeftOut::add_surplus(const char* what, std::size_t found, std::size_t most) {
    if (found > most)
        add(std::string(what) + " beyond the " + std::to_string(most) + " that a trip holds",
            static_cast<std::int64_t>(found - most));
}

void LeftOut::count_item(const Item& item, std::string_view kind) {
    if (!kind.empty())
        return count_unread(item, kind);
    if (std::find(come_with_others.begin(), come_with_others.end(), item.post_type) == come_with_others.end())
        add(what_of(item));
}

void LeftOut::count_unread(const Item& item, std::string_view kind) {
    std::set<std::string> behind;
    for (const auto& [key, value] : item.meta) {
        bool has_name = false;
        for (const NamedType& each : metas)
            if (key.find(each.type) != std::string::npos) {
                has_name = true;
                if (says_something(value))
                    behind.insert(std::string(each.what));
            }
        if (looks_serialized(value) && !php_value(value))
            add("Fields " + quoted(key) + " that cannot be read");
        else if (!has_name && !item.was_asked(key) && is_of_trade(key) && says_something(value))
            behind.insert(name_of_field(key, kind));
    }
    for (const std::string& what : behind)
        add(what);
}

json::Value LeftOut::counts() const {
    std::vector<std::pair<std::string, std::int64_t>> all(counts_.begin(), counts_.end());
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    auto counts = json::Value::object();
    for (const auto& [what, count] : all)
        counts.set(what, count);
    return counts;
}

SentenceId by_hand(std::string_view kind) {
    static constexpr std::pair<std::string_view, SentenceId> kinds[] = {
        {"settings", "An export of WordPress holds no settings of plugins. Set them here, under Settings."_sentence},
        {"pro_features",
         "An export of WordPress does not tell which features were on. Enable modules under Modules."_sentence},
        {"pro_reviews_cpt",
         "Reviews come as the comments of trips; those of an add-on are not exported. Enter them by"
         " hand, or as a CSV file of the kind reviews."_sentence},
        {"pro_downloads",
         "An export of WordPress holds no downloads of an add-on. Upload them to their trips."_sentence},
        {"services", "Additional services are not migrated. Enter them under Additional services."_sentence},
        {"availability_conditions",
         "Conditions of availability, discounts and dynamic prices are not migrated. Enter them as rules of"
         " availability, discounts or dynamic prices."_sentence}};
    for (const auto& [of, sentence] : kinds)
        if (of == kind)
            return sentence;
    return {};
}

}  // namespace svc::wordpress_import
