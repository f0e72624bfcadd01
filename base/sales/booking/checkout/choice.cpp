// The fields of a choice, shared by all bodies that have one.
#include <algorithm>
#include <array>

#include "base/sales/booking/checkout/routes.hpp"
#include "shared/api/rename_fields.hpp"
#include "shared/core/country.hpp"

namespace svc::booking {

api::Schema choice_fields() {
    return {{.name = "trip_id", .type = api::id(), .help = "Id of a published trip."},
            {.name = "travel_date", .type = api::date(), .help = "An available date."},
            {.name = "departure_time", .type = api::time().or_null(), .help = "A departure time of that date."},
            {.name = "availability_id",
             .type = api::anything(),
             .help = "Id of a date from /availability, instead of travel_date and departure_time."},
            {.name = "travelers_count",
             .type = api::integer(1, 10'000),
             .help = "Number of travelers.",
             .also = {"travelers", "traveler_count"}},
            {.name = "traveler_counts",
             .type = api::map(api::integer(0, 10'000)),
             .help = "Number of travelers by traveler category; their sum replaces travelers_count."},
            {.name = "payment_method",
             .type = api::choice({"full", "deposit", "partial"}),
             .help = "Payment option at checkout."},
            {.name = "coupon_code",
             .type = api::text(255),
             .help = "Coupon code; empty for none. If the code is rejected, the reason is in"
                     " coupon_discount.error."},
            {.name = "country",
             .type = api::text(60),
             .help = "The customer's country, for taxes: a code or a name.",
             .also = {"contact_country"}},
            {.name = "additional_services",
             .type = api::anything(),
             .help = "Ids of services, one of each; or services with quantities, as a booking returns them."},
            {.name = "selected_services",
             .type = api::anything(),
             .help = "Quantity by service id; or a list of ids, for one of each."}};
}

api::Schema checkout_choice_fields() {
    return choice_fields().changed([](api::Field& field) { field.type = field.type.or_null(); });
}

namespace {

// A departure's number, or the name that /availability/generated gives to a rule's date: rule-7-2026-06-01-09:00.
void take_date(Choice& choice, const json::Value& given) {
    if (const auto id = api::id().check(given, "availability_id"); id && id->is_number()) {
        choice.departure_id = id->integer();
        return;
    }
    const std::string name = given.is_string() ? given.text() : "";
    const auto dash = name.starts_with("rule-") ? name.find('-', 5) : std::string::npos;
    const auto date = dash == std::string::npos ? std::nullopt : Date::parse(name.substr(dash + 1, 10));
    const std::string rest = date ? name.substr(std::min(name.size(), dash + 11)) : "";
    const auto time = rest.starts_with('-') ? ClockTime::parse(rest.substr(1)) : std::nullopt;
    const bool differs =
        (choice.travel_date && choice.travel_date != date) || (choice.departure_time && choice.departure_time != time);
    if (!date || (!rest.empty() && !time))
        choice.fault = invalid("availability_id", "This date does not exist."_sentence);
    else if (differs)
        choice.fault = invalid("availability_id",
                               "availability_id and travel_date with departure_time name different dates."_sentence);
    choice.travel_date = date;
    if (time)
        choice.departure_time = time;
}

constexpr std::size_t most_services = 100;

// Ids, or services as in a booking's JSON; automatic services are skipped.
void take_listed(Choice& choice, const json::Value& given, const std::string& field) {
    if (given.size() > most_services) {
        choice.fault = invalid(field, "Enter a quantity of at most 100."_sentence);
        return;
    }
    choice.services.emplace();
    for (const json::Value& each : given.items()) {
        const auto id = api::id().check(each.is_object() ? each["id"] : each, field);
        const auto count =
            api::integer(0, 10'000).check(each["quantity"].is_null() ? json::Value(1) : each["quantity"], field);
        if (!id || !id->is_number() || !count)
            choice.fault = invalid(field, "This service does not exist."_sentence);
        else if (count->integer() > 0 && !(each["selected"].is_boolean() && !each["selected"].boolean()))
            (*choice.services)[id->integer()] = count->integer();
    }
}

void take_counted(Choice& choice, const json::Value& given, const std::string& field) {
    const auto counts = api::map(api::integer(0, 10'000)).check(given, field);
    if (!counts) {
        choice.fault = counts.error();
        return;
    }
    for (choice.services.emplace(); const auto& [service, count] : counts->members()) {
        const auto id = api::id().check(json::Value(service), service);
        if (!id)
            choice.fault = invalid(field + "." + service, "This service does not exist."_sentence);
        else if (count.integer() > 0)
            (*choice.services)[id->integer()] = count.integer();
    }
}

}  // namespace

Choice choice_of(const json::Value& input) {
    Choice choice{.trip_id = input.maybe_integer("trip_id"),
                  .travelers = input.maybe_integer("travelers_count"),
                  .payment_method = input.maybe_text("payment_method")};
    if (const json::Value* counts = input.find("traveler_counts"); counts && counts->size() > 0) {
        std::int64_t sum = 0;
        for (const auto& [category, count] : counts->members()) {
            sum += count.integer();
            const auto id = api::id().check(json::Value(category), category);
            if (!id && category != "0")  // which is everybody
                choice.fault = invalid("traveler_counts." + category, "Unknown traveler category."_sentence);
            if (id && count.integer() > 0)
                choice.traveler_counts[id->integer()] = count.integer();
        }
        if (sum < 1 || sum > 10'000)
            choice.fault = invalid("traveler_counts", "Enter 1 to 10000 travelers."_sentence);
        choice.travelers = std::clamp<std::int64_t>(sum, 1, 10'000);
    }
    choice.coupon_code = input.maybe_text("coupon_code");
    if (auto country = input.maybe_text("country")) {
        choice.country = country_as_code(*country);
        if (!country->empty() && country_code(*country).empty())
            choice.fault = invalid("country", not_a_country);
    }
    for (const std::string field : {"additional_services", "selected_services"})
        if (const json::Value& given = input[field]; given.is_array())
            take_listed(choice, given, field);
        else if (given.is_object() && field == "selected_services")
            take_counted(choice, given, field);
        else if (!given.is_null())
            choice.fault = invalid(field, "This must be a list of ids."_sentence);
    if (auto date = input.maybe_text("travel_date"))
        choice.travel_date = Date::parse(*date);
    if (auto time = input.maybe_text("departure_time"))
        choice.departure_time = ClockTime::parse(*time);
    if (const json::Value* date = input.find("availability_id"); date && !date->is_null() && !choice.fault)
        take_date(choice, *date);
    return choice;
}

namespace {

std::string displayed_name(const std::string& field, const json::Value& body) {
    if (body.find(field))
        return field;
    constexpr std::array contact{"first_name", "last_name", "email", "phone", "country"};
    const auto within = [&](const char* member, std::string_view prefix, bool whole) {
        const json::Value& sent_value = body[member];
        return field.starts_with(prefix) && sent_value.is_object() &&
               (whole || sent_value.find(field.substr(prefix.size())));
    };
    for (const char* name : contact)
        if (field == std::string("contact_") + name && within("contact", "contact_", true))
            return std::string("contact.") + name;
    for (const auto& [member, prefix] : {std::pair("contact_data", "contact_"), {"emergency_contact", "emergency_"}})
        if (within(member, prefix, false))
            return std::string(member) + "." + field.substr(std::string_view(prefix).size());
    return field;
}

}  // namespace

void use_sent_names(std::vector<FieldError>& faults, const json::Value& body) {
    for (FieldError& fault : faults)
        fault.field = displayed_name(fault.field, body);
}

Error by_field(Error error, const api::Request& request) {
    const std::string_view code = error.code().name;
    const auto is = [&](const auto&... codes) { return ((code == codes.name) || ...); };
    const auto sends = [&](std::string_view name) {
        return request.body.find(name) != nullptr || request.query.find(name) != nullptr;
    };
    const char* field = nullptr;
    if (is(errc::date_unavailable, errc::date_blocked, errc::cutoff_passed))
        field = sends("availability_id") ? "availability_id" : "travel_date";
    else if (code.starts_with("coupon_"))
        field = sends("code") ? "code" : "coupon_code";
    else if (is(errc::payment_method_unavailable))
        field = "payment_method";
    else if (is(errc::invalid_gateway))
        field = "payment_gateway";
    else if (is(errc::trip_not_found))
        field = "trip_id";
    if (field && error.fields().empty())
        error.at(field, error.message());
    if (error.fields().empty())
        return error;
    return api::rename_fields(error, [&](const std::string& name) { return displayed_name(name, request.body); });
}

void take_own_answers(const api::Request& request, NewBooking& draft) {
    constexpr std::size_t most_answers = 100;
    if (!request.sent.is_object())
        return;
    for (const auto& [name, value] : request.sent.members())
        for (const auto& [prefix, answers] :
             {std::pair<std::string_view, json::Value*>("contact_", &draft.contact_data),
              std::pair<std::string_view, json::Value*>("emergency_", &draft.emergency)}) {
            if (!name.starts_with(prefix) || request.route->body.find(name) || answers->size() >= most_answers)
                continue;
            if (!value.is_null() && !(value.is_string() && value.text().empty()))
                answers->set(name.substr(prefix.size()), value);
        }
}

}  // namespace svc::booking
