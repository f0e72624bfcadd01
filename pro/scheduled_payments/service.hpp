// The rules of scheduled payments: creating and cancelling plans, and charging their parts.
#pragma once

#include <functional>

#include "pro/scheduled_payments/agreed.hpp"
#include "pro/scheduled_payments/configuration.hpp"
#include "pro/scheduled_payments/repository.hpp"
#include "shared/core/result.hpp"
#include "shared/plugin/host_charges.hpp"

namespace svc::pro::scheduled_payments {

struct Listed {
    std::vector<ScheduledPayment> payments;
    std::int64_t total = 0;
};
struct Owed {
    std::vector<Outstanding> bookings;
    std::int64_t total = 0;
};

// Any thread.
class Service {
  public:
    // Both outlive it.
    Service(const Site& site, const plugin::BookingCharges& charges)
        : site_(site), charges_(charges), settings_(site) {}

    [[nodiscard]] Zone zone() const { return site_.zone(); }  // the zone of its days
    [[nodiscard]] Listed list(const Query& query);
    [[nodiscard]] Owed outstanding(const Query& query);
    [[nodiscard]] json::Value stats(Instant now, std::int64_t guide_id);  // 0: of all bookings
    // conflict: it has run or was called off.
    Result<ScheduledPayment> cancel(std::int64_t id, std::int64_t user_id, Instant now);
    // E-mails the link by which the balance is paid, and notes it as a row.
    Result<ScheduledPayment> send_link(std::int64_t booking_id, Instant now);

    // -- listeners, called at least once each (service_plan.cpp)
    // A payment reached completed: the first one that leaves a balance is followed by a plan.
    void paid(const json::Value& payment, Instant now);
    // A booking changed: adapts its schedule.
    void changed(std::int64_t booking_id, Instant now);

    // -- by the clock (service_charge.cpp)
    Result<json::Value> charge_due(Instant now);
    Result<json::Value> remind(Instant now);
    // How many customers were notified that their card ends before a charge (service_card.cpp).
    Result<std::int64_t> notify_of_ending_cards(Instant now);

  private:
    // The parts of a first plan: what its customer agreed to while that fits, else what the settings say.
    [[nodiscard]] std::vector<AgreedPart> first_plan(store::Transaction& tx, const Owing& booking, Date today) const;
    // A payment with another card that its customer let us keep: the next charges go to that.
    void changed_card(const json::Value& payment, Instant now);
    // Cancels, moves or splits the outstanding parts of the booking, which is locked.
    static void settle(store::Transaction& tx, const Owing& booking, Date today, Instant now);
    std::optional<ScheduledPayment> claim(std::int64_t id, Instant now);
    std::optional<ScheduledPayment> claim_again(std::int64_t id, Instant since, Instant now);
    enum class Ending : std::uint8_t { paid, failed, given_back, unknown };
    Ending attempt(const ScheduledPayment& claimed, Instant now);
    void succeeded(const ScheduledPayment& claimed, const plugin::BookingCharges::Charged& charged, Instant now);
    void failed(const ScheduledPayment& claimed, const std::string& why, bool for_good, Instant now);
    void given_back(const ScheduledPayment& claimed, Instant now);
    // Runs `change` on the row and its booking while the row is still that attempt.
    void ending(const ScheduledPayment& claimed, Instant now,
                const std::function<void(store::Transaction&, ScheduledPayment&, const Owing&)>& change);
    // The arguments of actions besides its id.
    static json::Value context(const ScheduledPayment& payment, const Money& amount, const Look& look);
    void warn(std::string_view event, std::int64_t id, const std::string& cause) const;

    const Site& site_;
    const plugin::BookingCharges& charges_;
    const Configuration settings_;
};

}  // namespace svc::pro::scheduled_payments
