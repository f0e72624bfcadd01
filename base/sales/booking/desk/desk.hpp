// Staff's writes of bookings: create for a customer, move, recalculate, mark as paid.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/sales/booking/checkout/creator.hpp"
#include "base/sales/booking/checkout/offers.hpp"
#include "base/sales/booking/form/forms.hpp"
#include "base/sales/booking/record/service.hpp"

namespace svc::booking {

namespace form {
struct Answers;
}

// Absent members stay. The price only changes with `recalculate`.
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
    std::optional<std::string> paid = {};   // decimal text; the difference to recorded payments becomes a manual one
    pricing::ByHand by_hand = {};           // manual parts of the price when it is recalculated
    std::optional<std::string> gateway = {}, payment_status = {}, status = {};
    std::string cancellation_reason = {};
    bool forced = false;  // where the status takes seats: beyond the capacity
    std::optional<bool> needs_attention = {};
    bool payments_known = false;                   // of one whose payments were not
    std::optional<std::int64_t> customer_id = {};  // the customer's record; the contact does not change
    std::optional<std::int64_t> user_id = {};      // the account that owns it
    bool without_user = false;
};

// Any thread.
class Desk {
  public:
    struct Needs {
        Service& records;
        const Forms& forms;
        const Offers& offers;
        Creator& creator;
    };
    Desk(const Parts& parts, const Ports& ports, const Needs& needs)
        : parts_(parts),
          ports_(ports),
          lifecycle_(needs.records.lifecycle()),
          forms_(needs.forms),
          offers_(needs.offers),
          creator_(needs.creator),
          sealing_(parts.keyring) {}

    // For a customer, by staff: no session, no limits of notice, any gateway; a status, total and payment of theirs.
    Result<CreatedBooking> create_for_customer(NewBooking draft, const api::Caller& staff);
    Result<Booking> edit(std::int64_t id, const Edit& edit, const Actor& actor = {.kind = "admin"});
    // Inside the caller's transaction, of an edit that has the contact and the notes alone.
    Result<Booking> edit_contact(store::Transaction& tx, std::int64_t id, const Edit& edit, const Actor& actor) {
        return changed_by_staff(tx, id, edit, actor);
    }
    // Writes these answers of one traveler of the booking, inside the caller's transaction; all others stay. By the
    // rules of travelers that staff send; an error names the answer. svc_not_found: it is no traveler of the booking.
    Result<void> edit_answers(store::Transaction& tx, std::int64_t id, std::int64_t traveler_id,
                              const json::Value& answers, const Actor& actor);
    // Puts all answers of the traveler back as they were once: no form is asked.
    Result<void> restore_answers(store::Transaction& tx, std::int64_t id, std::int64_t traveler_id,
                                 const json::Value& answers, const Actor& actor);
    // All of them, the sealed ones too; null: there is no such traveler.
    [[nodiscard]] json::Value answers_of(store::Session& session, std::int64_t traveler_id) const;
    // The faults of a change, and of a booking for a customer, whose record fills the contact (faults.cpp).
    [[nodiscard]] std::vector<FieldError> faults_of_edit(std::int64_t id, const Edit& edit) const;
    [[nodiscard]] std::vector<FieldError> faults_at_desk(NewBooking& draft) const;

  private:
    Result<void> move(store::Transaction& tx, Booking& booking, const Edit& edit, Instant now);
    Result<void> reprice(store::Transaction& tx, Booking& booking, const Edit& edit, Instant now);
    [[nodiscard]] std::map<std::int64_t, std::int64_t> services_booked(std::int64_t id) const;
    Result<void> receive_up_to(store::Transaction& tx, const Booking& before, const std::string& sum,
                               const Actor& actor, Instant now) const;
    Result<Booking> changed_by_staff(store::Transaction& tx, std::int64_t id, const Edit& edit, const Actor& actor);
    // False: they are as they were, and nothing was written.
    bool store_answers(store::Transaction& tx, std::int64_t id, const Edit& edit) const;
    bool write_travelers(store::Transaction& tx, std::int64_t id, const Edit& edit) const;
    // A booking with its answers as they are stored.
    struct Stored {
        Booking booking;
        Particulars particulars;
        std::vector<Traveler> travelers;
    };
    // booking_not_found.
    [[nodiscard]] Result<Stored> find_stored(store::Session& session, std::int64_t id) const;
    [[nodiscard]] Result<Stored> find_stored(std::int64_t id) const;
    // Reads the travelers that staff sent: answers to the form of the booking's trip.
    [[nodiscard]] Result<form::Answers> read_answers(const Stored& stored, const Edit& edit) const;
    // Rejects travelers whose age does not fit the trip, when they are added or moved.
    [[nodiscard]] Result<void> ages_fit(const Stored& stored, const Edit& edit) const;
    [[nodiscard]] bool is_customer(std::int64_t user_id) const;
    // An error with each of them by its field; nothing for none.
    static Result<void> none_of(const std::vector<FieldError>& faults);

    Parts parts_;
    const Ports& ports_;
    Lifecycle& lifecycle_;
    const Forms& forms_;
    const Offers& offers_;
    Creator& creator_;
    Sealing sealing_;
};

}  // namespace svc::booking
