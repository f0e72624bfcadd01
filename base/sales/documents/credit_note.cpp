// The credit note: the refunded part of an invoice.
#include "base/sales/documents/document.hpp"

namespace svc::documents {
namespace {

Money tax_of(const Issued& issued, const Money& amount) {
    Money tax = Money::zero(amount.currency());
    for (const IssuedTax& each : issued.taxes)
        tax += each.amount;
    return tax;
}

}  // namespace

Sheet credit_note(const Material& material) {
    const booking::Booking& booking = material.booking;
    const Look& look = material.look;
    const Words& words = material.words;
    const payment::Refunded& refund = material.refund.value();
    const payment::Payment& payment = material.payment.value();
    const Issued& issued = material.credit_note.value();
    const Issued& invoice = material.invoice.value();
    pdf::Table lines{.widths = {0.75, 0.25}, .head = {words.say_text("Description"), words.say_text("Amount")}};
    // Isolated (U+2068 to U+2069): a title that is read from the right would draw the day's number into itself.
    lines.rows.push_back(
        {{words.say_text("Refund of a payment for {trip}, {day}",
                         {{"trip", "\u2068" + booking.trip_title + "\u2069"}, {"day", words.day(booking.travel_date)}}),
          look.amount(refund.amount)}});
    pdf::Table total{.widths = {0.3, 0.25}, .indent = 0.45};
    total.rows.push_back({{words.say_text("Amount credited"), look.amount(refund.amount)}, true});
    if (const Money tax = -tax_of(issued, refund.amount); !tax.is_zero())
        total.rows.push_back({{words.say_text("Tax within it"), look.amount(tax)}});
    Sheet sheet{.head = {.kind = words.say_text("Credit note"),
                         .number = issued.number,
                         .addressee_label = words.say_text("Credit to"),
                         .addressee = addressee(material.customer, words),
                         .facts = {{{words.say_text("Date"), words.day(issued.issued_on)},
                                    {words.say_text("Invoice number"), invoice.number},
                                    {words.say_text("Invoice date"), words.day(invoice.issued_on)},
                                    {words.say_text("Booking reference"), booking.reference},
                                    {words.say_text("Payment reference"), payment.reference()},
                                    {words.say_text("Trip"), booking.trip_title},
                                    {words.say_text("Travel date"), words.day(booking.travel_date)}}}},
                .blocks = {std::move(lines), std::move(total)}};
    add_section(sheet.blocks, words.say_text("This refund"),
                {pdf::Facts{{{words.say_text("Refunded on"),
                              refund.processed_at ? words.day(*refund.processed_at) : std::string()},
                             {words.say_text("Method"), on_paper(material.method)},
                             {words.say_text("Transaction"), refund.gateway_refund_id.value_or("")},
                             {words.say_text("Amount of the payment"), look.amount(payment.amount)}}}});
    add_section(sheet.blocks, words.say_text("Payment"), {money(material)});
    return sheet;
}

}  // namespace svc::documents
