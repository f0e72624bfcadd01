// The rules between a trip's own fields, applied on every save.
#include "base/catalog/trips/record/change.hpp"

#include <algorithm>
#include <set>

#include "base/catalog/trips/record/faults.hpp"
#include "base/catalog/trips/record/fields.hpp"
#include "base/platform/html/html.hpp"
#include "shared/core/slug.hpp"

namespace svc::catalog::trips {
namespace {

template <class T>
void take(T& field, const std::optional<T>& sent) {
    if (sent)
        field = *sent;
}
template <class T>
void take(std::optional<T>& field, const Sent<T>& sent) {
    if (sent)
        field = *sent;
}
void take(int& field, const Sent<int>& sent, int otherwise) {
    if (sent)
        field = sent->value_or(otherwise);
}

constexpr int longest_trip = 365;  // days

// The rows of the duration's table, in its order.
void take_duration(Trip& trip, const TripChange& change, bool fresh, Faults& faults) {
    const int days = change.duration ? change.duration->value_or(0) : trip.duration_days;
    if (change.trip_type)
        trip.type = *change.trip_type == "single_day" ? TripType::single_day : TripType::multi_day;
    else if (fresh)
        trip.type = days >= 2 || days < 0 ? TripType::multi_day : TripType::single_day;

    if (trip.type == TripType::single_day) {
        trip.duration_days = 1;
        trip.duration_nights = 0;
        take(trip.duration_hours, change.duration_hours);
        if (trip.duration_hours && *trip.duration_hours > 24)
            faults.at("duration_hours", "Enter at most 24 hours."_sentence);
        if (trip.duration_hours && *trip.duration_hours <= 0)
            trip.duration_hours.reset();
        // Days that are sent are no fault: the trip has one, and more than one clear its hours (spec 2.2).
        if (change.duration && days > 1)
            trip.duration_hours.reset();
        return;
    }
    trip.duration_hours.reset();
    if (days < 0 || days > longest_trip)
        return faults.at("duration", "This must be 0 to {most} days."_sentence.with("most", longest_trip));
    const bool same_length = days == trip.duration_days && !fresh;
    trip.duration_days = days;
    const int usual = std::max(days - 1, 0);
    if (change.duration_nights)
        trip.duration_nights = change.duration_nights->value_or(usual);
    else if (!same_length)
        trip.duration_nights = usual;
    if (days >= 2 && (trip.duration_nights < 0 || trip.duration_nights >= days))
        faults.at("duration_nights", "Enter fewer nights than days."_sentence);
    if (days < 2)
        trip.duration_nights = usual;
}

void take_limits(Trip& trip, const TripChange& change, Faults& faults) {
    take(trip.min_travelers, change.min_travelers, 1);
    take(trip.max_travelers, change.max_travelers);
    take(trip.age_min, change.age_min);
    take(trip.age_max, change.age_max);
    take(trip.booking_window_days, change.booking_window_days, 30);
    take(trip.booking_deadline_hours, change.booking_deadline_hours, 24);
    take(trip.waitlist_capacity, change.waitlist_capacity, 0);
    take(trip.waitlist_enabled, change.waitlist_enabled);
    take(trip.available_from, change.available_from);
    take(trip.available_to, change.available_to);
    take(trip.seasonal_enable_date, change.seasonal_enable_date);
    take(trip.seasonal_disable_date, change.seasonal_disable_date);
    take(trip.departure_time, change.departure_time);
    take(trip.scheduled_publish_at, change.scheduled_publish_at);
    take(trip.scheduled_unpublish_at, change.scheduled_unpublish_at);
    if (trip.max_travelers && *trip.max_travelers < trip.min_travelers)
        faults.at("max_travelers", "This must not be below min_travelers."_sentence);
    if (trip.age_min && trip.age_max && *trip.age_max < *trip.age_min)
        faults.at("age_max", "This must not be below age_min."_sentence);
    if (trip.available_from && trip.available_to && *trip.available_to < *trip.available_from)
        faults.at("available_to", "This must not be before available_from."_sentence);
    if (trip.scheduled_publish_at && trip.scheduled_unpublish_at &&
        *trip.scheduled_unpublish_at <= *trip.scheduled_publish_at)
        faults.at("scheduled_unpublish_at", "This must be after scheduled_publish_at."_sentence);
}

void take_slots(Trip& trip, const TripChange& change, Faults& faults) {
    if (!change.default_time_slots)
        return;
    trip.time_slots.clear();
    std::size_t number = 0;
    for (const TimeSlotChange& slot : *change.default_time_slots) {
        const std::string path = "default_time_slots." + std::to_string(++number) + ".";
        TimeSlot taken{slot.departure_time, slot.arrival_time, slot.seats, {}};
        take_money(taken.price, Sent<std::string>(slot.price), trip.currency, path + "price", faults);
        for (const TimeSlot& other : trip.time_slots)
            if (other.departure_time == slot.departure_time)
                faults.at(path + "departure_time", "This time is listed twice."_sentence);
        trip.time_slots.push_back(taken);
    }
    std::sort(trip.time_slots.begin(), trip.time_slots.end(),
              [](const TimeSlot& a, const TimeSlot& b) { return a.departure_time < b.departure_time; });
}

void take_status(Trip& trip, const TripChange& change) {
    if (!change.status)
        return;
    const TripStatus new_status = trip_status(*change.status).value();
    if (new_status == trip.status && !change.by_season)
        return;  // a form sends the status unchanged: a trip archived by season is published by season
    trip.status = new_status;
    trip.status_before_trash.reset();
    trip.deleted_at.reset();
    trip.archived_by_season = change.by_season;
}

bool is_web_address(const std::string& text) {
    return (text.rfind("https://", 0) == 0 || text.rfind("http://", 0) == 0) && text.size() > 8 &&
           text.find_first_of(" \"<>") == std::string::npos;
}

void take_texts(Trip& trip, const TripChange& change, bool fresh, Faults& faults) {
    take(trip.title, change.title);
    if (trip.title.empty())
        faults.at("title", "This field is required."_sentence);
    for (const TextField& field : text_fields) {
        const auto& sent = change.*field.sent;
        if (!sent)
            continue;
        switch (field.kind) {
            case TextField::Kind::line:
                trip.*field.stored = *sent;
                break;
            case TextField::Kind::lines:
                trip.*field.stored = text::clean_lines(*sent);
                break;
            case TextField::Kind::rich:
                trip.*field.stored = html::clean_html(text::clean_lines(*sent));
                break;
            case TextField::Kind::url:
                if (!sent->empty() && !is_web_address(*sent))
                    faults.at(field.name, "Enter an address that begins with http:// or https://."_sentence);
                trip.*field.stored = *sent;
                break;
        }
    }
    if (change.slug && !change.slug->empty()) {
        trip.slug = text::slug_of(*change.slug, text::longest_slug);
        if (trip.slug.empty())
            faults.at("slug", "A slug must contain letters or digits."_sentence);
    } else if (fresh || change.slug) {
        trip.slug = text::slug_of(trip.title, text::longest_slug);
        if (trip.slug.empty())
            trip.slug = "trip";
    }
}

void take_marks(Trip& trip, const TripChange& change) {
    for (const FlagField& field : flag_fields)
        if (const auto& sent = change.*field.sent)
            trip.*field.stored = sent->value_or(false);
    take(trip.featured_priority, change.featured_priority);
    take(trip.meal_plan, change.meal_plan);
    take(trip.difficulty_level_id, change.difficulty_level);
    take(trip.featured_image_id, change.featured_image);
}

// Cleans markup in members of open shapes like the trip's own texts.
void clean_members(json::Value& items, std::string_view name, std::string (*cleaned)(std::string_view)) {
    for (json::Value& item : items.items())
        if (const auto* value = item.find(name); value && value->is_string())
            item.set(std::string(name), cleaned(value->text()));
}

void take_json(Trip& trip, const TripChange& change, Faults& faults) {
    for (const JsonField& field : json_fields)
        if (const auto& sent = change.*field.sent) {
            if (!sent->is_null())
                trip.*field.stored = *sent;
            else
                trip.*field.stored =
                    field.stored == &Trip::custom_fields ? json::Value::object() : json::Value::array();
        }
    clean_members(trip.included_items, "description", text::clean_lines);
    clean_members(trip.excluded_items, "description", text::clean_lines);
    clean_members(trip.frontend_tabs, "custom_content", html::clean_html);
    if (change.frontend_tabs) {
        std::set<std::string> tabs;
        for (std::size_t i = 0; i < trip.frontend_tabs.size(); ++i)
            if (!tabs.insert(trip.frontend_tabs[i].text_or("id")).second)
                faults.at("frontend_tabs." + std::to_string(i + 1) + ".id", "This tab is listed twice."_sentence);
    }
    if (change.testimonial_review_ids) {
        std::set<std::int64_t> reviews;
        for (std::size_t i = 0; i < trip.testimonial_review_ids.size(); ++i)
            if (!reviews.insert(trip.testimonial_review_ids[i].integer()).second)
                faults.at("testimonial_review_ids." + std::to_string(i + 1), "This item is listed twice."_sentence);
    }
    for (const auto& [key, value] : trip.custom_fields.members())
        if (value.is_array() || value.is_object())
            faults.at("custom_fields." + key, "Enter a text, a number, true or false."_sentence);
}

bool costs_nothing(const Trip& trip) {
    return trip.traveler_based ? !trip.shown_price_type() : trip.regular_price.is_zero();
}

void check_published(const Trip& trip, bool may_be_free, Faults& faults) {
    if (trip.status != TripStatus::publish)
        return;
    if (trip.traveler_based && (trip.price_types.empty() || (!may_be_free && costs_nothing(trip))))
        faults.at("price_types", "To publish the trip, enter a category price above 0 or set allow_free."_sentence);
    else if (!may_be_free && costs_nothing(trip))
        faults.at("regular_price", "To publish the trip, enter a price above 0 or set allow_free."_sentence);
    if (trip.type == TripType::multi_day && trip.duration_days < 2)
        faults.at("duration", "To publish a multi-day trip, enter at least 2 days."_sentence);
}

}  // namespace

Result<Trip> changed(Trip trip, const TripChange& change, bool fresh) {
    Faults faults;
    const bool is_free_already = trip.status == TripStatus::publish && costs_nothing(trip);
    take_texts(trip, change, fresh, faults);
    take_status(trip, change);
    take_prices(trip, change, faults);
    take_duration(trip, change, fresh, faults);
    take_limits(trip, change, faults);
    take_slots(trip, change, faults);
    take_place(trip.start, change.starting_latitude, change.starting_longitude, "starting", faults);
    take_place(trip.end, change.ending_latitude, change.ending_longitude, "ending", faults);
    take_marks(trip, change);
    take_json(trip, change, faults);
    take_seasons(trip, change, faults);
    check_published(trip, change.allow_free || is_free_already, faults);
    SVC_RETURN_IF_ERROR(faults.outcome());
    return trip;
}

}  // namespace svc::catalog::trips
