// SQL of issued documents.
#include "base/documents/repository.hpp"

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
                                                {"website", &Company::website}, {"vat_number", &Company::vat_number}};
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

std::string_view kind_of(std::int64_t refund_id) { return refund_id == 0 ? "invoice" : "credit_note"; }

}  // namespace

std::optional<Issued> Repository::find(store::Session& session, std::int64_t payment_id, std::int64_t refund_id) {
    const auto row = store::tuple<std::string, std::int64_t, std::string, std::string, Date, Instant>(
        session,
        "SELECT number, booking_id, seller, customer, issued_on, issued_at FROM svc_issued_documents"
        " WHERE kind = :kind AND payment_id = :payment_id AND refund_id = :refund_id",
        {{"kind", kind_of(refund_id)}, {"payment_id", payment_id}, {"refund_id", refund_id}});
    if (!row)
        return std::nullopt;
    const auto& [number, booking_id, seller, customer, issued_on, issued_at] = *row;
    return Issued{.number = number,
                  .booking_id = booking_id,
                  .payment_id = payment_id,
                  .refund_id = refund_id,
                  .seller = party_from(seller, company_texts),
                  .customer = party_from(customer, customer_texts),
                  .issued_on = issued_on,
                  .issued_at = issued_at};
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

void Repository::insert(store::Transaction& tx, const Issued& issued, std::string_view series, std::int64_t position) {
    tx.run(
        "INSERT INTO svc_issued_documents (kind, number, series, position, booking_id, payment_id, refund_id, seller,"
        " customer, issued_on, issued_at) VALUES (:kind, :number, :series, :position, :booking_id, :payment_id,"
        " :refund_id, :seller, :customer, :issued_on, :issued_at)",
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
         {"issued_at", issued.issued_at}});
}

}  // namespace svc::documents
