// The itinerary: the trip by day, and information for travelers.
#include "base/catalog/itineraries/itinerary.hpp"

#include "base/sales/documents/document.hpp"

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
void add_list(Blocks& blocks, const std::string& title, const Value& items) {
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
    head(blocks, material.words.say_text("Day by day"));
    for (const Value& day : days.items()) {
        if (blocks.size() > pdf::most_blocks)
            return;
        const std::int64_t number = day.maybe_integer("day_number").value_or(1);
        std::string title = material.words.say_text("Day {number}", {{"number", number}});
        if (number >= 1 && number <= catalog::itineraries::most_days)
            title += ", " + material.words.day(material.booking.travel_date.plus_days(static_cast<int>(number) - 1));
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

void add_information(Blocks& blocks, const catalog::trips::Trip& trip, bool is_agreed, const Words& words) {
    std::string age;
    if (trip.age_min && trip.age_max)
        age = words.say_text("From {least} to {most} years", {{"least", *trip.age_min}, {"most", *trip.age_max}});
    else if (trip.age_min)
        age = words.say_text("From {least} years", {{"least", *trip.age_min}});
    else if (trip.age_max)
        age = words.say_text("Up to {most} years", {{"most", *trip.age_max}});
    const std::pair<std::string, std::string> texts[] = {
        {words.say_text("Physical requirements"), trip.physical_requirements},
        {words.say_text("Visa"), trip.visa_requirements},
        {words.say_text("Vaccination"), trip.vaccination_requirements},
        {words.say_text("Age"), age},
        {words.say_text("Accommodation"),
         trip.accommodation_type + (trip.accommodation_type.empty() || trip.accommodation_details.empty() ? "" : ". ") +
             trip.accommodation_details},
        {words.say_text("Meals"), status_label(trip.meal_plan.value_or(""), words)},
        {words.say_text("Transport"), trip.transportation_details.empty() && trip.transportation_included
                                          ? words.say_text("Transport is included.")
                                          : trip.transportation_details},
        // What is agreed has a section of its own.
        {words.say_text("Cancellation policy"), is_agreed ? std::string() : trip.cancellation_policy}};
    pdf::Facts facts;
    for (const auto& [name, text] : texts)
        facts.values.emplace_back(name, text);
    add_section(blocks, words.say_text("Important information"), {std::move(facts)});
}

}  // namespace

Sheet itinerary(const Material& material) {
    const booking::Booking& booking = material.booking;
    const Words& words = material.words;
    pdf::Facts facts;
    add_travel_days(facts, material);
    facts.values.emplace_back(words.say_text("Travelers"), std::to_string(booking.travelers_count));
    facts.values.emplace_back(words.say_text("Booking reference"), booking.reference);
    facts.values.emplace_back(words.say_text("Status"), status_label(booking.status, words));
    facts.values.emplace_back(words.say_text("Verification code"), material.verification_code);
    Sheet sheet{.head = {.kind = words.say_text("Itinerary"),
                         .number = booking.trip_title,
                         .addressee_label = words.say_text("For"),
                         .addressee = addressee({.name = booking.customer_name()}, words),
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
    add_section(sheet.blocks, words.say_text("About the trip"), std::move(about));
    add_list(sheet.blocks, words.say_text("Highlights"), material.trip_members["highlights"]);
    add_days(sheet.blocks, material);
    add_list(sheet.blocks, words.say_text("Included"), trip.included_items);
    add_list(sheet.blocks, words.say_text("Not included"), trip.excluded_items);
    add_information(sheet.blocks, trip, material.cancellation && material.money, words);
    add_cancelling(sheet.blocks, material);
    return sheet;
}

}  // namespace svc::documents
