// The tables of each kind.
#include "base/transfer/parts.hpp"

#include <algorithm>

namespace svc::transfer {
namespace {

const std::vector<std::string> people{"created_by", "updated_by", "deleted_by"};

std::vector<std::string> with_people(std::vector<std::string> more) {
    more.insert(more.end(), people.begin(), people.end());
    return more;
}

const char* const classes = "svc_classifications";
const char* const trips_table = "svc_trips";
const char* const bookings_table = "svc_bookings";
const char* const departures_table = "svc_departures";

Part of_trip(const char* name, const char* table, std::vector<std::string> key = {}, std::vector<Reference> more = {},
             std::vector<std::string> left_out = {}, const char* condition = "") {
    more.insert(more.begin(), {"trip_id", trips_table});
    return {.name = name,
            .table = table,
            .key = std::move(key),
            .references = std::move(more),
            .parent = "trip_id",
            .left_out = std::move(left_out),
            .condition = condition};
}

Part of_booking(const char* name, const char* table, std::vector<Reference> more = {},
                std::vector<std::string> left_out = {}) {
    more.insert(more.begin(), {"booking_id", bookings_table});
    return {.name = name,
            .table = table,
            .references = std::move(more),
            .parent = "booking_id",
            .left_out = std::move(left_out)};
}

std::vector<Part> make_parts() {
    return {
        {.name = "settings", .table = "svc_settings", .key = {"key"}, .left_out = people, .condition = "is_secret = 0"},
        {.name = "classifications",
         .table = classes,
         .key = {"type", "slug"},
         .left_out = with_people({"featured_image_id"}),
         .condition = "parent_id IS NULL AND item_type_id IS NULL"},
        {.name = "classifications_below",
         .table = classes,
         .key = {"type", "slug"},
         .references = {{"parent_id", classes}, {"item_type_id", classes}},
         .left_out = with_people({"featured_image_id"}),
         .condition = "(parent_id IS NOT NULL OR item_type_id IS NOT NULL)"},
        {.name = "trips",
         .table = trips_table,
         .key = {"slug"},
         .references = {{"difficulty_level_id", classes}},
         .left_out = with_people({"featured_image_id"})},
        of_trip("trip_price_types", "svc_trip_price_types", {}, {{"category_id", classes}}),
        of_trip("trip_classifications", "svc_trip_classifications", {}, {{"classification_id", classes}}),
        of_trip("trip_faqs", "svc_trip_faqs"),
        of_trip("trip_highlights", "svc_trip_highlights"),
        of_trip("trip_time_slots", "svc_trip_time_slots"),
        of_trip("trip_gallery", "svc_trip_gallery", {}, {}, {"media_id"}, "media_id IS NULL"),
        of_trip("itinerary_days", "svc_itinerary_days", {}, {}, {"image_id"}),
        {.name = "itinerary_entries",
         .table = "svc_itinerary_entries",
         .references = {{"day_id", "svc_itinerary_days"}, {"item_type_id", classes}, {"item_id", classes}},
         .parent = "day_id"},
        of_trip("trip_revisions", "svc_trip_revisions", {}, {{"restored_from_id", "svc_trip_revisions"}},
                {"created_by"}),
        of_trip("availability_rules", "svc_availability_rules", {"trip_id", "name", "rule_type", "start_date"}, {},
                with_people({"guide_user_id"})),
        {.name = "availability_rule_slots",
         .table = "svc_availability_rule_slots",
         .references = {{"rule_id", "svc_availability_rules"}},
         .parent = "rule_id"},
        {.name = "availability_rule_weekdays",
         .table = "svc_availability_rule_weekdays",
         .references = {{"rule_id", "svc_availability_rules"}},
         .parent = "rule_id"},
        {.name = "availability_rule_prices",
         .table = "svc_availability_rule_prices",
         .references = {{"rule_id", "svc_availability_rules"},
                        {"slot_id", "svc_availability_rule_slots"},
                        {"category_id", classes}},
         .parent = "rule_id"},
        {.name = "departures",
         .table = departures_table,
         .key = {"trip_id", "start_date", "start_time"},
         .references = {{"trip_id", trips_table}, {"rule_id", "svc_availability_rules"}},
         .left_out = with_people({"guide_user_id"})},
        {.name = "departure_prices",
         .table = "svc_departure_prices",
         .references = {{"departure_id", departures_table}, {"category_id", classes}},
         .parent = "departure_id"},
        {.name = "discounts", .table = "svc_discounts", .key = {"code", "name"}, .left_out = people},
        {.name = "discount_ranges",
         .table = "svc_discount_ranges",
         .references = {{"discount_id", "svc_discounts"}, {"category_id", classes}},
         .parent = "discount_id"},
        {.name = "discount_trips",
         .table = "svc_discount_trips",
         .references = {{"discount_id", "svc_discounts"}, {"trip_id", trips_table}},
         .parent = "discount_id"},
        {.name = "customers",
         .table = "svc_customers",
         .key = {"email_lower"},
         .left_out =
             with_people({"user_id", "dietary_requirements", "medical_conditions", "special_needs", "extra_fields"})},
        {.name = "bookings",
         .table = bookings_table,
         .key = {"reference"},
         .references = {{"trip_id", trips_table}, {"customer_id", "svc_customers"}},
         .left_out = {"user_id", "form_id", "contact_sealed", "emergency_sealed"}},
        of_booking("booking_lines", "svc_booking_lines"),
        of_booking("booking_status_log", "svc_booking_status_log", {}, {"actor_id"}),
        of_booking("booking_changes", "svc_booking_changes", {}, {"actor_id"}),
        of_booking("booking_departures", "svc_booking_departures", {{"departure_id", departures_table}}),
        of_booking("waitlist", "svc_waitlist", {{"departure_id", departures_table}}),
        of_booking("discount_redemptions", "svc_discount_redemptions",
                   {{"discount_id", "svc_discounts"}, {"customer_id", "svc_customers"}}),
        of_booking("booking_travelers", "svc_booking_travelers", {{"category_id", classes}}, {"sealed"}),
        {.name = "payments",
         .table = "svc_payments",
         .key = {"booking_id", "gateway", "amount_minor", "created_at"},
         .references = {{"booking_id", bookings_table}, {"customer_id", "svc_customers"}},
         .left_out = {"intent_id", "recorded_by", "gateway_response"}},
        {.name = "refunds",
         .table = "svc_refunds",
         .key = {"call_key"},
         .references = {{"booking_id", bookings_table}, {"payment_id", "svc_payments"}},
         .left_out = {"initiated_by", "gateway_response"}},
        {.name = "reviews",
         .table = "svc_reviews",
         .key = {"trip_id", "email_lower", "created_at"},
         .references = {{"trip_id", trips_table}, {"customer_id", "svc_customers"}, {"booking_id", bookings_table}},
         .left_out = with_people({"user_id", "replied_by", "moderated_by", "ip_hash"})},
        {.name = "enquiries",
         .table = "svc_enquiries",
         .key = {"email_lower", "created_at"},
         .references = {{"trip_id", trips_table}, {"customer_id", "svc_customers"}, {"booking_id", bookings_table}},
         .left_out = with_people({"responded_by", "ip_hash", "user_agent", "referrer"})},
        {.name = "enquiry_messages",
         .table = "svc_enquiry_messages",
         .references = {{"enquiry_id", "svc_enquiries"}},
         .parent = "enquiry_id",
         .left_out = {"author_id"}},
    };
}

std::vector<Kind> make_kinds() {
    return {
        {"settings", {"settings"}},
        {"classifications", {"classifications", "classifications_below"}},
        {"trips", {"trips"}},
        {"trip_content",
         {"trip_price_types", "trip_classifications", "trip_faqs", "trip_highlights", "trip_time_slots", "trip_gallery",
          "itinerary_days", "itinerary_entries", "trip_revisions"}},
        {"availability_rules",
         {"availability_rules", "availability_rule_slots", "availability_rule_weekdays", "availability_rule_prices"}},
        {"availability", {"departures", "departure_prices"}},
        {"departures", {"departures", "departure_prices"}},
        {"discounts", {"discounts", "discount_ranges", "discount_trips"}},
        {"customers", {"customers"}},
        {"bookings",
         {"bookings", "booking_lines", "booking_status_log", "booking_changes", "booking_departures", "waitlist",
          "discount_redemptions"}},
        {"travelers", {"booking_travelers"}},
        {"payments", {"payments", "refunds"}},
        {"reviews", {"reviews"}},
        {"enquiries", {"enquiries", "enquiry_messages"}}};
}

}  // namespace

const TableMap& base_tables() {
    static const TableMap map{make_parts(), make_kinds()};
    return map;
}

std::vector<const Part*> TableMap::parts_of(const std::vector<std::string>& wanted_kinds) const {
    const auto has = [](const std::vector<std::string>& names, std::string_view name) {
        return std::find(names.begin(), names.end(), name) != names.end();
    };
    std::vector<const Part*> wanted;
    for (const Part& part : parts)
        if (has(wanted_kinds, "all") || std::any_of(kinds.begin(), kinds.end(), [&](const Kind& kind) {
                return has(wanted_kinds, kind.name) && has(kind.parts, part.name);
            }))
            wanted.push_back(&part);
    return wanted;
}

const Part* TableMap::part_named(std::string_view name) const {
    const auto found = std::find_if(parts.begin(), parts.end(), [&](const Part& part) { return part.name == name; });
    return found == parts.end() ? nullptr : &*found;
}

const Part* TableMap::keyed_part_of(std::string_view table) const {
    const auto found = std::find_if(parts.begin(), parts.end(), [&](const Part& part) {
        return part.table == table && !part.key.empty() &&
               std::none_of(part.key.begin(), part.key.end(),
                            [](const std::string& column) { return column.ends_with("_id"); });
    });
    return found == parts.end() ? nullptr : &*found;
}

}  // namespace svc::transfer
