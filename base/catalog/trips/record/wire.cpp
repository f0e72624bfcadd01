// A trip's members in answers, older spellings included.
#include "base/catalog/trips/record/wire.hpp"

#include "base/catalog/trips/record/fields.hpp"
#include "shared/api/named.hpp"
#include "shared/api/sometimes_sent.hpp"
#include "shared/core/arrival.hpp"

namespace svc::catalog::trips {
namespace {

std::string duration_label(const Trip& trip) {
    const auto counted = [](int count, const char* one, const char* many) {
        return std::to_string(count) + " " + (count == 1 ? one : many);
    };
    if (trip.duration_hours)
        return counted(*trip.duration_hours, "hour", "hours");
    if (trip.duration_days <= 1)
        return "1 day";
    return counted(trip.duration_days, "day", "days") + " / " + counted(trip.duration_nights, "night", "nights");
}

json::Value rating(std::int64_t hundredths) { return json::Number{Money{hundredths, Currency::usd()}.decimal()}; }

json::Value slots_json(const Trip& trip) {
    return json::array_of(trip.time_slots, [&](const TimeSlot& slot) {
        return json::Value::object({{"departure_time", slot.departure_time},
                                    {"arrival_time", slot.arrival_time},
                                    {"arrives_next_day", arrives_next_day(slot.departure_time, slot.arrival_time)},
                                    {"seats", slot.seats},
                                    {"price", slot.price}});
    });
}

enum class Reader : std::uint8_t { everyone, staff };

json::Value seasons_json(const Trip& trip, Reader reader) {
    const auto price_json = [](const CategoryPrice& price) {
        return json::Value::object({{"category_id", price.category_id},
                                    {"regular_price", price.regular},
                                    {"sale_price", price.lowered},
                                    {"effective_price", PricePair{price.regular, price.lowered}.effective()}});
    };
    return json::array_of(trip.seasons, [&](const PricedSeason& season) {
        auto value = json::Value::object(
            {{"from", season.first},
             {"to", season.last},
             {"regular_price", season.price ? json::Value(season.price->regular) : json::Value()},
             {"sale_price", season.price ? json::Value(season.price->lowered) : json::Value()},
             {"effective_price", season.price ? json::Value(season.price->effective()) : json::Value()},
             {"price_types", json::array_of(season.by_category, price_json)},
             {"seats", season.seats}});
        if (reader == Reader::staff)
            value.set("note", season.note);
        return value;
    });
}

// Members of different names, as most of a trip's are: nothing is looked for before one is added.
class Apart {
  public:
    Apart() { members_.reserve(160); }
    void set(std::string name, json::Value value) { members_.emplace_back(std::move(name), std::move(value)); }
    [[nodiscard]] json::Value object() {
        auto value = json::Value::object();
        value.members() = std::move(members_);
        return value;
    }

