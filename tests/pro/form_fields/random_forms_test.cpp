// Property: over random forms and answers no hidden field ever blocks, no hidden answer stays, and no visible one is
// lost. What is visible is decided here a second time, from the rule's own words.
#include <map>
#include <set>

#include "base/sales/booking/form/show_if.hpp"
#include "tests/pro/form_fields/form_site.hpp"
#include "tests/support/random.hpp"

using namespace svc;
using namespace svc::tests;
using booking::form::Answers;
using json::Value;

namespace {

const std::vector<std::string> letters{"a", "b", "c"};
const std::vector<const char*> section_names{"contact_form", "emergency_contact_form", "traveler_form"};

std::string id_of(std::int64_t number) { return "q" + std::to_string(number); }

// A rule that follows a field before this one in its section, or any field of the contact.
Value random_rule(test::Random& random, const std::string& section, std::int64_t at, const Value& contact) {
    Value rule = Value::object();
    std::int64_t most = at - 1;
    if (section != "contact_form" && (at == 0 || random.between(0, 1) == 0)) {
        rule.set("section", "contact_form");
        most = static_cast<std::int64_t>(contact.size()) - 1;
    }
    if (most < 0)
        return {};
    rule.set("field", id_of(random.between(0, most)));
    return rule;
}

Value random_section(test::Random& random, const std::string& name, const Value& contact) {
    static const std::vector<const char*> types{"text", "select", "checkbox", "checkboxes", "textarea"};
    Value fields = Value::array();
    const std::int64_t count = random.between(1, 8);
    for (std::int64_t at = 0; at < count; ++at) {
        const std::string type = random.one_of(types);
        Value field = Value::object({{"id", id_of(at)},
                                     {"type", type},
                                     {"required", random.between(0, 1) == 1},
                                     {"enabled", random.between(0, 9) > 0}});
        if (name == "traveler_form")
            field.set("applies_to", random.between(0, 2) == 0 ? "lead" : "all");
        if (type == "select" || type == "checkboxes") {
            Value options = Value::array();
            for (const std::string& each : letters)
                options.push(Value::object({{"value", each}}));
            field.set("options", std::move(options));
        }
        if (random.between(0, 2) > 0)
            if (Value rule = random_rule(random, name, at, contact); !rule.is_null()) {
                const Value& named = rule.find("section") ? contact : fields;
                std::string of;
                for (const Value& each : named.items())
                    if (each["id"].text() == rule["field"].text())
                        of = each["type"].text();
                static const std::vector<const char*> operators{"is", "is_not", "is_one_of", "is_filled"};
                const std::string how = of == "checkbox" ? "is_checked" : random.one_of(operators);
                rule.set("operator", how);
                Value values = Value::array();
                values.push(random.one_of(letters));
                if (how == "is_one_of")
                    values.push(random.one_of(letters));
                rule.set("values", std::move(values));
                field.set("show_if", std::move(rule));
            }
        fields.push(std::move(field));
    }
    return fields;
}

Value random_form(test::Random& random) {
    const Value contact = random_section(random, "contact_form", Value::array());
    Value form = Value::object();
    for (const char* name : section_names)
        form.set(name, Value::object({{"enabled", true},
                                      {"fields", std::string_view(name) == "contact_form"
                                                     ? contact
                                                     : random_section(random, name, contact)}}));
    return form;
}

Value random_answers(test::Random& random, const Value& section) {
    Value answers = Value::object();
    for (const Value& field : section["fields"].items()) {
        const std::string type = field["type"].text();
        if (field["locked"].boolean() || random.between(0, 3) == 0)
            continue;
        answers.set(field["id"].text(), type == "checkbox"     ? (random.between(0, 1) == 1 ? "true" : "false")
                                        : type == "checkboxes" ? random.one_of(letters) + ", " + random.one_of(letters)
                                                               : random.one_of(letters));
    }
    return answers;
}

// The second opinion: whether the form asks the field, by definition.
struct Oracle {
    const Value& form;
    const Value& contact;

    static const Value* field(const Value& section, const std::string& id) {
        for (const Value& each : section["fields"].items())
            if (each["id"].text() == id)
                return &each;
        return nullptr;
    }
    [[nodiscard]] bool asks(const std::string& section, const Value& field, const Value& answers, bool is_lead) const {
        if (!field["enabled"].boolean() || (!is_lead && field.text_or("applies_to") == "lead"))
            return false;
        return shows(section, field, answers, is_lead);
    }
    [[nodiscard]] bool shows(const std::string& section, const Value& field, const Value& answers, bool is_lead) const {
        const Value* rule = field.find("show_if");
        if (!rule)
            return true;
        const bool of_contact = rule->text_or("section") == "contact_form" || section == "contact_form";
        const std::string where = of_contact ? "contact_form" : section;
        const Value& given = of_contact ? contact : answers;
        const Value* named = Oracle::field(form[where], rule->text_or("field"));
        if (!named || !asks(where, *named, given, of_contact || is_lead))
            return false;
        const std::string answer = given.text_or(named->text_or("id")), how = rule->text_or("operator");
        std::set<std::string> chosen;
        if (named->text_or("type") == "checkboxes")
            for (std::size_t at = 0; at < answer.size(); at += 3)
                chosen.insert(answer.substr(at, 1));
        else if (!answer.empty())
            chosen.insert(answer);
        bool any = false;
        for (const Value& value : (*rule)["values"].is_array() ? (*rule)["values"].items() : json::Array{})
            any = any || chosen.contains(value.text());
        return how == "is_filled"    ? !answer.empty()
               : how == "is_checked" ? answer == "true"
               : how == "is_not"     ? !any
                                     : any;
    }
};

struct Tried {
    std::set<std::string> faults;
    std::int64_t hidden = 0, asked = 0;
};

void compare(const Oracle& oracle, const std::string& section, const Value& before, const Value& after, bool is_lead,
             const std::string& prefix, Tried& tried) {
    for (const Value& field : oracle.form[section]["fields"].items()) {
        const std::string id = field["id"].text();
        CAPTURE(prefix + id);
        const std::string answer = before.text_or(id);
        if (!oracle.shows(section, field, before, is_lead)) {
            ++tried.hidden;
            CHECK(after.find(id) == nullptr);
            CHECK_FALSE(tried.faults.contains(prefix + id));
            continue;
        }
        CHECK(after.text_or(id) == answer);
        if (!oracle.asks(section, field, before, is_lead) || field["locked"].boolean())
            continue;
        ++tried.asked;
        const bool misses = answer.empty() || (field["type"].text() == "checkbox" && answer != "true");
        CHECK(tried.faults.contains(prefix + id) == (field["required"].boolean() && misses));
    }
}

}  // namespace

