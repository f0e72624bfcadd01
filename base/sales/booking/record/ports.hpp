// The ports of bookings to higher features, which implement them; the assembly connects them.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/people/customers/customer.hpp"
#include "base/sales/booking/record/booking.hpp"
#include "shared/api/permission.hpp"
#include "shared/api/schema.hpp"
#include "shared/core/result.hpp"
#include "shared/store/store.hpp"

namespace svc::booking {

// The time that a gateway gives to pay, as the operator stored it for that gateway.
struct TimeToPay {
    std::int64_t days = 0, working_days = 0;  // at most one of them; neither: booking_expiry_hours count
};

// The first moment of a trip that people are told: its departure, or the beginning of its day.
struct Departs {
    Date day;
    std::optional<ClockTime> time = {};
};

// The payments of a booking. Any thread.
class Payments {
  public:
    virtual ~Payments() = default;

    // -- inside the write's transaction, the booking's row locked
    // One completed payment by hand; the booking's sums, status and events follow as for any other.
    virtual Result<void> receive(store::Transaction& tx, const Booking& booking, const Money& amount,
                                 std::optional<std::int64_t> user_id, Instant now) = 0;
    // Whether receiving that much would confirm a booking that is pending.
    [[nodiscard]] virtual bool confirms(store::Transaction& tx, const Booking& booking, const Money& amount) const = 0;
    // The booking's total changed: recompute what is paid of it.
    virtual Result<void> reckon(store::Transaction& tx, const Booking& booking, Instant now) = 0;
    // The booking has ended: reject further payments and scheduled charges.
    virtual void called_off(store::Transaction& tx, std::int64_t booking_id, Instant now) = 0;
    // Deletes its payments; svc_in_use while a completed one is among them, which is an accounting record.
    virtual Result<void> forget(store::Transaction& tx, std::int64_t booking_id) = 0;

    // -- reading
    // Whether a booking can be of that gateway: a registered one, or an instrument that staff take by hand.
    [[nodiscard]] virtual bool takes(std::string_view gateway) const = 0;
    // Adds its payments, with details for staff: payments, payment_transaction_id.
    virtual void add_payments(store::Session& session, std::int64_t booking_id, bool for_staff,
                              json::Value& detail) const = 0;
    // The part of the total that this gateway is content with for now, of a booking that is to be paid in full.
    [[nodiscard]] virtual std::optional<Rate> deposit_of(store::Session& session, const std::string& gateway) const = 0;
    [[nodiscard]] virtual TimeToPay time_to_pay(store::Session& session, const std::string& gateway) const = 0;
    // Who pays by that gateway is reminded so many days before the deadline, descending; empty: nobody is.
    struct Reminders {
        std::string gateway;
        std::vector<std::int64_t> days;
    };
    [[nodiscard]] virtual Reminders reminders() const = 0;
    // What of the booking's payments was sent back.
    [[nodiscard]] virtual Money refunded(store::Session& session, const Booking& booking) const = 0;
    // Whether a payment is in progress or staff expect one: then no sweep ends the booking.
    [[nodiscard]] virtual bool is_awaited(store::Session& session, std::int64_t booking_id, Instant now) const = 0;
};

// The gateways that visitors choose among. Any thread.
class Gateways {
  public:
    virtual ~Gateways() = default;

    // Whether a booking may be made with that gateway for that amount; invalid_gateway and others.
    [[nodiscard]] virtual Result<void> allows(std::string_view gateway, const Money& amount) const = 0;
    // Whether a booking is confirmed as it is made, in its transaction.
    [[nodiscard]] virtual bool confirms_new(store::Transaction& tx, const Booking& booking) const = 0;
};

// The accounts of those who book. Any thread.
class Accounts {
  public:
    virtual ~Accounts() = default;

    using Create = std::function<Result<std::int64_t>(store::Transaction&)>;
    // Checks and prepares an account; the result creates it in the booking's transaction. A fault names the booking's
    // field: account_password, contact_email.
    [[nodiscard]] virtual Result<Create> prepare(const customers::Contact& contact,
                                                 const std::string& password) const = 0;
    // Whether a visitor may have an account made, as at registration; `is_person`: that was checked with the booking.
    // registration_disabled, 429, recaptcha_failed.
    [[nodiscard]] virtual Result<void> admit(const std::string& recaptcha_token, const std::string& address,
                                             bool is_person) const = 0;
};

// The parts of checkout pages about payment. Any thread.
class PaymentPages {
  public:
    virtual ~PaymentPages() = default;

    // The gateways a customer may choose for that amount, as on /payment/gateways, with the deadlines of a booking of
    // that departure.
    [[nodiscard]] virtual json::Value usable(const Money& amount, const std::optional<Departs>& departs) const = 0;
    [[nodiscard]] virtual api::Type usable_answer() const = 0;  // one of these
    // How to pay a booking once it is created: online, on a page with a charge, or by the text, in that language.
    struct HowToPay {
        bool online = false;
        std::string instructions = {};
    };
    // The gateways are read at once, the text is made later, inside the booking's transaction, where nothing may wait
    // for a second session.
    using Instructions =
        std::function<HowToPay(std::string_view gateway, const json::Value& booking, std::string_view locale)>;
    [[nodiscard]] virtual Instructions instructions() const = 0;
    // The balance that a token of /payment/remaining/session opens, as a session; session_expired.
    [[nodiscard]] virtual Result<json::Value> balance(const std::string& secret, const api::Caller& caller) const = 0;
    // Ends that session.
    [[nodiscard]] virtual Result<void> end_balance(const std::string& secret, const api::Caller& caller) const = 0;
};

// The enquiries that bookings come of. Any thread.
class Enquiries {
  public:
    virtual ~Enquiries() = default;

    // Inside the booking's transaction: the enquiry has become this booking. A fault names `enquiry_id`.
    virtual Result<void> convert(store::Transaction& tx, std::int64_t enquiry_id, const Booking& booking,
                                 std::optional<std::int64_t> user_id, Instant now) const = 0;
};

// Connected at start, before the first request.
struct Ports {
    PaymentPages* pages = nullptr;         // null: there are no routes
    Payments* payments = nullptr;          // null: nothing is paid by hand through a booking
    Gateways* gateways = nullptr;          // null: any gateway is allowed, and no booking is confirmed as it is made
    Accounts* accounts = nullptr;          // null: no account is made
    const Enquiries* enquiries = nullptr;  // null: none
};

}  // namespace svc::booking
