// The frame of documents, by settings and filters.
#include "base/sales/documents/frame.hpp"

#include <algorithm>

#include "base/platform/texts/countries.hpp"
#include "base/sales/documents/hooks.hpp"

namespace svc::documents {
namespace {

constexpr pdf::Color plain_accent{.red = 0.12, .green = 0.35, .blue = 0.55};

// #rrggbb; anything else is our own colour.
pdf::Color color_of(std::string_view text) {
    const auto digit = [](char c) {
        return c >= '0' && c <= '9'   ? c - '0'
               : c >= 'a' && c <= 'f' ? c - 'a' + 10
               : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                      : -1;
    };
    if (text.size() != 7 || text[0] != '#' ||
        std::any_of(text.begin() + 1, text.end(), [&](char c) { return digit(c) < 0; }))
        return plain_accent;
    const auto part = [&](std::size_t at) { return (16 * digit(text[at]) + digit(text[at + 1])) / 255.0; };
    return {.red = part(1), .green = part(3), .blue = part(5)};
}

std::vector<std::string> letterhead(const Company& company, const Words& words) {
    std::vector<std::string> lines;
    const std::string tax =
        company.vat_number.empty() ? "" : words.say_text("VAT {number}", {{"number", company.vat_number}});
    const std::string country = texts::country_name(company.country, words.locale);
    const std::string address = company.address + (company.address.empty() || country.empty() ? "" : ", ") + country;
    for (const std::string& line : {company.name, address, company.phone, company.email, company.website, tax})
        if (!line.empty())
            lines.push_back(line);
    return lines;
}

}  // namespace

std::string Frames::filtered(const hooks::Filter& filter, std::string value, std::string_view kind) const {
    return hooks_.apply(filter, std::move(value), {kind}).text();
}

pdf::Document Frames::around(Framed framed, const Company& seller, const Words& words) const {
    const bool remote = hooks_.apply(remote_enabled, true, {}).boolean();
    const std::string logo = filtered(logo_url, settings_.text("company_logo"), framed.kind);
    const std::string mark = hooks_.apply(document_mark, "", {framed.kind, clock_.now()}).text();
    return {.title = std::move(framed.title),
            .author = seller.name,
            .footer = (mark.empty() ? "" : mark + "  ") + (framed.foot.empty() ? "" : framed.foot + "  ") + seller.name,
            .families = filtered(default_font, "Noto Sans, DejaVu Sans", framed.kind),
            .accent = color_of(filtered(header_color, "", framed.kind)),
            .made_at = framed.made_at,
            .logo = logo.empty() ? std::nullopt : logos_.at(logo, remote),
            .letterhead = letterhead(seller, words)};
}

}  // namespace svc::documents
