// Makes the models of pro/pages/consent-form.html, and hands what its form sends to Signing.
#include "pro/consent/page.hpp"

#include <algorithm>
#include <charconv>

#include "pro/common/page_files.hpp"
#include "pro/consent/consent.hpp"
#include "shared/json/sentence.hpp"

namespace svc::pro::consent {
namespace {

using json::Value;

constexpr std::string_view answer_prefix = "a_";

Value sentence(const Sentence& said) { return Value::object({{"sentence", json::to_json(said)}}); }

// The first sentence of each field at fault, by the name that the field has in the page's form.
using PageFaults = std::vector<std::pair<std::string, Sentence>>;

std::string name_in_form(const std::string& field) {
    constexpr std::string_view of_answers = "form_data.";
    if (field.starts_with(of_answers))
        return std::string(answer_prefix) + field.substr(of_answers.size());
    return field == "signature_data" ? "signature_typed" : field;
}

PageFaults faults_of(const Error& error) {
    PageFaults faults;
    for (const FieldError& each : error.fields()) {
        const std::string name = name_in_form(each.field);
        if (std::none_of(faults.begin(), faults.end(), [&](const auto& known) { return known.first == name; }))
            faults.emplace_back(name, each.sentence);
    }
    if (faults.empty())
        faults.emplace_back("", error.message());
    return faults;
}

Sentence fault_of(const PageFaults& faults, std::string_view name) {
    const auto found = std::find_if(faults.begin(), faults.end(), [&](const auto& each) { return each.first == name; });
    return found == faults.end() ? Sentence() : found->second;
}

// A member of the error's data; null when it has none.
Value member_of(const Error& error, std::string_view name) {
    for (const auto& [key, text] : error.data())
        if (key == name)
            if (auto value = json::parse(text))
                return std::move(*value);
    return {};
}

std::string text_of(const Error& error, std::string_view name) {
    const Value value = member_of(error, name);
    return value.is_string() ? value.text() : std::string();
}

struct Input {
    std::string name, kind = "input", type = "text";
    Value label;
    std::string value = {}, autocomplete = {};
    Value help = "";
    bool required = false, is_full = false;
};

// As base/website/themes/default/part-field.html shows it.
Value as_field(const Input& input, const PageFaults& faults) {
    const Sentence fault = fault_of(faults, input.name);
    const bool has_help = !input.help.is_string() || !input.help.text().empty();
    std::string described = fault.empty() ? "" : "e-" + input.name;
    if (has_help)
        described += (described.empty() ? "h-" : " h-") + input.name;
    return Value::object({{"id", "f-" + input.name},
                          {"name", input.name},
                          {"label", input.label},
                          {"type", input.type},
                          {"value", input.value},
                          {"autocomplete", input.autocomplete},
                          {"required", input.required},
                          {"full", input.is_full},
                          {"is_text", false},
                          {"is_input", input.kind == "input"},
                          {"is_textarea", input.kind == "textarea"},
                          {"is_select", input.kind == "select"},
                          {"is_checkbox", input.kind == "checkbox"},
                          {"checked", input.kind == "checkbox" && !input.value.empty()},
                          {"described", described},
                          {"help", input.help},
                          {"error", fault.empty() ? Value("") : sentence(fault)}});
}

std::string type_of_input(std::string_view type) {
    return type == "date" ? "date" : type == "email" ? "email" : type == "phone" ? "tel" : "text";
}

Value answer_field(const Value& field, const Value& typed, const PageFaults& faults) {
    const std::string type = field.text_or("type"), name = std::string(answer_prefix) + field.text_or("id");
    Input input{.name = name,
                .kind = type == "textarea" || type == "select" || type == "checkbox" ? type : "input",
                .type = type_of_input(type),
                .label = field.text_or("label"),
                .value = typed.text_or(name),
                .required = field.maybe_boolean("required").value_or(false),
                .is_full = field.text_or("width") != "half"};
    if (field.maybe_boolean("health").value_or(false))
        input.help = sentence("About your health: it is stored encrypted and deleted after the trip."_sentence);
    else if (const std::string hint = field.text_or("placeholder"); !hint.empty())
        input.help = hint;
    Value shown_field = as_field(input, faults);
    if (type == "select") {
        Value options =
            Value::array({Value::object({{"value", ""}, {"label", "–"}, {"selected", input.value.empty()}})});
        for (const Value& option : field["options"].items())
            options.push(Value::object(
                {{"value", option.text()}, {"label", option.text()}, {"selected", option.text() == input.value}}));
        shown_field.set("options", std::move(options));
    }
    return shown_field;
}

Value blocks_of(const Value& form) {
    Value blocks = Value::array();
    for (const Value& block : form["content_blocks"].items()) {
        const std::string type = block.text_or("type"), title = block.text_or("title"),
                          content = block.text_or("content");
        const bool is_heading = type == "heading";
        blocks.push(Value::object({{"is_heading", is_heading},
                                   {"is_terms", type == "terms"},
                                   {"is_paragraph", !is_heading && type != "terms"},
                                   {"title", is_heading && title.empty() ? content : title},
                                   {"content", is_heading && title.empty() ? "" : content}}));
    }
    return blocks;
}

// The labels of all faults, in order, so that the summary leads to each field.
Value summary_of(const PageFaults& faults, const std::vector<const Value*>& lists) {
    Value summary = Value::array();
    for (const auto& [name, says] : faults) {
        Value label = "";
        for (const Value* list : lists)
            for (const Value& field : list->items())
                if (field.text_or("name") == name)
                    label = field["label"];
        if (name == "agree")
            label = sentence("Your agreement"_sentence);
        if (name == "signing_as")
            label = sentence("Who signs"_sentence);
        summary.push(Value::object({{"field", name}, {"label", label}, {"says", sentence(says)}}));
    }
    return summary;
}

void add_people(Value& model, const Value& opened, const Value& typed, const PageFaults& faults) {
    const Value& traveler = opened["traveler"];
    const auto is_minor = traveler.maybe_boolean("is_minor");
    const auto kept = [&](const char* name, const std::string& otherwise) {
        return typed.find(name) ? typed.text_or(name) : otherwise;
    };
    const std::string traveler_name = traveler.text_or("name");
    const std::string signer = is_minor.value_or(false) ? "" : opened["signer"].text_or("name");
    const bool needs_guardian = is_minor.value_or(false);
    model.set("is_minor", needs_guardian);
    model.set("asks_who", !is_minor.has_value());
    model.set("may_be_guardian", is_minor.value_or(true));
    model.set("is_guardian", needs_guardian || typed.text_or("signing_as") == "guardian");
    model.set("people", Value::array({as_field({.name = "signer_name",
                                                .label = sentence("Your full name"_sentence),
                                                .value = kept("signer_name", signer),
                                                .autocomplete = "name",
                                                .required = true,
                                                .is_full = true},
                                               faults)}));
    model.set("guardian", Value::array({as_field({.name = "guardian_relation",
                                                  .label = sentence("Your relation to the child"_sentence),
                                                  .value = kept("guardian_relation", ""),
                                                  .help = sentence("For example mother, father or guardian."_sentence),
                                                  .required = true},
                                                 faults),
                                        as_field({.name = "minor_name",
                                                  .label = sentence("Full name of the child"_sentence),
                                                  .value = kept("minor_name", needs_guardian ? traveler_name : ""),
                                                  .required = true},
                                                 faults)}));
}

void add_signature(Value& model, const Value& form, const Value& typed, const PageFaults& faults) {
    const bool needs_signature = form.maybe_boolean("require_signature").value_or(true);
    const bool needs_initials = form.maybe_boolean("require_initials").value_or(false);
    model.set("needs_signature", needs_signature);
    model.set("is_drawn", typed.text_or("way") == "drawn");
    model.set("signature_data", typed.text_or("signature_data"));
    model.set("signature",
              needs_signature
                  ? Value::array({as_field({.name = "signature_typed",
                                            .label = sentence("Your signature: type your full name"_sentence),
                                            .value = typed.text_or("signature_typed"),
                                            .required = true,
                                            .is_full = true},
                                           faults)})
                  : Value::array());
    model.set("initials", needs_initials ? Value::array({as_field({.name = "initials_data",
                                                                   .label = sentence("Your initials"_sentence),
                                                                   .value = typed.text_or("initials_data"),
                                                                   .required = true},
                                                                  faults)})
                                         : Value::array());
    model.set("agrees", !typed.text_or("agree").empty());
    const Sentence disagreed = fault_of(faults, "agree");
    model.set("agree_error", disagreed.empty() ? Value("") : sentence(disagreed));
}

// The form, with what was typed and what is wrong with it.
Value open_page(const Value& opened, const Value& request, const PageFaults& faults) {
    const Value &form = opened["form"], &booking = opened["booking"], &typed = request["form"];
    Value fields = Value::array();
    for (const Value& field : form["fields"].items())
        fields.push(answer_field(field, typed, faults));
    Value model = Value::object({{"is_open", true},
                                 {"title", form.text_or("title")},
                                 {"description", form.text_or("description")},
                                 {"is_test", opened.maybe_boolean("is_test").value_or(false)},
                                 {"traveler", opened["traveler"].text_or("name")},
                                 {"trip", booking.text_or("trip_title")},
                                 {"reference", booking.text_or("reference")},
                                 {"day", Value::object({{"date", booking.text_or("travel_date")}})},
                                 {"expires_at", ""},
                                 {"action", request.text_or("path")},
                                 {"sha256", form.text_or("sha256")},
                                 {"paper_note", opened.text_or("paper_note")},
                                 {"blocks", blocks_of(form)},
                                 {"has_fields", fields.size() > 0},
                                 {"fields", std::move(fields)}});
    if (const std::string until = opened.text_or("expires_at"); !until.empty())
        model.set("expires_at", Value::object({{"moment", until}}));
    add_people(model, opened, typed, faults);
    add_signature(model, form, typed, faults);
    model.set("has_faults", !faults.empty());
    model.set("faults", summary_of(faults, {&model["fields"], &model["people"], &model["guardian"], &model["signature"],
                                            &model["initials"]}));
    return Value::object({{"title", form.text_or("title")},
                          {"status", faults.empty() ? 200 : 400},
                          {"language", opened.text_or("language")},
                          {"model", std::move(model)}});
}

// The page of a link that nothing can be signed by any more; any other error is the base's to show.
Result<Value> closed_page(const Error& error, const Value& request) {
    Value model = Value::object();
    Sentence title;
    int status = error.code().status;
    if (error.code().name == already_signed.name) {
        const std::string signed_at = text_of(error, "signed_at");
        status = 200;
        const bool is_done = request["query"].text_or("done") == "1";
        title = is_done ? "Thank you"_sentence : "Already signed"_sentence;
        model.set("is_signed", true);
        model.set("is_done", is_done);
        model.set("signed_at", signed_at.empty() ? Value("") : Value::object({{"moment", signed_at}}));
        model.set("copy_url", text_of(error, "copy_url"));
    } else if (error.code().name == errc::token_expired.name) {
        const std::string reason = text_of(error, "reason");
        title = "This link has ended"_sentence;
        model.set("is_ended", true);
        model.set("is_cancelled", reason == "booking");
        model.set("is_revoked", reason == "revoked" || reason == "staff" || reason == "form");
        model.set("is_of_test", reason == "test");
        model.set("is_expired", reason == "expired");
    } else {
        return error;
    }
    return Value::object({{"title", json::to_json(title)},
                          {"status", status},
                          {"language", text_of(error, "language")},
                          {"model", std::move(model)}});
}

// What the page's form sent, as POST /consent/submit takes it.
Value body_of(const Value& opened, const Value& request) {
    const Value &typed = request["form"], &form = opened["form"];
    Value answers = Value::object();
    for (const Value& field : form["fields"].items()) {
        const std::string id = field.text_or("id"), value = typed.text_or(std::string(answer_prefix) + id);
        if (field.text_or("type") == "checkbox")
            answers.set(id, !value.empty());
        else if (!value.empty())
            answers.set(id, value);
    }
    Value body = Value::object({{"token", request["names"].text_or("token")},
                                {"form_data", std::move(answers)},
                                {"signer_name", typed.text_or("signer_name")},
                                {"agree", !typed.text_or("agree").empty()}});
    const bool is_drawn = typed.text_or("way") == "drawn";
    for (const char* name : {"initials_data", "signing_as", "form_sha256", "time_zone"})
        if (const std::string value = typed.text_or(name); !value.empty())
            body.set(name, value);
    if (const char* name = is_drawn ? "signature_data" : "signature_typed"; !typed.text_or(name).empty())
        body.set(name, typed.text_or(name));
    if (body.text_or("signing_as") == "guardian")
        for (const char* name : {"guardian_relation", "minor_name"})
            body.set(name, typed.text_or(name));
    const std::string shown_for = typed.text_or("shown_seconds");
    int seconds = 0;
    if (const auto [end, failed] = std::from_chars(shown_for.data(), shown_for.data() + shown_for.size(), seconds);
        failed == std::errc{} && end == shown_for.data() + shown_for.size() && seconds >= 0)
        body.set("shown_seconds", seconds);
    return body;
}

// Names that are repeated or have brackets come as lists and objects: no field of this page is one.
Value only_texts(const Value& given) {
    Value texts = Value::object();
    if (given.is_object())
        for (const auto& [name, value] : given.members())
            if (value.is_string())
                texts.set(name, value);
    return texts;
}

Result<Value> page(const Site& site, const Signing& signing, const Value& asked) {
    const Instant now = site.clock.now();
    Value request = asked;
    request.set("form", only_texts(asked["form"])).set("query", only_texts(asked["query"]));
    const Visitor visitor{.address = request.text_or("address"), .agent = request.text_or("agent")};
    const bool is_sent = request.text_or("method") == "POST";
    const auto opened = signing.open(request["names"].text_or("token"), visitor, now, !is_sent);
    if (!opened)
        return closed_page(opened.error(), request);
    if (!is_sent)
        return open_page(*opened, request, {});
    const auto done = signing.sign(body_of(*opened, request), visitor, now);
    if (done)
        return Value::object({{"go", request.text_or("path") + "?done=1"}});
    const Error& error = done.error();
    const bool is_test = opened->maybe_boolean("is_test").value_or(false);
    const bool is_closed =
        !is_test && (error.code().name == already_signed.name || error.code().name == errc::token_expired.name);
    return is_closed ? closed_page(error, request) : Result<Value>(open_page(*opened, request, faults_of(error)));
}

}  // namespace

void add_pages(const Site& site, const Signing& signing) {
    if (!site.pages)
        return;  // an older base, without svc.documents/1 either: the module is not built there
    site.pages->add({.path = "/consent/{token}",
                     .type = "consent-form",
                     .template_source = page_template("consent-form.html"),
                     .module = std::string(module_slug),
                     .takes_forms = true,
                     .show = [&site, &signing](const Value& request) { return page(site, signing, request); }});
    add_page_script(*site.pages, "consent.js");
}

}  // namespace svc::pro::consent
