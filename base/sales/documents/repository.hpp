// Rows of issued invoices and credit notes, and of the counters of their numbers.
#pragma once

#include <optional>

#include "base/sales/documents/issued.hpp"
#include "shared/store/store.hpp"

namespace svc::documents {

struct Repository {
    // `refund_id` 0: the payment's invoice.
    static std::optional<Issued> find(store::Session& session, std::int64_t payment_id, std::int64_t refund_id);
    // Others wait for this series from here on until the transaction ends.
    static void lock_series(store::Transaction& tx, std::string_view series);
    // The next position, at least `start`. Its series is locked.
    static std::int64_t next(store::Transaction& tx, std::string_view series, std::int64_t start);
    static bool is_taken(store::Session& session, std::string_view number);
    // Returns its id.
    static std::int64_t insert(store::Transaction& tx, const Issued& issued, std::string_view series,
                               std::int64_t position);
    // The taxes of the booking's price, as many of them as its documents' payments less their refunds have paid,
    // without what its other documents state.
    static std::vector<IssuedTax> taxes_to_state(store::Transaction& tx, std::int64_t booking_id);
    static void insert_taxes(store::Transaction& tx, std::int64_t document_id, const std::vector<IssuedTax>& taxes);
};

}  // namespace svc::documents
