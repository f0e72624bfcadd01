// The rules of booking: sessions, the quote shown, making a booking, and the one way its status changes.
#pragma once

#include <functional>
#include <mutex>

#include "base/availability/services.hpp"
#include "base/booking/checkout/choice.hpp"
#include "base/booking/record/booking.hpp"
#include "base/booking/record/ports.hpp"
#include "base/booking/record/repository.hpp"
#include "base/booking/record/verification.hpp"
#include "base/catalog/trips/service.hpp"
#include "base/discounts/service.hpp"
#include "base/platform/crypto/crypto.hpp"
#include "base/pricing/quote.hpp"
#include "base/settings/settings.hpp"
#include "shared/api/permission.hpp"
#include "shared/hooks/hooks.hpp"

namespace svc::booking {

namespace form {
struct Answers;
}

// A code that comes along with more: what there is not is the code, not what was asked for, which 404 would say.
inline constexpr ErrorCode unknown_code{errc::coupon_not_found.name, 400, errc::coupon_not_found.sentence};
Error told_of_code(const Error& fault);  // as it is told there

struct Made {
    Booking booking;
    std::string booking_token = {};  // guests; the only time it is seen
    bool repeated = false;           // the session had become this booking before
    std::optional<Instant> expires_at = {};
};

// Any thread.
class Service {
  public:
    struct Parts {
        store::Store& store;
        hooks::Hooks& hooks;
        settings::Settings& settings;
        catalog::trips::Service& trips;
        availability::Services& availability;
        pricing::Pricing& pricing;
        discounts::Service& discounts;
        const Clock& clock;
        const crypto::Keyring& keyring;
        // Whether a gateway may take that amount; from payment, which stands above (down by call, up by hook).
        std::function<Result<void>(std::string_view gateway, const Money& amount)> gateway_allowed;
        // Whether a booking is confirmed as it is made, in its transaction; empty: none is.
        std::function<bool(store::Transaction&, const Booking&)> confirms_new = {};
        // Checks and prepares an account for who books; what comes back makes it in the booking's transaction.
        using MakesAccount = std::function<Result<std::int64_t>(store::Transaction&)>;
        std::function<Result<MakesAccount>(const customers::Contact&, const std::string& password)> new_account = {};
        std::function<bool(std::string_view module)> module_enabled = {};  // empty: none is
        Payments* payments = nullptr;  // null: nothing is paid by hand through a booking
    };
    explicit Service(Parts parts) : parts_(std::move(parts)), sealing_(parts_.keyring) {}
    void set_gateway_check(std::function<Result<void>(std::string_view, const Money&)> check) {
        parts_.gateway_allowed = std::move(check);
    }
    void set_confirmation(std::function<bool(store::Transaction&, const Booking&)> confirms) {
        parts_.confirms_new = std::move(confirms);
    }

    void set_accounts(
        std::function<Result<Parts::MakesAccount>(const customers::Contact&, const std::string& password)> makes) {
        parts_.new_account = std::move(makes);
    }
    void followed_by(Payments* payments) { parts_.payments = payments; }  // [start-up]

    Result<OpenSession> open(const Choice& choice, const api::Caller& caller);
    Result<OpenSession> resume(std::string_view secret, const api::Caller& caller);  // slides its expiry
    Result<OpenSession> choose(std::string_view secret, const Choice& choice, const api::Caller& caller);
    Result<void> close(std::string_view secret, const api::Caller& caller);
    // What a pay link says of a booking: ended with the last payment, the day of travel, a cancellation.
    enum class PayLink { foreign, ended, proves };
    PayLink pay_link(std::string_view token, std::int64_t booking_id);  // pay_link.cpp
    // Whether that secret was a session's; for a week after its end.
    bool knows(std::string_view secret);
    // The price of what the session holds, with `choice` laid over it and not stored.
    Result<pricing::Quote> summary(std::string_view secret, const Choice& choice, const api::Caller& caller);

    // Whether that code is another one than the session has: then it is a try at a code. Without a secret it is one.
    bool tries_code(std::string_view secret, std::string_view code);
    // Whether a coupon of that code can be used today, on whatever trip.
    [[nodiscard]] bool is_usable_code(std::string_view code) { return parts_.discounts.is_usable(code); }
    // Puts a code on the session, in place of another; the errors of discounts::Service::look_up.
    Result<pricing::Quote> set_coupon(std::string_view secret, std::string_view code, const api::Caller& caller);

