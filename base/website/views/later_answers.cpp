// Shows and saves what GET and PUT /customers/my-bookings/{id}/answers have.
#include "base/website/views/later_answers.hpp"

#include <algorithm>
#include <map>

#include "shared/plugin/pro_modules.hpp"

namespace svc::pages {
namespace {

using json::Value;

// By the names of the answers as they were sent, which count travelers from 1.
Faults named_faults(const Answered& saved) {
    Faults faults;
    if (const Value& errors = saved.data()["errors"]; errors.is_object())
        for (const auto& [name, sentences] : errors.members())
            for (const Value& each : list_of(sentences))
                if (each.is_string() && fault_of(faults, name).empty())
                    faults.emplace_back(name, each.text());
    return faults;
}

// Where save_later_answers() leaves the faults: visitors can send texts and lists alone.
constexpr const char* faults_member = "_faults";

std::string own_route_of(const Value& booking) {
    return "/customers/my-bookings/" + std::to_string(booking["id"].integer());
}

bool is_box(const std::string& type) { return type == "checkbox" || type == "checkboxes" || type == "radio"; }

// Nothing: the form has no answer to the field, so that it stays as it is.
std::optional<std::string> typed_for(const PageRequest& visit, const std::string& name, const std::string& type) {
    const Value* typed = visit.form.find(name);
    if (!typed)
        return is_box(type) ? std::optional(std::string()) : std::nullopt;
    if (!typed->is_array())
        return typed->is_string() ? std::optional(typed->text()) : std::nullopt;
    std::string all;
    for (const Value& one : typed->items())
        if (one.is_string())
            all += (all.empty() ? "" : ", ") + one.text();
    return all;
}

// Files and answers as the interface takes them; a refused file is a fault of its field.
Value sent_answers(PageRequest& visit, const Value& booking, const Value& open, Faults& faults) {
    Value answers = Value::object();
    for (const Value& each : list_of(open)) {
        const std::string name = each.text_or("name"), type = each["field"].text_or("type");
        if (type == "file")
            for (const SentFile& file : visit.files)
                if (file.field == name) {
                    const Answered sent = visit.send_file(own_route_of(booking) + "/form-files", file, "field",
                                                          each.text_or("section") + "." + each["field"].text_or("id"));
                    if (sent.is_good())
                        visit.form.set(name, sent.data()["file"]);
                    else
                        faults.emplace_back(name,
                                            sent.faults().empty() ? sent.message() : sent.faults().front().second);
                }
        const auto typed = typed_for(visit, name, type);
        const std::string stored = each.text_or("answer");
        const bool is_no = type == "checkbox" && stored == "false" && typed && typed->empty();
        if (typed && *typed != stored && !is_no)
            answers.set(name, *typed);
    }
    return answers;
}

// What the group of a field is called: the contact, a traveler by name, the emergency contact.
std::string group_of(const Value& booking, const Value& open, const Format& words) {
    const auto traveler = open.maybe_integer("traveler");
    if (!traveler)
        return open.text_or("section") == "contact_form" ? words.say_text("Contact")
                                                         : words.say_text("Emergency contact");
    for (const Value& each : list_of(booking["travelers"]))
        if (each.maybe_integer("traveler_index") == traveler) {
            const std::string first = each["fields"].text_or("first_name"), last = each["fields"].text_or("last_name");
            if (!first.empty() || !last.empty())
                return first + (first.empty() || last.empty() ? "" : " ") + last;
        }
    return words.say_text("Traveler {number}", {{"number", *traveler}});
}

void add_file(Value& shown, const Value& field, const std::string& stored, const std::string& code, const Value& files,
              const PageRequest& visit, const std::string& name) {
    std::string accept;
    for (const Value& kind : list_of(field["accepts"]))
        accept += (accept.empty() ? "" : ",") +
                  std::string(kind.text() == "pdf" ? ".pdf,application/pdf" : "image/jpeg,image/png,image/webp");
    shown.set("accept", accept);
    if (code.empty())
        return;
    std::string sent_name;
    for (const Value& each : list_of(files))
        if (each.text_or("file") == code)
            sent_name = each.text_or("name");
    if (code != stored)
        for (const SentFile& file : visit.files)
            if (file.field == name)
                sent_name = file.name;
    shown.set("sent", code);
    shown.set("sent_name",
              visit.words.say_text("Sent: {name}. Choose another file to replace it.", {{"name", sent_name}}));
}

Value groups_of(PageRequest& visit, const Value& booking, const Answered& read, const Faults& faults) {
    const bool was_sent = visit.typed("action") == "answers";
    Value groups = Value::array();
    for (const Value& each : list_of(read.data()["fields"])) {
        const std::string name = each.text_or("name"), stored = each.text_or("answer");
        const Value& field = each["field"];
        const std::string type = field.text_or("type");
        const std::string value = was_sent ? typed_for(visit, name, type).value_or(stored) : stored;
        // What was not answered yet may stay so: another answer can be sent alone.
        const bool is_needed = field.maybe_boolean("required").value_or(false) && !stored.empty() && type != "file";
        Value shown = field_json(field, "", name, value, faults, is_needed, visit.words);
        if (type == "file")
            add_file(shown, field, stored, value, read.data()["files"], visit, name);
        const std::string key = name.substr(0, name.size() - field.text_or("id").size());
        if (groups.size() == 0 || groups.items().back().text_or("key") != key)
            groups.push(Value::object(
                {{"key", key}, {"title", group_of(booking, each, visit.words)}, {"fields", Value::array()}}));
        Value fields = groups.items().back()["fields"];
        fields.push(std::move(shown));
        groups.items().back().set("fields", std::move(fields));
    }
    return groups;
}

}  // namespace

void add_later_answers(const Views& views, PageRequest& visit, const Value& booking, const std::string& root,
                       Value& model) {
    if (!views.site.module_enabled || !views.site.module_enabled(plugin::slugs::dynamic_form_field))
        return;
    const Answered read = visit.get(own_route_of(booking) + "/answers");
    if (!read.is_good())
        return;
    Faults faults;
    if (const Value& left = visit.form[faults_member]; left.is_object())
        for (const auto& [name, sentence] : left.members())
            faults.emplace_back(name, sentence.text());
    Value groups = groups_of(visit, booking, read, faults);
    Value files = json::array_of(list_of(read.data()["files"]), [&](const Value& each) {
        return Value::object({{"name", each["name"]}, {"url", root + "/documents/" + each.text_or("file")}});
    });
    if (groups.size() == 0 && files.size() == 0)
        return;
    Value shown = Value::object({{"has_files", files.size() > 0}, {"files", std::move(files)}});
    if (groups.size() > 0) {
        shown.set("until", visit.words.say_text("Until {moment} you can add what is missing, or replace it.",
                                                {{"moment", visit.words.moment(read.data().text_or("until"))}}));
        shown.set("groups", std::move(groups));
    }
    model.set("answers", std::move(shown));
    if (visit.parameter("answers") == "saved")
        model.set("payment_note", visit.words.say_text("Your answers are saved."));
}

bool save_later_answers(PageRequest& visit, const Value& booking, std::string& fault) {
    const Answered read = visit.get(own_route_of(booking) + "/answers");
    if (!read.is_good()) {
        fault = read.message();
        return false;
    }
    Faults faults;
    const Value answers = sent_answers(visit, booking, read.data()["fields"], faults);
    if (faults.empty() && answers.size() > 0) {
        const Answered saved =
            visit.call("PUT", own_route_of(booking) + "/answers", Value::object({{"answers", answers}}));
        if (saved.is_good())
            return true;
        faults = named_faults(saved);
        if (faults.empty())
            fault = saved.message();
    } else if (faults.empty()) {
        if (read.data()["until"].is_null())
            fault = visit.words.say_text("This booking can no longer be changed here. Please contact us.");
        return fault.empty();
    }
    if (!faults.empty()) {
        fault = visit.words.say_text("Please check the fields that are marked below.");
        Value left = Value::object();
        for (const auto& [name, sentence] : faults)
            left.set(name, sentence);
        visit.form.set(faults_member, std::move(left));
    }
    return false;
}

bool is_file_code(std::string_view kind) { return kind.starts_with("file-"); }

View file_of(PageRequest& visit, const Value& booking, const std::string& code) {
    constexpr std::string_view of_codes = "abcdefghijklmnopqrstuvwxyz0123456789-.";
    if (code.size() > 40 || code.find_first_not_of(of_codes) != std::string::npos)
        missing();
    const RawAnswer answer = visit.raw(own_route_of(booking) + "/form-files/" + code);
    if (answer.status != 200)
        missing();
    View view;
    view.raw = answer.body;
    view.content_type = answer.type;
    view.headers = {{"Content-Disposition", answer.disposition}};
    return view;
}

}  // namespace svc::pages
