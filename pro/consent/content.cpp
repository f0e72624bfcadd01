// Reads what staff sent as fields and blocks, and what signers sent as answers.
#include "pro/consent/content.hpp"

#include <algorithm>
#include <set>

#include "shared/api/named.hpp"
#include "shared/core/email.hpp"
#include "shared/core/sensitive.hpp"
#include "shared/core/text.hpp"

namespace svc::pro::consent {
namespace {

using json::Value;

constexpr std::size_t most_fields = 60, most_blocks = 60, most_options = 50;
// In code points: a text of JSON has 64 KiB at most.
constexpr std::size_t longest_block = 16'000, longest_answer = 5'000;

bool is_id(std::string_view text) {
    return !text.empty() && text.size() <= 60 && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    });
}

// "Any allergies?" as the words by which sensitive questions are told.
bool says_health(const std::string& id, const std::string& label) {
    const auto words = [](const std::string& text) {
        std::string slug = text::slug_of(text, 200);
        std::replace(slug.begin(), slug.end(), '-', '_');
        return slug;
    };
    return is_sensitive(words(id)) || is_sensitive(words(label));
}

std::string at(const char* list, std::size_t index, const char* member) {
    return std::string(list) + "." + std::to_string(index + 1) + "." + member;
}

Value in_order(Value items) {
    auto& all = items.items();
    std::stable_sort(all.begin(), all.end(), [](const Value& a, const Value& b) {
        return a.maybe_integer("order").value_or(0) < b.maybe_integer("order").value_or(0);
    });
    return items;
}

void check_ids(const Value& items, const char* list, Faults& faults) {
    std::set<std::string> known;
    for (std::size_t i = 0; i < items.size(); ++i) {
        const std::string id = items[i].text_or("id");
        if (!is_id(id))
            faults.at(at(list, i, "id"), "Enter 1 to 60 letters, digits, hyphens or underscores."_sentence);
        else if (!known.insert(id).second)
            faults.at(at(list, i, "id"), "This id is used twice."_sentence);
    }
}

// A number as it is typed, "12", "-3.5"; no exponent.
bool is_number(std::string_view text) {
    if (text.starts_with('-'))
        text.remove_prefix(1);
    const auto dot = text.find('.');
    const auto digits = [](std::string_view part) {
        return !part.empty() && part.size() <= 15 && part.find_first_not_of("0123456789") == std::string_view::npos;
    };
    return digits(text.substr(0, dot)) && (dot == std::string_view::npos || digits(text.substr(dot + 1)));
}

bool is_phone(std::string_view text) {
    const auto digits = std::count_if(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
    return digits >= 5 && digits <= 20 && text.size() <= 40 &&
           text.find_first_not_of("0123456789+-()/. ") == std::string_view::npos;
}

bool is_option(const Value& field, const std::string& answer) {
    const auto& options = field["options"].items();
    return std::any_of(options.begin(), options.end(), [&](const Value& each) { return each.text() == answer; });
}

// A tick: null is "not ticked", as a page's form leaves it out.
Value checked_tick(const Value& field, const Value& given, const std::string& path, Faults& faults) {
    bool is_ticked = false;
    if (given.is_boolean())
        is_ticked = given.boolean();
    else if (given.is_string() && (given.text() == "1" || given.text() == "on" || given.text() == "true"))
        is_ticked = true;
    else if (!given.is_null() && !(given.is_string() && (given.text().empty() || given.text() == "false")))
        faults.at(path, "This must be true or false."_sentence);
    if (!is_ticked && field.maybe_boolean("required").value_or(false))
        faults.at(path, "Please tick this box."_sentence);
    return is_ticked;
}

Value checked_answer(const Value& field, const Value& given, const std::string& path, Faults& faults) {
    const std::string type = field.text_or("type");
    if (type == "checkbox")
        return checked_tick(field, given, path, faults);
    std::string text;
    if (given.is_number() && type == "number")
        text = given.number_text();
    else if (given.is_string())
        text = type == "textarea" ? text::clean_lines(given.text()) : text::clean(given.text());
    else if (!given.is_null()) {
        faults.at(path, "This must be a text."_sentence);
        return "";
    }
    if (text.empty()) {
        if (field.maybe_boolean("required").value_or(false))
            faults.at(path, "This field is required."_sentence);
    } else if (text::length(text) > longest_answer)
        faults.at(path, "Enter at most 5,000 characters."_sentence);
    else if (type == "date" && !Date::parse(text))
        faults.at(path, "Enter a date as YYYY-MM-DD."_sentence);
    else if (type == "email" && !is_email(text))
        faults.at(path, "Enter a valid e-mail address."_sentence);
    else if (type == "phone" && !is_phone(text))
        faults.at(path, "Enter a telephone number."_sentence);
    else if (type == "number" && !is_number(text))
        faults.at(path, "Enter a number."_sentence);
    else if (type == "select" && !is_option(field, text))
        faults.at(path, "Choose one of the options."_sentence);
    return text;
}

}  // namespace

