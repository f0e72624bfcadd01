// Additional services that a booking gets after it was made: what it costs more, and that its sums agree everywhere.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "base/sales/booking/record/service.hpp"
#include "base/sales/pricing/extras.hpp"

namespace svc::booking {

// Any thread. Does not check permissions; the gate does.
class LaterServices {
  public:
    LaterServices(const Parts& parts, const Ports& ports) : parts_(parts), ports_(ports) {}

    struct Wanted {
        pricing::Services services = {};                  // quantities by service, in addition to those it has
        std::optional<std::string> expected_amount = {};  // decimal text; another amount is 409 price_changed
        std::optional<std::int64_t> row_version = {};     // another one is 409 svc_conflict
        bool by_staff = false;                            // after a service's deadline and the departure, too
    };
    struct Added {
        Booking booking;                      // as it is with them
        json::Value entries;                  // as their module describes them
        std::vector<Line> lines;              // of the added services alone
        std::vector<pricing::TaxLine> taxes;  // by how much each grows
        Money services, tax;                  // added to the booking's
        [[nodiscard]] Money amount() const { return booking.tax_inclusive ? services : services + tax; }
    };

    // What can be added now, priced for the booking's party; empty where `why_not` has something to say.
    [[nodiscard]] json::Value offers(const Booking& booking) const;
    // Why nothing can be added to it; nothing: it can.
    [[nodiscard]] std::optional<Error> why_not(const Booking& booking, bool by_staff) const;
    // What add() would do; writes nothing. booking_not_found, svc_conflict, price_changed, fields at fault.
    [[nodiscard]] Result<Added> preview(std::int64_t id, const Wanted& wanted) const;
    // One transaction: services, lines, tax, total, quote and payment status. The price of what it had stays as agreed,
    // and a part that was paid stays paid. The rest is due like any other balance.
    Result<Added> add(std::int64_t id, const Wanted& wanted, const Actor& actor);

  private:
    [[nodiscard]] Result<void> accepts(const Booking& booking, const Wanted& wanted) const;
    // By the price that the booking was made with; changes `quote` too.
    [[nodiscard]] Result<Added> priced(const Booking& booking, json::Value& quote, const Wanted& wanted,
                                       store::Transaction* tx) const;
    void take_due(store::Session& session, const Booking& before, Booking& after, const json::Value& quote,
                  Instant now) const;

    Parts parts_;
    const Ports& ports_;
};

}  // namespace svc::booking