    using Kept = std::function<void(store::Transaction&, const Made&)>;
    // The form, by listeners' leave; `asked`, or with a trip: as its customers see it, its conditions resolved.
    // trip_not_found unless published.
    Result<json::Value> form(std::optional<std::int64_t> trip_id, bool asked) const;
    // The same as a trip's customers will see it, whatever the trip's status is. trip_not_found.
    [[nodiscard]] Result<json::Value> form_for_staff(std::int64_t trip_id) const;
    [[nodiscard]] std::shared_ptr<const catalog::trips::Trip> published(std::int64_t trip_id) const {
        return parts_.trips.published(trip_id);
    }
    // The dates that a trip is offered on, from memory.
    [[nodiscard]] Result<std::vector<availability::Bookable>> dates_of(std::int64_t trip_id) const;
    // The price of the trip's smallest party on that date, as it is shown before anything is chosen, and what can be
    // added to it. Nothing where that party has none.
    [[nodiscard]] std::optional<pricing::Quote> first_price(const catalog::trips::Trip& trip,
                                                            const availability::Bookable& date) const;
    [[nodiscard]] json::Value services_for(const catalog::trips::Trip& trip, const pricing::Quote& quote) const {
        return parts_.pricing.services_for(trip, quote);
    }
    // For a customer, by staff: no session, no limits of notice, any gateway; a status, total and payment of theirs.
    Result<Made> create_for_customer(NewBooking wanted, const api::Caller& staff, const Kept& kept);
    // Makes the booking a session holds, or a direct one for a signed-in caller or staff. `kept` runs in the same
    // transaction with what will be answered.
    Result<Made> create(std::string_view secret, const NewBooking& wanted, const api::Caller& caller, const Kept& kept);
    // The answers that `create` would refuse, for a request of which other fields do not fit anyway.
    Result<std::vector<FieldError>> faults(std::string_view secret, const NewBooking& asked_for,
                                           const api::Caller& caller);

    [[nodiscard]] Zone zone() const { return parts_.settings.zone(); }  // whose days the lists' from and to are
    std::optional<Booking> find(std::int64_t id);
    std::optional<Booking> seen(std::int64_t id, const api::Caller& staff);  // nothing: not a guide's to see
    json::Value detail(const Booking& booking, bool for_staff);
    json::Value detail(store::Transaction& tx, const Booking& booking, bool for_staff = true);  // as it sees it
    // When it ends by itself: unpaid, unproven, or its seats from the waitlist not taken up.
    std::optional<Instant> expires_at(store::Session& session, const Booking& booking);
    [[nodiscard]] std::optional<Instant> unpaid_until(const Booking& booking) const;
    Listed list(const Filter& filter, const api::Page& page);
    // Counts and sums over bookings made in the filter's period.
    json::Value stats(const Filter& filter);
    Result<Booking> set_status(std::int64_t id, std::string_view to, std::string_view reason, const Actor& actor,
                               bool forced = false);
    // Absent members stay. What party, trip or date cost is asked anew with `recalculate` alone.
    struct Edit {
        std::optional<std::string> first_name = {}, last_name = {}, phone = {}, country = {}, special_requests = {},
                                   internal_notes = {};
        std::optional<json::Value> travelers = {};
        std::vector<std::int64_t> traveler_ids = {};  // which of the known ones each of them is; 0: none
        json::Value contact_data = json::Value::object(), emergency = json::Value::object();  // those named change
        [[nodiscard]] bool has_answers() const { return travelers || contact_data.size() + emergency.size() > 0; }
        std::optional<std::int64_t> row_version = {};
        std::optional<std::string> email = {};
        Choice choice = {};  // trip, date, time, party, method
        bool without_time = false;
        bool recalculate = false;
        std::optional<std::string> total = {};  // decimal text; wins over the price
        std::optional<std::string> paid = {};   // decimal text; what is not recorded of it is, by hand
        pricing::ByHand by_hand = {};           // parts of the price, where it is made anew
        std::optional<std::string> gateway = {}, payment_status = {}, status = {};
        std::string cancellation_reason = {};
        bool forced = false;  // where the status takes seats: beyond the capacity
        std::optional<bool> needs_attention = {};
        std::optional<std::int64_t> customer_id = {};  // whose record it is; the contact stays as it is
        std::optional<std::int64_t> user_id = {};      // whose own booking it is
        bool without_user = false;
    };
    Result<Booking> edit(std::int64_t id, const Edit& edit, const Actor& actor = {.kind = "admin"});
    // What of a change cannot be, whatever else is in it; and of a booking for a customer, whose record fills the
    // contact (service_faults.cpp).
    [[nodiscard]] std::vector<FieldError> faults_of_edit(std::int64_t id, const Edit& edit) const;
    [[nodiscard]] std::vector<FieldError> faults_at_desk(NewBooking& wanted) const;
    // `kept` runs in its transaction.
    Result<void> trash(std::int64_t id, const Actor& actor, const std::function<void(store::Transaction&)>& kept = {});
    Result<Booking> restore(std::int64_t id, const Actor& actor, bool forced = false);
    // For good, with all that belongs to it; svc_in_use while a completed payment does. Of one that is not in the trash
    // only by force.
    Result<void> remove(std::int64_t id, const Actor* forced_by = nullptr,
                        const std::function<void(store::Transaction&)>& kept = {});
    // One action on many, each by itself: mark_{status}, trash, restore, delete.
    struct Outcome {
        std::int64_t id = 0;
        std::optional<Error> error = {};
    };
    std::vector<Outcome> bulk(std::string_view action, const std::vector<std::int64_t>& ids, const Actor& actor);

