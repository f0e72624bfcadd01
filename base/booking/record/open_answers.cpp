// Nothing sealed is opened here, so that nothing of it can go out.
#include "base/booking/record/open_answers.hpp"

#include "base/booking/record/repository.hpp"
#include "shared/core/sensitive.hpp"

namespace svc::booking {
namespace {

void name_sealed(const json::Value& section, const std::string& prefix, json::Value& withheld) {
    if (section["fields"].is_array())
        for (const json::Value& field : section["fields"].items())
            if (field["enabled"].boolean() && is_sensitive(field.text_or("id")))
                withheld.push(prefix + field.text_or("id"));
}

}  // namespace

json::Value open_answers(store::Session& session, std::int64_t booking_id) {
    const Particulars known = Repository::particulars(session, booking_id);
    json::Value travelers = json::Value::array(), withheld = json::Value::array();
    for (const Traveler& each : Repository::travelers(session, booking_id))
        travelers.push(each.fields);
    name_sealed(known.form["contact_form"], "contact.", withheld);
    name_sealed(known.form["emergency_contact_form"], "emergency.", withheld);
    name_sealed(known.form["traveler_form"], "travelers.", withheld);
    return json::Value::object({{"contact", known.contact_data},
                                {"emergency", known.emergency_contact},
                                {"travelers", std::move(travelers)},
                                {"withheld", std::move(withheld)}});
}

}  // namespace svc::booking
