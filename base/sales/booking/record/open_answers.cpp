// Nothing sealed is opened here, so that nothing of it can go out.
#include "base/sales/booking/record/open_answers.hpp"

#include "base/sales/booking/record/masking.hpp"
#include "base/sales/booking/record/repository.hpp"
#include "shared/core/sensitive.hpp"

namespace svc::booking {
namespace {

void name_sealed(const json::Value& section, const std::string& prefix, json::Value& withheld) {
    if (section["fields"].is_array())
        for (const json::Value& field : section["fields"].items())
            if (field["enabled"].boolean() && (is_sensitive(field.text_or("id")) || field.text_or("type") == "file"))
                withheld.push(prefix + field.text_or("id"));
}

// Those stored before their field counted as sensitive are sealed by a job, later.
json::Value open_of(const json::Value& answers) {
    if (!answers.is_object())
        return answers;
    json::Value open = json::Value::object();
    for (const auto& [name, answer] : answers.members())
        if (!is_sensitive(name) && !is_masked_for_staff(name, answer))
            open.set(name, answer);
    return open;
}

}  // namespace

json::Value open_answers(store::Session& session, std::int64_t booking_id) {
    const Particulars known = Repository::particulars(session, booking_id);
    json::Value travelers = json::Value::array(), withheld = json::Value::array();
    for (const Traveler& each : Repository::travelers(session, booking_id))
        travelers.push(open_of(each.fields));
    name_sealed(known.form["contact_form"], "contact.", withheld);
    name_sealed(known.form["emergency_contact_form"], "emergency.", withheld);
    name_sealed(known.form["traveler_form"], "travelers.", withheld);
    return json::Value::object({{"contact", open_of(known.contact_data)},
                                {"emergency", open_of(known.emergency_contact)},
                                {"travelers", std::move(travelers)},
                                {"withheld", std::move(withheld)}});
}

}  // namespace svc::booking