TEST_CASE("no hidden field ever blocks, no hidden answer is stored: over random forms and answers") {
    test::Random random;
    CAPTURE(random.seed);
    std::int64_t hidden = 0, asked = 0;
    for (int round = 0; round < 3000; ++round) {
        CAPTURE(round);
        const Value given = random_form(random);
        CAPTURE(given.dump());
        REQUIRE(booking::form::check_shape(given));
        const Value form = booking::form::sanitized(given);
        Answers answers{.contact = random_answers(random, form["contact_form"]),
                        .emergency = random_answers(random, form["emergency_contact_form"]),
                        .travelers = Value::array()};
        for (int i = 0; i < 2; ++i)
            answers.travelers.push(random_answers(random, form["traveler_form"]));
        for (const char* own : {"first_name", "last_name", "email", "phone", "country"})
            answers.contact.set(own, std::string_view(own) == "email"     ? "a@example.org"
                                     : std::string_view(own) == "phone"   ? "12345"
                                     : std::string_view(own) == "country" ? "DE"
                                                                          : "Ada");
        const Answers before = answers;
        booking::form::drop_hidden(form, answers);
        Tried tried;
        if (const auto checked = booking::form::check(form, answers); !checked)
            for (const auto& fault : checked.error().fields())
                tried.faults.insert(fault.field);
        const Oracle oracle{form, before.contact};
        compare(oracle, "contact_form", before.contact, answers.contact, true, "contact_", tried);
        compare(oracle, "emergency_contact_form", before.emergency, answers.emergency, true, "emergency_", tried);
        for (std::size_t i = 0; i < 2; ++i)
            compare(oracle, "traveler_form", before.travelers[i], answers.travelers[i], i == 0,
                    "travelers." + std::to_string(i + 1) + ".", tried);
        hidden += tried.hidden;
        asked += tried.asked;
    }
    // The forms were worth it.
    CHECK(hidden > 1000);
    CHECK(asked > 1000);
}

TEST_CASE("a booking of a random form is made as soon as the fields asked are answered, and has those answers alone") {
    each_field_site([](FieldSite& site) {
        test::Random random;
        CAPTURE(random.seed);
        for (int round = 0; round < 6; ++round) {
            Value form = random_form(random);
            form.set("emergency_contact_form", Value::object({{"enabled", false}}));
            CAPTURE(form.dump());
            site.ask(form.dump());
            const Value asked =
                site.base.get("/settings/booking-form?trip_id=" + std::to_string(site.trip), site.admin).data();
            Value body = Value::object();
            for (const auto& [id, answer] : random_answers(random, asked["contact_form"]).members())
                body.set("contact_" + id, answer);
            Value lead = random_answers(random, asked["traveler_form"]);
            lead.set("first_name", "Ada");
            body.set("travelers", Value::array({lead}));
            // Answers what is reported missing, and nothing else, until nothing is.
            Answered made = site.book(body);
            for (int more = 0; made.status == 400 && more < 30; ++more) {
                const std::string field = made.field();
                CAPTURE(made.text);
                const bool of_contact = field.starts_with("contact_");
                const std::string id = of_contact ? field.substr(8) : field.substr(12);
                const Value* named = Oracle::field(asked[of_contact ? "contact_form" : "traveler_form"], id);
                REQUIRE(named);
                const Value answer = named->text_or("type") == "checkbox" ? "true" : "a";
                if (of_contact)
                    body.set(field, answer);
                else
                    lead.set(id, answer);
                body.set("travelers", Value::array({lead}));
                made = site.book(body);
            }
            const Value stored = site.detail(made);
            Value contact = stored["contact_data"];
            for (const auto& [own, value] : stored["contact"].members())
                contact.set(own, value);
            const Oracle oracle{asked, contact};
            for (const auto& [id, answer] : stored["contact_data"].members())
                CHECK(oracle.shows("contact_form", *Oracle::field(asked["contact_form"], id), contact, true));
            const Value fields = stored["travelers"][0]["fields"];
            for (const auto& [id, answer] : fields.members())
                CHECK(oracle.shows("traveler_form", *Oracle::field(asked["traveler_form"], id), fields, true));
        }
    });
}
