// The invoice: lines, payments and balance.
#include "base/documents/document.hpp"

namespace svc::documents {
namespace {

// Lines that are summed up below the table rather than listed in it.
bool is_summed(const booking::Line& line) {
    return line.kind == "group_discount" || line.kind == "coupon" || line.kind == "tax";
}

pdf::Table lines_of(const Material& material) {
    const booking::Booking& booking = material.booking;
    const Look& look = material.look;
    pdf::Table table{.widths = {0.43, 0.13, 0.22, 0.22}, .head = {"Description", "Quantity", "Price", "Amount"}};
    for (const booking::Line& line : material.lines)
        if (!is_summed(line))
            table.rows.push_back(
                {{line.label, std::to_string(line.quantity), look.amount(line.unit), look.amount(line.amount)}});
    if (table.rows.empty())
        table.rows.push_back({{booking.trip_title + ", " + look.day(booking.travel_date), "1",
                               look.amount(booking.total), look.amount(booking.total)}});
    return table;
}

// Readers expect "Unpaid" for a payment that has not arrived.
std::string status_of(const payment::Payment& payment) {
    if (payment.status == payment::status::completed)
        return "Paid";
    return payment.status == payment::status::pending ? "Unpaid" : status_label(payment.status);
}

// A payment may cover part of the price only: "paid" in the heading would contradict the balance below.
std::string invoice_status(const Material& material) {
    const auto& payment = material.payment;
    if (payment && payment->status != payment::status::completed)
        return status_of(*payment);
    return status_label(material.booking.payment_status);
}

pdf::Head head_of(const Material& material) {
    const booking::Booking& booking = material.booking;
    const auto& payment = material.payment;
    const auto& issued = material.invoice;
    pdf::Facts facts{{{"Date", issued    ? material.look.day(issued->issued_on)
                               : payment ? material.look.day(payment->date)
                                         : material.look.day(booking.created_at)},
                      {"Booking reference", booking.reference},
                      {"Payment reference", payment ? payment->reference() : std::string()},
                      {"Payment date", issued ? material.look.day(payment->date) : std::string()},
                      {"Status", invoice_status(material)},
                      {"Trip", booking.trip_title},
                      {"Travel date", material.look.day(booking.travel_date)}}};
    return {.kind = issued ? "Invoice" : "Pro forma invoice",
            .number = issued ? issued->number : booking.reference,
            .addressee_label = "Invoice to",
            .addressee = addressee(material.customer),
            .facts = std::move(facts)};
}

}  // namespace

pdf::Table sums(const Material& material) {
    const booking::Booking& booking = material.booking;
    const Look& look = material.look;
    pdf::Table table{.widths = {0.3, 0.25}, .indent = 0.45};
    const auto row = [&](std::string label, const Money& amount, bool strong = false) {
        table.rows.push_back({{std::move(label), look.amount(amount)}, strong});
    };
    row("Subtotal", booking.subtotal);
    bool discounted = false, taxed = false;
    for (const booking::Line& line : material.lines)
        if (is_summed(line) && line.kind != "tax") {
            row(line.label, line.amount);
            discounted = true;
        }
    if (!discounted && !booking.discount.is_zero())
        row("Discount", -booking.discount);
    if (!booking.services.is_zero())
        row("Services", booking.services);
    if (!booking.itinerary.is_zero())
        row("Extras of the itinerary", booking.itinerary);
    const std::string included = booking.tax_inclusive ? " (included)" : "";
    for (const booking::Line& line : material.lines)
        if (line.kind == "tax") {
            row(line.label + included, line.amount);
            taxed = true;
        }
    if (!taxed && !booking.tax.is_zero())
        row("Tax" + included, booking.tax);
    row("Booking total", booking.total, true);
    Money refunds = Money::zero(booking.total.currency());
    for (const payment::Payment& payment : material.payments)
        refunds += payment.refunded;
    row("Total paid", booking.amount_paid + refunds);  // the stored amount is after refunds
    if (!refunds.is_zero())
        row("Refunded", -refunds);
    row("Balance due", booking.amount_owed(), true);
    return table;
}

Sheet invoice(const Material& material) {
    Sheet sheet{.head = head_of(material), .blocks = {lines_of(material), sums(material)}};
    if (const auto& payment = material.payment)
        add_section(sheet.blocks, "This payment",
                    {pdf::Facts{{{"Amount", material.look.amount(payment->amount)},
                                 {"Method", on_paper(payment->method)},
                                 {"Transaction", payment->transaction_id.value_or("")},
                                 {"Status", status_of(*payment)}}}});
    Blocks ways;
    for (const std::string& line : material.instructions)
        ways.emplace_back(pdf::Paragraph{line});
    add_section(sheet.blocks, "How to pay", std::move(ways));
    if (!material.invoice)
        sheet.blocks.emplace_back(
            pdf::Paragraph{"This is not an accounting invoice. Invoices are numbered when the payment is received.",
                           pdf::Face::small});
    return sheet;
}

}  // namespace svc::documents
