// SQL of issued documents.
#include "base/documents/repository.hpp"

#include "shared/store/typed.hpp"

namespace svc::documents {
namespace {

json::Value to_row(const Company& seller) {
    return json::Value::object({{"name", seller.name},
                                {"address", seller.address},
                                {"email", seller.email},
                                {"phone", seller.phone},
                                {"website", seller.website},
                                {"vat_number", seller.vat_number}});
}

json::Value to_row(const Customer& customer) {
    return json::Value::object({{"name", customer.name},
                                {"company", customer.company},
                                {"address", customer.address},
                                {"country", customer.country},
                                {"email", customer.email},
                                {"phone", customer.phone}});
}

Company company_from(const json::Value& row) {
    return {.name = row.text_or("name"),
            .address = row.text_or("address"),
            .email = row.text_or("email"),
            .phone = row.text_or("phone"),
            .website = row.text_or("website"),
            .vat_number = row.text_or("vat_number")};
}

Customer customer_from(const json::Value& row) {
    return {.name = row.text_or("name"),
            .company = row.text_or("company"),
            .address = row.text_or("address"),
            .country = row.text_or("country"),
            .email = row.text_or("email"),
            .phone = row.text_or("phone")};
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
                  .seller = company_from(json::parse(seller).value()),
                  .customer = customer_from(json::parse(customer).value()),
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
         {"seller", to_row(issued.seller).dump()},
         {"customer", to_row(issued.customer).dump()},
         {"issued_on", issued.issued_on},
         {"issued_at", issued.issued_at}});
}

}  // namespace svc::documents
