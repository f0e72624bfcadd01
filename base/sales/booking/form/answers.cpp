// Reads answers to the booking form from a body: texts by field, without unknown fields. Also checks the structure of a
// form.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>

#include "base/sales/booking/form/ages.hpp"
#include "base/sales/booking/form/form.hpp"
#include "base/sales/booking/form/pattern.hpp"
#include "base/sales/booking/form/people.hpp"
#include "base/sales/booking/form/show_if.hpp"
#include "shared/api/schema.hpp"
#include "shared/core/faults.hpp"
#include "shared/core/text.hpp"

namespace svc::booking::form {
namespace {

using json::Value;

constexpr std::array of_contacts{"nationality", "address"};
constexpr std::array of_emergencies{"name", "phone", "relationship"};
// The contact's own members, and a traveler's that only we write.
constexpr std::array contact_members{"first_name", "last_name", "email", "phone", "country"};
constexpr std::array traveler_members{"id",          "booking_id", "traveler_index",    "is_lead",
                                      "category_id", "fields",     "booking_reference", "booking_status",
                                      "trip_id",     "trip_title", "travel_date"};

constexpr std::size_t longest = 5000;

template <class Names, class Name>
bool has(const Names& names, const Name& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

class Taking {
  public:
    explicit Taking(bool by_staff) : by_staff_(by_staff) {}

    // `known`: fields for staff besides the section's; `members`: names with another meaning.
    template <class Known, class Members>
    Value answers(const Value& section, const Value& given, const std::string& prefix, const Known& known,
                  const Members& members) {
        Value taken = Value::object();
        if (given.is_object())
            for (const auto& [name, value] : given.members())
                if (!has(members, name))
                    take(section, name, value, prefix, by_staff_ && has(known, name), taken);
        return taken;
    }

    Value traveler(const Value& section, const Value& given, const std::string& prefix) {
        Value taken = Value::object();
        // A traveler's JSON has its answers in `fields`, including those of older forms.
        if (const Value& stored = given["fields"]; stored.is_object())
            for (const auto& [name, value] : stored.members())
                take(section, name, value, prefix, by_staff_, taken);
        for (const auto& [name, value] :
             answers(section, given, prefix, fields_of_travelers, traveler_members).members())
            taken.set(name, value);
        const Value& category = given["category_id"];
        if (category.is_null() || (category.is_string() && category.text().empty()))
            return taken;
        if (const auto id = api::id().check(category, "category_id"); id && id->is_number())
            taken.set("category_id", *id);
        else
            faults_.at(prefix + "category_id", "Unknown traveler category."_sentence);
        return taken;
    }

    [[nodiscard]] Result<void> outcome() const { return faults_.outcome(); }

  private:
    void take(const Value& section, const std::string& name, const Value& value, const std::string& prefix, bool known,
              Value& taken) {
        const Value* field = nullptr;
        for (const Value& each : section["fields"].items())
            if (each["id"].text() == name && each["type"].text() != "text_block")
                field = &each;
        const bool enabled = field && section["enabled"].boolean() && (*field)["enabled"].boolean();
        if ((!enabled && !known && !(field && by_staff_)) || value.is_null())
            return;
        const std::string type = field ? (*field)["type"].text() : std::string();
        if (value.is_array() && type == "checkboxes")
            return take_list(name, value, prefix, taken);
        if (value.is_boolean() && type == "checkbox")
            taken.set(name, value.boolean() ? "true" : "false");
        else if (value.is_number() && (type == "number" || type == "checkbox"))
            taken.set(name, value.number_text());
        else if (const auto sent = api::raw_text(longest).check(value, name))
            taken.set(name, !field || type == "textarea" ? text::clean_lines(sent->text()) : text::clean(sent->text()));
        else
            faults_.at(prefix + name, sent.error().message());
    }

    // Several boxes: a list of texts is the text of all of them.
    void take_list(const std::string& name, const Value& list, const std::string& prefix, Value& taken) {
        std::string joined;
        for (const Value& one : list.items()) {
            if (!one.is_string())
                return faults_.at(prefix + name, "This must be a list of texts."_sentence);
            const std::string part = text::clean(one.text());
            joined += (joined.empty() || part.empty() ? "" : ", ") + part;
        }
        if (const auto sent = api::raw_text(longest).check(Value(joined), name); !sent)
            return faults_.at(prefix + name, sent.error().message());
        taken.set(name, joined);
    }

    bool by_staff_;
    Faults faults_;
};

// A member of a form as it was sent, whatever it is.
std::string sent_text(const Value& field, std::string_view member) {
    return field[member].is_string() ? field[member].text() : std::string();
}

// Why the rules of a field cannot be used; none: they can.
std::pair<const char*, SentenceId> wrong_rule(const Value& field) {
    const std::string type = sent_text(field, "type");
    if (const Value& pattern = field["pattern"]; pattern.is_string() && !pattern.text().empty())
        if (!is_pattern(pattern.text()))
            return {"pattern", "This is no pattern, or a too long one."_sentence};
    const Value &least = field["min"], &most = field["max"];
    for (const auto& [name, bound] : {std::pair("min", &least), std::pair("max", &most)}) {
        const bool is_empty = bound->is_null() || (bound->is_string() && bound->text().empty());
        if (type == "number" && !is_empty && !api::decimal().check(*bound, name))
            return {name, "Enter a number."_sentence};
        if (type == "date" && !is_empty &&
            !(bound->is_string() &&
              (bound->text() == "today" || bound->text() == "travel_date" || Date::parse(bound->text()))))
            return {name, "Enter a day as YYYY-MM-DD, today or travel_date."_sentence};
    }
    const auto number_of = [](const Value& bound) {
        const auto clean = api::decimal().check(bound, "bound");
        return clean && clean->is_number() ? std::optional(clean->number_text()) : std::nullopt;
    };
    if (type == "number")
        if (const auto low = number_of(least), high = number_of(most); low && high && is_less_number(*high, *low))
            return {"max", "This is less than the smallest answer."_sentence};
    if (type == "date" && least.is_string() && most.is_string())
        if (const auto low = Date::parse(least.text()), high = Date::parse(most.text()); low && high && *high < *low)
            return {"max", "This is before the first day."_sentence};
    return {};
}

void check_rules(const Value& fields, const std::string& prefix, Faults& faults) {
    if (!fields.is_array())
        return;
    for (const Value& field : fields.items()) {
        if (!field.is_object())
            continue;
        const std::string id = sent_text(field, "id");
        if (const auto [member, why] = wrong_rule(field); why)
            faults.at(prefix + ".fields." + id + "." + member, why);
        // Its answer would be taken for the member, and never be one.
        if (prefix.starts_with("traveler_form") && has(traveler_members, id))
            faults.at(prefix + ".fields." + id + ".id",
                      "Travelers have a member of this name. Choose another one."_sentence);
    }
}

}  // namespace

Result<void> check_shape(const Value& given) {
    Faults faults;
    const auto check_list = [&](const Value& list, const std::string& name) {
        if (list.is_null())
            return;
        if (!list.is_array())
            return faults.at(name, "This must be a list."_sentence);
        std::size_t index = 0;
        for (const Value& each : list.items())
            if (++index; !each.is_object())
                faults.at(name + "." + std::to_string(index), "This must be an object."_sentence);
    };
    for (const char* name : {"contact_form", "emergency_contact_form", "traveler_form"}) {
        const Value& section = given[name];
        if (!section.is_null() && !section.is_object())
            faults.at(name, "This must be an object."_sentence);
        else if (section.is_object())
            for (const char* list : {"fields", "conditions"})
                check_list(section[list], std::string(name) + "." + list);
        if (!section.is_object())
            continue;
        check_rules(section["fields"], name, faults);
        std::size_t at = 0;
        if (section["conditions"].is_array())
            for (const Value& condition : section["conditions"].items())
                if (++at; condition.is_object())
                    check_rules(condition["fields"], std::string(name) + ".conditions." + std::to_string(at), faults);
    }
    if (faults.none())
        faults.take(check_show_ifs(given, standard()));
    return faults.outcome();
}

Taken take_answers(const Value& form, const Answers& given) {
    Taking taking(given.by_staff);
    Answers answers{
        .contact = taking.answers(form["contact_form"], given.contact, "contact_", of_contacts, contact_members),
        .emergency = taking.answers(form["emergency_contact_form"], given.emergency, "emergency_", of_emergencies,
                                    std::array<const char*, 0>{}),
        .travelers = Value::array(),
        .by_staff = given.by_staff,
        .waits = given.waits,
        .today = given.today,
        .travel_date = given.travel_date};
    std::size_t index = 0;
    if (given.travelers.is_array())
        for (const Value& each : given.travelers.items())
            answers.travelers.push(
                taking.traveler(form["traveler_form"], each, "travelers." + std::to_string(++index) + "."));
    return {std::move(answers), taking.outcome()};
}

std::map<std::string, std::string> answers_of_travelers(const Value& form) {
    std::map<std::string, std::string> types;
    const auto add = [&](const std::string& id, const std::string& type) {
        if (type == "text_block" || has(traveler_members, id))
            return;
        const auto [known, is_new] = types.emplace(id, type);
        if (!is_new && known->second != type)
            known->second = "text";
    };
    const auto add_all = [&](const Value& fields) {
        if (fields.is_array())
            for (const Value& field : fields.items())
                add(field.text_or("id"), field.text_or("type"));
    };
    const Value& section = form["traveler_form"];
    add_all(section["fields"]);
    if (const Value& conditions = section["conditions"]; conditions.is_array())
        for (const Value& condition : conditions.items())
            add_all(condition["fields"]);
    for (const char* id : fields_of_travelers)
        if (!types.contains(id)) {
            const auto typed = std::find_if(types_of_people.begin(), types_of_people.end(),
                                            [&](const auto& each) { return std::string_view(each.first) == id; });
            types.emplace(id, typed == types_of_people.end() ? "text" : typed->second);
        }
    return types;
}

Result<void> check_births(const Value& travelers, Date today) {
    Faults faults;
    std::size_t index = 0;
    for (const Value& traveler : travelers.items()) {
        ++index;
        if (const auto birth = Date::parse(traveler.text_or("date_of_birth")); birth && *birth > today)
            faults.at("travelers." + std::to_string(index) + ".date_of_birth",
                      "This date must not be in the future."_sentence);
    }
    return faults.outcome();
}

Result<void> check_ages(const Value& travelers, Date on, std::optional<int> least, std::optional<int> most) {
    Faults faults;
    std::size_t index = 0;
    for (const Value& traveler : travelers.items()) {
        ++index;
        const auto birth = Date::parse(traveler.text_or("date_of_birth"));
        if (!birth)
            continue;
        const int age = years_between(*birth, on);
        if ((least && age < *least) || (most && age > *most))
            faults.at("travelers." + std::to_string(index) + ".date_of_birth",
                      "This traveler's age on the first day of the trip is outside the trip's age limits."_sentence,
                      errc::group_size);
    }
    return faults.outcome();
}

Result<void> check_categories(const Value& travelers, const Value& counts, const std::vector<std::int64_t>& of_trip) {
    Faults faults;
    std::map<std::int64_t, std::int64_t> seen;
    std::size_t index = 0;
    for (const Value& traveler : travelers.items()) {
        ++index;
        const auto category = traveler.maybe_integer("category_id");
        if (!category)
            continue;
        // With one price for everybody, travelers have no categories.
        const Value* booked = counts.find(std::to_string(*category));
        const bool fits = booked ? ++seen[*category] <= booked->integer() : counts.find("0") && has(of_trip, *category);
        if (!fits)
            faults.at("travelers." + std::to_string(index) + ".category_id",
                      "The booking has no more travelers of this category."_sentence);
    }
    return faults.outcome();
}

}  // namespace svc::booking::form
