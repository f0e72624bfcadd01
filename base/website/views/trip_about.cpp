// Pictures and texts of a trip's page.
#include <set>

#include "base/platform/html/html.hpp"
#include "base/website/views/trip_model.hpp"

namespace svc::pages {

using json::Value;

namespace {

Value gallery_of(const Views& views, const Value& trip) {
    Value pictures = Value::array();
    std::set<std::string> seen;
    const auto add = [&](const std::string& url, const std::string& alt, const Value& srcset) {
        constexpr std::size_t shown_at_first = 5;  // one large, four small
        if (!url.empty() && seen.insert(url).second)
            pictures.push(Value::object({{"url", views.local(url)},
                                         {"alt", alt.empty() ? trip.text_or("title") : alt},
                                         {"srcset", views.srcset(srcset)},
                                         {"first", pictures.size() == 0},
                                         {"in_view", pictures.size() < shown_at_first}}));
    };
    add(trip.text_or("featured_image_url"), trip.text_or("title"), trip["featured_image_srcset"]);
    for (const Value& each : list_of(trip["gallery_images"]))
        if (each.text_or("kind") == "image")
            add(each.text_or("url"), each.text_or("alt_text"), each["srcset"]);
    return pictures;
}

Value itinerary_of(const Value& trip) {
    Value days = Value::array();
    for (const Value& day : list_of(trip["itinerary_days"])) {
        Value entries = Value::array();
        for (const Value& each : day["entries"].items())
            entries.push(Value::object({{"title", each["title"]},
                                        {"time", each["time"]},
                                        {"kind", each["item_type_name"]},
                                        {"location", each["location"]},
                                        {"text_html", each.text_or("description")}}));
        days.push(Value::object({{"number", day["day_number"]},
                                 {"title", day["title"]},
                                 {"text_html", day.text_or("description")},
                                 {"first", days.size() == 0},
                                 {"has_entries", entries.size() > 0},
                                 {"entries", std::move(entries)}}));
    }
    return days;
}

// Texts that a trip may have, under the headings that visitors look for.
Value notes_of(const Value& trip, const Format& words) {
    Value notes = Value::array();
    const auto add = [&](const char* member, const std::string& heading) {
        if (const std::string text = trip.text_or(member); !text.empty())
            notes.push(
                Value::object({{"heading", heading},
                               {"text_html", text.find('<') == std::string::npos ? "<p>" + html::escaped(text) + "</p>"
                                                                                 : html::clean_html(text)}}));
    };
    add("what_makes_special", words.say_text("What makes it special"));
    add("accommodation_type", words.say_text("Where you stay"));
    add("accommodation_details", words.say_text("About the rooms"));
    add("transportation_details", words.say_text("Getting around"));
    add("pickup_location", words.say_text("Pick-up"));
    add("dropoff_location", words.say_text("Drop-off"));
    add("physical_requirements", words.say_text("How fit you should be"));
    add("visa_requirements", words.say_text("Visa"));
    add("vaccination_requirements", words.say_text("Vaccinations"));
    add("payment_terms", words.say_text("Paying"));
    add("cancellation_policy", words.say_text("Cancelling"));
    return notes;
}

}  // namespace

Value about_of(const Views& views, const Value& trip, const Format& words) {
    Value about = Value::object({{"gallery", gallery_of(views, trip)}});
    about.set("many_pictures", about["gallery"].size() > 1);
    about.set("text_html", trip.text_or("description"));
    Value highlights = Value::array();
    for (const Value& each : list_of(trip["highlight_details"]))
        highlights.push(Value::object({{"title", each["title"]}, {"text", each["description"]}}));
    about.set("highlights", std::move(highlights));
    about.set("days", itinerary_of(trip));
    about.set("included", trip["included_items"]);
    about.set("excluded", trip["excluded_items"]);
    about.set("has_lists", trip["included_items"].size() + trip["excluded_items"].size() > 0);
    about.set("notes", notes_of(trip, words));
    Value faqs = Value::array();
    for (const Value& each : list_of(trip["faqs"]))
        faqs.push(Value::object({{"question", each["question"]}, {"answer_html", each.text_or("answer")}}));
    about.set("faqs", std::move(faqs));
    Value downloads = Value::array();
    for (const Value& each : list_of(trip["downloadable_items"]))
        if (each.text_or("visibility") == "public")
            downloads.push(Value::object(
                {{"title", each["title"]}, {"url", "/svc/v1/downloads/" + std::to_string(each["id"].integer())}}));
    about.set("downloads", std::move(downloads));
    for (const auto& [flag, member] : {std::pair{"has_highlights", "highlights"},
                                       {"has_days", "days"},
                                       {"has_notes", "notes"},
                                       {"has_faqs", "faqs"},
                                       {"has_downloads", "downloads"},
                                       {"has_included", "included"},
                                       {"has_excluded", "excluded"}})
        about.set(flag, about[member].size() > 0);
    return about;
}

}  // namespace svc::pages
