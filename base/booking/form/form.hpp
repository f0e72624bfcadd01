// The booking form: what is asked of the contact, for emergencies, and of each traveler (spec 2.7, docs/rules.md).
#pragma once

#include <string>
#include <vector>

#include "shared/core/date.hpp"
#include "shared/core/result.hpp"
#include "shared/json/value.hpp"

namespace svc::booking::form {

// What is asked while the operator has stored nothing.
const json::Value& standard();
// The structure alone, of whatever was sent: unknown types, widths and members dropped, locked fields kept. The
// standard form for what is no object or empty.
json::Value sanitized(const json::Value& given);
// What a listener made of a form, for use: members, fields, types and sections that only the listener knows stay, with
// what a page needs to show them; locked fields stay as they are. A section that is none is that of `known`.
json::Value completed(const json::Value& given, const json::Value& known);
// Whether each section is an object, and its fields and conditions lists of objects: what is not would be lost.
Result<void> check_shape(const json::Value& given);
// What a section's conditions look at.
struct Subject {
    std::int64_t trip_id = 0;
    std::vector<std::int64_t> categories = {};  // the trip's, with all above them
    std::string trip_type = {};                 // single_day, multi_day
};
// As customers are asked: without the conditions. Of each section the first condition that names the subject, by trip,
// category or type, gives title, description and fields; without a subject none does.
json::Value resolved(json::Value config, const Subject* subject = nullptr);

struct Answers {
    json::Value contact;    // {"first_name": …}
    json::Value emergency;  // the same; empty: nothing was answered
    json::Value travelers;  // array of the same
    bool by_staff = false;  // what is required may be left out
};
// Of what was sent the answers to the form's fields, as texts: a number field's number and a checkbox's boolean too.
// What the form does not ask is left out; staff may also tell what is known of anybody, and write back the `fields` of
// a traveler as they were told. A traveler's category_id stays, as a number.
Result<Answers> taken(const json::Value& form, const Answers& given);
// Every answer at fault is in the error by its name on the wire: contact_phone, emergency_name, travelers.1.gender.
// What is `kept` already is none: another form may have asked it.
Result<void> check(const json::Value& form, const Answers& answers, const Answers& kept = {});
// No more of a category than were booked; `counts` by category, 0 for all where they pay alike: then any of the trip's.
Result<void> check_categories(const json::Value& travelers, const json::Value& counts,
                              const std::vector<std::int64_t>& of_trip);
// Who was born after `today` does not travel.
Result<void> check_births(const json::Value& travelers, Date today);
// Ages on that day, where a date of birth was told and the trip sets limits; group_size.
Result<void> check_ages(const json::Value& travelers, Date on, std::optional<int> least, std::optional<int> most);

}  // namespace svc::booking::form
