// Which fields the page of a booking's details has, and which of them the answers so far ask.
#include <algorithm>
#include <array>

#include "base/sales/booking/form/show_if.hpp"
#include "base/website/views/checkout.hpp"
#include "shared/core/sensitive.hpp"

namespace svc::pages {

using json::Value;

Value answers_in(const Value& typed, const std::string& prefix) {
    Value answers = Value::object();
    for (const auto& [name, value] : typed.members())
        if (name.starts_with(prefix) && value.is_string())
            answers.set(name.substr(prefix.size()), value);
    return answers;
}

bool is_on_page(const Value& field, bool is_lead) {
    return field.maybe_boolean("enabled").value_or(true) && (is_lead || field.text_or("applies_to") != "lead");
}

void each_field(const Checkout& checkout, const TakeField& take) {
    const Value& form = checkout.trip["form"];
    const auto all = [&](const char* section, std::string_view name, const std::string& prefix, bool is_lead) {
        if (form[section].maybe_boolean("enabled").value_or(false))
            for (const Value& field : list_of(form[section]["fields"]))
                if (is_on_page(field, is_lead) && field.text_or("type") != "text_block")
                    take(field, name, prefix + field.text_or("id"));
    };
    all("contact_form", "contact", "contact_", true);
    const Format words;
    const std::size_t people = travelers_of(checkout, words).size();
    for (std::size_t index = 1; index <= people; ++index)
        all("traveler_form", "traveler", "travelers." + std::to_string(index) + ".", index == 1);
    all("emergency_contact_form", "emergency", "emergency_", true);
}

std::vector<std::string> newly_asked(const Checkout& checkout, const Value& typed,
                                     const std::vector<std::string>& shown) {
    std::vector<std::string> names;
    const Value& form = checkout.trip["form"];
    if (!booking::form::has_show_ifs(form))
        return names;
    const Value of_contact = answers_in(typed, "contact_");
    const booking::form::Asked contact(form["contact_form"], of_contact);
    each_field(checkout, [&](const Value& field, std::string_view section, const std::string& name) {
        if (!field["show_if"].is_object() || std::find(shown.begin(), shown.end(), name) != shown.end())
            return;
        const std::string prefix = name.substr(0, name.size() - field.text_or("id").size());
        const Value answers = answers_in(typed, prefix);
        const char* whole = section == "traveler" ? "traveler_form" : "emergency_contact_form";
        const bool shows = section == "contact"
                               ? contact.shows(field)
                               : booking::form::Asked(form[whole], answers, &contact,
                                                      section != "traveler" || prefix == "travelers.1.")
                                     .shows(field);
        if (shows)
            names.push_back(name);
    });
    return names;
}

Value with_leads_answers(const Checkout& checkout, Value typed, std::size_t traveler) {
    constexpr std::array<std::string_view, 5> own{"title", "first_name", "email", "date_of_birth", "gender"};
    const std::string prefix = "travelers." + std::to_string(traveler) + ".";
    // The draft of a session is whatever its visitor stored.
    const auto text_of = [&](const std::string& name) {
        return typed[name].is_string() ? typed[name].text() : std::string();
    };
    each_field(checkout, [&](const Value& field, std::string_view, const std::string& name) {
        const std::string id = field.text_or("id");
        if (!name.starts_with(prefix) || !text_of(name).empty() || is_sensitive(id) ||
            field.text_or("type") == "file" || std::find(own.begin(), own.end(), id) != own.end())
            return;
        std::string answer = text_of("travelers.1." + id);
        if (answer.empty() && id == "last_name")  // the contact is the lead traveler
            answer = text_of("contact_last_name");
        if (!answer.empty())
            typed.set(name, answer);
    });
    return typed;
}

}  // namespace svc::pages
