// The body of /booking/create: its fields, and the draft of a booking that they make.
#include "base/people/identity/accounts.hpp"
#include "base/sales/booking/checkout/checkout_parts.hpp"
#include "base/sales/booking/record/tracking_consent.hpp"
#include "base/sales/booking/record/wire.hpp"
#include "shared/core/country.hpp"
#include "shared/core/person_name.hpp"

namespace svc::booking {

namespace {

using api::Request;
using json::Value;

// At create `travelers` holds the travelers' data, so their number has other names.
api::Schema create_choice_fields() {
    return checkout_choice_fields().changed([](api::Field& field) {
        if (field.name == "travelers_count")
            field.also = {"traveler_count"};
        else if (field.name == "country")
            field.also.clear();  // contact_country is a separate field
    });
}

}  // namespace

api::Schema create_fields() {
    const auto fields =
        session_fields()
            .plus(create_choice_fields())
            .plus(
                {{.name = "contact_first_name", .type = api::text(100, 1), .required = true},
                 {.name = "contact_last_name", .type = api::text(100), .help = "Empty for a person with one name."},
                 {.name = "contact_email",
                  .type = api::email(),
                  .help = "The confirmation is sent to this address.",
                  .required = true},
                 {.name = "contact_phone", .type = api::text(40)},
                 {.name = "contact_phone_country",
                  .type = api::text(10),
                  .help = "Dialling code for a contact_phone without one, such as +44; other values are ignored."},
                 {.name = "contact_country",
                  .type = api::text(60),
                  .help = "A country's code or name; stored as its code."},
                 {.name = "travelers",
                  .type = api::list(api::map(api::anything()), 1000),
                  .help = "The travelers by the form's fields, the lead traveler first; at most travelers_count, which "
                          "defaults to"
                          " their number."},
                 {.name = "payment_gateway",
                  .type = api::text(50),
                  .help = "A gateway of /payment/gateways; defaults to the session's gateway, then to pay_later."},
                 {.name = "special_requests", .type = api::raw_text(64 * 1024), .help = "A note for the operator."},
                 locale_field(),
                 {.name = "contact_nationality", .type = api::text(100)},
                 {.name = "contact_address", .type = api::raw_text(1000)},
                 {.name = "contact_data",
                  .type = api::map(api::anything()),
                  .help = "Answers to the form's contact fields."},
                 {.name = "emergency_name", .type = api::text(200)},
                 {.name = "emergency_phone", .type = api::text(40)},
                 {.name = "emergency_relationship", .type = api::text(60)},
                 {.name = "emergency_contact",
                  .type = api::map(api::anything()),
                  .help = "Answers to the form's emergency fields."},
                 {.name = "subscribe_newsletter", .type = api::boolean(), .also = {"newsletter_optin"}},
                 {.name = "terms_accepted",
                  .type = api::boolean(),
                  .help = "Must be true when the operator requires acceptance of the terms."},
                 {.name = "recaptcha_token",
                  .type = api::raw_text(4096),
                  .help = "The token, when booking is protected by reCAPTCHA."},
                 {.name = "create_account",
                  .type = api::boolean(),
                  .help = "Create an account for the contact's address, as /auth/register does. The booking remains a"
                          " guest booking until the address is confirmed by the mailed link."},
                 {.name = "account_password",
                  .type = api::raw_text(1024),
                  .help = "Checked and not stored: the mailed page sets it."},
                 {.name = "account_password_confirm",
                  .type = api::raw_text(1024),
                  .help = "The password repeated; optional."},
                 {.name = "join_waitlist",
                  .type = api::boolean(),
                  .help = "Join the waitlist when too few seats are left; otherwise 409 sold_out, whose waitlist says "
                          "if there "
                          "is one.",
                  .also = {"waitlist"}},
                 {.name = "is_remaining_payment",
                  .type = api::boolean(),
                  .help = "Must be false; a balance is paid at /payment/remaining."},
                 tracking_consent_field(),
                 {.name = "expected_total",
                  .type = api::money(),
                  .help = "The total shown to the customer; a different total returns 409 price_changed."}});
    return fields.changed([](api::Field& field) {
        if (!field.required)
            field.type = field.type.or_null();
    });
}

namespace {

// Forms send the dialling code separately.
std::string phone_of(const Value& body) {
    std::string phone = body.text_or("contact_phone");
    const std::string code = body.text_or("contact_phone_country");
    const std::string_view digits = std::string_view(code).substr(code.starts_with('+') ? 1 : 0);
    const bool is_code = !digits.empty() && digits.size() <= 4 && digits.find_first_not_of("0123456789") == digits.npos;
    const bool has_one = phone.starts_with('+') || phone.starts_with("00");
    return phone.empty() || has_one || !is_code ? phone : "+" + std::string(digits) + " " + phone;
}

// They are mailed to an address that the caller chooses.
std::vector<FieldError> faults_of_names(const Request& request) {
    std::vector<FieldError> faults;
    for (const char* name : {"contact_first_name", "contact_last_name"})
        if (auto good = check_person_name(name, request.body.text_or(name));
            !good && !request.caller.can("svc_create_bookings"))
            faults.push_back(good.error().fields().front());
    return faults;
}

}  // namespace

NewBooking draft_of(const Request& request) {
    const Value& body = request.body;
    NewBooking draft{.choice = choice_of(body),
                     .contact = {.first_name = body.text_or("contact_first_name"),
                                 .last_name = body.text_or("contact_last_name"),
                                 .email = body.text_or("contact_email"),
                                 .phone = phone_of(body),
                                 .country = country_as_code(body.text_or("contact_country"))},
                     .travelers = Value::array(),
                     .gateway = body.text_or("payment_gateway"),
                     .special_requests = body.text_or("special_requests"),
                     .locale = body.text_or("locale"),
                     .join_waitlist = body.maybe_boolean("join_waitlist").value_or(false)};
    // Whoever pays the rest of a booking here would book again.
    if (body.maybe_boolean("is_remaining_payment").value_or(false))
        draft.choice.fault = invalid("is_remaining_payment", "Pay a remaining balance at /payment/remaining."_sentence);
    if (const Value& travelers = body["travelers"]; travelers.is_array())
        draft.travelers = travelers;
    const auto gather = [&](const char* map, std::initializer_list<std::pair<const char*, const char*>> known) {
        Value answers = body[map].is_object() ? body[map] : Value::object();
        for (const auto& [field, id] : known)
            if (const auto answer = body.maybe_text(field); answer && !answer->empty())
                answers.set(id, *answer);
        return answers;
    };
    draft.contact_data =
        gather("contact_data", {{"contact_nationality", "nationality"}, {"contact_address", "address"}});
    draft.emergency =
        gather("emergency_contact",
               {{"emergency_name", "name"}, {"emergency_phone", "phone"}, {"emergency_relationship", "relationship"}});
    take_own_answers(request, draft);
    draft.newsletter = body.maybe_boolean("subscribe_newsletter").value_or(false);
    draft.terms_accepted = body.maybe_boolean("terms_accepted").value_or(false);
    if (body.maybe_boolean("create_account").value_or(false))
        draft.account_password = body.text_or("account_password");
    if (body["expected_total"].is_number())
        draft.expected_total = body["expected_total"].number_text();
    draft.faults = faults_of_names(request);
    for (FieldError& fault : tracking_consent_faults(body))
        draft.faults.push_back(std::move(fault));
    return draft;
}

NewBooking draft_to_make(const Request& request) {
    NewBooking draft = draft_of(request);
    draft.asks_gateway = true;
    if (!draft.account_password)
        return draft;
    if (const auto again = request.body.maybe_text("account_password_confirm");
        again && *again != *draft.account_password)
        draft.faults.push_back({"account_password_confirm", "The passwords do not match."_sentence});
    if (!draft.account_password->empty() && !request.caller.is_user())
        if (const auto good = identity::Accounts::check_password(*draft.account_password); !good)
            draft.faults.push_back({"account_password", good.error().message()});
    return draft;
}

}  // namespace svc::booking