    // -- owners (service_own.cpp); who may is the gate's business
    Result<Booking> cancel_own(std::int64_t id, std::string_view reason, const Actor& actor);
    // For a channel that sold it (an OTA), on any day. Repeated, also by another process, it answers the cancelled
    // booking and fires nothing. Paid money is flagged for a person. booking_not_found, svc_invalid_transition.
    Result<Booking> cancel_for_channel(std::int64_t id, std::string_view channel, std::string_view reason);
    // With its texts, which the memory of published trips has not; whatever became of its page.
    [[nodiscard]] Result<catalog::trips::Trip> whole_trip(std::int64_t id) const { return parts_.trips.find(id); }
    // The address that a signed link proves, by its address_digest. A second time answers the booking as it is.
    struct Verified {
        Booking booking;
        bool before = false;
    };
    // A late proof counts where nothing was proven yet, and takes the seats again: token_expired, sold_out.
    Result<Verified> verify(const Verification::Proof& proof);
    static std::string address_digest(std::string_view email);
    // What somebody booked as a guest by the address that is proven theirs; how many.
    std::int64_t link_guest_bookings(std::int64_t user_id, std::string_view verified_email);

    // -- by the clock (service_sweeps.cpp), each booking in a transaction of its own
    Result<json::Value> expire_unpaid(Instant now);
    // From when on unpaid bookings end, noted once: at the first start, so that the first hour's bookings count too. A
    // database that is away leaves it to the sweep.
    void note_expiry(Instant now);
    Result<json::Value> remind(Instant now);
    Result<json::Value> complete_ended(Instant now);

    std::pair<std::vector<ListedTraveler>, std::int64_t> travelers(const TravelerFilter& filter, const api::Page& page);
    std::vector<std::pair<std::int64_t, std::string>> booked_trips();
    // svc_in_use for the lead of a live booking.
    std::vector<Outcome> remove_travelers(const std::vector<std::int64_t>& ids);

    // For documents.
    static std::vector<Traveler> travelers(store::Session& session, std::int64_t id) {
        return Repository::travelers(session, id);
    }
    static std::vector<Line> lines(store::Session& session, const Booking& booking) {
        return Repository::lines(session, booking.id, booking.total.currency());
    }

    // For payment, inside its transaction.
    std::optional<Booking> lock(store::Transaction& tx, std::int64_t id) { return Repository::lock(tx, id); }
    std::optional<Booking> read(store::Session& session, std::int64_t id) { return Repository::find(session, id); }
    // The booking as it is then.
    Booking set_paid(store::Transaction& tx, const Booking& booking, const Money& paid, std::string_view payment_status,
                     Instant now);
    void flag(store::Transaction& tx, std::int64_t id, std::string_view reason, Instant now) {
        Repository::flag(tx, id, reason, now);
    }
    void unflag(store::Transaction& tx, std::int64_t id, Instant now) { Repository::unflag(tx, id, now); }
    // The only writer of a status. `booking` is as read under its lock. Seats, log and events go with it; setting the
    // present status again does nothing. `forced`: seats are taken beyond the capacity.
    Result<void> change(store::Transaction& tx, const Booking& booking, std::string_view to, Cause cause,
                        const Actor& actor, std::string_view reason, Instant now, bool forced = false);

    // Ends every stored secret of the booking: its tokens, those of its balance, and the checkout sessions that have
    // become it. Signed links end by the booking's status and address (promise S7).
    static void end_secrets(store::Transaction& tx, std::int64_t id, Instant now);

