// What is asked of who books, and whether it was answered.
#include "base/booking/form.hpp"
#include "base/booking/hooks.hpp"
#include "base/booking/service.hpp"

namespace svc::booking {

Result<json::Value> Service::form(std::optional<std::int64_t> trip_id, bool asked) const {
    if (trip_id && !parts_.trips.published(*trip_id))
        return errc::trip_not_found;
    const json::Value stored = parts_.settings.get("booking_form_config");
    const json::Value& known = stored.is_object() && stored.size() > 0 ? stored : form::standard();
    json::Value config = parts_.hooks.apply(form_config, known, {trip_id});
    if (!(config == known))
        config = form::sanitized(config);
    return asked || trip_id ? form::resolved(std::move(config)) : std::move(config);
}

Result<std::vector<availability::Bookable>> Service::dates_of(std::int64_t trip_id) const {
    return parts_.availability.available_dates(trip_id, {}, {parts_.clock.now(), parts_.settings.zone()});
}

Result<void> Service::answered(const CheckoutSession& chosen, const NewBooking& wanted) const {
    if (!wanted.by_staff && !wanted.terms_accepted && parts_.settings.integer("terms_page_id") > 0)
        return invalid("terms_accepted", "Please accept the terms.");
    const auto config = form(chosen.trip_id, true);
    if (!config)
        return config.error();
    form::Answers answers{.contact = wanted.contact_data,
                          .emergency = wanted.emergency,
                          .travelers = wanted.travelers,
                          .by_staff = wanted.by_staff};
    if (!answers.contact.is_object())
        answers.contact = json::Value::object();
    const customers::Contact& contact = wanted.contact;
    for (const auto& [name, value] : {std::pair("first_name", &contact.first_name),
                                      std::pair("last_name", &contact.last_name), std::pair("email", &contact.email),
                                      std::pair("phone", &contact.phone), std::pair("country", &contact.country)})
        answers.contact.set(name, *value);
    if (auto good = form::check(*config, answers); !good)
        return good;
    const auto trip = parts_.trips.published(*chosen.trip_id);
    return form::check_ages(wanted.travelers, *chosen.travel_date, trip->age_min, trip->age_max);
}

}  // namespace svc::booking
