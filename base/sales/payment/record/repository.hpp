// Payment rows and the configuration of gateways.
#pragma once

#include "base/sales/booking/checkout/access.hpp"
#include "base/sales/booking/record/booking.hpp"
#include "base/sales/payment/record/payment.hpp"
#include "shared/api/route.hpp"
#include "shared/store/store.hpp"

namespace svc::payment {

struct Filter {
    std::string status = {}, gateway = {};
    std::optional<std::int64_t> booking_id = {};
    std::optional<Date> from = {}, to = {};  // of its date, both counted
    std::optional<Instant> updated_since = {};
    std::string reconciliation = {};
    std::string search = {};                    // transaction_id, booking reference, customer e-mail
    std::optional<std::int64_t> guide_id = {};  // of bookings on departures that this user guides alone
};

std::vector<std::string> sort_keys();  // of the list, the default first

struct Ledger {
    struct Place {
        std::int64_t id = 0;
        Instant since;  // it counts
        Money amount, refunded;
        std::string type = {};
    };
    Money completed;                 // received, including refunded payments
    Money refunded;                  // refunded of it
    bool last_failed = false;        // the newest record failed and none is pending
    bool holds_unasked = false;      // some of it is listed to be sent back
    std::vector<Place> places = {};  // the payments that count, in the order of completion
    [[nodiscard]] Money net() const { return completed - refunded; }
    void add(const Payment& newest);  // a completed one
};

// A booking's payment status and its readers.
struct Standing {
    booking::Access access;
    std::optional<booking::Account> account;  // none: there is no such booking
    std::optional<Payment> latest;
    std::optional<Instant> pay_by = {};  // of one that has waited for nothing; none: it is to be computed
};

class Repository {
  public:
    static std::optional<Payment> find(store::Session& session, std::int64_t id);
    static std::optional<Payment> find_transaction(store::Session& session, std::string_view transaction_id);
    static std::optional<Payment> of_intent(store::Session& session, std::int64_t intent_id);  // the newest
    // With booking::access_params(). Includes everything that any caller may see of the payment.
    static Standing standing(store::Session& session, const store::Params& params);
    static std::vector<Payment> of_booking(store::Session& session, std::int64_t booking_id);
    static std::vector<Payment> list(store::Session& session, const Filter& filter, const api::Page& page);
    static std::int64_t count(store::Session& session, const Filter& filter);

    // Nothing when the transaction is recorded already.
    static std::optional<std::int64_t> insert(store::Transaction& tx, const Payment& payment, std::int64_t customer_id);
    static void update(store::Transaction& tx, const Payment& payment, Instant now);
    static void remove(store::Transaction& tx, std::int64_t id);
    // Records that its completion was reported.
    static void note_completed_event(store::Transaction& tx, std::int64_t id, Instant now);
    static void reconcile(store::Transaction& tx, std::int64_t id, std::string_view reconciliation);
    static void none_unasked(store::Transaction& tx, std::int64_t booking_id);  // no payment of it is to be sent back
    static void set_type(store::Transaction& tx, std::int64_t id, std::string_view type, Instant now);
    static void set_refunded(store::Transaction& tx, const Payment& payment, Instant now);
    // By status, and what waits for a person; of a guide's bookings or of all.
    static json::Value counts(store::Session& session, std::optional<std::int64_t> guide_id = {});
    static Ledger ledger(store::Session& session, std::int64_t booking_id, Currency currency);
};

}  // namespace svc::payment
