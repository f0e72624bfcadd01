// Answers are encrypted by the words in the field's id, so that an operator's own fields are covered.
#include "base/booking/record/sealing.hpp"

#include <algorithm>
#include <array>

#include "shared/core/log.hpp"

namespace svc::booking {
namespace {

// Beginnings of words: `medic` is medical, medication and medicine.
constexpr std::array<std::string_view, 22> health = {"medic",   "health", "allerg",   "disab",   "illness", "disease",
                                                     "diagnos", "blood",  "pregnan",  "asthma",  "diabet",  "epilep",
                                                     "vaccin",  "injur",  "mobility", "surger",  "therap",  "drug",
                                                     "prescri", "mental", "heart",    "handicap"};
constexpr std::array<std::string_view, 8> papers = {"passport", "visa",     "insur", "identi",
                                                    "ssn",      "national", "iban",  "licen"};

bool begins(std::string_view word, const auto& beginnings) {
    return std::any_of(beginnings.begin(), beginnings.end(),
                       [&](std::string_view beginning) { return word.starts_with(beginning); });
}

}  // namespace

bool is_sensitive(std::string_view field_id) {
    if (field_id == "special_needs")
        return true;
    while (!field_id.empty()) {
        const auto end = field_id.find('_');
        const std::string_view word = field_id.substr(0, end);
        // A nationality is not a document, a national id is one.
        if (word == "id" || (word != "nationality" && (begins(word, health) || begins(word, papers))))
            return true;
        field_id = end == std::string_view::npos ? std::string_view() : field_id.substr(end + 1);
    }
    return false;
}

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
