// SQL of issued documents.
#include "base/sales/documents/repository.hpp"

#include <algorithm>
#include <map>

#include "shared/store/typed.hpp"

namespace svc::documents {
namespace {

// The texts of a seller or a customer, by their names in the stored JSON.
template <class T>
struct PartyText {
    const char* name;
    std::string T::*member;
};
constexpr PartyText<Company> company_texts[] = {{"name", &Company::name},       {"address", &Company::address},
                                                {"email", &Company::email},     {"phone", &Company::phone},
                                                {"website", &Company::website}, {"vat_number", &Company::vat_number},
                                                {"country", &Company::country}};
constexpr PartyText<Customer> customer_texts[] = {{"name", &Customer::name},       {"company", &Customer::company},
                                                  {"address", &Customer::address}, {"country", &Customer::country},
                                                  {"email", &Customer::email},     {"phone", &Customer::phone}};

template <class T, std::size_t count>
std::string to_row(const T& party, const PartyText<T> (&texts)[count]) {
    json::Value row = json::Value::object();
    for (const auto& [name, member] : texts)
        row.set(name, party.*member);
    return row.dump();
}

template <class T, std::size_t count>
T party_from(const std::string& text, const PartyText<T> (&texts)[count]) {
    const json::Value row = json::parse(text).value();
    T party;
    for (const auto& [name, member] : texts)
        party.*member = row.text_or(name);
    return party;
}

std::vector<IssuedTax> taxes_of(store::Session& session, std::int64_t document_id) {
    return store::all_rows(session,
                           "SELECT label, amount_minor, currency FROM svc_issued_taxes WHERE document_id = :id"
                           " ORDER BY label",
                           {{"id", document_id}},
                           [](const std::string& label, std::int64_t minor, const std::string& currency) {
                               return IssuedTax{label, {minor, Currency::parse(currency).value()}};
                           });
}

std::string_view kind_of(std::int64_t refund_id) { return refund_id == 0 ? "invoice" : "credit_note"; }

}  // namespace

std::optional<Issued> Repository::find(store::Session& session, std::int64_t payment_id, std::int64_t refund_id) {
    const auto row = store::tuple<std::int64_t, std::string, std::int64_t, std::string, std::string, Date, Instant>(
        session,
        "SELECT id, number, booking_id, seller, customer, issued_on, issued_at FROM svc_issued_documents"
        " WHERE kind = :kind AND payment_id = :payment_id AND refund_id = :refund_id",
        {{"kind", kind_of(refund_id)}, {"payment_id", payment_id}, {"refund_id", refund_id}});
    if (!row)
        return std::nullopt;
    const auto& [id, number, booking_id, seller, customer, issued_on, issued_at] = *row;
    return Issued{.number = number,
                  .booking_id = booking_id,
                  .payment_id = payment_id,
                  .refund_id = refund_id,
                  .seller = party_from(seller, company_texts),
                  .customer = party_from(customer, customer_texts),
                  .issued_on = issued_on,
                  .issued_at = issued_at,
                  .taxes = taxes_of(session, id)};
}

void Repository::lock_series(store::Transaction& tx, std::string_view series) {
    tx.run("INSERT INTO svc_number_series (series, last) VALUES (:series, 0) ON CONFLICT (series) DO NOTHING",
           {{"series", series}});
    tx.run("UPDATE svc_number_series SET last = last WHERE series = :series", {{"series", series}});
}

std::int64_t Repository::next(store::Transaction& tx, std::string_view series, std::int64_t start) {
    return store::value<std::int64_t>(
               tx,
               "UPDATE svc_number_series SET last = CASE WHEN last + 1 < CAST(:start AS BIGINT)"
               " THEN CAST(:start AS BIGINT) ELSE last + 1 END WHERE series = :series RETURNING last",
               {{"series", series}, {"start", start}})
        .value();
}

bool Repository::is_taken(store::Session& session, std::string_view number) {
    return session.number("SELECT COUNT(*) FROM svc_issued_documents WHERE number = :number", {{"number", number}}) > 0;
}

std::int64_t Repository::insert(store::Transaction& tx, const Issued& issued, std::string_view series,
                                std::int64_t position) {
    return store::value<std::int64_t>(
               tx,
               "INSERT INTO svc_issued_documents (kind, number, series, position, booking_id, payment_id, refund_id, "
               "seller,"
               " customer, issued_on, issued_at) VALUES (:kind, :number, :series, :position, :booking_id, :payment_id,"
               " :refund_id, :seller, :customer, :issued_on, :issued_at) RETURNING id",
               {{"kind", kind_of(issued.refund_id)},
                {"number", issued.number},
                {"series", series},
                {"position", position},
                {"booking_id", issued.booking_id},
                {"payment_id", issued.payment_id},
                {"refund_id", issued.refund_id},
                {"seller", to_row(issued.seller, company_texts)},
                {"customer", to_row(issued.customer, customer_texts)},
                {"issued_on", issued.issued_on},
                {"issued_at", issued.issued_at}})
        .value();
}

std::vector<IssuedTax> Repository::taxes_to_state(store::Transaction& tx, std::int64_t booking_id) {
    // Two documents of one booking that are issued at once wait for each other here.
    tx.run("UPDATE svc_issued_documents SET booking_id = booking_id WHERE booking_id = :id", {{"id", booking_id}});
    const auto booking = store::tuple<std::int64_t, std::string>(
        tx, "SELECT total_minor, currency FROM svc_bookings WHERE id = :id", {{"id", booking_id}});
    if (!booking)
        return {};
    const auto& [total, code] = *booking;
    const Currency currency = Currency::parse(code).value();
    const std::int64_t paid = tx.number(
        "SELECT CAST(COALESCE(SUM(CASE WHEN d.kind = 'invoice' THEN p.amount_minor ELSE -r.amount_minor END), 0) AS"
        " BIGINT) FROM svc_issued_documents d LEFT JOIN svc_payments p ON p.id = d.payment_id LEFT JOIN svc_refunds r"
        " ON r.id = d.refund_id WHERE d.booking_id = :id",
        {{"id", booking_id}});
    std::map<std::string, Money> due;
    store::each_row(tx,
                    "SELECT label, CAST(SUM(amount_minor) AS BIGINT) FROM svc_booking_lines WHERE booking_id = :id AND"
                    " kind = 'tax' GROUP BY label",
                    {{"id", booking_id}}, [&](const std::string& label, std::int64_t tax) {
                        due.emplace(label, total <= 0 ? Money::zero(currency)
                                                      : Money{tax, currency}.share(
                                                            std::clamp<std::int64_t>(paid, 0, total), total));
                    });
    store::each_row(tx,
                    "SELECT x.label, CAST(SUM(x.amount_minor) AS BIGINT) FROM svc_issued_documents d JOIN"
                    " svc_issued_taxes x ON x.document_id = d.id WHERE d.booking_id = :id AND x.currency = :currency"
                    " GROUP BY x.label",
                    {{"id", booking_id}, {"currency", code}}, [&](const std::string& label, std::int64_t stated) {
                        due.try_emplace(label, Money::zero(currency)).first->second -= Money{stated, currency};
                    });
    std::vector<IssuedTax> taxes;
    for (const auto& [label, amount] : due)
        if (!amount.is_zero())
            taxes.push_back({label, amount});
    return taxes;
}

void Repository::insert_taxes(store::Transaction& tx, std::int64_t document_id, const std::vector<IssuedTax>& taxes) {
    for (const IssuedTax& tax : taxes)
        tx.run(
            "INSERT INTO svc_issued_taxes (document_id, label, currency, amount_minor) VALUES (:document, :label,"
            " :currency, :amount)",
            {{"document", document_id},
             {"label", tax.label},
             {"currency", tax.amount.currency().code()},
             {"amount", tax.amount.minor()}});
}

}  // namespace svc::documents