    // -- for departures (service_departures.cpp)
    void follow(store::Transaction& tx, std::int64_t id, const availability::Departure& departure, Instant now);
    // Its seats on the departure it was on last. Who is taken up again follows a departure that moved meanwhile, as
    // those did who stayed; one that went to another trip is refused.
    Result<void> take_again(store::Transaction& tx, const Booking& booking, Instant now,
                            const availability::Seats::Hold& hold);
    // Out of the waitlist with the seats it was given.
    void promoted(store::Transaction& tx, std::int64_t id, std::int64_t trip_id, std::int64_t departure_id,
                  bool confirm, Instant now);
    [[nodiscard]] bool may_promote(store::Transaction& tx, std::int64_t id) const;
    // Cancels a live booking of a departure that was cancelled; false when there was nothing to cancel.
    bool cancel_with_departure(std::int64_t id, std::string_view reason, const Actor& actor);
    // Seats from the waitlist that nobody took in time go to the next.
    Result<json::Value> end_offers(Instant now);
    // Reminds of the deadline that a gateway gives for paying later; what is past it ends where no sweep ends it.
    Result<json::Value> watch_deadlines(Instant now);
    // What lists are counted and searched by.
    Result<json::Value> add_up_counts();
    Result<json::Value> index_search(Instant now);
    Result<json::Value> seal_answers();   // sensitive ones that lie there from before there was sealing
    Result<std::int64_t> renew_sealed();  // what another key than the one in use has sealed; how many

