// From a booking to its pages.
#include "base/sales/documents/service.hpp"

#include <algorithm>
#include <charconv>

#include "base/platform/texts/countries.hpp"
#include "base/sales/booking/record/cancelling.hpp"
#include "base/sales/booking/record/wire.hpp"
#include "base/sales/documents/hooks.hpp"
#include "base/sales/payment/record/hooks.hpp"
#include "base/sales/payment/record/wire.hpp"
#include "shared/core/log.hpp"
#include "shared/core/text.hpp"

namespace svc::documents {
namespace {

constexpr std::int64_t token_lives = 365LL * 24 * 60 * 60;
constexpr std::size_t most_instructions = 100;
constexpr int seconds_until_again = 30;  // a document that was not finished in its time

std::string_view name_of(Kind kind) {
    switch (kind) {
        case Kind::invoice:
            return "invoice";
        case Kind::voucher:
            return "voucher";
        case Kind::credit_note:
            return "credit_note";
        case Kind::itinerary:
            break;
    }
    return "itinerary";
}

// An invoice gets a number once the money is received; later refunds get a credit note.
bool is_issued_for(const payment::Payment& payment) {
    return payment.status == payment::status::completed || payment.status == payment::status::refunded;
}

// Four groups of four characters, easy to read and to dictate.
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
    const std::string answer = parts_.hooks.apply(token_ttl, token_lives, {}).number_text();
    std::int64_t seconds = token_lives;  // of a listener's fraction its whole seconds count
    std::from_chars(answer.data(), answer.data() + answer.size(), seconds);
    const auto booking = parts_.bookings.find(booking_id);
    return booking && booking::InvoiceTokens{parts_.keyring}.proves(token, {payment_id, booking_id, booking->email},
                                                                    parts_.clock.now(), std::chrono::seconds(seconds));
}

Result<Material> Service::read(const DocumentQuery& query) {
    auto found = parts_.store.reading<Result<Material>>([&](store::Session& session) -> Result<Material> {
        auto booking = parts_.bookings.read(session, query.booking_id);
        if (!booking)
            return query.payment_id ? errc::payment_not_found : errc::booking_not_found;
        Material material{.booking = std::move(*booking)};
        material.travelers = booking::Service::travelers(session, material.booking.id);
        material.lines = booking::Service::lines(session, material.booking);
        material.payments = payment::Service::of_booking(session, material.booking.id);
        for (const payment::Payment& payment : material.payments)
            if (!query.pro_forma && (!query.payment_id || payment.id == *query.payment_id))
                material.payment = payment;  // by default the latest one
        if (query.payment_id && !material.payment)
            return errc::payment_not_found;
        if (query.kind == Kind::credit_note && material.payment)
            for (payment::Refunded& refund : payment::Refunds::of_payment(session, material.payment->id))
                if (refund.status == "completed" && (!query.refund_id || refund.id == *query.refund_id))
                    material.refund = std::move(refund);
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
    if (const std::string text = parts_.instructions(gateway, booking, material.words.locale); !text.empty())
        lines.push(text);
    lines = parts_.hooks.apply(payment_instructions, std::move(lines),
                               {booking, material.payment ? payment::to_json(*material.payment) : json::Value()});
    for (const json::Value& line : lines.items())
        if (line.is_string() && material.instructions.size() < most_instructions)
            material.instructions.push_back(line.text());
}

std::optional<ClockTime> Service::arrival_of(const Material& material) const {
    const booking::Booking& booking = material.booking;
    if (booking.departure_id)
        if (const auto departure = parts_.availability.departures.find({}, *booking.departure_id);
            departure && departure->arrival_time)
            return departure->arrival_time;
    if (material.trip && booking.departure_time)
        for (const catalog::trips::TimeSlot& slot : material.trip->time_slots)
            if (slot.departure_time == *booking.departure_time)
                return slot.arrival_time;
    return {};
}

Result<Issued> Service::issue_invoice(const booking::Booking& booking, std::int64_t payment_id,
                                      const Customer& customer) {
    return issuing_.issue({.booking_id = booking.id, .payment_id = payment_id}, customer);
}

void Service::listen(events::Events& events) {
    const auto done =
        events.on(payment::payment_completed.name, {.name = "documents.invoice"}, [this](const json::Array& arguments) {
            const std::int64_t payment_id = arguments.at(0)["payment_id"].integer();
            const auto payment = parts_.payments.find(payment_id);
            const auto booking = payment ? parts_.bookings.find(payment->booking_id) : std::nullopt;
            if (!booking || !is_issued_for(*payment))
                return;
            const auto issued = issue_invoice(
                *booking, payment_id, customer_of(*booking, parts_.bookings.detail(*booking, false)["contact_data"]));
            if (!issued)  // printing it tries again
                log::warning("invoice_not_issued", {{"payment_id", payment_id}, {"cause", issued.error().cause()}});
        });
    if (!done)
        throw std::logic_error("documents cannot listen: " + done.error().cause());
    const auto credited = events.on(
        payment::credit_note_due.name, {.name = "documents.credit_note"}, [this](const json::Array& arguments) {
            const std::int64_t refund_id = arguments.at(0)["id"].integer();
            if (const auto number = credit_note_for(refund_id); !number)  // printing it tries again
                log::warning("credit_note_not_issued", {{"refund_id", refund_id}, {"cause", number.error().cause()}});
        });
    if (!credited)
        throw std::logic_error("documents cannot listen: " + credited.error().cause());
}

Result<void> Service::add_issued(Material& material, const DocumentQuery& query, bool for_staff) {
    material.company = issuing_.seller();
    material.customer = customer_of(material.booking, material.contact);
    const auto& payment = material.payment;
    const bool is_credit = query.kind == Kind::credit_note;
    if (is_credit && !material.refund)
        return Error{errc::not_found, "This payment has no completed refund with this id."_sentence};
    if (!payment || !(is_credit || (query.kind == Kind::invoice && is_issued_for(*payment))))
        return {};
    SVC_ASSIGN_OR_RETURN(auto invoice, issue_invoice(material.booking, payment->id, material.customer));
    material.invoice = std::move(invoice);
    if (is_credit) {
        SVC_ASSIGN_OR_RETURN(auto note, issuing_.issue({.booking_id = material.booking.id,
                                                        .payment_id = payment->id,
                                                        .refund_id = material.refund->id},
                                                       material.invoice->customer));
        material.credit_note = std::move(note);
    }
    const Issued& issued = is_credit ? *material.credit_note : *material.invoice;
    material.company = issued.seller;
    // A booking that passed to another person does not show them the first one's address.
    const bool is_theirs = text::folded(issued.customer.email) == text::folded(material.booking.email);
    material.customer = for_staff || is_theirs ? issued.customer : Customer{.name = issued.customer.name};
    return {};
}

Result<std::string> Service::credit_note_for(std::int64_t refund_id) {
    const auto refund = parts_.store.reading<std::optional<payment::Refunded>>(
        [&](store::Session& session) { return payment::Refunds::find(session, refund_id); });
    if (!refund)
        return errc::not_found;
    const DocumentQuery query{.kind = Kind::credit_note,
                              .booking_id = refund->booking_id,
                              .payment_id = refund->payment_id,
                              .refund_id = refund_id};
    SVC_ASSIGN_OR_RETURN(auto material, read(query));
    SVC_RETURN_IF_ERROR(add_issued(material, query, true));
    return material.credit_note->number;
}

std::string Service::language_of(const booking::Booking& booking) const {
    return booking.locale.empty() ? parts_.settings.text("site_language") : booking.locale;
}

pdf::Document Service::sheet(Kind kind, const Material& material) {
    const std::string name = file_name(kind, material.booking.reference);
    auto document = frames_.around({.kind = name_of(kind),
                                    .title = name.substr(0, name.size() - 4),
                                    .foot = material.booking.reference,
                                    .made_at = material.booking.updated_at},
                                   material.company, material.words);
    Sheet sheet;
    switch (kind) {
        case Kind::invoice:
            sheet = invoice(material);
            break;
        case Kind::credit_note:
            sheet = credit_note(material);
            break;
        case Kind::voucher:
            sheet = voucher(material);
            break;
        case Kind::itinerary:
            sheet = itinerary(material);
            break;
    }
    document.head = std::move(sheet.head);
    document.blocks = std::move(sheet.blocks);
    return document;
}

Result<Printed> Service::print(const DocumentQuery& query, bool for_staff) {
    SVC_ASSIGN_OR_RETURN(auto material, read(query));
    if (!for_staff && material.booking.status == booking::status::trash)
        return errc::booking_not_found;
    const bool is_of_money = query.kind == Kind::invoice || query.kind == Kind::credit_note;
    if (!for_staff && !is_of_money && !is_active(material.booking))
        return Error{errc::forbidden, "This document is available once the booking is confirmed or paid."_sentence};
    material.look = settings::look_of(parts_.settings);
    material.look.whole_without_decimals = false;  // accounts are checked to the cent
    material.words = {.locale = language_of(material.booking), .look = material.look};
    if (auto terms = query.without_amounts ? std::nullopt : parts_.bookings.money_terms(material.booking.id))
        material.money = booking::planned(parts_.hooks, std::move(*terms), {.booking_id = material.booking.id});
    material.cancellation =
        parts_.store.reading<std::optional<booking::ShownCancellation>>([&](store::Session& session) {
            return booking::agreed_cancellation(session, material.booking, parts_.settings, parts_.clock.now());
        });
    material.way = parts_.way(material.booking.payment_gateway, material.words.locale);
    if (const auto& payment = material.payment)
        material.method = parts_.way(payment->method, material.words.locale);
    material.verification_code = verification_code(parts_.keyring, material.booking);
    material.arrival_time = arrival_of(material);
    SVC_RETURN_IF_ERROR(add_issued(material, query, for_staff));
    if (query.kind == Kind::invoice)
        add_instructions(material);
    const pdf::Document document = sheet(query.kind, material);
    Printed printed{.rendered = {}, .file_name = file_name(query.kind, material.booking.reference)};
    const std::string digest = digest_of(document);
    printed.rendered = printed_.find(digest);
    if (printed.rendered)
        return printed;
    auto rendered = std::make_shared<const pdf::Rendered>(pdf::rendered(document));
    if (!rendered->in_time) {
        log::warning("document_not_in_time", {{"booking_id", query.booking_id}, {"kind", name_of(query.kind)}});
        return Error{errc::unavailable}.after(seconds_until_again);
    }
    if (rendered->missing_glyphs > 0)
        log::warning("document_lacks_glyphs", {{"booking_id", query.booking_id}, {"glyphs", rendered->missing_glyphs}});
    printed_.add(digest, rendered);
    printed.rendered = std::move(rendered);
    return printed;
}

}  // namespace svc::documents
