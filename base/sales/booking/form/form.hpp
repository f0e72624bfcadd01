// The booking form: fields for the contact, emergencies, and each traveler (spec 2.7, docs/rules.md).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shared/core/date.hpp"
#include "shared/core/result.hpp"
#include "shared/json/value.hpp"

namespace svc::booking::form {

// The default form.
const json::Value& standard();
// The valid structure of any value: drops unknown types, widths and members, keeps locked fields. Returns the standard
// form for an empty value or anything but an object.
json::Value sanitized(const json::Value& given);
// Completes a listener's form: keeps its own members, fields, types and sections and adds what pages need to show them;
// locked fields stay unchanged. An invalid section is replaced by that of `known`.
json::Value completed(const json::Value& given, const json::Value& known);
// Rejects sections that are no objects, fields or conditions that are no lists of objects, since they would be lost,
// patterns that cannot be used, bounds that no answer is within, and show_ifs (see show_if.hpp).
Result<void> check_shape(const json::Value& given);
// The values that conditions of a section compare.
struct Subject {
    std::int64_t trip_id = 0;
    std::vector<std::int64_t> categories = {};  // the trip's, with all above them
    std::string trip_type = {};                 // single_day, multi_day
};
// The form for customers, without conditions. In each section the first condition that matches the subject by trip,
// category or type sets title, description and fields; without a subject none does.
json::Value resolved(json::Value config, const Subject* subject = nullptr);
// The same where the module of form fields counts or not: without it no condition counts, every field is asked without
// regard to its show_if, and fields of files are not asked.
json::Value resolved(json::Value config, const Subject* subject, bool module);
// Whether any section has conditions.
bool has_conditions(const json::Value& config);

struct Answers {
    json::Value contact;    // {"first_name": …}
    json::Value emergency;  // the same; empty: nothing was answered
    json::Value travelers;  // array of the same
    bool by_staff = false;  // required fields may be missing
    bool waits = false;     // for seats: only name, e-mail address and telephone are required, as the form says
    // What bounds of dates name; without them they are not checked.
    std::optional<Date> today = {}, travel_date = {};
};
// The answers to the form's fields as texts, also of number fields and checkboxes. Drops answers to other fields; staff
// may also send any known field, and send back the `fields` of a traveler as they received them. A traveler's
// category_id stays a number.
struct Taken {
    Answers answers;      // without those that are no texts
    Result<void> all_do;  // names each of these, so that they are reported beside what `check` finds
};
Taken take_answers(const json::Value& form, const Answers& given);
// Of two decimal texts as api::decimal() takes them.
bool is_less_number(const std::string& a, const std::string& b);
// The answer of a checkbox: 1, true, yes, on.
bool is_yes(std::string_view answer);
// The answer of several boxes, "swimming, diving", in parts.
std::vector<std::string> chosen_of(std::string_view answer);
// The error has every invalid answer by its name on the wire: contact_phone, emergency_name, travelers.1.gender. Fields
// that are not asked by the other answers (see show_if.hpp) are not required.
// Answers in `stored` are valid, since they may belong to another form.
Result<void> check(const json::Value& form, const Answers& answers, const Answers& stored = {});
// The answers that staff can write for a traveler, by id with the type of their field: those of the form, which has its
// conditions still, and those known of people. One that has several types is text.
std::map<std::string, std::string> answers_of_travelers(const json::Value& form);
// No more of a category than were booked; `counts` by category, 0 for all where they pay alike: then any of the trip's.
Result<void> check_categories(const json::Value& travelers, const json::Value& counts,
                              const std::vector<std::int64_t>& of_trip);
// A traveler born after `today` is rejected.
Result<void> check_births(const json::Value& travelers, Date today);
// Checks ages on that day, where there is a date of birth and the trip has limits; group_size.
Result<void> check_ages(const json::Value& travelers, Date on, std::optional<int> least, std::optional<int> most);

}  // namespace svc::booking::form
