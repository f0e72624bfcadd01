// Issues an invoice for each payment received and a credit note for each refund, once each.
#pragma once

#include "base/sales/documents/issued.hpp"
#include "base/settings/values/settings.hpp"
#include "shared/store/store.hpp"

namespace svc::documents {

// Any thread.
class Issuing {
  public:
    Issuing(store::Store& store, const settings::Settings& settings, const Clock& clock)
        : store_(store), settings_(settings), clock_(clock) {}

    struct Of {
        std::int64_t booking_id = 0, payment_id = 0, refund_id = 0;
    };
    // The document that was issued for it, else a new one with the next number of its series. The seller is the
    // settings' of that moment. Commits; throws store::Unavailable.
    Result<Issued> issue(const Of& of, const Customer& customer);
    // The same inside the caller's transaction. The counter is the last row that is locked: others wait for it until
    // the caller's transaction ends, and when that fails the number is the next one's.
    Issued issue(store::Transaction& tx, const Of& of, const Customer& customer);

    // The seller as the settings have it.
    [[nodiscard]] Company seller() const;

  private:
    store::Store& store_;
    const settings::Settings& settings_;
    const Clock& clock_;
};

}  // namespace svc::documents
