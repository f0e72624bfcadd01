// Counts the data of an export that is not migrated.
#include "base/legacy/left_out.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "base/legacy/php_values.hpp"

namespace svc::legacy {
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

std::string quoted(std::string_view name) { return "'" + std::string(name.substr(0, longest_name)) + "'"; }

std::string what_of(const Item& item) {
    if (item.post_type.empty())
        return item.title.empty() ? "Terms without a name" : "Terms of the taxonomy " + quoted(item.taxonomy);
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
    return !value.empty() && value != "0" && value != "no" && value != "N;" && value != "a:0:{}" &&
           value != "s:0:\"\";";
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

void LeftOut::count_item(const Item& item, bool is_migrated) {
    if (!is_migrated) {
        if (std::find(come_with_others.begin(), come_with_others.end(), item.post_type) == come_with_others.end())
            add(what_of(item));
        return;
    }
    std::set<std::string_view> behind;
    for (const auto& [key, value] : item.meta) {
        for (const NamedType& each : metas)
            if (key.find(each.type) != std::string::npos && says_something(value))
                behind.insert(each.what);
        if (looks_serialized(value) && !php_value(value))
            add("Fields " + quoted(key) + " that cannot be read");
    }
    for (const std::string_view what : behind)
        add(std::string(what));
}

json::Value LeftOut::counts() const {
    std::vector<std::pair<std::string, std::int64_t>> all(counts_.begin(), counts_.end());
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    auto counts = json::Value::object();
    for (const auto& [what, count] : all)
        counts.set(what, count);
    return counts;
}

std::string_view by_hand(std::string_view kind) {
    static constexpr NamedType kinds[] = {
        {"settings", "An export of WordPress holds no settings of plugins. Set them here, under Settings."},
        {"pro_features", "An export of WordPress does not tell which features were on. Enable modules under Modules."},
        {"pro_reviews_cpt",
         "Reviews come as the comments of trips; those of an add-on are not exported. Enter them by"
         " hand, or as a CSV file of the kind reviews."},
        {"pro_downloads", "An export of WordPress holds no downloads of an add-on. Upload them to their trips."},
        {"services", "Additional services are not migrated. Enter them under Additional services."},
        {"availability_conditions",
         "Conditions of availability, discounts and dynamic prices are not migrated. Enter them as rules of"
         " availability, discounts or dynamic prices."}};
    for (const NamedType& each : kinds)
        if (each.type == kind)
            return each.what;
    return {};
}

}  // namespace svc::legacy
