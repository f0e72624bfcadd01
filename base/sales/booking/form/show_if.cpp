// Show-if: read, checked as a whole form, and applied to answers.
#include "base/sales/booking/form/show_if.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "base/platform/html/html.hpp"
#include "shared/api/schema.hpp"
#include "shared/core/country.hpp"
#include "shared/core/faults.hpp"
#include "shared/core/text.hpp"

namespace svc::booking::form {
namespace {

using json::Value;

constexpr std::string_view contact = "contact_form";
constexpr std::array form_sections{"contact_form", "emergency_contact_form", "traveler_form"};
constexpr std::array operators{"is", "is_not", "is_one_of", "is_filled", "is_checked"};
constexpr std::size_t most_values = 50;

std::string member_of(const Value& given, std::string_view name) {
    return given[name].is_string() ? given[name].text() : std::string();
}

bool compares(std::string_view how) { return how == "is" || how == "is_not" || how == "is_one_of"; }

// `value` is the short form of a list of one.
std::vector<std::string> values_in(const Value& rule) {
    std::vector<std::string> values;
    const auto add = [&](const Value& one) {
        if (!one.is_string() || values.size() >= most_values)
            return;
        const auto clean = api::text(200).check(Value(html::text_of_html(one.text())), "value");
        if (clean && !clean->text().empty())
            values.push_back(clean->text());
    };
    if (rule["values"].is_array())
        for (const Value& one : rule["values"].items())
            add(one);
    add(rule["value"]);
    return values;
}

bool is_one(const std::string& answer, const std::string& value, std::string_view type) {
    if (type == "country") {
        const std::string code = country_code(answer);
        return !code.empty() && code == country_code(value);
    }
    return text::folded(answer) == text::folded(value);
}

// Of several boxes, any that is ticked.
bool is_any(const std::string& answer, const Value& values, const std::string& type) {
    const auto among = [&](const std::string& one) {
        return std::any_of(values.items().begin(), values.items().end(),
                           [&](const Value& value) { return is_one(one, value.text(), type); });
    };
    if (type != "checkboxes")
        return among(answer);
    const auto chosen = chosen_of(answer);
    return std::any_of(chosen.begin(), chosen.end(), among);
}

// A list of fields under one name: of a section, or of one of its conditions.
struct Fields {
    std::string name;
    std::map<std::string, const Value*> by_id = {};  // null: a locked field that was not sent
};

Fields fields_in(std::string name, const Value& list, const Value& standard_section) {
    Fields fields{.name = std::move(name)};
    for (const Value& one : standard_section["fields"].items())
        if (one["locked"].boolean())
            fields.by_id.emplace(one["id"].text(), nullptr);
    if (list.is_array())
        for (const Value& one : list.items())
            if (one.is_object())
                if (const std::string id = member_of(one, "id"); !id.empty())
                    fields.by_id[id] = &one;
    return fields;
}

// The lists of a section: its own, then those of its conditions.
std::vector<Fields> lists_of(const Value& form, const std::string& section, const Value& standard_section) {
    const Value& given = form[section];
    std::vector<Fields> lists{
        fields_in(section, given.find("fields") ? given["fields"] : standard_section["fields"], standard_section)};
    std::size_t at = 0;
    if (given["conditions"].is_array())
        for (const Value& condition : given["conditions"].items())
            lists.push_back(fields_in(section + ".conditions." + std::to_string(++at), condition["fields"],
                                      standard_section));  // by reference: it is kept
    return lists;
}

class ShowIfChecking {
  public:
    ShowIfChecking(const std::vector<Fields>& contacts, svc::Faults& faults) : contacts_(contacts), faults_(faults) {}

    void fields(const std::string& section, const Fields& list, const Value& standard_section) {
        std::set<std::string> locked;
        for (const Value& one : standard_section["fields"].items())
            if (one["locked"].boolean())
                locked.insert(one["id"].text());
        for (const auto& [id, field] : list.by_id)
            if (field && field->find("show_if") && !(*field)["show_if"].is_null())
                if (const SentenceId why = wrong(section, list, id, *field, locked.contains(id)))
                    faults_.at(list.name + ".fields." + id + ".show_if", why);
    }

