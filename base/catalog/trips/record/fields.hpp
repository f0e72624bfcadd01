// The texts of a trip with their limits, for validator, OpenAPI, rules and answers.
#pragma once

#include <array>

#include "base/catalog/trips/record/change.hpp"
#include "shared/api/schema.hpp"

namespace svc::catalog::trips {

struct TextField {
    enum class Kind : std::uint8_t { line, lines, rich, url };
    const char* name;  // on the wire
    std::string Trip::*stored;
    std::optional<std::string> TripChange::*sent;
    Kind kind;
    std::size_t longest;  // code points
    const char* help;
    const char* also = nullptr;  // an older name
};

inline api::FieldKind meaning_of(const TextField& field) {
    switch (field.kind) {
        case TextField::Kind::rich:
            return api::FieldKind::html;
        case TextField::Kind::url:
            return api::FieldKind::url;
        case TextField::Kind::lines:
            return api::FieldKind::lines;
        case TextField::Kind::line:
            break;
    }
    return api::FieldKind::none;
}

inline constexpr std::size_t longest_text = 64 * 1024;

#define SVC_TEXT(name, kind, longest, help) \
    TextField { #name, &Trip::name, &TripChange::name, TextField::Kind::kind, longest, help }
inline const std::array text_fields{
    TextField{"summary", &Trip::summary, &TripChange::summary, TextField::Kind::line, 500,
              "Short description in plain text.", "short_description"},
    SVC_TEXT(description, rich, longest_text, "Description of the trip."),
    SVC_TEXT(trip_details, rich, longest_text, "Further details of the trip."),
    SVC_TEXT(what_makes_special, rich, longest_text, "What makes the trip special."),
    SVC_TEXT(trip_story, rich, longest_text, "The story of the trip."),
    SVC_TEXT(payment_terms, lines, longest_text, "Plain text shown with the price."),
    SVC_TEXT(cancellation_policy, lines, longest_text, "Plain text."),
    SVC_TEXT(starting_location, line, 255, "Place of departure."),
    SVC_TEXT(ending_location, line, 255, "Place of arrival."),
    SVC_TEXT(seasonal_availability, line, 255, "Seasonal availability in words."),
    SVC_TEXT(best_season, line, 255, "Best season in words."),
    SVC_TEXT(peak_season, line, 255, "Peak season in words."),
    SVC_TEXT(off_season, line, 255, "Off-season in words."),
    SVC_TEXT(physical_requirements, lines, longest_text, "Plain text."),
    SVC_TEXT(visa_requirements, lines, longest_text, "Plain text."),
    SVC_TEXT(vaccination_requirements, lines, longest_text, "Plain text."),
    SVC_TEXT(accommodation_type, line, 100, "Type of accommodation, such as hotel, tent or boat."),
    SVC_TEXT(accommodation_details, lines, longest_text, "Plain text."),
    SVC_TEXT(transportation_details, lines, longest_text, "Plain text."),
    SVC_TEXT(pickup_location, line, 255, "Pick-up location."),
    SVC_TEXT(dropoff_location, line, 255, "Drop-off location."),
    SVC_TEXT(video_url, url, 2000, "An http or https address."),
    SVC_TEXT(virtual_tour_url, url, 2000, "An http or https address."),
    SVC_TEXT(meta_title, line, 255, "For search engines."),
    SVC_TEXT(meta_description, lines, longest_text, "For search engines."),
    SVC_TEXT(meta_keywords, lines, longest_text, "For search engines."),
};
#undef SVC_TEXT

// Flags, null is false.
struct FlagField {
    const char* name;
    bool Trip::*stored;
    Sent<bool> TripChange::*sent;
    const char* help;
};
inline const std::array flag_fields{
    FlagField{"has_default_time_slots", &Trip::has_default_time_slots, &TripChange::has_default_time_slots,
              "Offer each day at the times of default_time_slots."},
    FlagField{"seasonal_auto_enable", &Trip::seasonal_auto_enable, &TripChange::seasonal_auto_enable,
              "Publish and archive the trip each year on the two dates below."},
    FlagField{"is_featured", &Trip::is_featured, &TripChange::is_featured, "Show before other trips."},
    FlagField{"transportation_included", &Trip::transportation_included, &TripChange::transportation_included,
              "The price includes transport."},
};

// Open shapes that are stored as JSON. Null clears.
struct JsonField {
    const char* name;
    json::Value Trip::*stored;
    std::optional<json::Value> TripChange::*sent;
};
inline const std::array json_fields{
    JsonField{"landmarks", &Trip::landmarks, &TripChange::landmarks},
    JsonField{"included_items", &Trip::included_items, &TripChange::included_items},
    JsonField{"excluded_items", &Trip::excluded_items, &TripChange::excluded_items},
    JsonField{"frontend_tabs", &Trip::frontend_tabs, &TripChange::frontend_tabs},
    JsonField{"custom_fields", &Trip::custom_fields, &TripChange::custom_fields},
    JsonField{"testimonial_review_ids", &Trip::testimonial_review_ids, &TripChange::testimonial_review_ids},
};

}  // namespace svc::catalog::trips
