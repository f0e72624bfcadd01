// Printable documents of a booking: invoice, credit note, voucher, itinerary; and their data.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/catalog/trips/record/trip.hpp"
#include "base/platform/pdf/pdf.hpp"
#include "base/platform/texts/texts.hpp"
#include "base/sales/booking/cancellation/agreed.hpp"
#include "base/sales/booking/record/payment_plan.hpp"
#include "base/sales/documents/issued.hpp"
#include "base/sales/payment/record/intent.hpp"
#include "base/sales/payment/record/payment.hpp"
#include "base/settings/values/look.hpp"

namespace svc::documents {

enum class Kind : std::uint8_t { invoice, voucher, itinerary, credit_note };

std::string file_name(Kind kind, std::string_view reference);  // "Invoice #SVC-1A2B3C4D.pdf"

using settings::Look;

// The language of a document: the booking's, else the site's. base/i18n/collect.py finds the texts by the name
// of the call.
struct Words {
    std::string locale = "en";
    Look look = {};

    [[nodiscard]] std::string say_text(std::string_view english,
                                       std::initializer_list<texts::Argument> arguments = {}) const {
        return texts::bundled().say(locale, "document", english, arguments);
    }
    [[nodiscard]] std::string day(Date date) const { return settings::day_in(locale, look, date); }
    [[nodiscard]] std::string day(Instant instant) const { return day(look.zone.date_at(instant)); }
};

// The data of a document, read at one moment.
struct Material {
    booking::Booking booking;
    std::vector<booking::Traveler> travelers = {};
    std::vector<booking::Line> lines = {};
    std::vector<payment::Payment> payments = {};       // oldest first
    std::optional<payment::Payment> payment = {};      // the invoice's payment; empty: pro forma
    std::optional<catalog::trips::Trip> trip = {};     // empty when it was deleted permanently
    json::Value trip_members = json::Value::object();  // of its parts: destinations, days, highlights
    json::Value contact = {};                          // the customer's other answers to the form, by field
    json::Value emergency = {};                        // emergency contact: name, phone, relationship
    Company company = {};
    Customer customer = {};                        // as the document shows them to its reader
    std::optional<Issued> invoice = {};            // of the payment; empty: it is not issued
    std::optional<payment::Refunded> refund = {};  // the credit note's refund
    std::optional<Issued> credit_note = {};
    std::optional<ClockTime> arrival_time = {};
    Look look = {};
    Words words = {};
    std::optional<booking::ShownCancellation> cancellation = {};  // empty: nothing is agreed
    std::optional<booking::PlannedMoney> money = {};              // empty: its reader sees no amounts
    std::string way = {}, method = {};                            // of paying the booking and of the invoice's payment
    std::vector<std::string> instructions = {};                   // instructions for offline payment of the balance
    std::string verification_code = {};
    Date today = {};
};

using Blocks = std::vector<pdf::Block>;

struct Sheet {
    pdf::Head head;
    Blocks blocks;
};
Sheet invoice(const Material& material);
Sheet credit_note(const Material& material);
Sheet voucher(const Material& material);
Sheet itinerary(const Material& material);

// Whether customers may print documents of the booking: while it is active.
bool is_active(const booking::Booking& booking);

// Pieces that several documents have.
std::string status_label(std::string_view status, const Words& words);  // "On hold"
struct Paragraph {
    std::string text;  // plain
    bool is_item = false;
};
std::vector<Paragraph> paragraphs_of(std::string_view html);  // one a block
// When the trip begins and ends, with its clock times.
void add_travel_days(pdf::Facts& facts, const Material& material);
// The one partial of documents for the money: from the total to the rest.
pdf::Facts money(const Material& material);
// What cancelling costs; nothing where nothing is agreed or the reader sees no amounts.
void add_cancelling(Blocks& blocks, const Material& material);
// The lines of the customer's block; empty ones are left out.
std::vector<std::string> addressee(const Customer& customer, const Words& words);
// The booking's current customer. The address comes from the form's fields.
Customer customer_of(const booking::Booking& booking, const json::Value& contact);
// A heading and its content; neither if the content is empty.
void add_section(Blocks& blocks, std::string title, Blocks section);

// Cuts untrusted text to the space on the paper: so many code points, and so many lines; 1 joins all lines.
std::string on_paper(std::string_view text, std::size_t most = 200, std::size_t most_lines = 1);

}  // namespace svc::documents
