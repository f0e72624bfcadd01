// Reads the form as staff do, so that a trip that is not published any more still takes what it asks.
#include "base/sales/booking/desk/later_answers.hpp"

#include <algorithm>

#include "base/sales/booking/form/later.hpp"
#include "base/sales/booking/form/show_if.hpp"
#include "base/sales/booking/record/deadline.hpp"
#include "shared/core/faults.hpp"

namespace svc::booking {
namespace {

using json::Value;

struct Section {
    const char *form, *prefix;
};
constexpr Section contact_section{"contact_form", "contact_"},
    emergency_section{"emergency_contact_form", "emergency_"};
constexpr const char* travelers_form = "traveler_form";

// The contact's own members count for what its answers ask, too.
Value contact_answers(const Booking& booking, const Value& contact_data) {
    Value all = Value::object({{"first_name", booking.first_name},
                               {"last_name", booking.last_name},
                               {"email", booking.email},
                               {"phone", booking.phone},
                               {"country", booking.country}});
    if (contact_data.is_object())
        for (const auto& [name, answer] : contact_data.members())
            all.set(name, answer);
    return all;
}

// A field that a customer may answer later, by its name on the wire. Refers to the form.
struct Named {
    std::string name;
    const Value* field = nullptr;
    const char* section = nullptr;
    std::optional<std::size_t> traveler = {};
};

std::vector<Named> later_fields(const Value& form, std::size_t travelers) {
    std::vector<Named> all;
    const auto add = [&](const char* section, const std::string& prefix, std::optional<std::size_t> traveler) {
        if (!form[section]["enabled"].boolean() || !form[section]["fields"].is_array())
            return;
        for (const Value& field : form[section]["fields"].items())
            if (form::may_answer_later(field) && (traveler.value_or(0) == 0 || field.text_or("applies_to") != "lead"))
                all.push_back({prefix + field.text_or("id"), &field, section, traveler});
    };
    add(contact_section.form, contact_section.prefix, std::nullopt);
    for (std::size_t at = 0; at < travelers; ++at)
        add(travelers_form, "travelers." + std::to_string(at + 1) + ".", at);
    add(emergency_section.form, emergency_section.prefix, std::nullopt);
    return all;
}

std::string text_of(const Value& answers, const std::string& id) {
    const Value* answer = answers.is_object() ? answers.find(id) : nullptr;
    return answer && answer->is_string() ? answer->text() : std::string();
}

// Stored travelers as a PUT of travelers has them; members beside `fields` are new answers.
Value sent_back(const std::vector<Traveler>& stored) {
    return json::array_of(stored, [](const Traveler& each) {
        Value one = Value::object({{"id", each.id}, {"fields", each.fields}});
        if (each.category_id)
            one.set("category_id", *each.category_id);
        return one;
    });
}

}  // namespace

std::optional<Instant> LaterAnswers::until(const Booking& booking) const {
    if (!holds_seats(booking.status) && booking.status != status::waitlist)
        return std::nullopt;
    const auto hours = parts_.settings.integer("form_answers_until_hours");
    return departure_of(parts_.settings, booking.travel_date, booking.departure_time).minus(std::chrono::hours(hours));
}

bool LaterAnswers::is_open(const Booking& booking) const {
    const auto end = until(booking);
    return end && parts_.clock.now() < *end;
}

LaterAnswers::Stored LaterAnswers::stored_of(const Booking& booking) const {
    return parts_.store.reading<Stored>([&](store::Session& session) {
        return Stored{.particulars = Repository::particulars(session, booking.id, &sealing_),
                      .travelers = Repository::travelers(session, booking.id, &sealing_)};
    });
}

Result<Value> LaterAnswers::form_of(const Booking& booking) const { return forms_.form_for_staff(booking.trip_id); }

std::vector<LaterAnswers::Open> LaterAnswers::open_fields(const Booking& booking) const {
    std::vector<Open> open;
    const auto form = form_of(booking);
    if (!form || !is_open(booking))
        return open;
    const Stored stored = stored_of(booking);
    const Value of_contact = contact_answers(booking, stored.particulars.contact_data);
    const form::Asked contact((*form)[contact_section.form], of_contact);
    for (const Named& named : later_fields(*form, stored.travelers.size())) {
        const bool is_contact = named.section == contact_section.form;
        const Value& answers = named.traveler ? stored.travelers[*named.traveler].fields
                               : is_contact   ? of_contact
                                              : stored.particulars.emergency_contact;
        const form::Asked asked((*form)[named.section], answers, is_contact ? nullptr : &contact,
                                named.traveler.value_or(0) == 0);
        if (asked.shows(*named.field))
            open.push_back({.name = named.name,
                            .section = named.section,
                            .traveler = named.traveler,
                            .field = *named.field,
                            .answer = text_of(answers, named.field->text_or("id"))});
    }
    return open;
}

Result<Booking> LaterAnswers::save(const Booking& booking, const Value& answers, const Actor& actor) {
    if (!is_open(booking))
        return Error{errc::conflict, too_late_to_answer};
    SVC_ASSIGN_OR_RETURN(const auto form, form_of(booking));
    const Stored stored = stored_of(booking);
    const std::vector<Named> fields = later_fields(form, stored.travelers.size());
    Edit edit{.row_version = booking.row_version};
    Value travelers = sent_back(stored.travelers);
    svc::Faults faults;
    for (const auto& [name, answer] : answers.members()) {
        const auto named =
            std::find_if(fields.begin(), fields.end(), [&](const Named& each) { return each.name == name; });
        const bool is_nothing = answer.is_null() || (answer.is_string() && answer.text().empty());
        if (named == fields.end()) {
            faults.at(name, "This cannot be answered after booking."_sentence);
        } else if (is_nothing && (*named->field)["required"].boolean()) {
            faults.take(missing(name));
        } else if (named->traveler) {
            travelers.items()[*named->traveler].set(named->field->text_or("id"), is_nothing ? Value("") : answer);
            edit.travelers = Value::array();
        } else {
            Value& section = named->section == contact_section.form ? edit.contact_data : edit.emergency;
            section.set(named->field->text_or("id"), is_nothing ? Value("") : answer);
        }
    }
    if (!faults.none())
        return faults.error();
    if (edit.travelers)
        edit.travelers = std::move(travelers);
    return desk_.edit(booking.id, edit, actor);
}

}  // namespace svc::booking
