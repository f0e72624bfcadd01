// A booking as consent forms need it: its trip, its travelers, and who is asked to sign for whom.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pro/consent/form.hpp"

namespace svc::pro::consent {

struct Traveler {
    std::int64_t index = 0;
    bool is_lead = false;
    std::string name, email;
    std::optional<Date> birth{};
};

struct Party {
    std::int64_t booking_id = 0;
    std::string reference, status;
    std::optional<std::int64_t> trip_id;
    std::string trip_title;
    Date travel_date{}, end_date{};
    std::optional<ClockTime> departure_time;
    std::int64_t travelers_count = 0;
    std::string locale, contact_name, contact_email;
    std::vector<Traveler> travelers{};  // one for each seat, nameless where nothing is known yet

    // Cancelled bookings and their kin have nobody to ask.
    [[nodiscard]] bool has_ended() const;
    [[nodiscard]] Instant end_of_trip(const Zone& zone) const;  // the end of its last day
    [[nodiscard]] const Traveler* find(std::int64_t index) const;
    // 0: the contact. Empty: not known yet.
    [[nodiscard]] std::string name_of(std::int64_t index) const;
    // The traveler's own address, else the contact's.
    [[nodiscard]] std::string email_of(std::int64_t index) const;
    // On the travel date; nothing while the date of birth is not known. The contact is taken to be of age.
    [[nodiscard]] std::optional<bool> is_minor(std::int64_t index, std::int64_t adult_age) const;
    // Whom the form asks: traveler indexes, or 0 for the contact.
    [[nodiscard]] std::vector<std::int64_t> asked_by(const ConsentForm& form) const;
};

std::optional<Party> party_of(store::Session& session, std::int64_t booking_id);
// Of all that exist, in the order of their ids: two statements for all of them.
std::vector<Party> parties_of(store::Session& session, std::span<const std::int64_t> booking_ids);

// Two names that differ in more than cases, accents and spaces are those of two people.
bool is_same_person(const std::string& one, const std::string& other);

}  // namespace svc::pro::consent
