// Puts forms, travelers and requests side by side.
#include "pro/consent/overview.hpp"

#include <algorithm>
#include <map>

#include "pro/consent/request.hpp"
#include "shared/api/named.hpp"
#include "shared/core/text.hpp"

namespace svc::pro::consent {
namespace {

using json::Value;

// Signed, or asked, for somebody who had the seat before: it says nothing of who has it now.
bool is_of_another(const ConsentRequest& request, const Party& party) {
    const std::string now = party.name_of(request.traveler_index);
    return request.traveler_index != 0 && !request.name.empty() && !now.empty() &&
           !is_same_person(request.name, std::string(text::first(now, most_of_name)));
}

// A revoked request is told only where no other one took its place.
void take(Duty& duty, const ConsentRequest& request) {
    if (duty.request_id && request.status == status::revoked)
        return;
    duty.request_id = request.id;
    duty.signed_id = request.status == status::signed_ ? request.signed_id : std::nullopt;
    duty.status = request.status;
    duty.email = request.email;
    duty.sent_at = request.last_reminder_at ? request.last_reminder_at : request.sent_at;
    duty.viewed_at = request.viewed_at;
    duty.signed_at = request.status == status::signed_ ? request.signed_at : std::nullopt;
}

std::vector<Duty> duties_in(const Party& party, const std::vector<ConsentRequest>& requests,
                            const std::vector<ConsentForm>& published, std::int64_t adult_age) {
    std::map<std::pair<std::int64_t, std::int64_t>, Duty> all;  // by form and traveler
    const auto duty_for = [&](std::int64_t form_id, const std::string& form_name, std::int64_t index) -> Duty& {
        auto [place, is_new] = all.try_emplace({form_id, index});
        if (is_new)
            place->second = {.booking_id = party.booking_id,
                             .booking_reference = party.reference,
                             .traveler_index = index,
                             .name = party.name_of(index),
                             .is_minor = party.is_minor(index, adult_age),
                             .form_id = form_id,
                             .form_name = form_name,
                             .email = party.email_of(index)};
        return place->second;
    };
    for (const ConsentForm& form : published)
        if (form.applicable_to == "all" || (party.trip_id && form.is_of(*party.trip_id)))
            for (const std::int64_t index : party.asked_by(form))
                duty_for(form.id, form.name, index);
    for (const ConsentRequest& request : requests) {
        const bool is_asked = all.contains({request.form_id, request.traveler_index});
        // What nobody asks any more counts only while it can be, or was, signed.
        if ((is_asked || request.is_open() || request.status == status::signed_) && !is_of_another(request, party))
            take(duty_for(request.form_id, request.form_name, request.traveler_index), request);
    }
    std::vector<Duty> duties;
    for (auto& [key, duty] : all)
        duties.push_back(std::move(duty));
    return duties;
}

}  // namespace

std::vector<Duty> duties_of(store::Session& session, const Party& party, const std::vector<ConsentForm>& published,
                            std::int64_t adult_age) {
    auto requests = requests_of(session, std::span(&party.booking_id, 1));
    return duties_in(party, requests[party.booking_id], published, adult_age);
}

std::vector<Duty> duties_of(store::Session& session, std::span<const std::int64_t> booking_ids,
                            const std::vector<ConsentForm>& published, std::int64_t adult_age) {
    auto requests = requests_of(session, booking_ids);
    std::vector<Duty> all;
    for (const Party& party : parties_of(session, booking_ids))
        for (Duty& duty : duties_in(party, requests[party.booking_id], published, adult_age))
            all.push_back(std::move(duty));
    return all;
}

api::Type duty_type() {
    return api::object(
        "ConsentDuty",
        {{.name = "booking_id", .type = api::id(), .required = true},
         {.name = "booking_reference", .type = api::text(40), .required = true},
         {.name = "traveler_index", .type = api::integer(0), .help = "0: the booking's contact.", .required = true},
         {.name = "name", .type = api::text(400), .help = "Empty while it is not known.", .required = true},
         {.name = "is_minor", .type = api::boolean().or_null(), .help = "null: the date of birth is not known."},
         {.name = "email", .type = api::text(254), .required = true},
         {.name = "form_id", .type = api::id().referring_to("consent/forms"), .required = true},
         {.name = "form_name", .type = api::text(200), .required = true},
         {.name = "request_id", .type = api::id().referring_to("consent/requests").or_null()},
         {.name = "signed_id", .type = api::id().referring_to("consent/signed").or_null()},
         {.name = "status",
          .type = api::choice({"unsent", "pending", "signed", "expired", "revoked"}),
          .required = true},
         {.name = "sent_at", .type = api::instant().or_null(), .help = "The last e-mail."},
         {.name = "viewed_at", .type = api::instant().or_null()},
         {.name = "signed_at", .type = api::instant().or_null()}});
}

Value to_json(const Duty& duty) {
    return Value::object({{"booking_id", duty.booking_id},
                          {"booking_reference", duty.booking_reference},
                          {"traveler_index", duty.traveler_index},
                          {"name", duty.name},
                          {"is_minor", duty.is_minor},
                          {"email", duty.email},
                          {"form_id", duty.form_id},
                          {"form_name", duty.form_name},
                          {"request_id", duty.request_id},
                          {"signed_id", duty.signed_id},
                          {"status", duty.status},
                          {"sent_at", duty.sent_at},
                          {"viewed_at", duty.viewed_at},
                          {"signed_at", duty.signed_at}});
}

Value summary_of(const std::vector<Duty>& duties) {
    const auto count = [&](const char* status) {
        return std::count_if(duties.begin(), duties.end(), [&](const Duty& each) { return each.status == status; });
    };
    return Value::object({{"required", static_cast<std::int64_t>(duties.size())},
                          {"signed", static_cast<std::int64_t>(count("signed"))},
                          {"pending", static_cast<std::int64_t>(count("pending"))},
                          {"travelers", json::array_of(duties, [](const Duty& each) { return to_json(each); })}});
}

bool is_unsigned(const std::vector<Duty>& duties, const std::vector<std::int64_t>& travelers) {
    return std::any_of(duties.begin(), duties.end(), [&](const Duty& duty) {
        // What the contact signs holds for the whole party.
        const bool is_meant = travelers.empty() || duty.traveler_index == 0 ||
                              std::find(travelers.begin(), travelers.end(), duty.traveler_index) != travelers.end();
        return is_meant && !duty.is_signed();
    });
}

}  // namespace svc::pro::consent