  private:
    void keep_services(store::Transaction& tx, std::int64_t booking_id, const pricing::Quote& quote);
    void tell_reached(store::Transaction& tx, const Booking& after, Cause cause);
    Result<CheckoutSession> live(store::Session& session, std::string_view secret, const api::Caller& caller) const;
    struct Priced {
        availability::Bookable date;
        pricing::Quote quote;
    };
    // By the database's word; `waiting`: of a date whose seats do not suffice.
    Result<Priced> priced(store::Session& session, const CheckoutSession& chosen, bool by_staff, bool waiting = false,
                          bool forced = false, pricing::Request::Shown shown = pricing::Request::Shown::no) const;
    // From memory where that has the date, else by the database's word: for what is shown, and before a transaction.
    struct Asked {
        pricing::Request::Shown shown = pricing::Request::Shown::no;
        bool by_staff = false, forced = false;
    };
    Result<pricing::Quote> quote_shown(const CheckoutSession& chosen, const Asked& asked) const;
    Result<pricing::Quote> price_of(const catalog::trips::Trip& trip, const availability::Bookable& date,
                                    const CheckoutSession& chosen, store::Session* session,
                                    pricing::Request::Shown shown = pricing::Request::Shown::no) const;
    [[nodiscard]] discounts::Buyer buyer_of(const std::string& email, std::optional<std::int64_t> user_id,
                                            std::int64_t booking_id = 0) const;
    // The discounts of its price are the booking's from now on.
    Result<void> hold_discounts(store::Transaction& tx, const pricing::Quote& quote, const Booking& booking,
                                Instant now);
    // What it holds, as it can be shown now.
    OpenSession shown(CheckoutSession session, std::string secret = {}) const;
    // The choice by trip, date and time; `trip_id`: of the session, where the choice names none.
    Result<Choice> named(Choice choice, std::optional<std::int64_t> trip_id = {}) const;
    // All that is stored of it and not sealed, as events tell it.
    json::Value record_of(store::Session& session, const Booking& booking);
    json::Value stored_detail(store::Session& session, const Booking& booking, bool for_staff);
    std::optional<pricing::Quote> quote_if_any(const CheckoutSession& chosen) const;
    using AskedForm = std::shared_ptr<const json::Value>;
    // form() as the trip's customers are asked; the same one until the operator writes another, where nobody else has a
    // say in it.
    Result<AskedForm> asked_form(std::optional<std::int64_t> trip_id) const;
    // Without a trip, while nobody listens.
    Result<AskedForm> plain_form() const;
    // The stored form, by listeners' leave, conditions included.
    [[nodiscard]] json::Value form_config(std::optional<std::int64_t> trip_id) const;
    // As the customers of that trip are asked; `categories`: trip categories, with all above them.
    [[nodiscard]] json::Value form_of(json::Value config, const catalog::trips::Trip& trip,
                                      std::vector<std::int64_t> categories) const;
    // The form that was asked and answered; of what was sent its answers are left.
    Result<AskedForm> answered(const CheckoutSession& chosen, NewBooking& wanted) const;
    // Who travels, as staff tell them: the answers to the form of the booking's trip.
    Result<form::Answers> answers_told(std::int64_t booking_id, const Edit& edit) const;
    // Whoever is written into a booking, or goes with it to another trip or day, is of an age for it.
    [[nodiscard]] Result<void> ages_fit(std::int64_t booking_id, const Edit& edit) const;
    // The traveler categories of a published trip.
    [[nodiscard]] std::vector<std::int64_t> categories_of(std::int64_t trip_id) const;
    struct PlainForm {
        json::Value stored;  // the setting it was made of
        AskedForm asked;
    };
    struct KnownForm {
        AskedForm form;
        std::int64_t id = 0;  // of its row
    };
    std::int64_t kept_form(store::Transaction& tx, const AskedForm& asked, Instant now);
    // Refused where there are any, each by its field.
    static Result<void> none_of(const std::vector<FieldError>& faults);
    Result<void> admitted(const NewBooking& wanted, const api::Caller& caller) const;
    // What comes before any answer of the form is looked at: the session, who may book, which date is meant.
    struct Begun {
        std::optional<CheckoutSession> session;
        CheckoutSession chosen;
        NewBooking wanted;
    };
    Result<Begun> begun(std::string_view secret, const NewBooking& asked_for, const api::Caller& caller) const;
    // How many of each category travel, by what is told of each; where a date is priced by it and nobody counted them.
    void count_by_rows(CheckoutSession& chosen, const json::Value& travelers) const;
    // Whose a visitor's booking becomes, by listeners' leave; nothing for a guest's.
    std::optional<std::int64_t> acting_user_of(store::Transaction& tx, const customers::Contact& contact,
                                               std::int64_t trip_id, const api::Caller& caller) const;
    Result<Made> repeat(const CheckoutSession& session, const api::Caller& caller);
    Result<Made> book(store::Transaction& tx, const std::optional<CheckoutSession>& session,
                      const CheckoutSession& chosen, const NewBooking& wanted, const AskedForm& asked,
                      const api::Caller& caller, bool waiting);
    Result<std::int64_t> seat(store::Transaction& tx, const catalog::trips::Trip& trip,
                              const availability::Bookable& date, const Booking& booking, const NewBooking& wanted,
                              Instant now);
    [[nodiscard]] Error told_of_waitlist(store::Session& session, Error error, std::int64_t trip_id, Date date,
                                         std::optional<ClockTime> time, std::int64_t seats) const;
    // The same of a choice.
    [[nodiscard]] Error told_of_waitlist(const Error& error, const CheckoutSession& chosen) const;
    // Whether the trip has what a session's choice names.
    Result<void> offered(const CheckoutSession& session, const Choice& choice) const;
    void keep_alive(CheckoutSession& session);
    // What of a choice only a session keeps: refused, or laid over it.
    [[nodiscard]] Result<void> keepable(const Choice& choice) const;
    void keep_draft(CheckoutSession& session, const Choice& choice) const;
    // What that setting holds, which `fresh` becomes when it holds nothing.
    Result<std::string> since_when(const char* key, const std::string& fresh);
    Result<void> move(store::Transaction& tx, Booking& booking, const Edit& edit, Instant now);
    [[nodiscard]] std::map<std::int64_t, std::int64_t> services_booked(std::int64_t id) const;
    Result<void> receive_up_to(store::Transaction& tx, const Booking& told, const std::string& sum, const Actor& actor,
                               Instant now) const;
    Result<void> reprice(store::Transaction& tx, Booking& booking, const Edit& edit, Instant now);
    Result<Booking> changed_by_staff(store::Transaction& tx, std::int64_t id, const Edit& edit, const Actor& actor);
    // False: they are as they were, and nothing was written.
    bool lay_answers(store::Transaction& tx, std::int64_t id, const Edit& edit) const;
    bool write_travelers(store::Transaction& tx, std::int64_t id, const Edit& edit) const;
    [[nodiscard]] bool is_user(std::int64_t id) const;
    Result<Booking> finish_for_staff(store::Transaction& tx, std::int64_t id, const NewBooking& wanted,
                                     const api::Caller& caller, Instant now);

    Parts parts_;
    Sealing sealing_;
    mutable std::mutex forms_mutex_;
    mutable PlainForm plain_form_;
    std::shared_ptr<const KnownForm> known_form_;  // the form asked last
};

}  // namespace svc::booking
