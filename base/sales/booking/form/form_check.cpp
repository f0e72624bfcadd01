// Answers checked against the form.
#include <algorithm>
#include <array>
#include <cstdlib>

#include "base/sales/booking/form/form.hpp"
#include "base/sales/booking/form/pattern.hpp"
#include "base/sales/booking/form/people.hpp"
#include "base/sales/booking/form/show_if.hpp"
#include "shared/api/schema.hpp"
#include "shared/core/country.hpp"
#include "shared/core/person_name.hpp"

namespace svc::booking::form {
namespace {

using json::Value;

bool is_phone(const std::string& text) {
    std::size_t digits = 0;
    for (const char c : text) {
        if (c >= '0' && c <= '9')
            ++digits;
        else if (std::string_view(" +-()./").find(c) == std::string_view::npos)
            return false;
    }
    return digits >= 3 && digits <= 20;
}

bool is_option(const Value& field, const std::string& answer) {
    const auto& options = field["options"].items();
    return std::any_of(options.begin(), options.end(),
                       [&](const Value& option) { return option["value"].text() == answer; });
}

// The day that a bound of dates names; nothing: none, or one that is not known here.
std::optional<Date> bound_of(const Value& field, std::string_view name, const Answers& answers) {
    if (!field[name].is_string())  // a field that was one of numbers, as a date of birth that ages ask
        return std::nullopt;
    const std::string& bound = field[name].text();
    return bound == "today" ? answers.today : bound == "travel_date" ? answers.travel_date : Date::parse(bound);
}

// The same for an answer of the right kind that is too small, too large or of another form than the operator asks.
SentenceId outside(const Value& field, const std::string& type, const std::string& answer, const Answers& answers) {
    if (type == "number") {
        if (const Value& least = field["min"]; least.is_number() && is_less_number(answer, least.number_text()))
            return "This number is too small."_sentence;
        if (const Value& most = field["max"]; most.is_number() && is_less_number(most.number_text(), answer))
            return "This number is too large."_sentence;
    }
    if (type == "date" && (field.find("min") || field.find("max"))) {
        const auto day = Date::parse(answer), first = bound_of(field, "min", answers),
                   last = bound_of(field, "max", answers);
        if (day && first && *day < *first)
            return "This date is too early."_sentence;
        if (day && last && *last < *day)
            return "This date is too late."_sentence;
    }
    if (const Value* pattern = field.find("pattern"); pattern && pattern->is_string())
        if (!fits_pattern(pattern->text(), answer))
            return "This answer has another form than it is asked for."_sentence;
    return {};
}

// Why an answer that was given does not do; none when it does.
SentenceId wrong(const Value& field, const std::string& answer, const Answers& answers) {
    const std::string& type = field["type"].text();
    if (type == "email" && !api::email().check(Value(answer), "email"))
        return "Enter a valid e-mail address."_sentence;
    if (type == "tel" && !is_phone(answer))
        return "Enter a valid phone number."_sentence;
    if (type == "date" && !Date::parse(answer))
        return "Enter the date as YYYY-MM-DD."_sentence;
    if (type == "country" && country_code(answer).empty())
        return not_a_country;
    if (type == "number" && !api::decimal().check(Value(answer), "number"))
        return "Enter a number."_sentence;
    if ((type == "select" || type == "radio") && !is_option(field, answer))
        return "Choose one of the options."_sentence;
    if (type == "checkboxes") {
        const auto chosen = chosen_of(answer);
        if (!std::all_of(chosen.begin(), chosen.end(), [&](const std::string& one) { return is_option(field, one); }))
            return "Choose some of the options."_sentence;
    }
    if (type == "checkbox" && !is_yes(answer) && answer != "0" && answer != "false" && answer != "no" &&
        answer != "off")
        return "This must be true or false."_sentence;
    return outside(field, type, answer, answers);
}

bool holds(const Value& stored, const std::string& id, const std::string& answer) {
    if (stored.is_array())
        return std::any_of(stored.items().begin(), stored.items().end(),
                           [&](const Value& one) { return holds(one, id, answer); });
    return stored.is_object() && stored.text_or(id) == answer;
}

class Checking {
  public:
    explicit Checking(const Answers& answers) : all_(answers), by_staff_(answers.by_staff), waits_(answers.waits) {}

