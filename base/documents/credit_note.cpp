// The credit note: the refunded part of an invoice.
#include "base/documents/document.hpp"

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
    const payment::Refunded& refund = material.refund.value();
    const payment::Payment& payment = material.payment.value();
    const Issued& issued = material.credit_note.value();
    const Issued& invoice = material.invoice.value();
    pdf::Table lines{.widths = {0.75, 0.25}, .head = {"Description", "Amount"}};
    // Isolated (U+2068 to U+2069): a title that is read from the right would draw the day's number into itself.
    lines.rows.push_back(
        {{"Refund of a payment for \u2068" + booking.trip_title + "\u2069, " + look.day(booking.travel_date),
          look.amount(refund.amount)}});
    pdf::Table total{.widths = {0.3, 0.25}, .indent = 0.45};
    total.rows.push_back({{"Amount credited", look.amount(refund.amount)}, true});
    if (const Money tax = -tax_of(issued, refund.amount); !tax.is_zero())
        total.rows.push_back({{"Tax within it", look.amount(tax)}});
    Sheet sheet{.head = {.kind = "Credit note",
                         .number = issued.number,
                         .addressee_label = "Credit to",
                         .addressee = addressee(material.customer),
                         .facts = {{{"Date", look.day(issued.issued_on)},
                                    {"Invoice number", invoice.number},
                                    {"Invoice date", look.day(invoice.issued_on)},
                                    {"Booking reference", booking.reference},
                                    {"Payment reference", payment.reference()},
                                    {"Trip", booking.trip_title},
                                    {"Travel date", look.day(booking.travel_date)}}}},
                .blocks = {std::move(lines), std::move(total)}};
    add_section(sheet.blocks, "This refund",
                {pdf::Facts{{{"Refunded on", refund.processed_at ? look.day(*refund.processed_at) : std::string()},
                             {"Method", on_paper(payment.method)},
                             {"Transaction", refund.gateway_refund_id.value_or("")},
                             {"Amount of the payment", look.amount(payment.amount)}}}});
    return sheet;
}

}  // namespace svc::documents
