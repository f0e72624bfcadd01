// Names, days and amounts as they are printed.
#include "base/sales/documents/document.hpp"

#include <algorithm>
#include <iterator>

#include "base/platform/html/html.hpp"
#include "base/platform/texts/countries.hpp"
#include "shared/core/arrival.hpp"

namespace svc::documents {

std::string file_name(Kind kind, std::string_view reference) {
    const std::string of(reference);
    switch (kind) {
        case Kind::invoice:
            return "Invoice #" + of + ".pdf";
        case Kind::voucher:
            return "Travel Voucher #" + of + ".pdf";
        case Kind::credit_note:
            return "Credit Note #" + of + ".pdf";
        case Kind::itinerary:
            break;
    }
    return "Travel-Itinerary-" + of + ".pdf";
}

bool is_active(const booking::Booking& booking) {
    namespace status = booking::status;
    if (booking.status == status::confirmed || booking.status == status::completed)
        return true;
    const bool ended = booking.status == status::cancelled || booking.status == status::refunded ||
                       booking.status == status::failed || booking.status == status::trash;
    return !ended && booking.payment_status == "paid";
}

std::string status_label(std::string_view status, const Words& words) {
    const std::pair<std::string_view, std::string> known[] = {
        {"pending", words.say_text("Pending")},     {"pending_verification", words.say_text("Unproven")},
        {"confirmed", words.say_text("Confirmed")}, {"processing", words.say_text("Processing")},
        {"on-hold", words.say_text("On hold")},     {"completed", words.say_text("Completed")},
        {"cancelled", words.say_text("Cancelled")}, {"refunded", words.say_text("Refunded")},
        {"failed", words.say_text("Failed")},       {"waitlist", words.say_text("Waitlist")},
        {"paid", words.say_text("Paid")},           {"partial", words.say_text("Partial")}};
    for (const auto& [name, word] : known)
        if (name == status)
            return word;
    std::string label(status);
    std::replace_if(
        label.begin(), label.end(), [](char c) { return c == '_' || c == '-'; }, ' ');
    if (!label.empty() && label[0] >= 'a' && label[0] <= 'z')
        label[0] = static_cast<char>(label[0] - 'a' + 'A');
    return label;
}

pdf::Facts money(const Material& material) {
    pdf::Facts facts;
    if (!material.money)
        return facts;
    for (booking::MoneyLine& line : booking::lines_of(
             *material.money, {.locale = material.words.locale, .look = material.look, .way = material.way}))
        facts.values.emplace_back(std::move(line.label), std::move(line.value));
    return facts;
}

std::vector<Paragraph> paragraphs_of(std::string_view html) {
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
    std::vector<Paragraph> paragraphs;
    while (!html.empty()) {
        const auto [end, next] = next_end(html);
        if (std::string text = html::text_of_html(html.substr(0, end)); !text.empty())
            paragraphs.push_back(
                {std::move(text), html.substr(end).starts_with("</li>") || html.substr(end).starts_with("</p></li>")});
        html.remove_prefix(next);
    }
    return paragraphs;
}

void add_travel_days(pdf::Facts& facts, const Material& material) {
    const booking::Booking& booking = material.booking;
    const Words& words = material.words;
    const auto moment = [&](Date day, const std::optional<ClockTime>& time) {
        return words.day(day) + (time ? ", " + settings::time_in(material.look, *time) : "");
    };
    const Date arrival =
        arrival_day(booking.travel_date, booking.end_date, booking.departure_time, material.arrival_time);
    facts.values.emplace_back(words.say_text("Travel date"), moment(booking.travel_date, booking.departure_time));
    const std::string back = moment(arrival, material.arrival_time);
    facts.values.emplace_back(
        words.say_text("Return date"),
        arrival == booking.end_date ? back : words.say_text("{moment} (the next day)", {{"moment", back}}));
}

Customer customer_of(const booking::Booking& booking, const json::Value& contact) {
    const auto answer = [&](const char* field) {
        return contact[field].is_string() ? on_paper(contact[field].text()) : std::string();
    };
    Customer customer{.name = on_paper(booking.customer_name()),
                      .company = answer("company"),
                      .country = booking.country,
                      .email = booking.email,
                      .phone = booking.phone};
    for (const char* part : {"address", "zip", "postal_code", "city", "state"})
        if (const std::string text = answer(part); !text.empty())
            customer.address += (customer.address.empty() ? "" : ", ") + text;
    return customer;
}

std::vector<std::string> addressee(const Customer& customer, const Words& words) {
    std::vector<std::string> lines;
    for (const std::string& line :
         {customer.company, customer.name, customer.address, texts::country_name(customer.country, words.locale),
          customer.email, customer.phone})
        if (!line.empty())
            lines.push_back(on_paper(line));
    return lines;
}

void add_section(Blocks& blocks, std::string title, Blocks section) {
    const auto help = [](const pdf::Block& block) {
        if (const auto* paragraph = std::get_if<pdf::Paragraph>(&block))
            return !paragraph->text.empty();
        if (const auto* facts = std::get_if<pdf::Facts>(&block))
            return std::any_of(facts->values.begin(), facts->values.end(),
                               [](const auto& fact) { return !fact.second.empty(); });
        const auto* table = std::get_if<pdf::Table>(&block);
        return !table || !table->rows.empty();
    };
    std::erase_if(section, [&](const pdf::Block& block) { return !help(block); });
    if (section.empty())
        return;
    blocks.emplace_back(pdf::Paragraph{std::move(title), pdf::Face::heading});
    std::move(section.begin(), section.end(), std::back_inserter(blocks));
}

std::string on_paper(std::string_view text, std::size_t most, std::size_t most_lines) {
    std::string shown;
    std::size_t points = 0, lines = 1;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t next = at + 1;
        while (next < text.size() && (static_cast<unsigned char>(text[next]) & 0xC0U) == 0x80U)
            ++next;
        const bool ends_line = text[at] == '\n' || text[at] == '\r';
        if (points == most || (ends_line && most_lines > 1 && lines == most_lines))
            return shown + "…";
        if (ends_line && most_lines == 1) {
            shown += ' ';
        } else {
            lines += ends_line ? 1 : 0;
            shown.append(text, at, next - at);
        }
        ++points;
        at = next;
    }
    return shown;
}

}  // namespace svc::documents
