// What the steps of a booking share: the session's choice, the form's fields, the summary beside them.
#pragma once

#include "base/pages/views/trip_model.hpp"
#include "base/pages/views/views.hpp"

namespace svc::pages {

// The trip's page data and the visitor's session for it, asked anew at each step.
struct Checkout {
    json::Value trip = {};     // of /booking/trip/{id}
    json::Value picture = {};  // its address, or null
    std::string slug = {};
    json::Value session = {};  // of /booking/session; null while there is none for this trip
    std::string booked = {};   // the path of the booking that the session has become
    std::string problem = {};  // code of the session's refusal, "session_expired"
};
Checkout checkout_of(const Views& views, Visit& visit, const std::string& slug);
// The same where a step needs the session: one that has expired is opened again from what the form carries along.
Checkout going_on(const Views& views, Visit& visit, const std::string& slug);

// Names of steps, with the present one; those before it are links.
json::Value steps_json(const Views& views, const std::string& slug, int now);
// The summary at the side, from the session's quote.
json::Value summary_json(const Checkout& checkout, const Wording& words);
// Hidden fields by which a form opens an expired session again.
json::Value carried_json(const Checkout& checkout);

// The sections of the form that the trip asks for, with what was typed and what is at fault.
json::Value sections_json(const Checkout& checkout, const json::Value& typed, const Faults& faults);
std::string field_label(const json::Value& sections, std::string_view field);
// What was typed, as /booking/create takes it: names such as travelers.2.first_name become the list of travelers.
json::Value create_body(const Checkout& checkout, const json::Value& typed);

}  // namespace svc::pages
