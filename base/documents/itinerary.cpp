// The itinerary: the trip by day, and information for travelers.
#include "base/catalog/itineraries/itinerary.hpp"

#include "base/documents/document.hpp"

namespace svc::documents {
namespace {

using json::Value;

void head(Blocks& blocks, std::string text) {
    blocks.emplace_back(pdf::Paragraph{std::move(text), pdf::Face::heading});
}

void rich(Blocks& blocks, std::string_view html) {
    for (Paragraph& one : paragraphs_of(html))
        blocks.emplace_back(pdf::Paragraph{.text = std::move(one.text), .listed = one.is_item});
}

// Texts, or objects with a title and perhaps a description.
void listed(Blocks& blocks, const char* title, const Value& items) {
    if (!items.is_array())
        return;
    Blocks section;
    for (const Value& item : items.items()) {
        std::string text = item.is_string() ? item.text() : item.text_or("title");
        if (const std::string more = item.is_string() ? "" : item.text_or("description"); !more.empty())
            text += ": " + more;
        if (!text.empty())
            section.emplace_back(pdf::Paragraph{.text = std::move(text), .listed = true});
    }
    add_section(blocks, title, std::move(section));
}

void add_entry(Blocks& blocks, const Value& entry) {
    std::string title = entry.text_or("title");
    if (title.empty())
        title = entry.text_or("item_name");
    if (const std::string time = entry.text_or("time"); !time.empty())
        title = time + "  " + title;
    if (const std::string place = entry.text_or("location"); !place.empty())
        title += " (" + place + ")";
    if (!title.empty())
        blocks.emplace_back(pdf::Paragraph{std::move(title), pdf::Face::strong});
    rich(blocks, entry.text_or("description"));
    if (const std::string notes = entry.text_or("notes"); !notes.empty())
        blocks.emplace_back(pdf::Paragraph{notes, pdf::Face::small});
}

void add_days(Blocks& blocks, const Material& material) {
    const Value& days = material.trip_members["itinerary_days"];
    if (!days.is_array() || days.size() == 0)
        return;
    head(blocks, "Day by day");
    for (const Value& day : days.items()) {
        if (blocks.size() > pdf::most_blocks)
            return;
        const std::int64_t number = day.maybe_integer("day_number").value_or(1);
        std::string title = "Day " + std::to_string(number);
        if (number >= 1 && number <= catalog::itineraries::most_days)
            title += ", " + material.look.day(material.booking.travel_date.plus_days(static_cast<int>(number) - 1));
        if (const std::string name = day.text_or("title"); !name.empty())
            title += ": " + name;
        head(blocks, std::move(title));
        rich(blocks, day.text_or("description"));
        if (const Value& entries = day["entries"]; entries.is_array())
            for (const Value& entry : entries.items())
                if (entry.text_or("status", "publish") == "publish")
                    add_entry(blocks, entry);
    }
}

void add_information(Blocks& blocks, const catalog::trips::Trip& trip) {
    std::string age;
    if (trip.age_min)
        age = "From " + std::to_string(*trip.age_min) + " years";
    if (trip.age_max)
        age += (age.empty() ? "Up to " : " to ") + std::to_string(*trip.age_max) + " years";
    const std::pair<const char*, std::string> texts[] = {
        {"Physical requirements", trip.physical_requirements},
        {"Visa", trip.visa_requirements},
        {"Vaccination", trip.vaccination_requirements},
        {"Age", age},
        {"Accommodation", trip.accommodation_type +
                              (trip.accommodation_type.empty() || trip.accommodation_details.empty() ? "" : ". ") +
                              trip.accommodation_details},
        {"Meals", status_label(trip.meal_plan.value_or(""))},
        {"Transport", trip.transportation_details.empty() && trip.transportation_included
                          ? "Transport is included."
                          : trip.transportation_details},
        {"Cancellation policy", trip.cancellation_policy}};
    pdf::Facts facts;
    for (const auto& [name, text] : texts)
        facts.values.emplace_back(name, text);
    add_section(blocks, "Important information", {std::move(facts)});
}

}  // namespace

Sheet itinerary(const Material& material) {
    const booking::Booking& booking = material.booking;
    pdf::Facts facts;
    add_travel_days(facts, material);
    facts.values.emplace_back("Travelers", std::to_string(booking.travelers_count));
    facts.values.emplace_back("Booking reference", booking.reference);
    facts.values.emplace_back("Status", status_label(booking.status));
    facts.values.emplace_back("Verification code", material.verification_code);
    Sheet sheet{.head = {.kind = "Itinerary",
                         .number = booking.trip_title,
                         .addressee_label = "For",
                         .addressee = addressee({.name = booking.customer_name()}),
                         .facts = std::move(facts),
                         .code = material.verification_code},
                .blocks = {}};
    if (!material.trip)
        return sheet;
    const catalog::trips::Trip& trip = *material.trip;
    Blocks about;
    rich(about, trip.description);
    if (about.empty())
        about.emplace_back(pdf::Paragraph{trip.summary});
    add_section(sheet.blocks, "About the trip", std::move(about));
    listed(sheet.blocks, "Highlights", material.trip_members["highlights"]);
    add_days(sheet.blocks, material);
    listed(sheet.blocks, "Included", trip.included_items);
    listed(sheet.blocks, "Not included", trip.excluded_items);
    add_information(sheet.blocks, trip);
    return sheet;
}

}  // namespace svc::documents