  private:
    json::Object members_;
};

void set_place(Apart& value, const std::string& which, const std::optional<Place>& place) {
    const auto angle = [](Degrees degrees) { return json::Value(json::Number{degrees.decimal()}); };
    value.set(which + "_latitude", place ? angle(place->latitude) : json::Value());
    value.set(which + "_longitude", place ? angle(place->longitude) : json::Value());
}

void set_prices(Apart& value, const Trip& trip, const Display& display) {
    auto types = json::array_of(trip.price_types, [&](const PriceType& type) { return to_json(type); });
    value.set("pricing_type", trip.traveler_based ? "traveler_based" : "regular");
    value.set("currency", trip.currency.code());
    value.set("regular_price", trip.regular_price);
    value.set("original_price", trip.regular_price);
    value.set("discounted_price", trip.discounted_price);
    value.set("sale_price", trip.sale_price);
    value.set("price_types", std::move(types));
    const json::Value shown = to_json(display);
    for (const auto& [name, each] : shown.members())
        value.set(name, each);
    value.set("deposit_amount", trip.deposit_amount);
    value.set("deposit_percentage", trip.deposit_percentage);
}

void set_limits(Apart& value, const Trip& trip) {
    value.set("min_travelers", trip.min_travelers);
    value.set("max_travelers", trip.max_travelers);
    value.set("age_min", trip.age_min);
    value.set("age_max", trip.age_max);
    value.set("available_from", trip.available_from);
    value.set("available_to", trip.available_to);
    value.set("booking_window_days", trip.booking_window_days);
    value.set("booking_deadline_hours", trip.booking_deadline_hours);
    value.set("departure_time", trip.departure_time);
    value.set("default_time_slots", slots_json(trip));
    value.set("seasonal_enable_date", trip.seasonal_enable_date);
    value.set("seasonal_disable_date", trip.seasonal_disable_date);
    value.set("waitlist_enabled", trip.waitlist_enabled);
    value.set("waitlist_capacity", trip.waitlist_capacity);
}

json::Value shared_json(const Trip& trip, const Display& display, const Showing& showing) {
    Apart value;
    value.set("id", trip.id);
    value.set("title", trip.title);
    value.set("slug", trip.slug);
    value.set("permalink", showing.trip_address() + trip.slug);
    value.set("status", name_of(trip.status));
    value.set("short_description", trip.summary);
    for (const TextField& field : text_fields)
        value.set(field.name, trip.*field.stored);
    value.set("trip_type", name_of(trip.type));
    value.set("duration", trip.duration_days);
    value.set("duration_days", trip.duration_days);
    value.set("duration_nights", trip.duration_nights);
    value.set("duration_hours", trip.duration_hours);
    value.set("duration_label", duration_label(trip));
    set_prices(value, trip, display);
    set_limits(value, trip);
    for (const FlagField& field : flag_fields)
        value.set(field.name, trip.*field.stored);
    set_place(value, "starting", trip.start);
    set_place(value, "ending", trip.end);
    value.set("featured_priority", trip.featured_priority);
    value.set("meal_plan", trip.meal_plan);
    value.set("difficulty_level", trip.difficulty_level_id);
    value.set("featured_image", trip.featured_image_id);
    for (const JsonField& field : json_fields)
        if (field.stored != &Trip::custom_fields)
            value.set(field.name, trip.*field.stored);
    value.set("views_count", trip.views_count);
    value.set("bookings_count", trip.bookings_count);
    value.set("reviews_count", trip.reviews_count);
    value.set("avg_rating", rating(trip.avg_rating_hundredths));
    value.set("created_at", trip.created_at);
    value.set("updated_at", trip.updated_at);
    return value.object();
}

void set_shown(json::Value& value, const Whole& whole, const Showing& showing, bool of_rows) {
    for (const auto& part : showing.parts)
        for (const auto& [name, member] : whole.members)
            if (name == part->name() && part->in_rows() == of_rows)
                value.set(name, part->public_value(member));
}

}  // namespace

json::Value public_json(const Whole& whole, const Display& display, const Showing& showing) {
    auto value = shared_json(whole.trip, display, showing);
    if (!display.pricing_type.is_null())
        value.set("pricing_type", display.pricing_type);
    if (!display.price_types.is_null())
        value.set("price_types", display.price_types);
    set_shown(value, whole, showing, true);
    return value;
}

json::Value public_more(const Whole& whole, const Showing& showing) {
    auto value = json::Value::object({{"seasons", seasons_json(whole.trip, Reader::everyone)}});
    set_shown(value, whole, showing, false);
    return value;
}

json::Value staff_json(const Whole& whole, const Display& display, const Showing& showing) {
    const Trip& trip = whole.trip;
    auto value = shared_json(trip, display, showing);
    for (const auto& [name, member] : whole.members)
        value.set(name, member);
    value.set("seasons", seasons_json(trip, Reader::staff));
    value.set("custom_fields", trip.custom_fields);
    value.set("scheduled_publish_at", trip.scheduled_publish_at);
    value.set("scheduled_unpublish_at", trip.scheduled_unpublish_at);
    value.set("revenue_total", trip.revenue_total);
    value.set("last_viewed_at", trip.last_viewed_at);
    value.set("last_booked_at", trip.last_booked_at);
    value.set("version", trip.version);
    value.set("row_version", trip.row_version);
    value.set("created_by", trip.created_by);
    value.set("created_by_name", trip.created_by_name);
    value.set("updated_by", trip.updated_by);
    value.set("updated_by_name", trip.updated_by_name);
    value.set("status_before_trash",
              trip.status_before_trash ? json::Value(name_of(*trip.status_before_trash)) : json::Value());
    value.set("deleted_at", trip.deleted_at);
    return value;
}

namespace {

api::Type seasons_answer() {
    using namespace api;
    using api::text;
    const Schema price{{.name = "category_id", .type = id(), .required = true},
                       {.name = "regular_price", .type = money(), .help = "The list price."},
                       {.name = "sale_price", .type = money().or_null()},
                       {.name = "effective_price", .type = money(), .help = "The price paid."}};
    return list(
        object("Season", {{.name = "from", .type = date(), .help = "First travel date.", .required = true},
                          {.name = "to", .type = date(), .help = "Last travel date.", .required = true},
                          {.name = "regular_price", .type = money().or_null(), .help = "Null: as the trip says."},
                          {.name = "sale_price", .type = money().or_null()},
                          {.name = "effective_price", .type = money().or_null(), .help = "The price paid."},
                          {.name = "price_types", .type = list(object("SeasonPrice", price))},
                          {.name = "seats", .type = integer(1).or_null()},
                          sometimes_sent({.name = "note", .type = text(500), .help = "Staff only."})}));
}

api::Type row_without_parts() {
    using namespace api;
    using api::text;
    std::vector<Field> fields{
        {.name = "id", .type = id(), .required = true},
        {.name = "title", .type = text(255), .required = true},
        {.name = "slug", .type = text(220), .required = true},
        {.name = "permalink", .type = text(2000), .help = "Address of the trip's page."},
        {.name = "status", .type = text(20), .required = true},
        {.name = "short_description", .type = text(500), .help = "Same as summary."},
    };
    for (const TextField& field : text_fields)
        fields.push_back(
            {.name = field.name, .type = raw_text(field.longest).of_kind(meaning_of(field)), .help = field.help});
    const Schema rest{
        {.name = "trip_type", .type = choice({"single_day", "multi_day"})},
        {.name = "duration", .type = integer(0, 365), .help = "Days."},
        {.name = "duration_days", .type = integer(0, 365), .help = "Same as duration."},
        {.name = "duration_nights", .type = integer(0, 365)},
        {.name = "duration_hours", .type = integer(1, 24).or_null()},
        {.name = "duration_label", .type = text(100), .help = "The duration in words."},
        {.name = "pricing_type", .type = choice({"regular", "traveler_based"})},
        {.name = "currency", .type = text(3)},
        {.name = "regular_price", .type = money()},
        {.name = "original_price", .type = money(), .help = "Same as regular_price."},
        {.name = "discounted_price", .type = money().or_null()},
        {.name = "sale_price", .type = money().or_null()},
        {.name = "price_types", .type = list(price_type_answer()), .help = "Prices by traveler category."},
        {.name = "seasons",
         .type = seasons_answer(),
         .help = "Travel dates with their own prices. In lists for staff only."},
        {.name = "display_price", .type = money(), .help = "The displayed price per traveler or group."},
        {.name = "display_regular_price",
         .type = money(),
         .help = "The price before discount, shown with display_price."},
        {.name = "price_prefix", .type = text(20), .help = "\"From\" when categories cost differently, else empty."},
        {.name = "discount_percent", .type = integer(1, 100).or_null(), .help = "Null without a discount."},
        {.name = "price_unit", .type = choice({"per_person", "per_group"})},
        {.name = "price_unit_label", .type = text(200)},
        {.name = "traveler_min_price",
         .type = money().or_null(),
         .help = "Lowest price above 0 of the traveler categories."},
        {.name = "traveler_max_price", .type = money().or_null()},
        {.name = "deposit_amount", .type = money().or_null()},
        {.name = "deposit_percentage", .type = percent().or_null()},
        {.name = "min_travelers", .type = integer(1)},
        {.name = "max_travelers", .type = integer(1).or_null()},
        {.name = "age_min", .type = integer(0, 120).or_null()},
        {.name = "age_max", .type = integer(0, 120).or_null()},
        {.name = "available_from", .type = date().or_null()},
        {.name = "available_to", .type = date().or_null()},
        {.name = "booking_window_days", .type = integer(0, 1095)},
        {.name = "booking_deadline_hours", .type = integer(0, 8760)},
        {.name = "departure_time", .type = time().or_null()},
        {.name = "default_time_slots",
         .type = list(object(
             "DefaultTimeSlot",
             {{.name = "departure_time", .type = time()},
              {.name = "arrival_time", .type = time().or_null()},
              {.name = "arrives_next_day", .type = boolean(), .help = "A one-day trip that arrives on the next day."},
              {.name = "seats", .type = integer(1).or_null()},
              {.name = "price", .type = money().or_null()}}))},
        {.name = "seasonal_enable_date", .type = date().or_null()},
        {.name = "seasonal_disable_date", .type = date().or_null()},
        {.name = "waitlist_enabled",
         .type = boolean().or_null(),
         .help = "false disables the waitlist; otherwise the setting allow_waitlist applies."},
        {.name = "waitlist_capacity", .type = integer(0), .help = "0: unlimited."},
        {.name = "starting_latitude", .type = decimal(-90, 90).or_null()},
        {.name = "starting_longitude", .type = decimal(-180, 180).or_null()},
        {.name = "ending_latitude", .type = decimal(-90, 90).or_null()},
        {.name = "ending_longitude", .type = decimal(-180, 180).or_null()},
        {.name = "featured_priority", .type = choice({"none", "featured", "new", "limited", "bestseller"})},
        {.name = "meal_plan",
         .type = choice({"none", "breakfast", "half_board", "full_board", "all_inclusive"}).or_null()},
        {.name = "difficulty_level", .type = id().or_null()},
        {.name = "featured_image", .type = id().or_null()},
        {.name = "landmarks", .type = list(text(255))},
        {.name = "included_items", .type = included_items()},
        {.name = "excluded_items", .type = included_items()},
        {.name = "frontend_tabs", .type = frontend_tabs()},
        {.name = "testimonial_review_ids", .type = list(id())},
        {.name = "views_count", .type = integer(0)},
        {.name = "bookings_count", .type = integer(0)},
        {.name = "reviews_count", .type = integer(0)},
        {.name = "avg_rating", .type = decimal(0, 5)},
        {.name = "created_at", .type = instant()},
        {.name = "updated_at", .type = instant()},
        {.name = "custom_fields", .type = map(anything()), .help = "Staff only."},
        {.name = "scheduled_publish_at", .type = instant().or_null(), .help = "Staff only."},
        {.name = "scheduled_unpublish_at", .type = instant().or_null(), .help = "Staff only."},
        {.name = "revenue_total", .type = decimal().or_null(), .help = "Staff only; null for guides."},
        {.name = "last_viewed_at", .type = instant().or_null(), .help = "Staff only."},
        {.name = "last_booked_at", .type = instant().or_null(), .help = "Staff only."},
        {.name = "version",
         .type = integer(1),
         .help = "Content version, incremented by each save while published; staff only."},
        {.name = "row_version", .type = integer(1), .help = "For If-Match; staff only."},
        {.name = "created_by", .type = id().or_null(), .help = "Staff only."},
        {.name = "created_by_name", .type = text(255).or_null(), .help = "Staff only."},
        {.name = "updated_by", .type = id().or_null(), .help = "Staff only."},
        {.name = "updated_by_name", .type = text(255).or_null(), .help = "Staff only."},
        {.name = "status_before_trash", .type = text(20).or_null(), .help = "Staff only."},
        {.name = "deleted_at", .type = instant().or_null(), .help = "Staff only."},
    };
    for (const FlagField& field : flag_fields)
        fields.push_back({.name = field.name, .type = boolean(), .help = field.help});
    return object(Schema(std::move(fields)).plus(rest));
}

api::Type with_parts(const Parts& parts, bool rows_only) {
    std::vector<api::Field> more;
    for (const auto& part : parts)
        if (!rows_only || part->in_rows())
            more.push_back({.name = std::string(part->name()), .type = part->answer_type()});
    return api::object(rows_only ? "TripRow" : "Trip", row_without_parts().members->plus(api::Schema(std::move(more))));
}

}  // namespace

api::Type trip_answer(const Parts& parts) { return with_parts(parts, false); }
api::Type trip_row(const Parts& parts) { return with_parts(parts, true); }

}  // namespace svc::catalog::trips
