// Who has signed and who has not: of a booking, of a departure, and at check-in.
#pragma once

#include "pro/consent/party.hpp"

namespace svc::pro::consent {

// One form that one traveler of a booking signs, or the contact.
struct Duty {
    std::int64_t booking_id = 0;
    std::string booking_reference;
    std::int64_t traveler_index = 0;
    std::string name;
    std::optional<bool> is_minor{};
    std::int64_t form_id = 0;
    std::string form_name;
    std::optional<std::int64_t> request_id{}, signed_id{};
    std::string status{"unsent"};  // unsent, pending, signed, expired, revoked
    std::string email{};
    std::optional<Instant> sent_at{}, viewed_at{}, signed_at{};

    [[nodiscard]] bool is_signed() const { return status == "signed"; }
};

// What the forms that apply ask of the party, and whatever was asked beyond.
std::vector<Duty> duties_of(store::Session& session, const Party& party, const std::vector<ConsentForm>& published,
                            std::int64_t adult_age);
// The same of many bookings, in the order of their ids: three statements for all of them.
std::vector<Duty> duties_of(store::Session& session, std::span<const std::int64_t> booking_ids,
                            const std::vector<ConsentForm>& published, std::int64_t adult_age);

api::Type duty_type();
json::Value to_json(const Duty& duty);
// {"required", "signed", "pending", "travelers"}
json::Value summary_of(const std::vector<Duty>& duties);

// Whether one of those travelers (none named: of all), or the contact for them, has a form to sign.
bool is_unsigned(const std::vector<Duty>& duties, const std::vector<std::int64_t>& travelers);

}  // namespace svc::pro::consent
