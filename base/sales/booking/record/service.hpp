// Bookings one by one: reading them, showing them, and what other features write into them.
#pragma once

#include "base/sales/booking/record/booking.hpp"
#include "base/sales/booking/record/booking_link.hpp"
#include "base/sales/booking/record/lifecycle.hpp"
#include "base/sales/booking/record/money_terms.hpp"
#include "base/sales/booking/record/parts.hpp"
#include "base/sales/booking/record/repository.hpp"
#include "shared/api/permission.hpp"

namespace svc::booking {

// The functions of bookings for features above them. Any thread.
class Service {
  public:
    Service(const Parts& parts, const Ports& ports)
        : parts_(parts), ports_(ports), sealing_(parts.keyring), lifecycle_(parts, ports) {}

    // Whoever asks: for events, jobs and owners that were proven. Routes of staff read by seen().
    [[nodiscard]] std::optional<Booking> find(std::int64_t id) const;
    // The door of staff: nothing when the caller has no right to read bookings, or guides and it is not on their
    // departures.
    [[nodiscard]] std::optional<Booking> seen(std::int64_t id, const api::Caller& staff) const;
    [[nodiscard]] json::Value detail(const Booking& booking, bool for_staff) const;
    // The same as the transaction sees it.
    [[nodiscard]] json::Value detail(store::Transaction& tx, const Booking& booking, bool for_staff = true) const;
    // All that is stored of it and not sealed, as events have it.
    [[nodiscard]] json::Value record_of(store::Session& session, const Booking& booking) const;
    // When it ends by itself: unpaid, unproven, or its seats from the waitlist not taken up.
    [[nodiscard]] std::optional<Instant> expires_at(store::Session& session, const Booking& booking) const;
    [[nodiscard]] std::optional<Instant> unpaid_until(store::Session& session, const Booking& booking) const;
    // The deadline of its first payment, whether it ends the booking or not; nothing: without end.
    [[nodiscard]] std::optional<Instant> pay_by(store::Session& session, const Booking& booking) const;
    [[nodiscard]] MoneyTerms money_terms(store::Session& session, const Booking& booking) const;
    [[nodiscard]] std::optional<MoneyTerms> money_terms(std::int64_t id) const;
    // Mailed links, in pay_link.cpp. A pay link ends with the last payment, the day of travel, the cancellation or
    // after pay_link_lifetime; a booking link booking_link_days after the trip.
    enum class LinkProof : std::uint8_t { foreign, ended, proves };
    [[nodiscard]] LinkProof pay_link(std::string_view token, std::int64_t booking_id) const;
    [[nodiscard]] LinkProof booking_link(std::string_view token, std::int64_t booking_id) const;
    // Tokens of links to the booking's present address; empty: there is no such booking.
    [[nodiscard]] std::string new_pay_link(std::int64_t booking_id) const;
    [[nodiscard]] std::string new_booking_link(std::int64_t booking_id) const;
    struct Mailed {
        Booking booking;
        std::string link_token;  // of a new booking link
        MoneyTerms money;
    };
    // What an e-mail to its contact says, by one read; nothing: there is no such booking.
    [[nodiscard]] std::optional<Mailed> mailed(std::int64_t booking_id) const;
    // Ends all that were mailed before.
    static void end_links(store::Transaction& tx, std::int64_t booking_id);
    [[nodiscard]] Zone zone() const { return parts_.settings.zone(); }
    // With its texts, which trips in memory lack; of any status.
    [[nodiscard]] Result<catalog::trips::Trip> whole_trip(std::int64_t id) const { return parts_.trips.find(id); }

    // For documents.
    static std::vector<Traveler> travelers(store::Session& session, std::int64_t id) {
        return Repository::travelers(session, id);
    }
    static std::vector<Line> lines(store::Session& session, const Booking& booking) {
        return Repository::lines(session, booking.id, booking.total.currency());
    }

    // For payment, inside its transaction.
    static std::optional<Booking> lock(store::Transaction& tx, std::int64_t id) { return Repository::lock(tx, id); }
    static std::optional<Booking> read(store::Session& session, std::int64_t id) {
        return Repository::find(session, id);
    }
    // Returns the booking as it is then.
    Booking set_paid(store::Transaction& tx, const Booking& booking, const Money& paid, std::string_view payment_status,
                     Instant now);
    static void flag(store::Transaction& tx, std::int64_t id, std::string_view reason, Instant now) {
        Repository::flag(tx, id, reason, now);
    }
    static void unflag(store::Transaction& tx, std::int64_t id, Instant now) { Repository::unflag(tx, id, now); }
    // Lifecycle::change.
    Result<void> change(store::Transaction& tx, const Booking& booking, std::string_view to, Cause cause,
                        const Actor& actor, std::string_view reason, Instant now, bool forced = false) {
        return lifecycle_.change(tx, booking, to, cause, actor, reason, now, forced);
    }
    [[nodiscard]] Lifecycle& lifecycle() { return lifecycle_; }

  private:
    struct Linked {
        Booking booking;
        std::int64_t counter = 0;
        [[nodiscard]] LinkSubject subject() const { return {booking.id, booking.email, counter}; }
    };
    [[nodiscard]] json::Value stored_detail(store::Session& session, const Booking& booking, bool for_staff) const;
    [[nodiscard]] std::optional<Linked> linked_booking(std::int64_t booking_id) const;

    Parts parts_;
    const Ports& ports_;
    Sealing sealing_;
    Lifecycle lifecycle_;
};

}  // namespace svc::booking