    // Skips answers that are in `stored`, of the section or of any traveler, and fields that are not asked.
    void answers(const Value& section, const Asked& asked, const Value& given, const std::string& prefix, bool is_lead,
                 const Value& stored = {}) {
        if (!section["enabled"].boolean())
            return;
        for (const Value& field : section["fields"].items()) {
            if (!field["enabled"].boolean() || field["type"].text() == "text_block" || !asked.shows(field))
                continue;
            // A traveler's category is no text.
            const Value& said = given[field["id"].text()];
            const std::string answer = said.is_string() ? said.text() : std::string();
            const std::string name = prefix + field["id"].text();
            const bool applies = is_lead || field.text_or("applies_to") != "lead";
            const bool missed = answer.empty() ||
                                (field["type"].text() == "checkbox" && field["required"].boolean() && !is_yes(answer));
            if (missed && field["required"].boolean() && applies && requires_now(name))
                fault(name, "This field is required."_sentence);
            else if (!answer.empty() && !holds(stored, field["id"].text(), answer))
                look(field, answer, name);
        }
    }
    void beside(const Value& section, const Value& given, const std::string& prefix, const Value& stored) {
        const auto& fields = section["fields"].items();
        for (const auto& [id, type] : types_of_people) {
            const std::string answer = given.text_or(id);
            const bool enabled = section["enabled"].boolean() &&
                                 std::any_of(fields.begin(), fields.end(), [name = id](const Value& field) {
                                     return field["enabled"].boolean() && field["id"].text() == name;
                                 });
            if (!enabled && !answer.empty() && !holds(stored, id, answer))
                look(Value::object({{"type", type}}), answer, prefix + id);
        }
    }
    void fault(std::string name, const Sentence& sentence) {
        if (!error_)
            error_.emplace(errc::validation_error, sentence);
        error_->at(std::move(name), sentence);
    }
    [[nodiscard]] Result<void> outcome() const { return error_ ? Result<void>(*error_) : Result<void>(); }

  private:
    // Who waits may never travel: what travelers are asked can follow when there are seats.
    [[nodiscard]] bool requires_now(std::string_view name) const {
        constexpr std::array<std::string_view, 4> of_waiting{"contact_first_name", "contact_last_name", "contact_email",
                                                             "contact_phone"};
        return !by_staff_ && (!waits_ || std::find(of_waiting.begin(), of_waiting.end(), name) != of_waiting.end());
    }
    void look(const Value& field, const std::string& answer, const std::string& name) {
        const std::string& id = field["id"].is_string() ? field["id"].text() : name;
        const bool is_name = id == "first_name" || id == "last_name" || id == "name" || id == "full_name";
        if (const SentenceId why = wrong(field, answer, all_))
            fault(name, why);
        else if (is_name && !by_staff_)  // it is mailed to an address that the caller chooses
            if (auto good = check_person_name(name.c_str(), answer); !good)
                fault(name, good.error().message());
    }

    const Answers& all_;
    bool by_staff_, waits_;
    std::optional<Error> error_;
};

bool requires_any(const Value& section) {
    const auto& fields = section["fields"].items();
    return section["enabled"].boolean() && std::any_of(fields.begin(), fields.end(), [](const Value& field) {
               return field["enabled"].boolean() && field["required"].boolean() &&
                      field["type"].text() != "text_block" && !field.find("show_if");
           });
}

}  // namespace

bool is_yes(std::string_view answer) { return answer == "1" || answer == "true" || answer == "yes" || answer == "on"; }

bool is_less_number(const std::string& a, const std::string& b) {
    return std::strtod(a.c_str(), nullptr) < std::strtod(b.c_str(), nullptr);
}

Result<void> check(const Value& form, const Answers& answers, const Answers& stored) {
    Checking checking(answers);
    const Asked contact(form["contact_form"], answers.contact);
    checking.answers(form["contact_form"], contact, answers.contact, "contact_", true, stored.contact);
    checking.beside(form["contact_form"], answers.contact, "contact_", stored.contact);
    // Emergency contacts are optional, but must be complete.
    checking.answers(form["emergency_contact_form"], Asked(form["emergency_contact_form"], answers.emergency, &contact),
                     answers.emergency, "emergency_", true, stored.emergency);
    // Further travelers may be named later; the lead is required.
    if (answers.travelers.size() == 0 && !answers.by_staff && !answers.waits && requires_any(form["traveler_form"]))
        checking.fault("travelers", "Enter the travelers, starting with the lead traveler."_sentence);
    std::size_t index = 0;
    for (const Value& traveler : answers.travelers.items()) {
        ++index;
        const std::string prefix = "travelers." + std::to_string(index) + ".";
        checking.answers(form["traveler_form"], Asked(form["traveler_form"], traveler, &contact, index == 1), traveler,
                         prefix, index == 1, stored.travelers);
        checking.beside(form["traveler_form"], traveler, prefix, stored.travelers);
    }
    return checking.outcome();
}

}  // namespace svc::booking::form
