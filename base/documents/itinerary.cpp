// The itinerary: the trip day by day, and what a traveler should know before.
#include "base/catalog/itineraries/itinerary.hpp"

#include "base/documents/document.hpp"

namespace svc::documents {
namespace {

using Blocks = std::vector<pdf::Block>;
using json::Value;

void head(Blocks& blocks, std::string text) {
    blocks.emplace_back(pdf::Paragraph{std::move(text), pdf::Face::heading});
}

void rich(Blocks& blocks, std::string_view html) {
    for (std::string& paragraph : paragraphs_of(html))
        blocks.emplace_back(pdf::Paragraph{std::move(paragraph)});
}

// Texts, or objects with a title and perhaps a description.
void listed(Blocks& blocks, const char* title, const Value& items) {
    if (!items.is_array() || items.size() == 0)
        return;
    head(blocks, title);
    for (const Value& item : items.items()) {
        std::string text = item.is_string() ? item.text() : item.text_or("title");
        if (const std::string more = item.is_string() ? "" : item.text_or("description"); !more.empty())
            text += ": " + more;
        blocks.emplace_back(pdf::Paragraph{.text = std::move(text), .listed = true});
    }
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
    bool any = false;
    for (const auto& [name, text] : texts) {
        facts.values.emplace_back(name, text);
        any = any || !text.empty();
    }
    if (!any)
        return;
    head(blocks, "Important information");
    blocks.emplace_back(std::move(facts));
}

}  // namespace

std::vector<pdf::Block> itinerary(const Material& material) {
    const booking::Booking& booking = material.booking;
    Blocks blocks{pdf::Paragraph{booking.trip_title, pdf::Face::title}};
    pdf::Facts facts = travel_facts(material);
    facts.values.emplace_back("Travelers", std::to_string(booking.travelers_count));
    facts.values.emplace_back("Booking reference", booking.reference);
    facts.values.emplace_back("Customer", booking.customer_name());
    facts.values.emplace_back("Status", status_label(booking.status));
    blocks.emplace_back(std::move(facts));
    if (!material.trip)
        return blocks;
    const catalog::trips::Trip& trip = *material.trip;
    if (!trip.description.empty() || !trip.summary.empty()) {
        head(blocks, "About the trip");
        if (trip.description.empty())
            blocks.emplace_back(pdf::Paragraph{trip.summary});
        else
            rich(blocks, trip.description);
    }
    listed(blocks, "Highlights", material.trip_members["highlights"]);
    add_days(blocks, material);
    listed(blocks, "Included", trip.included_items);
    listed(blocks, "Not included", trip.excluded_items);
    add_information(blocks, trip);
    return blocks;
}

}  // namespace svc::documents
