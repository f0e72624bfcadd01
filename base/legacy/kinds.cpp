// Post types, taxonomies and metas of the former plugins, by their published names.
#include "base/legacy/kinds.hpp"

#include <algorithm>

namespace svc::legacy {
namespace {

using json::Value;

struct Named {
    std::string_view name, kind;
};
constexpr Named taxonomies[] = {{"destination", "destinations"},      {"destinations", "destinations"},
                                {"travel_locations", "destinations"}, {"activity", "activities"},
                                {"activities", "activities"},         {"itinerary_types", "trip_categories"},
                                {"trip_types", "trip_categories"},    {"trip_category", "trip_categories"}};
constexpr Named post_types[] = {{"tour", "trips"},
                                {"itineraries", "trips"},
                                {"trip", "trips"},
                                {"yatra-customers", "customers"},
                                {"customer", "customers"},
                                {"yatra-coupons", "coupons"},
                                {"wp-travel-coupons", "coupons"},
                                {"wte-coupon", "coupons"},
                                {"itinerary-enquiries", "enquiries"},
                                {"enquiry", "enquiries"}};

std::string_view kind_of(std::span<const Named> names, std::string_view name) {
    for (const Named& each : names)
        if (each.name == name)
            return each.kind;
    return {};
}

// The first of these metas that says something.
std::string first_meta(const Item& item, std::initializer_list<std::string_view> keys) {
    for (const std::string_view key : keys)
        if (std::string value = item.meta_of(key); !value.empty())
            return value;
    return {};
}

// "1,299.00", "€ 1299" and the like as a decimal; empty: it is none.
std::string decimal_of(const std::string& text) {
    std::string digits;
    for (const char c : text)
        if ((c >= '0' && c <= '9') || c == '.')
            digits += c;
    const bool plain = !digits.empty() && std::count(digits.begin(), digits.end(), '.') <= 1 && digits.front() != '.' &&
                       digits.back() != '.';
    return plain ? digits : std::string();
}

std::string whole_of(const std::string& text) {
    const auto end = std::find_if(text.begin(), text.end(), [](char c) { return c < '0' || c > '9'; });
    return {text.begin(), end};
}

void set_if(Value& fields, const char* name, std::string text) {
    if (!text.empty())
        fields.set(name, std::move(text));
}

Value trip_fields_of(const Item& item) {
    auto fields = Value::object({{"title", item.title}, {"status", item.status == "publish" ? "publish" : "draft"}});
    set_if(fields, "slug", item.slug);
    set_if(fields, "description", item.content);
    set_if(fields, "summary", item.excerpt.substr(0, 500));
    set_if(fields, "regular_price",
           decimal_of(first_meta(
               item, {"yatra_tour_meta_regular_price", "wp_travel_price", "wp_travel_trip_price",
                      "wp_travel_engine_setting_trip_prev_price", "wp_travel_engine_setting_trip_actual_price"})));
    set_if(fields, "sale_price", decimal_of(first_meta(item, {"yatra_tour_meta_sales_price", "wp_travel_sale_price"})));
    set_if(fields, "duration",
           whole_of(first_meta(item, {"yatra_tour_meta_tour_duration_days", "wp_travel_trip_duration", "_s_duration",
                                      "wp_travel_engine_setting_trip_duration"})));
    set_if(fields, "max_travelers",
           whole_of(first_meta(item, {"yatra_tour_maximum_number_of_traveller", "yatra_tour_maximum_pax",
                                      "wp_travel_group_size", "wte_max_pax"})));
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
    return fields;
}

Value customer_fields(const Item& item) {
    auto fields = Value::object();
    const std::string email =
        first_meta(item, {"email", "yatra_customer_email", "wp_travel_engine_customer_email", "customer_email"});
    set_if(fields, "email", email.empty() && item.title.find('@') != std::string::npos ? item.title : email);
    std::string name = first_meta(item, {"fullname", "yatra_customer_fullname", "customer_name"});
    const std::string first = first_meta(item, {"first_name", "yatra_customer_first_name", "fname"});
    const auto blank = name.rfind(' ');
    set_if(fields, "first_name", !first.empty() ? first : name.substr(0, blank));
    set_if(fields, "last_name",
           !first.empty()               ? first_meta(item, {"last_name", "lname"})
           : blank == std::string::npos ? std::string()
                                        : name.substr(blank + 1));
    set_if(fields, "phone", first_meta(item, {"phone", "phone_number", "yatra_customer_phone_number"}));
    set_if(fields, "country", first_meta(item, {"country", "yatra_customer_country"}));
    return fields;
}

Value coupon_fields(const Item& item) {
    auto fields = Value::object({{"status", item.status == "publish" ? "publish" : "draft"}});
    const std::string code =
        first_meta(item, {"yatra_coupon_code", "wp_travel_coupon_code", "wp_travel_engine_coupon_code", "coupon_code"});
    set_if(fields, "code", code.empty() ? item.title : code);
    const std::string type = first_meta(item, {"yatra_coupon_type", "coupon_type", "wp_travel_coupon_type"});
    fields.set("type", type.find("perc") != std::string::npos ? "percentage" : "fixed");
    set_if(fields, "amount",
           decimal_of(first_meta(item, {"yatra_coupon_value", "coupon_value", "wp_travel_coupon_value"})));
    return fields;
}

Value enquiry_fields(const Item& item) {
    auto fields = Value::object();
    set_if(
        fields, "customer_name",
        first_meta(item, {"wp_travel_enquiry_name", "enquiry_name", "wp_travel_engine_setting_enquiry_name", "name"}));
    set_if(fields, "customer_email",
           first_meta(item,
                      {"wp_travel_enquiry_email", "enquiry_email", "wp_travel_engine_setting_enquiry_email", "email"}));
    const std::string message =
        first_meta(item, {"wp_travel_enquiry_query", "enquiry_message", "wp_travel_engine_setting_enquiry_message"});
    set_if(fields, "message", message.empty() ? item.content : message);
    return fields;
}

}  // namespace

std::optional<Staged> staged(const Item& item) {
    if (item.post_type.empty()) {
        const auto kind = kind_of(taxonomies, item.taxonomy);
        if (kind.empty() || item.title.empty())
            return std::nullopt;
        auto fields = Value::object({{"name", item.title}, {"status", "publish"}});
        set_if(fields, "slug", item.slug);
        set_if(fields, "description", item.description);
        return Staged{std::string(kind), std::move(fields)};
    }
    const auto kind = kind_of(post_types, item.post_type);
    if (kind.empty() || item.status == "trash" || item.status == "auto-draft")
        return std::nullopt;
    return Staged{std::string(kind), kind == "trips"       ? trip_fields_of(item)
                                     : kind == "customers" ? customer_fields(item)
                                     : kind == "coupons"   ? coupon_fields(item)
                                                           : enquiry_fields(item)};
}

}  // namespace svc::legacy
