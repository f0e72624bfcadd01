// One counter a series, locked last.
#include "base/sales/documents/issuing.hpp"

#include "base/sales/documents/numbers.hpp"
#include "base/sales/documents/repository.hpp"

namespace svc::documents {

Company Issuing::seller() const {
    Company company{.name = settings_.text("company_name"),
                    .email = settings_.text("company_email"),
                    .phone = settings_.text("company_phone"),
                    .website = settings_.text("company_website"),
                    .vat_number = settings_.text("vat_number"),
                    .country = settings_.text("company_country")};
    for (const char* key : {"company_address", "company_zip", "company_city", "company_state"})
        if (const std::string part = settings_.text(key); !part.empty())
            company.address += (company.address.empty() ? "" : ", ") + part;
    return company;
}

Issued Issuing::issue(store::Transaction& tx, const Of& of, const Customer& customer) {
    if (auto known = Repository::find(tx, of.payment_id, of.refund_id))
        return std::move(*known);
    const std::string name = of.refund_id == 0 ? "invoice" : "credit_note";
    const std::string pattern = settings_.text(name + "_number_pattern");
    const std::int64_t start = settings_.integer(name + "_number_start");
    const Instant now = clock_.now();
    Issued issued{.booking_id = of.booking_id,
                  .payment_id = of.payment_id,
                  .refund_id = of.refund_id,
                  .seller = seller(),
                  .customer = customer,
                  .issued_on = settings_.zone().date_at(now),
                  .issued_at = now};
    const int year = issued.issued_on.year();
    const std::string series = series_of(pattern, year);
    Repository::lock_series(tx, series);
    if (auto known = Repository::find(tx, of.payment_id, of.refund_id))  // issued while this one waited
        return std::move(*known);
    std::int64_t position = 0;
    do {  // Another pattern may have made the same number before.
        position = Repository::next(tx, series, start);
        issued.number = number_at(pattern, year, position);
    } while (Repository::is_taken(tx, issued.number));
    const std::int64_t id = Repository::insert(tx, issued, series, position);
    issued.taxes = Repository::taxes_to_state(tx, issued.booking_id);
    Repository::insert_taxes(tx, id, issued.taxes);
    return issued;
}

Result<Issued> Issuing::issue(const Of& of, const Customer& customer) {
    auto known = store_.reading<std::optional<Issued>>(
        [&](store::Session& session) { return Repository::find(session, of.payment_id, of.refund_id); });
    if (known)
        return std::move(*known);
    return store_.transact<Issued>([&](store::Transaction& tx) -> Result<Issued> { return issue(tx, of, customer); });
}

}  // namespace svc::documents
