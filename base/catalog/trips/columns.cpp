// A trip from its row and back.
#include "base/catalog/trips/columns.hpp"

#include "shared/core/log.hpp"
#include "shared/core/words.hpp"

namespace svc::catalog::trips::rows {
namespace {

// Reads a row's columns one after the other.
class Cursor {
  public:
    explicit Cursor(const store::Row& row) : row_(row) {}
    std::string text() { return row_.text(at_++); }
    std::int64_t integer() { return row_.integer(at_++); }
    int number() { return static_cast<int>(integer()); }
    bool flag() { return integer() != 0; }
    std::optional<std::int64_t> maybe_integer() { return row_.maybe_integer(at_++); }
    std::optional<int> maybe_number() {
        const auto value = maybe_integer();
        return value ? std::optional(static_cast<int>(*value)) : std::nullopt;
    }
    std::optional<bool> maybe_flag() {
        const auto value = maybe_integer();
        return value ? std::optional(*value != 0) : std::nullopt;
    }
    std::optional<std::string> maybe_text() { return row_.maybe_text(at_++); }
    std::optional<Date> maybe_date() { return row_.maybe_date(at_++); }
    std::optional<Instant> maybe_instant() { return row_.maybe_instant(at_++); }
    std::optional<Money> maybe_money(Currency currency) {
        const auto minor = maybe_integer();
        return minor ? std::optional(Money{*minor, currency}) : std::nullopt;
    }
    // A value that cannot be read is the empty one, so that one broken row does not hide a catalogue.
    json::Value value(json::Value empty) {
        const std::string stored = text();
        auto parsed = json::parse(stored, {.depth = 32, .elements = 100'000, .text = 1 << 20});
        if (parsed && parsed->kind() == empty.kind())
            return std::move(*parsed);
        log::warning("a column of a trip holds no JSON of its kind; read as empty", {});
        return empty;
    }

  private:
    const store::Row& row_;
    std::size_t at_ = 0;
};

void read_texts(Trip& trip, Cursor& row) {
    for (auto member : {&Trip::title,
                        &Trip::slug,
                        &Trip::summary,
                        &Trip::description,
                        &Trip::trip_details,
                        &Trip::what_makes_special,
                        &Trip::trip_story,
                        &Trip::payment_terms,
                        &Trip::cancellation_policy,
                        &Trip::starting_location,
                        &Trip::ending_location,
                        &Trip::seasonal_availability,
                        &Trip::best_season,
                        &Trip::peak_season,
                        &Trip::off_season,
                        &Trip::physical_requirements,
                        &Trip::visa_requirements,
                        &Trip::vaccination_requirements,
                        &Trip::accommodation_type,
                        &Trip::accommodation_details,
                        &Trip::transportation_details,
                        &Trip::pickup_location,
                        &Trip::dropoff_location,
                        &Trip::video_url,
                        &Trip::virtual_tour_url,
                        &Trip::meta_title,
                        &Trip::meta_description,
                        &Trip::meta_keywords})
        trip.*member = row.text();
}

std::optional<Place> read_place(Cursor& row) {
    const auto latitude = row.maybe_integer(), longitude = row.maybe_integer();
    return latitude && longitude ? std::optional(Place{{*latitude}, {*longitude}}) : std::nullopt;
}

void read_prices(Trip& trip, Cursor& row) {
    trip.traveler_based = row.text() == "traveler_based";
    trip.currency = Currency::parse(row.text()).value();
    trip.regular_price = Money{row.integer(), trip.currency};
    trip.discounted_price = row.maybe_money(trip.currency);
    trip.sale_price = row.maybe_money(trip.currency);
    trip.deposit_amount = row.maybe_money(trip.currency);
    if (const auto ppm = row.maybe_integer())
        trip.deposit_percentage = Rate{*ppm};
}

void read_limits(Trip& trip, Cursor& row) {
    trip.min_travelers = row.number();
    trip.max_travelers = row.maybe_number();
    trip.age_min = row.maybe_number();
    trip.age_max = row.maybe_number();
    trip.available_from = row.maybe_date();
    trip.available_to = row.maybe_date();
    trip.booking_window_days = row.number();
    trip.booking_deadline_hours = row.number();
    if (const auto time = row.maybe_text())
        trip.departure_time = ClockTime::parse(*time);
    trip.has_default_time_slots = row.flag();
    trip.seasonal_auto_enable = row.flag();
    trip.seasonal_enable_date = row.maybe_date();
    trip.seasonal_disable_date = row.maybe_date();
}

void read_counters(Trip& trip, Cursor& row) {
    trip.id = row.integer();
    trip.views_count = row.integer();
    trip.bookings_count = row.integer();
    trip.reviews_count = row.integer();
    trip.avg_rating_hundredths = row.integer();
    trip.revenue_total = Money{row.integer(), trip.currency};
    trip.last_viewed_at = row.maybe_instant();
    trip.last_booked_at = row.maybe_instant();
    trip.row_version = row.integer();
    trip.counts_version = row.integer();
    trip.created_at = Instant::from_micros(row.integer());
    trip.created_by = row.maybe_integer();
    trip.deleted_at = row.maybe_instant();
    trip.created_by_name = row.maybe_text();
    trip.updated_by_name = row.maybe_text();
}

std::optional<std::int64_t> minor_of(const std::optional<Money>& money) {
    return money ? std::optional(money->minor()) : std::nullopt;
}
std::optional<std::int64_t> wide(const std::optional<int>& number) {
    return number ? std::optional<std::int64_t>(*number) : std::nullopt;
}

}  // namespace

Trip read(const store::Row& stored) {
    Trip trip;
    Cursor row(stored);
    read_texts(trip, row);
    trip.status = trip_status(row.text()).value();
    if (const auto before = row.maybe_text())
        trip.status_before_trash = trip_status(*before);
    trip.archived_by_season = row.flag();
    trip.scheduled_publish_at = row.maybe_instant();
    trip.scheduled_unpublish_at = row.maybe_instant();
    trip.type = row.text() == "single_day" ? TripType::single_day : TripType::multi_day;
    trip.duration_days = row.number();
    trip.duration_nights = row.number();
    trip.duration_hours = row.maybe_number();
    trip.start = read_place(row);
    trip.end = read_place(row);
    read_prices(trip, row);
    read_limits(trip, row);
    trip.difficulty_level_id = row.maybe_integer();
    trip.featured_priority = row.text();
    trip.is_featured = row.flag();
    trip.meal_plan = row.maybe_text();
    trip.transportation_included = row.flag();
    trip.featured_image_id = row.maybe_integer();
    trip.waitlist_enabled = row.maybe_flag();
    trip.waitlist_capacity = row.number();
    trip.landmarks = row.value(json::Value::array());
    trip.included_items = row.value(json::Value::array());
    trip.excluded_items = row.value(json::Value::array());
    trip.frontend_tabs = row.value(json::Value::array());
    trip.custom_fields = row.value(json::Value::object());
    trip.testimonial_review_ids = row.value(json::Value::array());
    trip.version = row.integer();
    trip.updated_at = Instant::from_micros(row.integer());
    trip.updated_by = row.maybe_integer();
    read_counters(trip, row);
    return trip;
}

store::Params values_of(const Trip& trip) {
    const auto degrees = [](const std::optional<Place>& place, Degrees Place::*angle) {
        return place ? std::optional(((*place).*angle).e7) : std::nullopt;
    };
    return {{"title", trip.title},
            {"slug", trip.slug},
            {"short_description", trip.summary},
            {"description", trip.description},
            {"trip_details", trip.trip_details},
            {"what_makes_special", trip.what_makes_special},
            {"trip_story", trip.trip_story},
            {"payment_terms", trip.payment_terms},
            {"cancellation_policy", trip.cancellation_policy},
            {"starting_location", trip.starting_location},
            {"ending_location", trip.ending_location},
            {"seasonal_availability", trip.seasonal_availability},
            {"best_season", trip.best_season},
            {"peak_season", trip.peak_season},
            {"off_season", trip.off_season},
            {"physical_requirements", trip.physical_requirements},
            {"visa_requirements", trip.visa_requirements},
            {"vaccination_requirements", trip.vaccination_requirements},
            {"accommodation_type", trip.accommodation_type},
            {"accommodation_details", trip.accommodation_details},
            {"transportation_details", trip.transportation_details},
            {"pickup_location", trip.pickup_location},
            {"dropoff_location", trip.dropoff_location},
            {"video_url", trip.video_url},
            {"virtual_tour_url", trip.virtual_tour_url},
            {"meta_title", trip.meta_title},
            {"meta_description", trip.meta_description},
            {"meta_keywords", trip.meta_keywords},
            {"title_folded", text::title_order(trip.title)},
            {"status", name_of(trip.status)},
            {"status_before_trash",
             trip.status_before_trash ? std::optional(name_of(*trip.status_before_trash)) : std::nullopt},
            {"archived_by_season", trip.archived_by_season},
            {"scheduled_publish_at", trip.scheduled_publish_at},
            {"scheduled_unpublish_at", trip.scheduled_unpublish_at},
            {"trip_type", name_of(trip.type)},
            {"duration_days", trip.duration_days},
            {"duration_nights", trip.duration_nights},
            {"duration_hours", wide(trip.duration_hours)},
            {"starting_latitude", degrees(trip.start, &Place::latitude)},
            {"starting_longitude", degrees(trip.start, &Place::longitude)},
            {"ending_latitude", degrees(trip.end, &Place::latitude)},
            {"ending_longitude", degrees(trip.end, &Place::longitude)},
            {"pricing_type", trip.traveler_based ? "traveler_based" : "regular"},
            {"currency", trip.currency.code()},
            {"regular_price_minor", trip.regular_price.minor()},
            {"discounted_price_minor", minor_of(trip.discounted_price)},
            {"sale_price_minor", minor_of(trip.sale_price)},
            {"deposit_amount_minor", minor_of(trip.deposit_amount)},
            {"deposit_percentage_ppm",
             trip.deposit_percentage ? std::optional(trip.deposit_percentage->ppm) : std::nullopt},
            {"min_travelers", trip.min_travelers},
            {"max_travelers", wide(trip.max_travelers)},
            {"age_min", wide(trip.age_min)},
            {"age_max", wide(trip.age_max)},
            {"available_from", trip.available_from},
            {"available_to", trip.available_to},
            {"booking_window_days", trip.booking_window_days},
            {"booking_deadline_hours", trip.booking_deadline_hours},
            {"departure_time", trip.departure_time},
            {"has_default_time_slots", trip.has_default_time_slots},
            {"seasonal_auto_enable", trip.seasonal_auto_enable},
            {"seasonal_enable_date", trip.seasonal_enable_date},
            {"seasonal_disable_date", trip.seasonal_disable_date},
            {"difficulty_level_id", trip.difficulty_level_id},
            {"featured_priority", trip.featured_priority},
            {"is_featured", trip.is_featured},
            {"meal_plan", trip.meal_plan},
            {"transportation_included", trip.transportation_included},
            {"featured_image_id", trip.featured_image_id},
            {"waitlist_enabled", trip.waitlist_enabled},
            {"waitlist_capacity", trip.waitlist_capacity},
            {"landmarks", trip.landmarks.dump()},
            {"included_items", trip.included_items.dump()},
            {"excluded_items", trip.excluded_items.dump()},
            {"frontend_tabs", trip.frontend_tabs.dump()},
            {"custom_fields", trip.custom_fields.dump()},
            {"testimonial_review_ids", trip.testimonial_review_ids.dump()},
            {"version", trip.version},
            {"updated_at", trip.updated_at},
            {"updated_by", trip.updated_by}};
}

}  // namespace svc::catalog::trips::rows