  private:
    SentenceId wrong(const std::string& section, const Fields& list, const std::string& id, const Value& field,
                     bool is_locked) {
        const Value& rule = field["show_if"];
        if (!rule.is_object())
            return "This must be an object."_sentence;
        if (is_locked)
            return "This field is always asked."_sentence;
        const std::string of = member_of(rule, "section").empty() ? section : member_of(rule, "section");
        if (of != section && of != contact)
            return "A field can follow an answer of its own section or of the contact's."_sentence;
        const std::string how = member_of(rule, "operator");
        if (std::find(operators.begin(), operators.end(), how) == operators.end())
            return "Choose is, is_not, is_one_of, is_filled or is_checked."_sentence;
        const std::string named = member_of(rule, "field");
        const auto found = of == section ? in(list, named) : in_contact(named);
        if (!found)
            return "This names a field that the form does not ask."_sentence;
        if (of == section && is_circle(list, id, section))
            return "This follows an answer that follows this one."_sentence;
        return *found ? wrong_values(rule, how, **found) : SentenceId{};
    }
    static SentenceId wrong_values(const Value& rule, const std::string& how, const Value& named) {
        const std::string type = member_of(named, "type");
        if (type == "text_block" || (type == "file" && how != "is_filled"))
            return "This field has no such answer."_sentence;
        if ((how == "is_checked") != (type == "checkbox"))
            return "A checkbox can be checked, and nothing else can."_sentence;
        const auto values = values_in(rule);
        if (compares(how) && (values.empty() || (how != "is_one_of" && values.size() > 1)))
            return "Name the answer."_sentence;
        if (compares(how) && named["options"].is_array() && named["options"].size() > 0)
            for (const std::string& value : values)
                if (const auto& options = named["options"].items();
                    std::none_of(options.begin(), options.end(),
                                 [&](const Value& option) { return member_of(option, "value") == value; }))
                    return "This names an answer that is no option of the field."_sentence;
        return {};
    }
    // The field; null within: a locked one that was not sent; nothing: there is none.
    static std::optional<const Value*> in(const Fields& list, const std::string& id) {
        const auto found = list.by_id.find(id);
        return found == list.by_id.end() ? std::nullopt : std::optional(found->second);
    }
    // The contact may have another version for each trip: one that asks it suffices.
    [[nodiscard]] std::optional<const Value*> in_contact(const std::string& id) const {
        for (const Fields& list : contacts_)
            if (const auto found = in(list, id))
                return found;
        return std::nullopt;
    }
    static bool is_circle(const Fields& list, const std::string& id, const std::string& section) {
        std::string at = id;
        for (std::size_t steps = 0; steps <= list.by_id.size(); ++steps) {
            const auto found = list.by_id.find(at);
            if (found == list.by_id.end() || !found->second)
                return false;
            const Value& rule = (*found->second)["show_if"];
            const std::string of = member_of(rule, "section");
            if (!rule.is_object() || (!of.empty() && of != section))
                return false;
            at = member_of(rule, "field");
            if (at == id)
                return true;
        }
        return false;  // a circle of others is a fault of theirs
    }

