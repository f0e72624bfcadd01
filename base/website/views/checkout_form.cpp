// The form of a booking: its sections as fields, and the input as the interface accepts it.
#include <algorithm>
#include <array>

#include "base/sales/booking/form/show_if.hpp"
#include "base/website/views/checkout.hpp"

namespace svc::pages {
namespace {

using json::Value;

// The answers of the standard form, whose labels are their codes (base/sales/booking/form/form.cpp).
[[maybe_unused]] constexpr std::array choices_of_standard_form{
    default_text("Spouse"),      default_text("Parent"),     default_text("Sibling"),
    default_text("Child"),       default_text("Friend"),     default_text("Other"),
    default_text("Female"),      default_text("Male"),       default_text("Prefer not to say"),
    default_text("None"),        default_text("Vegetarian"), default_text("Vegan"),
    default_text("Halal"),       default_text("Kosher"),     default_text("Gluten free"),
    default_text("Lactose free")};

std::string worded(std::string text) {
    std::replace(text.begin(), text.end(), '_', ' ');
    if (!text.empty() && text[0] >= 'a' && text[0] <= 'z')
        text[0] = static_cast<char>(text[0] - 'a' + 'A');
    return text;
}

std::string autocomplete_of(std::string_view section, std::string_view id) {
    if (section != "contact")
        return section == "traveler" ? "off" : "";
    constexpr std::array<std::pair<std::string_view, std::string_view>, 8> known{{{"first_name", "given-name"},
                                                                                  {"last_name", "family-name"},
                                                                                  {"email", "email"},
                                                                                  {"phone", "tel"},
                                                                                  {"country", "country"},
                                                                                  {"address", "street-address"},
                                                                                  {"city", "address-level2"},
                                                                                  {"postal_code", "postal-code"}}};
    for (const auto& [name, token] : known)
        if (name == id)
            return std::string(token);
    return {};
}

std::string typed_in(const Value& typed, std::string_view name) {
    const Value* found = typed.find(name);
    return found && found->is_string() ? found->text() : std::string();
}

bool has_ages(const Value& trip) {
    return std::any_of(trip["price_types"].items().begin(), trip["price_types"].items().end(), [](const Value& type) {
        return type.maybe_integer("age_min") || type.maybe_integer("age_max");
    });
}

// A form's input and its faults.
struct Typed {
    const Checkout& checkout;
    const Value& values;
    const Faults& faults;
    const Format& words;
};

// What the page's script needs to know of a field's show_if: the input whose answer it follows.
std::string rule_of(const Value& field, const std::string& prefix) {
    const Value& rule = field["show_if"];
    return Value::object(
               {{"name", (rule.text_or("section") == "contact_form" ? "contact_" : prefix) + rule.text_or("field")},
                {"operator", rule.text_or("operator")},
                {"values", rule["values"].is_array() ? rule["values"] : Value::array()}})
        .dump();
}

void set_rule(Value& one, const Value& field, const std::string& prefix, bool shows) {
    if (!field["show_if"].is_object())
        return;
    one.set("rule", rule_of(field, prefix));
    one.set("off", !shows);
}

// What an answer must be, for who reads the page: the server says it too late.
std::string range_of(const Value& field, const Format& words) {
    const auto bound = [&](const char* name) {
        const Value& value = field[name];
        const std::string text = value.is_number() ? value.number_text() : value.is_string() ? value.text() : "";
        return text == "today"                      ? words.say_text("today")
               : text == "travel_date"              ? words.say_text("the day of travel")
               : value.is_string() && !text.empty() ? words.day(text)
                                                    : text;
    };
    const std::string least = bound("min"), most = bound("max");
    return !least.empty() && !most.empty()
               ? words.say_text("From {least} to {most}.", {{"least", least}, {"most", most}})
           : !least.empty() ? words.say_text("From {least}.", {{"least", least}})
           : !most.empty()  ? words.say_text("Up to {most}.", {{"most", most}})
                            : std::string();
}

void add_file(Value& one, const Value& field, const std::string& code, const Typed& typed) {
    std::string accept;
    for (const Value& kind : list_of(field["accepts"]))
        accept += (accept.empty() ? "" : ",") +
                  std::string(kind.text() == "pdf" ? ".pdf,application/pdf" : "image/jpeg,image/png,image/webp");
    one.set("accept", accept);
    for (const auto& [known, name] : typed.checkout.files)
        if (known == code && !code.empty()) {
            one.set("sent", code);
            one.set("sent_name",
                    typed.words.say_text("Sent: {name}. Choose another file to replace it.", {{"name", name}}));
            one.set("required", false);
        }
}

void add_fields(Value& fields, const Value& section, std::string_view name, const std::string& prefix, bool is_lead,
                const booking::form::Asked& asked, const Typed& typed) {
    for (const Value& field : list_of(section["fields"])) {
        if (!is_on_page(field, is_lead))
            continue;
        const bool shows = asked.shows(field);
        if (field.text_or("type") == "text_block") {
            Value block = Value::object({{"is_text", true},
                                         {"full", true},
                                         {"text", typed.words.default_text(field.text_or("label"))},
                                         {"content_html", field.text_or("content")}});
            set_rule(block, field, prefix, shows);
            fields.push(std::move(block));
            continue;
        }
        const std::string id = field.text_or("id"), full = prefix + id;
        // The first traveler is usually the contact: a missing name is filled with the contact's.
        const bool is_taken_over = name == "traveler" && is_lead && (id == "first_name" || id == "last_name");
        const bool needed = field.maybe_boolean("required").value_or(false) && !is_taken_over;
        Value one = field_json(field, name, full, typed_in(typed.values, full), typed.faults, needed, typed.words);
        if (is_taken_over) {
            one.set("help", typed.words.say_text("Leave empty if this is the contact person."));
            one.set("described", "h-" + full);
            one.set("taken_over", true);
        }
        if (field.text_or("type") == "file")
            add_file(one, field, typed_in(typed.values, full), typed);
        set_rule(one, field, prefix, shows);
        fields.push(std::move(one));
    }
}

}  // namespace

std::vector<std::pair<std::string, std::string>> travelers_of(const Checkout& checkout, const Format& words) {
    std::vector<std::pair<std::string, std::string>> list;  // category id, label
    const Value& session = checkout.session;
    for (const auto& [id, count] :
         session["traveler_counts"].is_object() ? session["traveler_counts"].members() : json::Object{}) {
        std::string label;
        for (const Value& type : checkout.trip["price_types"].items())
            if (std::to_string(type["category_id"].integer()) == id) {
                label = type.text_or("category_label");
                const auto from = type.maybe_integer("age_min"), to = type.maybe_integer("age_max");
                if (from && to)
                    label += ", " + words.say_text("ages {from} to {to}", {{"from", *from}, {"to", *to}});
                else if (from)
                    label += ", " + words.say_text("ages {from} and over", {{"from", *from}});
            }
        for (std::int64_t i = 0; i < count.integer() && list.size() < 200; ++i)
            list.emplace_back(id, label);
    }
    if (list.empty())
        for (std::int64_t i = 0; i < session.maybe_integer("travelers").value_or(1) && list.size() < 200; ++i)
            list.emplace_back("", "");
    return list;
}

Value field_json(const Value& field, std::string_view section, const std::string& name, const std::string& value,
                 const Faults& faults, bool is_required, const Format& words) {
    const std::string type = field.text_or("type"), id = field.text_or("id");
    const bool is_choice = type == "select" || type == "country";
    const bool is_boxes = type == "radio" || type == "checkboxes";
    std::string help = field.text_or("help").empty() ? field.text_or("placeholder") : field.text_or("help");
    if (const std::string range = range_of(field, words); !range.empty())
        help += (help.empty() ? "" : " ") + range;
    Shown shown{.name = name,
                .label = words.default_text(worded(field.text_or("label", id))),
                .type = is_choice                                                                ? "select"
                        : type == "textarea" || type == "checkbox" || is_boxes || type == "file" ? type
                        : type == "email" || type == "tel" || type == "date" || type == "number" ? type
                                                                                                 : "text",
                .value = value,
                .error = fault_of(faults, name),
                .help = std::move(help),
                .autocomplete = autocomplete_of(section, id),
                .required = is_required,
                .width = field.text_or("width")};
    Value one = to_json(shown);
    if (is_boxes || type == "file") {  // neither is an input with a value
        one.erase("is_input");
        one.set(type == "file" ? "is_file" : "is_boxes", true);
    }
    if (is_boxes) {
        const auto chosen = booking::form::chosen_of(value);
        Value boxes = Value::array();
        std::size_t index = 0;
        for (const Value& each : list_of(field["options"])) {
            const std::string code = each.text_or("value");
            const bool is_chosen =
                type == "radio" ? code == value : std::find(chosen.begin(), chosen.end(), code) != chosen.end();
            boxes.push(Value::object({{"box", type == "radio" ? "radio" : "checkbox"},
                                      {"box_id", "f-" + name + "-" + std::to_string(++index)},
                                      {"name", name},
                                      {"value", code},
                                      {"label", words.default_text(worded(each.text_or("label", code)))},
                                      {"checked", is_chosen},
                                      {"required", is_required && type == "radio"}}));
        }
        one.set("boxes", std::move(boxes));
    }
    if (type == "number" || type == "date")
        for (const char* bound : {"min", "max"})
            if (const Value& limit = field[bound]; limit.is_number() || Date::parse(field.text_or(bound)))
                one.set(bound, limit.is_number() ? limit.number_text() : limit.text());
    if (type == "number")
        one.set("step", "any");
    if (type == "checkbox")
        one.set("checked", value == "1" || value == "on" || value == "yes" || value == "true");
    if (type == "country")
        one.set("options", country_options(value, is_required, words));
    else if (is_choice) {
        Value options = Value::array();
        const auto add = [&](const std::string& code, const std::string& label) {
            options.push(Value::object({{"value", code}, {"label", label}, {"selected", code == value}}));
        };
        add("", is_required ? words.say_text("Please choose") : "–");
        for (const Value& each : list_of(field["options"]))
            add(each.text_or("value"), words.default_text(worded(each.text_or("label", each.text_or("value")))));
        one.set("options", std::move(options));
    }
    return one;
}

Value sections_json(const Checkout& checkout, const Value& typed, const Faults& faults, const Format& words) {
    const Typed all{checkout, typed, faults, words};
    const Value& form = checkout.trip["form"];
    Value sections = Value::array();
    const auto add = [&](const std::string& title, const std::string& text, Value fields, std::size_t copies = 0) {
        if (fields.size() == 0)
            return;
        Value section = Value::object({{"title", title}, {"text", text}, {"fields", std::move(fields)}});
        if (copies > 0)
            section.set("copy", std::to_string(copies));
        sections.push(std::move(section));
    };
    Value contact = Value::array();
    const Value of_contact = answers_in(typed, "contact_");
    const booking::form::Asked asked(form["contact_form"], of_contact);
    add_fields(contact, form["contact_form"], "contact", "contact_", true, asked, all);
    add(words.default_text(form["contact_form"].text_or("title", "Contact")),
        form["contact_form"].text_or("description"), std::move(contact));
    const Value& travelers = form["traveler_form"];
    const auto people = travelers_of(checkout, words);
    if (travelers.maybe_boolean("enabled").value_or(false) || has_ages(checkout.trip)) {
        std::size_t index = 0;
        const std::string given = travelers.text_or("title");
        const std::string own_title = given == "Travelers" ? std::string() : given;  // the standard form's
        for (const auto& [category, label] : people) {
            const std::string prefix = "travelers." + std::to_string(++index) + ".";
            Value fields = Value::array();
            const Value answers = answers_in(typed, prefix);
            if (travelers.maybe_boolean("enabled").value_or(false))
                add_fields(fields, travelers, "traveler", prefix, index == 1,
                           booking::form::Asked(travelers, answers, &asked, index == 1), all);
            const bool copies = checkout.has_module && index > 1 && fields.size() > 2;
            const bool asks_birth = std::any_of(fields.items().begin(), fields.items().end(), [&](const Value& each) {
                return each.text_or("name") == prefix + "date_of_birth";
            });
            if (!asks_birth && has_ages(checkout.trip))
                fields.push(to_json({.name = prefix + "date_of_birth",
                                     .label = words.say_text("Date of birth"),
                                     .type = "date",
                                     .value = typed_in(typed, prefix + "date_of_birth"),
                                     .error = fault_of(faults, prefix + "date_of_birth"),
                                     .required = true}));
            std::string title = own_title.empty() ? people.size() == 1
                                                        ? words.say_text("Traveler")
                                                        : words.say_text("Traveler {number}", {{"number", index}})
                                                  : own_title;
            if (!own_title.empty() && people.size() > 1)
                title += " " + std::to_string(index);
            if (!label.empty())
                title += " (" + label + ")";
            add(title, index == 1 ? travelers.text_or("description") : "", std::move(fields), copies ? index : 0);
        }
    }
    const Value& emergency = form["emergency_contact_form"];
    if (emergency.maybe_boolean("enabled").value_or(false)) {
        Value fields = Value::array();
        const Value answers = answers_in(typed, "emergency_");
        add_fields(fields, emergency, "emergency", "emergency_", true, booking::form::Asked(emergency, answers, &asked),
                   all);
        add(words.default_text(emergency.text_or("title", "Emergency contact")), emergency.text_or("description"),
            std::move(fields));
    }
    return sections;
}

std::string field_label(const Value& sections, std::string_view field) {
    for (const Value& section : sections.items())
        for (const Value& each : section["fields"].items())
            if (each.text_or("name") == field)
                return section.text_or("title") + (section.text_or("title").empty() ? "" : ": ") +
                       each.text_or("label");
    return {};
}

Value choice_faults_json(Faults faults, const Format& words) {
    for (auto& [field, sentence] : faults)
        if (field == "travel_date" || field == "departure_time")
            field = "date";
        else if (field.starts_with("traveler_counts") || field.starts_with("travelers"))
            field = "travelers";
    return faults_json(faults, [&](std::string_view field) {
        return field == "date"        ? words.say_text("Date")
               : field == "travelers" ? words.say_text("Travelers")
                                      : std::string();
    });
}

Value create_body(const Checkout& checkout, const Value& typed) {
    const Format words;
    Value body = Value::object();
    for (const auto& [name, value] : typed.members())
        if (value.is_string() && (name.starts_with("contact_") || name.starts_with("emergency_")) &&
            !value.text().empty())
            body.set(name, value);
    Value travelers = Value::array();
    std::size_t index = 0;
    for (const auto& [category, label] : travelers_of(checkout, words)) {
        const std::string prefix = "travelers." + std::to_string(++index) + ".";
        Value one = Value::object();
        for (const auto& [name, value] : typed.members())
            if (name.starts_with(prefix) && value.is_string() && !value.text().empty())
                one.set(name.substr(prefix.size()), value);
        // A first name of its own may be the whole name.
        if (index == 1 && one.text_or("first_name").empty())
            for (const char* taken : {"first_name", "last_name"})
                if (one.text_or(taken).empty())
                    one.set(taken, typed_in(typed, "contact_" + std::string(taken)));
        if (!category.empty())
            one.set("category_id", json::Number{category});
        travelers.push(std::move(one));
    }
    body.set("travelers", std::move(travelers));
    return body;
}

}  // namespace svc::pages
