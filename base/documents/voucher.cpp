// The voucher: what a traveler shows on the way.
#include "base/documents/document.hpp"

namespace svc::documents {
namespace {

std::string name_of(const booking::Traveler& traveler) {
    const std::string first = traveler.fields.text_or("first_name"), last = traveler.fields.text_or("last_name");
    const std::string name = first + (first.empty() || last.empty() ? "" : " ") + last;
    return name.empty() ? traveler.fields.text_or("name") : name;
}

std::string names_of(const Material& material) {
    std::string names;
    for (const booking::Traveler& traveler : material.travelers)
        if (const std::string name = name_of(traveler); !name.empty())
            names += (names.empty() ? "" : "\n") + name;
    return names.empty() ? "Not named yet" : names;
}

std::string destinations_of(const Material& material) {
    std::string names;
    const json::Value& all = material.trip_members["destinations"];
    for (std::size_t i = 0; all.is_array() && i < all.size(); ++i)
        names += (names.empty() ? "" : ", ") + all[i].text_or("name");
    return names;
}

std::string duration_of(const catalog::trips::Trip& trip) {
    if (trip.duration_hours && trip.duration_days <= 1)
        return std::to_string(*trip.duration_hours) + (*trip.duration_hours == 1 ? " hour" : " hours");
    std::string text = std::to_string(trip.length()) + (trip.length() == 1 ? " day" : " days");
    if (trip.duration_nights > 0)
        text += ", " + std::to_string(trip.duration_nights) + (trip.duration_nights == 1 ? " night" : " nights");
    return text;
}

void add_trip(std::vector<pdf::Block>& blocks, const Material& material) {
    pdf::Facts facts = travel_facts(material);
    if (const auto& trip = material.trip) {
        facts.values.emplace_back("Duration", duration_of(*trip));
        facts.values.emplace_back("Difficulty", material.trip_members["difficulty"].text_or("name"));
        facts.values.emplace_back("Departure from", trip->starting_location);
        facts.values.emplace_back("Destination", destinations_of(material));
        facts.values.emplace_back("Pickup", trip->pickup_location);
    }
    blocks.emplace_back(pdf::Paragraph{"Your trip", pdf::Face::heading});
    blocks.emplace_back(std::move(facts));
}

void add_services(std::vector<pdf::Block>& blocks, const Material& material) {
    std::vector<std::string> services;
    for (const booking::Line& line : material.lines)
        if (line.kind == "service")
            services.push_back(line.label);
    if (material.trip)
        for (const json::Value& item : material.trip->included_items.items())
            services.push_back(item.is_string() ? item.text() : item.text_or("title"));
    if (services.empty())
        return;
    blocks.emplace_back(pdf::Paragraph{"Included services", pdf::Face::heading});
    for (std::string& service : services)
        blocks.emplace_back(pdf::Paragraph{.text = std::move(service), .listed = true});
}

// Whom to call; the form's further answers are nobody's business on paper.
void add_emergency(std::vector<pdf::Block>& blocks, const json::Value& contact) {
    const std::string name = contact.text_or("name"), phone = contact.text_or("phone");
    if (name.empty() && phone.empty())
        return;
    blocks.emplace_back(pdf::Paragraph{"Emergency contact", pdf::Face::heading});
    blocks.emplace_back(
        pdf::Facts{{{"Name", name}, {"Telephone", phone}, {"Relationship", contact.text_or("relationship")}}});
}

}  // namespace

std::vector<pdf::Block> voucher(const Material& material) {
    const booking::Booking& booking = material.booking;
    const Company& company = material.company;
    std::vector<pdf::Block> blocks{
        pdf::Paragraph{"Travel voucher", pdf::Face::title},
        pdf::Facts{{{"Booking reference", booking.reference},
                    {"Verification code", material.verification_code},
                    {"Booked on", material.look.day(booking.created_at)},
                    {"Status", status_label(booking.status)},
                    {"Customer", booking.customer_name()},
                    {"E-mail", booking.email},
                    {"Telephone", booking.phone},
                    {"Travelers (" + std::to_string(booking.travelers_count) + ")", names_of(material)}}}};
    add_trip(blocks, material);
    add_services(blocks, material);
    blocks.emplace_back(pdf::Paragraph{"Payment", pdf::Face::heading});
    blocks.emplace_back(pdf::Facts{{{"Total", material.look.amount(booking.total)},
                                    {"Paid", material.look.amount(booking.amount_paid)},
                                    {"Balance due", material.look.amount(booking.still_owed())}}});
    if (!booking.special_requests.empty()) {
        blocks.emplace_back(pdf::Paragraph{"Special requests", pdf::Face::heading});
        blocks.emplace_back(pdf::Paragraph{booking.special_requests});
    }
    add_emergency(blocks, material.emergency);
    blocks.emplace_back(pdf::Paragraph{"Your contact", pdf::Face::heading});
    blocks.emplace_back(pdf::Facts{{{"Company", company.name},
                                    {"Telephone", company.phone},
                                    {"E-mail", company.email},
                                    {"Web", company.website}}});
    return blocks;
}

}  // namespace svc::documents
