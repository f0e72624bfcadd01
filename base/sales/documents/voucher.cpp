// The voucher that travelers show at the start of a trip.
#include "base/sales/documents/document.hpp"

namespace svc::documents {
namespace {

// The longest part of a visitor's text that is printed.
constexpr std::size_t most_names = 200, most_of_wish = 2'000, most_wish_lines = 60;

std::string name_of(const booking::Traveler& traveler) {
    const std::string first = traveler.fields.text_or("first_name"), last = traveler.fields.text_or("last_name");
    const std::string name = first + (first.empty() || last.empty() ? "" : " ") + last;
    return name.empty() ? traveler.fields.text_or("name") : name;
}

std::string names_of(const Material& material) {
    std::string names;
    std::size_t shown = 0;
    for (const booking::Traveler& traveler : material.travelers)
        if (const std::string name = on_paper(name_of(traveler), 120); !name.empty() && shown++ < most_names)
            names += (names.empty() ? "" : "\n") + name;
    if (shown > most_names)
        names += "\n" + material.words.say_text("and {count} more", {{"count", shown - most_names}});
    return names.empty() ? material.words.say_text("Not named yet") : names;
}

std::string destinations_of(const Material& material) {
    std::string names;
    const json::Value& all = material.trip_members["destinations"];
    for (std::size_t i = 0; all.is_array() && i < all.size(); ++i)
        names += (names.empty() ? "" : ", ") + all[i].text_or("name");
    return names;
}

std::string duration_of(const catalog::trips::Trip& trip, const Words& words) {
    if (trip.duration_hours && trip.duration_days <= 1)
        return words.say_text("{count, plural, one {# hour} other {# hours}}", {{"count", *trip.duration_hours}});
    std::string text = words.say_text("{count, plural, one {# day} other {# days}}", {{"count", trip.length()}});
    if (trip.duration_nights > 0)
        text +=
            ", " + words.say_text("{count, plural, one {# night} other {# nights}}", {{"count", trip.duration_nights}});
    return text;
}

void add_trip(Blocks& blocks, const Material& material) {
    const Words& words = material.words;
    pdf::Facts facts;
    facts.values.emplace_back(words.say_text("Trip"), material.booking.trip_title);
    add_travel_days(facts, material);
    if (const auto& trip = material.trip) {
        facts.values.emplace_back(words.say_text("Duration"), duration_of(*trip, words));
        facts.values.emplace_back(words.say_text("Difficulty"), material.trip_members["difficulty"].text_or("name"));
        facts.values.emplace_back(words.say_text("Departure from"), trip->starting_location);
        facts.values.emplace_back(words.say_text("Destination"), destinations_of(material));
        facts.values.emplace_back(words.say_text("Pickup"), trip->pickup_location);
    }
    facts.values.emplace_back(words.say_text("Travelers ({count})", {{"count", material.booking.travelers_count}}),
                              names_of(material));
    add_section(blocks, words.say_text("Your trip"), {std::move(facts)});
}

void add_services(Blocks& blocks, const Material& material) {
    Blocks services;
    const auto add = [&](std::string service) {
        if (!service.empty())
            services.emplace_back(pdf::Paragraph{.text = std::move(service), .listed = true});
    };
    for (const booking::Line& line : material.lines)
        if (line.kind == "service")
            add(booking::label_of(line, material.words.locale));
    if (material.trip)
        for (const json::Value& item : material.trip->included_items.items())
            add(item.is_string() ? item.text() : item.text_or("title"));
    add_section(blocks, material.words.say_text("Included services"), std::move(services));
}

}  // namespace

Sheet voucher(const Material& material) {
    const booking::Booking& booking = material.booking;
    const Company& company = material.company;
    const Words& words = material.words;
    Sheet sheet{.head = {.kind = words.say_text("Travel voucher"),
                         .number = booking.reference,
                         .addressee_label = words.say_text("Customer"),
                         .addressee = addressee(
                             {.name = booking.customer_name(), .email = booking.email, .phone = booking.phone}, words),
                         .facts = {{{words.say_text("Travel date"), words.day(booking.travel_date)},
                                    {words.say_text("Booked on"), words.day(booking.created_at)},
                                    {words.say_text("Status"), status_label(booking.status, words)},
                                    {words.say_text("Verification code"), material.verification_code}}},
                         .code = material.verification_code},
                .blocks = {}};
    Blocks& blocks = sheet.blocks;
    add_trip(blocks, material);
    add_services(blocks, material);
    add_section(blocks, words.say_text("Payment"), {money(material)});
    add_cancelling(blocks, material);
    add_section(blocks, words.say_text("Special requests"),
                {pdf::Paragraph{on_paper(booking.special_requests, most_of_wish, most_wish_lines)}});
    // Only the contact's name and number are printed, no further answers.
    const json::Value& emergency = material.emergency;
    if (!emergency.text_or("name").empty() || !emergency.text_or("phone").empty())
        add_section(blocks, words.say_text("Emergency contact"),
                    {pdf::Facts{{{words.say_text("Name"), on_paper(emergency.text_or("name"))},
                                 {words.say_text("Telephone"), on_paper(emergency.text_or("phone"))},
                                 {words.say_text("Relationship"), on_paper(emergency.text_or("relationship"))}}}});
    add_section(blocks, words.say_text("Your contact"),
                {pdf::Facts{{{words.say_text("Company"), company.name},
                             {words.say_text("Telephone"), company.phone},
                             {words.say_text("E-mail"), company.email},
                             {words.say_text("Web"), company.website}}}});
    return sheet;
}

}  // namespace svc::documents
