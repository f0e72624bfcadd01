// From a booking to its pages.
#include "base/documents/service.hpp"

#include <algorithm>
#include <charconv>

#include "base/booking/wire.hpp"
#include "base/documents/hooks.hpp"
#include "base/payment/wire.hpp"
#include "shared/core/log.hpp"

namespace svc::documents {
namespace {

constexpr std::int64_t token_lives = 365LL * 24 * 60 * 60;
constexpr std::size_t most_instructions = 100;
constexpr pdf::Color plain_accent{.red = 0.12, .green = 0.35, .blue = 0.55};

std::string_view name_of(Kind kind) {
    switch (kind) {
        case Kind::invoice:
            return "invoice";
        case Kind::voucher:
            return "voucher";
        case Kind::itinerary:
            break;
    }
    return "itinerary";
}

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

Company company_of(const settings::Settings& settings) {
    Company company{.name = settings.text("company_name"),
                    .email = settings.text("company_email"),
                    .phone = settings.text("company_phone"),
                    .website = settings.text("company_website"),
                    .vat_number = settings.text("vat_number")};
    for (const char* key : {"company_address", "company_zip", "company_city", "company_state", "company_country"})
        if (const std::string part = settings.text(key); !part.empty())
            company.address += (company.address.empty() ? "" : ", ") + part;
    return company;
}

std::vector<std::string> letterhead(const Company& company) {
    std::vector<std::string> lines;
    const std::string tax = company.vat_number.empty() ? "" : "VAT " + company.vat_number;
    for (const std::string& line : {company.name, company.address, company.phone, company.email, company.website, tax})
        if (!line.empty())
            lines.push_back(line);
    return lines;
}

// Four groups of four, said on the telephone as easily as read.
std::string verification_code(const crypto::Keyring& keyring, const booking::Booking& booking) {
    static constexpr std::string_view letters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    const std::string mac = keyring.mac("voucher", std::to_string(booking.id) + ":" + booking.reference);
    std::string code;
    for (std::size_t i = 0; i < 16; ++i) {
        if (i > 0 && i % 4 == 0)
            code += '-';
        code += letters[static_cast<unsigned char>(mac[i]) % letters.size()];
    }
    return code;
}

}  // namespace

std::int64_t Service::booking_of(std::int64_t payment_id) {
    const auto payment = parts_.payments.find(payment_id);
    return payment ? payment->booking_id : 0;
}

std::optional<std::int64_t> Service::latest_payment(std::int64_t booking_id) {
    const auto payments = parts_.store.reading<std::vector<payment::Payment>>(
        [&](store::Session& session) { return payment::Service::of_booking(session, booking_id); });
    return payments.empty() ? std::nullopt : std::optional(payments.back().id);
}

bool Service::admits(std::string_view token, std::int64_t payment_id, std::int64_t booking_id) {
    const std::string asked = parts_.hooks.apply(token_ttl, token_lives, {}).number_text();
    std::int64_t seconds = token_lives;  // of a listener's fraction its whole seconds count
    std::from_chars(asked.data(), asked.data() + asked.size(), seconds);
    return booking::InvoiceTokens{parts_.keyring}.proves(token, payment_id, booking_id, parts_.clock.now(),
                                                         std::chrono::seconds(seconds));
}

Result<Material> Service::read(const Wanted& wanted) {
    auto found = parts_.store.reading<Result<Material>>([&](store::Session& session) -> Result<Material> {
        auto booking = parts_.bookings.read(session, wanted.booking_id);
        if (!booking)
            return wanted.payment_id ? errc::payment_not_found : errc::booking_not_found;
        Material material{.booking = std::move(*booking)};
        material.travelers = booking::Service::travelers(session, material.booking.id);
        material.lines = booking::Service::lines(session, material.booking);
        material.payments = payment::Service::of_booking(session, material.booking.id);
        for (const payment::Payment& payment : material.payments)
            if (!wanted.pro_forma && (!wanted.payment_id || payment.id == *wanted.payment_id))
                material.payment = payment;  // without a wish the last one stays
        if (wanted.payment_id && !material.payment)
            return errc::payment_not_found;
        if (auto trip = catalog::trips::Service::find(session, material.booking.trip_id)) {
            auto whole = parts_.trips.whole(session, std::move(*trip));
            material.trip = std::move(whole.trip);
            material.trip_members = json::Value(std::move(whole.members));
        }
        return material;
    });
    if (found) {
        const json::Value detail = parts_.bookings.detail(found->booking, false);
        found->contact = detail["contact_data"];
        found->emergency = detail["emergency_contact"];
    }
    return found;
}

void Service::add_instructions(Material& material) const {
    if (material.booking.balance().is_zero() || material.booking.amount_due().is_zero())
        return;
    const json::Value booking = booking::to_json(material.booking, material.look);
    const std::string& gateway = material.payment ? material.payment->gateway : material.booking.payment_gateway;
    json::Value lines = json::Value::array();
    if (const std::string text = parts_.instructions(gateway, booking); !text.empty())
        lines.push(text);
    lines = parts_.hooks.apply(payment_instructions, std::move(lines),
                               {booking, material.payment ? payment::to_json(*material.payment) : json::Value()});
    for (const json::Value& line : lines.items())
        if (line.is_string() && material.instructions.size() < most_instructions)
            material.instructions.push_back(line.text());
}

std::string Service::filtered(const hooks::Filter& filter, std::string value, Kind kind) const {
    return parts_.hooks.apply(filter, std::move(value), {name_of(kind)}).text();
}

pdf::Document Service::sheet(Kind kind, const Material& material) {
    const bool remote = parts_.hooks.apply(remote_enabled, true, {}).boolean();
    const std::string logo = filtered(logo_url, parts_.settings.text("company_logo"), kind);
    const std::string name = file_name(kind, material.booking.reference);
    pdf::Document document{.title = name.substr(0, name.size() - 4),
                           .author = material.company.name,
                           .footer = material.booking.reference + "  " + material.company.name,
                           .families = filtered(default_font, "Noto Sans, DejaVu Sans", kind),
                           .accent = color_of(filtered(header_color, "", kind)),
                           .made_at = material.booking.updated_at,
                           .logo = logo.empty() ? std::nullopt : parts_.logos.at(logo, remote),
                           .letterhead = letterhead(material.company)};
    switch (kind) {
        case Kind::invoice:
            document.blocks = invoice(material);
            break;
        case Kind::voucher:
            document.blocks = voucher(material);
            break;
        case Kind::itinerary:
            document.blocks = itinerary(material);
            break;
    }
    return document;
}

Result<Printed> Service::print(const Wanted& wanted, bool for_staff) {
    auto material = read(wanted);
    if (!material)
        return material.error();
    if (!for_staff && material->booking.status == booking::status::trash)
        return errc::booking_not_found;
    if (!for_staff && wanted.kind != Kind::invoice && !stands(material->booking))
        return Error{errc::forbidden, "This document is there once the booking is confirmed or paid."};
    const settings::Settings& settings = parts_.settings;
    material->company = company_of(settings);
    material->look = settings::look_of(parts_.settings);
    material->verification_code = verification_code(parts_.keyring, material->booking);
    add_instructions(*material);
    pdf::Rendered rendered = pdf::rendered(sheet(wanted.kind, *material));
    if (rendered.missing_glyphs > 0)
        log::warning("document_lacks_glyphs", {{"booking_id", wanted.booking_id}, {"glyphs", rendered.missing_glyphs}});
    return Printed{.bytes = std::move(rendered.bytes),
                   .file_name = file_name(wanted.kind, material->booking.reference),
                   .pages = rendered.pages,
                   .missing_glyphs = rendered.missing_glyphs};
}

}  // namespace svc::documents
