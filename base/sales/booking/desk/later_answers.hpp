// Answers and files that a customer adds to a booking after it was made, or replaces: to fields of the form that allow
// it (after_booking), until the departure (setting form_answers_until_hours).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/sales/booking/desk/desk.hpp"

namespace svc::booking {

inline constexpr SentenceId too_late_to_answer =
    "This booking can no longer be changed here. Please contact us."_sentence;

// Any thread. Whoever asks has proven to own the booking.
class LaterAnswers {
  public:
    struct Needs {
        const Forms& forms;
        Desk& desk;
    };
    LaterAnswers(const Parts& parts, const Needs& needs)
        : parts_(parts), forms_(needs.forms), desk_(needs.desk), sealing_(parts.keyring) {}

    // When it ends. Nothing: the booking has ended, or has no seats and waits for none.
    [[nodiscard]] std::optional<Instant> until(const Booking& booking) const;
    [[nodiscard]] bool is_open(const Booking& booking) const;

    // A field that may be answered now.
    struct Open {
        std::string name;                          // on the wire: "travelers.1.passport"
        std::string section;                       // "traveler_form"
        std::optional<std::size_t> traveler = {};  // its place, from 0
        json::Value field;                         // as the form has it
        std::string answer = {};
    };
    // Those that the booking's answers ask, in the order of the form.
    [[nodiscard]] std::vector<Open> open_fields(const Booking& booking) const;
    // The booking's form as its trip has it now.
    [[nodiscard]] Result<json::Value> form_of(const Booking& booking) const;
    // Writes answers by their names; those left out stay. An error names the field; svc_conflict when it is too late.
    Result<Booking> save(const Booking& booking, const json::Value& answers, const Actor& actor);

  private:
    struct Stored {
        Particulars particulars;
        std::vector<Traveler> travelers;
    };
    [[nodiscard]] Stored stored_of(const Booking& booking) const;

    Parts parts_;
    const Forms& forms_;
    Desk& desk_;
    Sealing sealing_;
};

}  // namespace svc::booking
