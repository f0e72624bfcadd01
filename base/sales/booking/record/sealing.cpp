// Parts answers into those that are stored plain and those that are encrypted.
#include "base/sales/booking/record/sealing.hpp"

#include "shared/core/log.hpp"

namespace svc::booking {

Sealing::AtRest Sealing::seal(const json::Value& answers, std::string_view place) const {
    AtRest rest{json::Value::object(), {}};
    json::Value secret = json::Value::object();
    for (const auto& [name, answer] : answers.members()) {
        const bool nothing = answer.is_null() || (answer.is_string() && answer.text().empty());
        (is_sensitive(name) && !nothing ? secret : rest.plain).set(name, answer);
    }
    if (secret.size() > 0)
        rest.sealed = keyring_.seal(secret.dump(), place);
    return rest;
}

std::string Sealing::seal_whole(const json::Value& answers, std::string_view place) const {
    return answers.size() == 0 ? std::string() : keyring_.seal(answers.dump(), place);
}

json::Value Sealing::unseal(json::Value plain, std::string_view sealed, std::string_view place) const {
    if (sealed.empty())
        return plain;
    const auto secret = keyring_.open(sealed, place);
    const auto answers = secret ? json::parse(*secret) : Result<json::Value>(secret.error());
    if (!answers) {
        log::error("sealed_answers_unreadable", {{"place", place}, {"why", answers.error().cause()}});
        return plain;
    }
    for (const auto& [name, answer] : answers->members())
        plain.set(name, answer);
    return plain;
}

std::string Sealing::of_traveler(std::int64_t booking_id, std::int64_t index) {
    return "svc_booking_travelers/" + std::to_string(booking_id) + "/" + std::to_string(index) + "/sealed";
}

std::string Sealing::of_contact(std::int64_t booking_id) {
    return "svc_bookings/" + std::to_string(booking_id) + "/contact_sealed";
}

std::string Sealing::of_emergency(std::int64_t booking_id) {
    return "svc_bookings/" + std::to_string(booking_id) + "/emergency_sealed";
}

std::string Sealing::of_session(std::string_view token_hash) {
    return "svc_booking_sessions/" + std::string(token_hash) + "/form_data";
}

}  // namespace svc::booking
