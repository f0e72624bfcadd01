// Which posts and terms become which records, by the published names of post types and taxonomies.
#include "base/data/wordpress_import/kinds.hpp"

#include <span>

#include "base/data/wordpress_import/old_values.hpp"
#include "base/data/wordpress_import/people.hpp"
#include "base/data/wordpress_import/php_values.hpp"
#include "base/data/wordpress_import/shown_text.hpp"
#include "base/data/wordpress_import/trip_fields.hpp"

namespace svc::wordpress_import {
namespace {

using json::Value;
using old::first_meta, old::set_if, old::text_at;

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

std::string_view kind_of(std::span<const Named> names, std::string_view name) {
    for (const Named& each : names)
        if (each.name == name)
            return each.kind;
    return {};
}

// A destination, an activity, a category or an attribute, and its picture.
void add_term(const Item& item, std::string_view kind, const References& references, std::vector<StagedRecord>& all) {
    auto fields = Value::object({{"name", item.title}, {"status", "publish"}});
    set_if(fields, "slug", item.slug);
    TextRemains remains;
    set_if(fields, "description", shown_text(item.description, remains));
    if (kind != "attributes") {
        set_if(fields, "_parent", item.parent);
        const std::string address =
            picture_address(first_meta(item, {"destination_image_id", "activity_image_id", "category-image-id",
                                              "wp_travel_trip_type_image_id"}),
                            references);
        all.push_back({std::string(kind), std::move(fields)});
        if (!address.empty() && !item.slug.empty())
            all.push_back(
                {"pictures",
                 Value::object({{"term", kind}, {"slug", item.slug}, {"addresses", Value::array({address})}})});
        return;
    }
    const std::string type = first_meta(item, {"attribute_field_type"});
    for (const char* known : {"text_field", "number", "textarea", "email", "url", "date", "time", "color"})
        if (type == known)
            fields.set("field_type", type);
    set_if(fields, "default_value", text_at(meta_value(item.meta_of("yatra_attribute_meta")), {"content"}));
    all.push_back({std::string(kind), std::move(fields)});
}

// What bookings hold: their currency and their coupon.
void collect_booking(const Item& item, References& references) {
    if (item.status == "trash" || item.status == "auto-draft")
        return;
    references.bookings[item.id] = booking_reference(item);
    const Value params = meta_value(item.meta_of("yatra_booking_meta_params")),
                cart = meta_value(item.meta_of("cart_info"));
    std::string currency = text_at(params, {"yatra_currency", "currency"});
    if (currency.empty())
        currency = text_at(cart, {"currency"});
    if (!currency.empty() && (references.currencies.size() < 100 || references.currencies.contains(currency)))
        ++references.currencies[currency];
    const bool is_given_up = item.status == "yatra-cancelled" || item.status == "yatra-failed" ||
                             item.status == "yatra-refunded" || item.status == "yatra-pending";
    if (!text_at(params["coupon"], {"code"}).empty() && !is_given_up)
        references.coupon_uses.insert(item.id);
}

Value object_of(const References::ById& texts) {
    json::Object members;
    for (const auto& [id, text] : texts)
        members.emplace_back(id, text);
    return Value(std::move(members));
}

void read_texts(const Value& kept, References::ById& texts) {
    if (kept.is_object())
        for (const auto& [id, text] : kept.members())
            texts[id] = text.text();
}

}  // namespace

std::string References::trip_of(const std::string& id) const {
    const auto found = trips.find(id);
    return found == trips.end() ? std::string() : found->second;
}

std::size_t References::size() const {
    return trips.size() + pictures.size() + payments.size() + packages.size() + paid.size() + attributes.size() +
           bookings.size() + ranges.size();
}

Value References::kept() const {
    auto of_ranges = Value::object();
    for (const auto& [id, all] : ranges) {
        auto pairs = Value::array();
        for (const DayRange& range : all)
            pairs.push(Value::array({range.first, range.last}));
        of_ranges.set(id, std::move(pairs));
    }
    return Value::object(
        {{"trips", object_of(trips)}, {"bookings", object_of(bookings)}, {"ranges", std::move(of_ranges)}});
}

void References::read_kept(const Value& kept) {
    read_texts(kept["trips"], trips);
    read_texts(kept["bookings"], bookings);
    if (kept["ranges"].is_object())
        for (const auto& [id, pairs] : kept["ranges"].members())
            for (const Value& pair : pairs.items())
                ranges[id].push_back({pair[std::size_t{0}].text(), pair[std::size_t{1}].text()});
}

std::string_view kind_of_taxonomy(std::string_view taxonomy) { return kind_of(taxonomies, taxonomy); }

void collect_references(const Item& item, References& references) {
    if (item.post_type.empty()) {
        if (item.taxonomy == "attributes")
            references.attributes[item.id] = item.slug;
    } else if (item.post_type == "attachment") {
        if (!item.url.empty())
            references.pictures[item.id] = item.url;
    } else if (kind_of(post_types, item.post_type) == "trips") {
        references.trips[item.id] = slug_of(item);
        if (const auto ranges = ranges_of_tour(item); !ranges.empty())
            references.ranges[item.id] = ranges;
    } else if (kind_of(post_types, item.post_type) == "tour_dates" && item.status != "trash") {
        if (auto prices = category_prices_of_package(item); !prices.empty())
            references.packages.try_emplace(item.meta_of("trip_ID"), std::move(prices));
    } else if (kind_of(post_types, item.post_type) == "bookings") {
        collect_booking(item, references);
    } else if (item.post_type == "yatra-payment") {
        references.has_payments = true;
        if (item.status == "publish")
            references.paid[item.meta_of("booking_id")].push_back(
                old::decimal_of(first_meta(item, {"paid_amount", "total_amount"})));
    } else if (item.post_type == "wp-travel-payment") {
        references.payments[item.id] = old::decimal_of(item.meta_of("wp_travel_payment_amount"));
    }
}

std::string_view kind_of_item(const Item& item) {
    if (item.post_type.empty())
        return item.title.empty() ? std::string_view() : kind_of(taxonomies, item.taxonomy);
    if (item.status == "trash" || item.status == "auto-draft")
        return {};
    return kind_of(post_types, item.post_type);
}

std::vector<StagedRecord> records_of(const Item& item, const References& references, LeftOut& left) {
    std::vector<StagedRecord> all;
    const auto kind = kind_of_item(item);
    if (kind.empty())
        return all;
    if (item.post_type.empty()) {
        add_term(item, kind, references, all);
    } else if (kind == "trips") {
        add_trip(item, references, all, left);
    } else if (kind == "tour_dates") {
        const std::string trip = references.trip_of(item.meta_of("trip_ID"));
        auto prices = category_prices_of_package(item);
        if (!is_by_group(prices))  // they belong to the trip
            add_prices(std::move(prices), trip, all, left);
        add_dates(dates_of_package(item, references.today, left), trip, {}, all);
    } else {
        all.push_back({std::string(kind), kind == "customers"   ? customer_fields(item)
                                          : kind == "coupons"   ? coupon_fields(item, references, left)
                                          : kind == "enquiries" ? enquiry_fields(item, references)
                                                                : booking_fields(item, references)});
    }
    return all;
}

}  // namespace svc::wordpress_import