    const std::vector<Fields>& contacts_;
    svc::Faults& faults_;
};

void drop(const Value& section, const Asked& asked, Value& answers) {
    if (!section["fields"].is_array() || !answers.is_object())
        return;
    std::vector<std::string> hidden;
    for (const Value& field : section["fields"].items())
        if (!asked.shows(field))
            hidden.push_back(field["id"].text());
    for (const std::string& id : hidden)
        answers.erase(id);
}

}  // namespace

std::vector<std::string> chosen_of(std::string_view answer) {
    std::vector<std::string> chosen;
    while (!answer.empty()) {
        const auto end = answer.find(',');
        std::string one = text::clean(answer.substr(0, end));
        if (!one.empty())
            chosen.push_back(std::move(one));
        answer = end == std::string_view::npos ? std::string_view() : answer.substr(end + 1);
    }
    return chosen;
}

Value clean_show_if(const Value& given) {
    const std::string named = member_of(given, "field"), how = member_of(given, "operator"),
                      of = member_of(given, "section");
    if (named.empty() || named.size() > 64 || std::find(operators.begin(), operators.end(), how) == operators.end())
        return {};
    Value clean = Value::object({{"field", named}, {"operator", how}});
    if (of == contact)
        clean.set("section", of);
    if (compares(how)) {
        Value values = Value::array();
        for (const std::string& value : values_in(given))
            values.push(value);
        if (values.size() == 0)
            return {};
        clean.set("values", std::move(values));
    }
    return clean;
}

Result<void> check_show_ifs(const Value& form, const Value& standard_form) {
    if (!has_show_ifs(form))
        return {};
    svc::Faults faults;
    const std::vector<Fields> contacts = lists_of(form, std::string(contact), standard_form[contact]);
    ShowIfChecking checking(contacts, faults);
    for (const char* section : form_sections)
        for (const Fields& list : lists_of(form, section, standard_form[section]))
            checking.fields(section, list, standard_form[section]);
    return faults.outcome();
}

Asked::Asked(const Value& section, const Value& answers, const Asked* of_contact, bool is_lead)
    : section_(section), answers_(answers), contact_(of_contact), is_lead_(is_lead) {}

bool Asked::shows(const Value& field) const {
    const Value* rule = field.find("show_if");
    return !rule || !rule->is_object() || holds(*rule);
}

bool Asked::asks(std::size_t at) const {
    const auto& fields = section_["fields"].items();
    if (known_.empty())
        known_.assign(fields.size(), Known::unknown);
    if (known_[at] == Known::asking)
        return false;  // a listener's form may go in a circle
    if (known_[at] == Known::unknown) {
        known_[at] = Known::asking;
        const Value& field = fields[at];
        const bool asked = field["enabled"].boolean() && (is_lead_ || field.text_or("applies_to") != "lead") &&
                           field.text_or("type") != "text_block" && shows(field);
        known_[at] = asked ? Known::yes : Known::no;
    }
    return known_[at] == Known::yes;
}

bool Asked::holds(const Value& rule) const {
    const Asked& where = contact_ && rule.text_or("section") == contact ? *contact_ : *this;
    const std::string named = rule.text_or("field"), how = rule.text_or("operator");
    if (!where.section_["enabled"].boolean() || !where.section_["fields"].is_array())
        return false;
    const auto& fields = where.section_["fields"].items();
    const auto found =
        std::find_if(fields.begin(), fields.end(), [&](const Value& each) { return each["id"].text() == named; });
    if (found == fields.end() || !where.asks(static_cast<std::size_t>(found - fields.begin())))
        return false;
    const Value& said = where.answers_[named];  // a traveler's category is no text
    const std::string answer = said.is_string() ? said.text() : std::string();
    if (how == "is_filled")
        return !answer.empty();
    if (how == "is_checked")
        return is_yes(answer);
    const Value& values = rule["values"];
    const bool any = values.is_array() && !answer.empty() && is_any(answer, values, found->text_or("type"));
    return how == "is_not" ? !any : any;
}

bool has_show_ifs(const Value& form) {
    const auto any = [](const Value& fields) {
        return fields.is_array() && std::any_of(fields.items().begin(), fields.items().end(), [](const Value& field) {
                   return field.is_object() && field.find("show_if");
               });
    };
    for (const char* name : form_sections) {
        const Value& section = form[name];
        if (any(section["fields"]))
            return true;
        if (section["conditions"].is_array())
            for (const Value& condition : section["conditions"].items())
                if (condition.is_object() && any(condition["fields"]))
                    return true;
    }
    return false;
}

void drop_hidden(const Value& form, Answers& answers) {
    if (!has_show_ifs(form))
        return;
    const Value known = answers.contact;  // dropping changes what was asked by
    const Asked contacts(form[contact], known);
    drop(form[contact], contacts, answers.contact);
    const Value emergency = answers.emergency;
    drop(form["emergency_contact_form"], Asked(form["emergency_contact_form"], emergency, &contacts),
         answers.emergency);
    if (!answers.travelers.is_array())
        return;
    bool is_lead = true;
    for (Value& traveler : answers.travelers.items()) {
        const Value given = traveler;
        drop(form["traveler_form"], Asked(form["traveler_form"], given, &contacts, is_lead), traveler);
        is_lead = false;
    }
}

}  // namespace svc::booking::form
