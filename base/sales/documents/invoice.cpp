// The invoice: lines, sums, and the money of the booking.
#include "base/sales/documents/document.hpp"

namespace svc::documents {
namespace {

// Lines that are summed up below the table rather than listed in it.
bool is_summed(const booking::Line& line) {
    return line.kind == "group_discount" || line.kind == "coupon" || line.kind == "tax";
}

pdf::Table lines_of(const Material& material) {
    const booking::Booking& booking = material.booking;
    const Look& look = material.look;
    const Words& words = material.words;
    pdf::Table table{.widths = {0.43, 0.13, 0.22, 0.22},
                     .head = {words.say_text("Description"), words.say_text("Quantity"), words.say_text("Price"),
                              words.say_text("Amount")}};
    for (const booking::Line& line : material.lines)
        if (!is_summed(line))
            table.rows.push_back({{booking::label_of(line, words.locale), std::to_string(line.quantity),
                                   look.amount(line.unit), look.amount(line.amount)}});
    if (table.rows.empty())
        table.rows.push_back({{booking.trip_title + ", " + words.day(booking.travel_date), "1",
                               look.amount(booking.total), look.amount(booking.total)}});
    return table;
}

// Readers expect "Unpaid" for a payment that has not arrived.
std::string status_of(const payment::Payment& payment, const Words& words) {
    if (payment.status == payment::status::completed)
        return words.say_text("Paid");
    return payment.status == payment::status::pending ? words.say_text("Unpaid") : status_label(payment.status, words);
}

// A payment may cover part of the price only: "paid" in the heading would contradict the balance below.
std::string invoice_status(const Material& material) {
    const auto& payment = material.payment;
    if (payment && payment->status != payment::status::completed)
        return status_of(*payment, material.words);
    return status_label(material.booking.payment_status, material.words);
}

pdf::Head head_of(const Material& material) {
    const booking::Booking& booking = material.booking;
    const auto& payment = material.payment;
    const auto& issued = material.invoice;
    const Words& words = material.words;
    pdf::Facts facts{{{words.say_text("Date"), issued    ? words.day(issued->issued_on)
                                               : payment ? words.day(payment->date)
                                                         : words.day(booking.created_at)},
                      {words.say_text("Booking reference"), booking.reference},
                      {words.say_text("Payment reference"), payment ? payment->reference() : std::string()},
                      {words.say_text("Payment date"), issued ? words.day(payment->date) : std::string()},
                      {words.say_text("Status"), invoice_status(material)},
                      {words.say_text("Trip"), booking.trip_title},
                      {words.say_text("Travel date"), words.day(booking.travel_date)}}};
    return {.kind = issued ? words.say_text("Invoice") : words.say_text("Pro forma invoice"),
            .number = issued ? issued->number : booking.reference,
            .addressee_label = words.say_text("Invoice to"),
            .addressee = addressee(material.customer, words),
            .facts = std::move(facts)};
}

// From the subtotal to the total; what is paid and due follows by itself.
pdf::Table sums(const Material& material) {
    const booking::Booking& booking = material.booking;
    const Look& look = material.look;
    const Words& words = material.words;
    pdf::Table table{.widths = {0.33, 0.22}, .indent = 0.45};
    const auto row = [&](std::string label, const Money& amount, bool strong = false) {
        table.rows.push_back({{std::move(label), look.amount(amount)}, strong});
    };
    row(words.say_text("Subtotal"), booking.subtotal);
    bool discounted = false, taxed = false;
    for (const booking::Line& line : material.lines)
        if (is_summed(line) && line.kind != "tax") {
            row(booking::label_of(line, words.locale), line.amount);
            discounted = true;
        }
    if (!discounted && !booking.discount.is_zero())
        row(words.say_text("Discount"), -booking.discount);
    if (!booking.services.is_zero())
        row(words.say_text("Services"), booking.services);
    if (!booking.itinerary.is_zero())
        row(words.say_text("Extras of the itinerary"), booking.itinerary);
    const auto tax_row = [&](const std::string& label, const Money& amount) {
        row(booking.tax_inclusive ? booking::included_tax(label, words.locale) : label, amount);
    };
    for (const booking::Line& line : material.lines)
        if (line.kind == "tax") {
            tax_row(line.label, line.amount);
            taxed = true;
        }
    if (!taxed && !booking.tax.is_zero())
        tax_row(words.say_text("Tax"), booking.tax);
    row(words.say_text("Total"), booking.total, true);
    return table;
}

}  // namespace

Sheet invoice(const Material& material) {
    const Words& words = material.words;
    Sheet sheet{.head = head_of(material), .blocks = {lines_of(material), sums(material)}};
    add_section(sheet.blocks, words.say_text("Payment"), {money(material)});
    if (const auto& payment = material.payment)
        add_section(sheet.blocks, words.say_text("This payment"),
                    {pdf::Facts{{{words.say_text("Amount"), material.look.amount(payment->amount)},
                                 {words.say_text("Method"), on_paper(material.method)},
                                 {words.say_text("Transaction"), payment->transaction_id.value_or("")},
                                 {words.say_text("Status"), status_of(*payment, words)}}}});
    Blocks ways;
    for (const std::string& line : material.instructions)
        ways.emplace_back(pdf::Paragraph{line});
    add_section(sheet.blocks, words.say_text("How to pay"), std::move(ways));
    if (!material.invoice)  // an issued one is an accounting record
        add_cancelling(sheet.blocks, material);
    if (!material.invoice)
        sheet.blocks.emplace_back(pdf::Paragraph{
            words.say_text("This is not an accounting invoice. Invoices are numbered when the payment is received."),
            pdf::Face::small});
    return sheet;
}

}  // namespace svc::documents
