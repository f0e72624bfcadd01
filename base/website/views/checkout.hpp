// Shared parts of the booking steps: the session's choice, the form's fields, the summary beside them.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/website/views/trip_model.hpp"
#include "base/website/views/views.hpp"

namespace svc::pages {

// The trip's page data and the visitor's session for it, read at each step.
struct Checkout {
    json::Value trip = {};     // of /booking/trip/{id}
    json::Value picture = {};  // its address, or null
    std::string slug = {};
    json::Value session = {};  // of /booking/session; null while there is none for this trip
    std::string booked = {};   // the path of the booking that the session, or that of the form, has become
    std::string mark = {};     // PageRequest::checkout_mark
    std::string problem = {};  // code of the session's refusal, "session_expired"
    // While the module of form fields is on: the files sent in this session, code and name.
    bool has_module = false;
    std::vector<std::pair<std::string, std::string>> files = {};
};
Checkout checkout_of(const Views& views, PageRequest& visit, const std::string& slug);
// The same where a step needs the session: an expired session is opened again from the values that the form carries.
Checkout going_on(const Views& views, PageRequest& visit, const std::string& slug);

// Names of steps, with the present one; those before it are links.
json::Value steps_json(const Views& views, const Format& words, const std::string& slug, int now);
// The summary at the side, from the session's quote.
json::Value summary_json(const Checkout& checkout, const Format& words);
// Which checkout it is, for plugins that add a part to its pages.
json::Value facts_json(const Checkout& checkout);
// Hidden fields by which a form opens an expired session again.
json::Value carried_json(const Checkout& checkout);

// One field of a form that the operator made, with the visitor's value and its fault. `section` is contact, traveler,
// …: a contact's fields have hints for browsers that fill in forms.
json::Value field_json(const json::Value& field, std::string_view section, const std::string& name,
                       const std::string& value, const Faults& faults, bool is_required, const Format& words);
// The sections of the trip's form, with the visitor's input and its faults. Fields that follow an answer are all there;
// those that are not asked by the input are hidden until the page's script, or the next step, shows them.
json::Value sections_json(const Checkout& checkout, const json::Value& typed, const Faults& faults,
                          const Format& words);
// Fields that the input asks for and that the page did not show when it was sent, by their names: without a script they
// are shown by the next step. `shown`: the names that the page sent as shown.
std::vector<std::string> newly_asked(const Checkout& checkout, const json::Value& typed,
                                     const std::vector<std::string>& shown);
// Calls `take` with each field that the form has on the page, its section (contact, traveler, emergency) and its name.
using TakeField = std::function<void(const json::Value& field, std::string_view section, const std::string& name)>;
void each_field(const Checkout& checkout, const TakeField& take);
// The lead traveler's answers in place of those that this traveler has not given: what is the same for people who
// travel together, and not sealed. `traveler` counts from 1.
json::Value with_leads_answers(const Checkout& checkout, json::Value typed, std::size_t traveler);
// The input of one section or traveler, by the ids of the fields.
json::Value answers_in(const json::Value& typed, const std::string& prefix);
// Whether the page has the field; `is_lead`: false for travelers behind the first.
bool is_on_page(const json::Value& field, bool is_lead);
// Which category each traveler is of, in the order of the counts: id and label, empty without categories.
std::vector<std::pair<std::string, std::string>> travelers_of(const Checkout& checkout, const Format& words);
std::string field_label(const json::Value& sections, std::string_view field);
// The error summary of the page of date and party: the page has one field for date and time, and one for the party.
json::Value choice_faults_json(Faults faults, const Format& words);
// The visitor's input as /booking/create accepts it: names such as travelers.2.first_name become the list of travelers.
json::Value create_body(const Checkout& checkout, const json::Value& typed);

// The first step's form, date and party, as the interface takes it; `people`: how many it counts.
json::Value choice_body(const Checkout& checkout, const PageRequest& visit, std::int64_t& people);
// Where the waitlist of a date is joined that is sold out; empty: the refusal is another one, or has no waitlist.
std::string waitlist_step(const Views& views, const std::string& slug, const Answered& refused,
                          const json::Value& choice);

// Why nothing can be booked now, for the page of that step.
void set_hindrances(const Views& views, const PageRequest& visit, const Checkout& checkout, std::string_view now,
                    json::Value& model);
// The path of a step: "", "details", "pay", "waitlist".
std::string step(const Views& views, const std::string& slug, std::string_view part);
// The page of a step without a session.
View expired(const Views& views, PageRequest& visit, const Checkout& checkout);
// The session's form_data, overwritten by the visitor's input.
json::Value typed_of(const Checkout& checkout, const PageRequest& visit);
View details_page(const Views& views, PageRequest& visit, const Checkout& checkout, const json::Value& typed,
                  const Faults& faults, int status);
bool is_of_details(std::string_view field);
bool is_detail(std::string_view name);  // a field of the form of details
// The fields at fault, or the sentence for all of it.
Faults faults_of(const Answered& answered);

}  // namespace svc::pages