api::Type fields_type() {
    return api::list(
        api::object(
            "ConsentField",
            {{.name = "id", .type = api::text(60), .help = "Names its answer; left out, it is made of its place."},
             {.name = "type",
              .type = api::choice({"text", "textarea", "checkbox", "select", "date", "email", "phone", "number"}),
              .required = true},
             {.name = "label", .type = api::text(500, 1), .required = true},
             {.name = "placeholder", .type = api::text(200)},
             {.name = "required", .type = api::boolean()},
             {.name = "enabled", .type = api::boolean(), .help = "false: it is not asked."},
             {.name = "order", .type = api::integer(0, 10'000)},
             {.name = "width", .type = api::choice({"full", "half"})},
             {.name = "options", .type = api::list(api::text(200, 1), most_options), .help = "Of select."},
             {.name = "health",
              .type = api::boolean(),
              .help = "Its answer is about health or papers: sealed, masked, and deleted after the trip. Left out, the"
                      " words of id and label decide."}}),
        most_fields);
}

api::Type blocks_type() {
    return api::list(
        api::object("ConsentBlock",
                    {{.name = "id", .type = api::text(60)},
                     {.name = "type", .type = api::choice({"heading", "paragraph", "terms"}), .required = true},
                     {.name = "title", .type = api::text(300)},
                     {.name = "content", .type = api::raw_text(longest_block)},
                     {.name = "order", .type = api::integer(0, 10'000)}}),
        most_blocks);
}

Value with_defaults_of_fields(const Value& given) {
    Value all = Value::array();
    std::int64_t place = 0;
    for (const Value& each : given.items()) {
        ++place;
        const std::string label = each.text_or("label"), type = each.text_or("type", "text");
        std::string id = each.text_or("id");
        if (id.empty())
            id = "field_" + std::to_string(place);
        const bool has_options = type == "select" && each["options"].is_array();
        all.push(Value::object({{"id", id},
                                {"type", type},
                                {"label", label},
                                {"placeholder", each.text_or("placeholder")},
                                {"required", each.maybe_boolean("required").value_or(false)},
                                {"enabled", each.maybe_boolean("enabled").value_or(true)},
                                {"order", each.maybe_integer("order").value_or(place)},
                                {"width", each.text_or("width", "full")},
                                {"options", has_options ? each["options"] : Value::array()},
                                {"health", each.maybe_boolean("health").value_or(says_health(id, label))}}));
    }
    return in_order(std::move(all));
}

Value with_defaults_of_blocks(const Value& given) {
    Value all = Value::array();
    std::int64_t place = 0;
    for (const Value& each : given.items()) {
        ++place;
        std::string id = each.text_or("id");
        if (id.empty())
            id = "block_" + std::to_string(place);
        all.push(Value::object({{"id", id},
                                {"type", each.text_or("type", "paragraph")},
                                {"title", each.text_or("title")},
                                {"content", text::clean_lines(each.text_or("content"))},
                                {"order", each.maybe_integer("order").value_or(place)}}));
    }
    return in_order(std::move(all));
}

void check_fields(const Value& fields, Faults& faults) {
    check_ids(fields, "fields", faults);
    for (std::size_t i = 0; i < fields.size(); ++i)
        if (fields[i].text_or("type") == "select" && fields[i]["options"].size() == 0)
            faults.at(at("fields", i, "options"), "Enter at least one option."_sentence);
}

void check_blocks(const Value& blocks, Faults& faults) {
    check_ids(blocks, "content_blocks", faults);
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const bool is_heading = blocks[i].text_or("type") == "heading";
        if (is_heading && blocks[i].text_or("title").empty() && blocks[i].text_or("content").empty())
            faults.at(at("content_blocks", i, "title"), "This field is required."_sentence);
        if (!is_heading && blocks[i].text_or("content").empty())
            faults.at(at("content_blocks", i, "content"), "This field is required."_sentence);
    }
}

std::string Content::snapshot() const {
    return Value::object({{"title", title},
                          {"description", description},
                          {"require_signature", require_signature},
                          {"require_initials", require_initials},
                          {"fields", fields},
                          {"content_blocks", blocks}})
        .dump();
}

Content Content::of_snapshot(std::string_view text) {
    const auto read = json::parse(text, {.text = 256 * 1024});
    if (!read)
        throw std::runtime_error("a version of a consent form cannot be read");
    return {.title = read->text_or("title"),
            .description = read->text_or("description"),
            .require_signature = read->maybe_boolean("require_signature").value_or(true),
            .require_initials = read->maybe_boolean("require_initials").value_or(false),
            .fields = (*read)["fields"],
            .blocks = (*read)["content_blocks"]};
}

Value Content::asked() const {
    Value all = Value::array();
    for (const Value& field : fields.items())
        if (field.maybe_boolean("enabled").value_or(true))
            all.push(field);
    return all;
}

Value Content::shown() const {
    return Value::object({{"title", title},
                          {"description", description},
                          {"require_signature", require_signature},
                          {"require_initials", require_initials},
                          {"fields", asked()},
                          {"content_blocks", blocks}});
}

api::Type content_type() {
    return api::object("ConsentText", {{.name = "title", .type = api::text(200), .required = true},
                                       {.name = "description", .type = api::raw_text(2000)},
                                       {.name = "require_signature", .type = api::boolean(), .required = true},
                                       {.name = "require_initials", .type = api::boolean(), .required = true},
                                       {.name = "fields", .type = fields_type(), .required = true},
                                       {.name = "content_blocks", .type = blocks_type(), .required = true}});
}

Value checked_answers(const Content& content, const Value& given, Faults& faults) {
    Value answers = Value::object();
    const Value asked = content.asked();
    for (const Value& field : asked.items()) {
        const std::string id = field.text_or("id");
        answers.set(id, checked_answer(field, given[id], "form_data." + id, faults));
    }
    if (given.is_object())
        for (const auto& [name, answer] : given.members())
            if (!answers.find(name))
                faults.at("form_data." + std::string(text::first(text::clean(name), 60)),
                          "This form has no such field."_sentence);
    return answers;
}

bool is_about_health(const Content& content, std::string_view field_id) {
    const auto& all = content.fields.items();
    return std::any_of(all.begin(), all.end(), [&](const Value& field) {
        return field.text_or("id") == field_id && field.maybe_boolean("health").value_or(false);
    });
}

std::string answer_text(const Value& answer, std::string_view yes, std::string_view no) {
    if (answer.is_boolean())
        return std::string(answer.boolean() ? yes : no);
    return answer.is_string() ? answer.text() : answer.is_number() ? answer.number_text() : std::string();
}

}  // namespace svc::pro::consent
