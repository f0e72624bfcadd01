// The body of a write of a trip.
#include <type_traits>

#include "base/catalog/trips/record/fields.hpp"
#include "base/catalog/trips/record/wire.hpp"
#include "shared/api/named.hpp"
#include "shared/api/sometimes_sent.hpp"

namespace svc::catalog::trips {

api::Type included_items() {
    using namespace api;
    using api::text;
    return list(object("IncludedItem", {{.name = "title", .type = text(255), .required = true},
                                        sometimes_sent({.name = "description", .type = raw_text(5000).or_null()})}),
                200);
}

api::Type frontend_tabs() {
    using namespace api;
    using api::text;
    return list(
        object("FrontendTab", {{.name = "id", .type = text(60), .required = true},
                               {.name = "label", .type = text(255), .required = true},
                               {.name = "enabled", .type = boolean(), .otherwise = json::Value(true)},
                               {.name = "order", .type = integer(0, 1000), .otherwise = json::Value(0)},
                               {.name = "content_type",
                                .type = choice({"overview", "general", "pricing", "itinerary", "included_excluded",
                                                "gallery", "faqs", "reviews", "downloads", "location", "important_info",
                                                "trip_story", "what_makes_special", "testimonials", "custom"}),
                                .required = true},
                               sometimes_sent({.name = "custom_content", .type = raw_text(longest_text).or_null()})}),
        50);
}
namespace {

using json::Value;

template <class T>
std::optional<T> read(const Value& value) {
    if (value.is_null())
        return std::nullopt;
    if constexpr (std::is_same_v<T, int>)
        return static_cast<int>(value.integer());
    else if constexpr (std::is_same_v<T, std::int64_t>)
        return value.integer();
    else if constexpr (std::is_same_v<T, bool>)
        return value.boolean();
    else if constexpr (std::is_same_v<T, std::string>)
        return value.is_number() ? value.number_text() : value.text();
    else
        return T::parse(value.text());
}

template <class T>
std::optional<T> read(const Value& object, std::string_view name) {
    const Value* value = object.find(name);
    return value ? read<T>(*value) : std::nullopt;
}

template <class T>
void sent(Sent<T>& field, const Value& body, std::string_view name) {
    if (const Value* value = body.find(name))
        field = read<T>(*value);
}

// A text, null clears it.
void sent_text(std::optional<std::string>& field, const Value& body, std::string_view name) {
    if (const Value* value = body.find(name))
        field = value->is_null() ? std::string() : value->text();
}

PriceTypeChange sent_price_type(const Value& value) {
    return {.category_id = value["category_id"].integer(),
            .regular_price = read<std::string>(value, "regular_price"),
            .discounted_price = read<std::string>(value, "discounted_price"),
            .sale_price = read<std::string>(value, "sale_price"),
            .is_default = read<bool>(value, "is_default").value_or(false),
            .min_quantity = read<int>(value, "min_quantity"),
            .max_quantity = read<int>(value, "max_quantity"),
            .valid_from = read<Date>(value, "valid_from"),
            .valid_to = read<Date>(value, "valid_to")};
}

TimeSlotChange sent_slot(const Value& value) {
    return {.departure_time = read<ClockTime>(value, "departure_time").value(),
            .arrival_time = read<ClockTime>(value, "arrival_time"),
            .seats = read<int>(value, "seats"),
            .price = read<std::string>(value, "price")};
}

CategoryPriceChange sent_category_price(const Value& value) {
    return {.category_id = value["category_id"].integer(),
            .regular_price = read<std::string>(value, "regular_price"),
            .sale_price = read<std::string>(value, "sale_price")};
}

SeasonChange sent_season(const Value& value) {
    SeasonChange season{.first = read<Date>(value, "from").value(),
                        .last = read<Date>(value, "to").value(),
                        .regular_price = read<std::string>(value, "regular_price"),
                        .sale_price = read<std::string>(value, "sale_price"),
                        .price_types = {},
                        .seats = read<int>(value, "seats"),
                        .note = read<std::string>(value, "note").value_or("")};
    if (const Value* prices = value.find("price_types"); prices && !prices->is_null())
        for (const Value& price : prices->items())
            season.price_types.push_back(sent_category_price(price));
    return season;
}

template <class T, class Read>
void sent_list(std::optional<std::vector<T>>& field, const Value& body, std::string_view name, Read one) {
    const Value* value = body.find(name);
    if (!value)
        return;
    field.emplace();
    if (!value->is_null())
        for (const Value& item : value->items())
            field->push_back(one(item));
}

// docs/rules.md says what its members mean; each sentence here is one that every reader of the admin loads.
api::Type sent_seasons() {
    using namespace api;
    using api::text;
    const Schema price{{.name = "category_id", .type = id(), .required = true},
                       {.name = "regular_price", .type = money(), .required = true, .also = {"original_price"}},
                       {.name = "sale_price", .type = money().or_null()}};
    return list(
        object("SeasonInput", {{.name = "from", .type = date(), .required = true},
                               {.name = "to", .type = date(), .required = true},
                               {.name = "regular_price", .type = money().or_null(), .also = {"original_price"}},
                               {.name = "sale_price", .type = money().or_null(), .help = "Reduced price."},
                               {.name = "price_types", .type = list(object("SeasonPriceInput", price), 50).or_null()},
                               {.name = "seats", .type = integer(1, 100'000).or_null()},
                               {.name = "note", .type = text(500).or_null()}}),
        100);
}

std::vector<api::Field> price_fields() {
    using namespace api;
    using api::text;
    return {
        {.name = "pricing_type",
         .type = choice({"regular", "traveler_based"}),
         .help = "traveler_based uses price_types instead of the trip's prices."},
        {.name = "regular_price",
         .type = money().or_null(),
         .help = "List price per traveler.",
         .also = {"original_price"}},
        {.name = "discounted_price", .type = money().or_null(), .help = "Reduced price, used while above 0."},
        {.name = "sale_price", .type = money().or_null(), .help = "Reduced price, used without discounted_price."},
        {.name = "price_types",
         .type = list(object("PriceTypeInput",
                             {{.name = "category_id", .type = id(), .required = true},
                              {.name = "regular_price", .type = money().or_null(), .also = {"original_price"}},
                              {.name = "discounted_price", .type = money().or_null()},
                              {.name = "sale_price", .type = money().or_null()},
                              {.name = "is_default", .type = boolean().or_null()},
                              {.name = "min_quantity", .type = integer(0, 100'000).or_null()},
                              {.name = "max_quantity", .type = integer(0, 100'000).or_null()},
                              {.name = "valid_from", .type = date().or_null()},
                              {.name = "valid_to", .type = date().or_null()}}),
                      50)
                     .or_null(),
         .help = "Prices by traveler category, in display order; the first is the default unless one sets "
                 "so."},
        {.name = "seasons", .type = sent_seasons().or_null()},
        {.name = "deposit_amount",
         .type = money().or_null(),
         .help = "Fixed deposit per booking; empty inherits, 0 means no deposit."},
        {.name = "deposit_percentage", .type = percent().or_null(), .help = "Deposit in percent of the total."},
        {.name = "allow_free",
         .type = boolean().or_null(),
         .help = "Allow publishing the trip without a price, as a free trip."},
    };
}

std::vector<api::Field> time_fields() {
    using namespace api;
    using api::text;
    return {
        {.name = "trip_type",
         .type = choice({"single_day", "multi_day", "flexible"}),
         .help = "Derived from the duration when absent on creation; flexible is an alias of multi_day."},
        {.name = "duration",
         .type = integer(-1'000'000, 1'000'000).or_null(),
         .help = "Days: 2 to 365 for multi-day trips; always 1 for single-day trips.",
         .also = {"duration_days"}},
        {.name = "duration_nights",
         .type = integer(-1'000'000, 1'000'000).or_null(),
         .help = "Fewer than the days; defaults to one less; 0 for single-day trips."},
        {.name = "duration_hours",
         .type = integer(-1'000'000, 1'000'000).or_null(),
         .help = "1 to 24, for single-day trips; 0 or less clears it."},
        {.name = "min_travelers", .type = integer(1, 100'000).or_null(), .help = "Minimum travelers per booking."},
        {.name = "max_travelers", .type = integer(1, 100'000).or_null(), .help = "Seats per date; empty means 20."},
        {.name = "age_min", .type = integer(0, 120).or_null(), .help = "Minimum age."},
        {.name = "age_max", .type = integer(0, 120).or_null(), .help = "Maximum age."},
        {.name = "available_from", .type = date().or_null(), .help = "First bookable date."},
        {.name = "available_to", .type = date().or_null(), .help = "Last bookable date."},
        {.name = "booking_window_days",
         .type = integer(0, 1095).or_null(),
         .help = "How many days ahead customers usually book; only displayed."},
        {.name = "booking_deadline_hours",
         .type = integer(0, 8760).or_null(),
         .help = "Hours before the start when booking closes.",
         .also = {"booking_deadline"}},
        {.name = "departure_time", .type = time().or_null(), .help = "Usual departure time."},
        {.name = "default_time_slots",
         .type = list(object("DefaultTimeSlotInput", {{.name = "departure_time", .type = time(), .required = true},
                                                      {.name = "arrival_time", .type = time().or_null()},
                                                      {.name = "seats", .type = integer(1, 100'000).or_null()},
                                                      {.name = "price", .type = money().or_null()}}),
                      50)
                     .or_null(),
         .help = "Departure times of each day, without duplicates."},
        {.name = "seasonal_enable_date", .type = date().or_null(), .help = "Start of the season; the year is ignored."},
        {.name = "seasonal_disable_date", .type = date().or_null(), .help = "End of the season; the year is ignored."},
        {.name = "scheduled_publish_at", .type = instant().or_null(), .help = "When to publish the draft."},
        {.name = "scheduled_unpublish_at", .type = instant().or_null(), .help = "When to archive the trip."},
        {.name = "waitlist_enabled",
         .type = boolean().or_null(),
         .help = "false disables the waitlist; otherwise the setting allow_waitlist applies."},
        {.name = "waitlist_capacity", .type = integer(0, 100'000).or_null(), .help = "0: unlimited."},
    };
}

std::vector<api::Field> other_fields() {
    using namespace api;
    using api::text;
    const Type items = included_items().or_null();
    const Type tabs = frontend_tabs().or_null();
    return {
        {.name = "starting_latitude", .type = decimal(-90, 90).or_null(), .help = "Requires the longitude."},
        {.name = "starting_longitude", .type = decimal(-180, 180).or_null()},
        {.name = "ending_latitude", .type = decimal(-90, 90).or_null(), .help = "Requires the longitude."},
        {.name = "ending_longitude", .type = decimal(-180, 180).or_null()},
        {.name = "featured_priority",
         .type = choice({"none", "featured", "new", "limited", "bestseller"}).or_null(),
         .help = "Badge shown with the trip; null for none."},
        {.name = "meal_plan",
         .type = choice({"none", "breakfast", "half_board", "full_board", "all_inclusive"}).or_null(),
         .help = "Which meals the price includes."},
        {.name = "difficulty_level", .type = id().or_null(), .help = "Id of a difficulty level."},
        {.name = "featured_image", .type = id().or_null(), .help = "Id of a picture."},
        {.name = "landmarks", .type = list(text(255, 1), 200).or_null(), .help = "Sights on the way."},
        {.name = "included_items", .type = items, .help = "What the price includes."},
        {.name = "excluded_items", .type = items, .help = "What the price does not include."},
        {.name = "frontend_tabs", .type = tabs, .help = "Tabs of the trip's page."},
        {.name = "custom_fields",
         .type = map(anything()).or_null(),
         .help = "Custom texts, numbers and flags by name; staff only."},
        {.name = "testimonial_review_ids",
         .type = list(id(), 100).or_null(),
         .help = "Ids of reviews shown with the trip."},
        {.name = "status",
         .type = choice({writable_statuses.begin(), writable_statuses.end()}),
         .help = "Status; changing it requires svc_publish_trips."},
    };
}

}  // namespace

api::Schema trip_fields(const Parts& parts) {
    using namespace api;
    using api::text;
    std::vector<Field> fields{
        {.name = "title", .type = text(255), .help = "Title of the trip.", .required = true},
        {.name = "slug",
         .type = text(200),
         .help = "Part of the page's address; generated from the title when absent."},
    };
    for (const TextField& field : text_fields) {
        const bool lines = field.kind == TextField::Kind::lines || field.kind == TextField::Kind::rich;
        fields.push_back(
            {.name = field.name,
             .type = (lines ? raw_text(field.longest) : text(field.longest)).of_kind(meaning_of(field)).or_null(),
             .help = field.help,
             .also = field.also ? std::vector<std::string>{field.also} : std::vector<std::string>{}});
    }
    for (const FlagField& field : flag_fields)
        fields.push_back({.name = field.name, .type = boolean().or_null(), .help = field.help});
    std::vector<Field> of_parts;
    for (const auto& part : parts)
        if (part->is_written())
            of_parts.push_back({.name = std::string(part->name()), .type = part->body_type().or_null()});
    return Schema(std::move(fields))
        .plus(Schema(time_fields()))
        .plus(Schema(price_fields()))
        .plus(Schema(other_fields()))
        .plus(Schema(std::move(of_parts)));
}

TripChange change_of(const Value& body, const Parts& parts) {
    TripChange change;
    sent_text(change.title, body, "title");
    sent_text(change.slug, body, "slug");
    for (const TextField& field : text_fields)
        sent_text(change.*field.sent, body, field.name);
    for (const FlagField& field : flag_fields)
        sent(change.*field.sent, body, field.name);
    for (const JsonField& field : json_fields)
        if (const Value* value = body.find(field.name))
            change.*field.sent = *value;
    change.status = body.maybe_text("status");
    change.trip_type = body.maybe_text("trip_type");
    change.pricing_type = body.maybe_text("pricing_type");
    if (const Value* priority = body.find("featured_priority"))
        change.featured_priority = priority->is_null() ? "none" : priority->text();
    sent(change.meal_plan, body, "meal_plan");
    sent(change.duration, body, "duration");
    sent(change.duration_nights, body, "duration_nights");
    sent(change.duration_hours, body, "duration_hours");
    sent(change.min_travelers, body, "min_travelers");
    sent(change.max_travelers, body, "max_travelers");
    sent(change.age_min, body, "age_min");
    sent(change.age_max, body, "age_max");
    sent(change.booking_window_days, body, "booking_window_days");
    sent(change.booking_deadline_hours, body, "booking_deadline_hours");
    sent(change.waitlist_capacity, body, "waitlist_capacity");
    sent(change.waitlist_enabled, body, "waitlist_enabled");
    sent(change.regular_price, body, "regular_price");
    sent(change.discounted_price, body, "discounted_price");
    sent(change.sale_price, body, "sale_price");
    sent(change.deposit_amount, body, "deposit_amount");
    sent(change.deposit_percentage, body, "deposit_percentage");
    sent(change.starting_latitude, body, "starting_latitude");
    sent(change.starting_longitude, body, "starting_longitude");
    sent(change.ending_latitude, body, "ending_latitude");
    sent(change.ending_longitude, body, "ending_longitude");
    sent(change.available_from, body, "available_from");
    sent(change.available_to, body, "available_to");
    sent(change.seasonal_enable_date, body, "seasonal_enable_date");
    sent(change.seasonal_disable_date, body, "seasonal_disable_date");
    sent(change.scheduled_publish_at, body, "scheduled_publish_at");
    sent(change.scheduled_unpublish_at, body, "scheduled_unpublish_at");
    sent(change.departure_time, body, "departure_time");
    sent(change.difficulty_level, body, "difficulty_level");
    sent(change.featured_image, body, "featured_image");
    sent_list(change.price_types, body, "price_types", sent_price_type);
    sent_list(change.default_time_slots, body, "default_time_slots", sent_slot);
    sent_list(change.seasons, body, "seasons", sent_season);
    for (const auto& part : parts)
        if (const Value* value = body.find(part->name()); value && part->is_written())
            change.parts.emplace_back(part->name(), *value);
    change.row_version = body.maybe_integer("row_version");
    change.allow_free = body.maybe_boolean("allow_free").value_or(false);
    return change;
}

}  // namespace svc::catalog::trips
