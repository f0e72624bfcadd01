// Names, days and amounts as they are printed.
#include "base/documents/document.hpp"

#include <algorithm>

#include "base/platform/html/html.hpp"

namespace svc::documents {

std::string file_name(Kind kind, std::string_view reference) {
    const std::string of(reference);
    switch (kind) {
        case Kind::invoice:
            return "Invoice #" + of + ".pdf";
        case Kind::voucher:
            return "Travel Voucher #" + of + ".pdf";
        case Kind::itinerary:
            break;
    }
    return "Travel-Itinerary-" + of + ".pdf";
}

bool stands(const booking::Booking& booking) {
    namespace status = booking::status;
    if (booking.status == status::confirmed || booking.status == status::completed)
        return true;
    const bool gone = booking.status == status::cancelled || booking.status == status::refunded ||
                      booking.status == status::failed || booking.status == status::trash;
    return !gone && booking.payment_status == "paid";
}

std::string status_label(std::string_view status) {
    std::string label(status);
    std::replace_if(
        label.begin(), label.end(), [](char c) { return c == '_' || c == '-'; }, ' ');
    if (!label.empty() && label[0] >= 'a' && label[0] <= 'z')
        label[0] = static_cast<char>(label[0] - 'a' + 'A');
    return label;
}

std::vector<std::string> paragraphs_of(std::string_view html) {
    static constexpr std::string_view ends[] = {"</p>",  "<br>",  "<br/>", "</li>",  "</h1>", "</h2>",        "</h3>",
                                                "</h4>", "</h5>", "</h6>", "</div>", "</tr>", "</blockquote>"};
    // The next tag of these from there on: where it begins and where it ends.
    const auto next_end = [](std::string_view text) {
        for (auto at = text.find('<'); at != std::string_view::npos; at = text.find('<', at + 1))
            for (const std::string_view tag : ends)
                if (text.substr(at, tag.size()) == tag)
                    return std::pair(at, at + tag.size());
        return std::pair(text.size(), text.size());
    };
    std::vector<std::string> paragraphs;
    while (!html.empty()) {
        const auto [end, next] = next_end(html);
        if (std::string text = html::text_of_html(html.substr(0, end)); !text.empty())
            paragraphs.push_back(std::move(text));
        html.remove_prefix(next);
    }
    return paragraphs;
}

pdf::Facts travel_facts(const Material& material) {
    const booking::Booking& booking = material.booking;
    const Look& look = material.look;
    pdf::Facts facts;
    facts.values.emplace_back("Trip", booking.trip_title);
    facts.values.emplace_back("Travel date", look.day(booking.travel_date) +
                                                 (booking.departure_time ? ", " + booking.departure_time->text() : ""));
    facts.values.emplace_back("Return date", look.day(booking.end_date));
    return facts;
}

}  // namespace svc::documents
