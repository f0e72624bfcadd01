// Makes bookings: of a checkout session, or directly for a signed-in caller and by staff.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/sales/booking/checkout/choice.hpp"
#include "base/sales/booking/checkout/offers.hpp"
#include "base/sales/booking/checkout/sessions.hpp"
#include "base/sales/booking/form/forms.hpp"
#include "base/sales/booking/record/service.hpp"
#include "shared/core/faults.hpp"

namespace svc::booking {

struct CreatedBooking {
    Booking booking;
    std::string booking_token = {};  // guests; the only time it is seen
    bool repeated = false;           // the session had become this booking before
    std::optional<Instant> expires_at = {};
};

// Any thread.
class Creator {
  public:
    struct Needs {
        Service& records;
        Forms& forms;
        const Offers& offers;
        const Sessions& sessions;
    };
    Creator(const Parts& parts, const Ports& ports, const Needs& needs)
        : parts_(parts),
          ports_(ports),
          records_(needs.records),
          forms_(needs.forms),
          offers_(needs.offers),
          sessions_(needs.sessions),
          sealing_(parts.keyring) {}

    using Finally = std::function<void(store::Transaction&, const CreatedBooking&)>;
    // Creates the booking of a session, or a direct one for a signed-in caller or staff. `finally` runs last in its
    // transaction.
    Result<CreatedBooking> create(std::string_view secret, const NewBooking& draft, const api::Caller& caller,
                                  const Finally& finally = {});
    // Refuses what `create` would refuse, up to the gateway and the account, and reads the price; nothing is booked.
    Result<pricing::Quote> check(std::string_view secret, const NewBooking& draft, const api::Caller& caller);
    // The answers that `create` would refuse, for a request of which other fields do not fit anyway.
    Result<std::vector<FieldError>> faults(std::string_view secret, const NewBooking& asked_for,
                                           const api::Caller& caller) const;

  private:
    // The result of the first step, before any answer of the form is checked: session, permission, date.
    struct CheckedRequest {
        std::optional<CheckoutSession> session;
        CheckoutSession chosen;
        NewBooking draft;
    };
    Result<CheckedRequest> check_request(std::string_view secret, const NewBooking& asked_for,
                                         const api::Caller& caller) const;
    // The result of all checks without a lock. Without `form` and `quote`: the session has become a booking.
    struct CheckedBooking {
        CheckedRequest request;
        std::optional<Forms::CustomerForm> form;
        std::optional<pricing::Quote> quote;
        bool waiting = false;
    };
    Result<CheckedBooking> check_booking(std::string_view secret, const NewBooking& asked_for,
                                         const api::Caller& caller) const;
    Result<void> admitted(const NewBooking& draft, const api::Caller& caller) const;
    // Counts travelers by category from their data, if the date has prices by category and no counts were sent.
    void count_by_rows(CheckoutSession& chosen, const json::Value& travelers) const;
    // The form with its answers; drops everything else that was sent. Its error has all that is wrong with the request,
    // so that nobody corrects it twice.
    Result<Forms::CustomerForm> check_answers(CheckedRequest& request) const;
    // What the price tells of the request: categories, the total that was seen, the gateway. A code is left out: its
    // guesses are counted where it is asked for.
    void note_priced_faults(const CheckedRequest& request, svc::Faults& faults) const;
    // Whether the draft asks to wait for a date that is sold out.
    [[nodiscard]] bool is_to_wait(const CheckoutSession& chosen, const NewBooking& draft) const;
    // The account that owns a visitor's booking, after hooks; empty for a guest's.
    std::optional<std::int64_t> acting_user_of(store::Transaction& tx, const customers::Contact& contact,
                                               std::int64_t trip_id, const api::Caller& caller) const;
    Result<CreatedBooking> repeat(const CheckoutSession& session, const api::Caller& caller);
    Result<CreatedBooking> book(store::Transaction& tx, const std::optional<CheckoutSession>& session,
                                const CheckoutSession& chosen, const NewBooking& draft,
                                const Forms::CustomerForm& customer_form, const api::Caller& caller, bool waiting);
    // Finds or makes the record of the customer, for which it fills the contact; customer_blocked.
    Result<customers::Customer> customer_of(store::Transaction& tx, customers::Contact& contact,
                                            const NewBooking& draft, std::int64_t trip_id, const api::Caller& caller,
                                            Instant now);
    // Fills what the booking costs and until when it is paid; returns its lines.
    Result<std::vector<Line>> set_price(store::Transaction& tx, Booking& booking, const NewBooking& draft,
                                        const pricing::Quote& quote, Instant now);
    // The travelers, the answers and their files. `session_id`: of the checkout that sent the files; 0: none.
    void store_answers(store::Transaction& tx, std::int64_t id, std::int64_t session_id, const NewBooking& draft,
                       const json::Value& customer_form, Instant now) const;
    // Gives out its token, emits that it was made, and confirms it or takes its place in the queue.
    Result<CreatedBooking> announce(store::Transaction& tx, Booking booking, const NewBooking& draft,
                                    const api::Caller& caller, std::int64_t departure_id, Instant now);
    Result<std::int64_t> seat(store::Transaction& tx, const catalog::trips::Trip& trip,
                              const availability::Bookable& date, const Booking& booking, const NewBooking& draft,
                              Instant now);
    Result<Booking> finish_for_staff(store::Transaction& tx, std::int64_t id, const NewBooking& draft,
                                     const api::Caller& caller, Instant now);

    Parts parts_;
    const Ports& ports_;
    Service& records_;
    Forms& forms_;
    const Offers& offers_;
    const Sessions& sessions_;
    Sealing sealing_;
};

}  // namespace svc::booking
