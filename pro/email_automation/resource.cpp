// What a write of a template or a sequence may do, and what follows from it.
#include "pro/email_automation/resource.hpp"

#include <algorithm>

#include "pro/email_automation/engine.hpp"
#include "pro/email_automation/events.hpp"
#include "pro/email_automation/mails.hpp"
#include "pro/email_automation/routes.hpp"
#include "shared/store/typed.hpp"

namespace svc::pro::email_automation {
namespace {

using json::Value;

bool is_key(std::string_view key) {
    return !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    });
}

// "Thank you, and see you!" as "thank_you_and_see_you".
std::string key_of(const std::string& name) {
    std::string key;
    for (const char c : name) {
        const char small = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
        if ((small >= 'a' && small <= 'z') || (small >= '0' && small <= '9'))
            key += small;
        else if (!key.empty() && key.back() != '_')
            key += '_';
    }
    key = key.substr(0, 80);
    key.erase(key.find_last_not_of('_') + 1);
    return key.empty() ? "template" : key;
}

std::string free_key(store::Session& session, const std::string& wanted) {
    for (int number = 1;; ++number) {
        std::string key = number == 1 ? wanted : wanted + "_" + std::to_string(number);
        if (session.number("SELECT COUNT(*) FROM svc_email_templates WHERE template_key = :key AND overrides = ''",
                           {{"key", key}}) == 0)
            return key;
    }
}

void adjust_template(const Templates& templates, const EmailTemplate* before, EmailTemplate& after, const Value& body) {
    if (after.is_override()) {
        after.event_key.clear();
        after.template_key = after.overrides;
    }
    if (!before || !before->is_system)
        return;
    if (body.maybe_boolean("reset").value_or(false)) {
        if (const auto known = templates.built_in(after.template_key)) {
            after.subject = known->subject;
            after.body = known->body;
            after.is_customized = false;
        }
    } else if (after.subject != before->subject || after.body != before->body) {
        after.is_customized = true;
    }
}

void check_change(const EmailTemplate* before, const EmailTemplate& after, Faults& faults) {
    check_template(after, faults);
    if (!before) {
        if (!after.is_override() && !after.template_key.empty() && !is_key(after.template_key))
            faults.at("template_key", "Enter small letters, digits and underscores."_sentence);
        return;
    }
    if (!before->is_system)
        return;
    for (const auto& [field, is_same] : {std::pair{"event_key", before->event_key == after.event_key},
                                         {"category", before->category == after.category},
                                         {"recipient_type", before->recipient_type == after.recipient_type}})
        if (!is_same)
            faults.at(field, "This stays as it is for an e-mail that comes with the site."_sentence);
}

void check_overridden(store::Session& session, const EmailTemplate* before, const EmailTemplate& after,
                      Faults& faults) {
    if (before || !after.is_override())
        return;
    if (session.number("SELECT COUNT(*) FROM svc_email_templates WHERE template_key = :key AND overrides = ''",
                       {{"key", after.overrides}}) == 0)
        faults.at("settings.overrides", "There is no template with this template_key."_sentence);
}

Result<void> may_delete(store::Session& session, const EmailTemplate& given) {
    if (given.is_system)
        return Error{
            errc::conflict,
            "A template that comes with the site cannot be deleted. Reset its texts, or turn it off."_sentence};
    if (session.number("SELECT COUNT(*) FROM svc_email_sequence_steps WHERE template_id = :id", {{"id", given.id}}) > 0)
        return Error{errc::in_use, "A sequence sends this template. Remove it from the sequence first."_sentence};
    if (!given.is_override() && session.number("SELECT COUNT(*) FROM svc_email_templates WHERE overrides = :key",
                                               {{"key", given.template_key}}) > 0)
        return Error{errc::in_use, "This template has overrides. Delete them first."_sentence};
    return {};
}

void adjust_sequence(const Site& site, const Sequence* before, Sequence& after) {
    after.edit_effect.reset();
    if (after.applicable_to == "all")
        after.trip_ids.clear();
    if (!after.is_by_day())
        after.trigger_days = 0;
    const bool was_active = before && before->status == "active";
    if (after.status == "active" && (!after.active_since || (!was_active && before->status == "draft")))
        after.active_since = site.clock.now();
}

void check_templates(store::Session& session, const Sequence& after, Faults& faults) {
    for (std::size_t at = 0; at < after.steps.size(); ++at) {
        const auto& id = after.steps[at].template_id;
        if (!id)
            continue;
        const auto found = template_record().find(session, *id);
        const std::string field = "steps." + std::to_string(at + 1) + ".template_id";
        if (!found)
            faults.at(field, "There is no such template."_sentence);
        else if (found->is_override())
            faults.at(field, "Choose the template itself; its overrides apply by trip."_sentence);
        else if (found->recipient_type != "customer")
            faults.at(field, "Choose a template for customers."_sentence);
    }
}

}  // namespace

api::Permission who_may() { return api::Permission::any_of({"manage_svc", "svc_manage_email_automation"}); }

api::RouteSpec route(api::Method method, std::string path, std::string summary) {
    api::RouteSpec spec{.method = method, .path = std::move(path), .who = who_may(), .handle = {}};
    spec.module = std::string(module_slug);
    spec.summary = std::move(summary);
    return spec;
}

TemplateResource template_resource(const Site& site, const Templates& templates) {
    resource::Options options{
        .store = site.store,
        .path = "/email-templates",
        .one = "e-mail template",
        .many = "e-mail templates",
        .reads = who_may(),
        .writes = who_may(),
        .removes = who_may(),
        .module = std::string(module_slug),
        .filters = {{.name = "category", .type = api::text(40)},
                    {.name = "event_key", .type = api::text(100)},
                    {.name = "template_key", .type = api::text(100)},
                    {.name = "is_override", .type = api::boolean(), .help = "Overrides, or templates for everybody."}},
        .ascending = true,
        .zone = [&site] { return site.zone(); },
        .taken =
            [](std::string_view) {
                return Error{errc::conflict, "There is a template with this template_key already."_sentence}.at(
                    "template_key", "There is a template with this template_key already."_sentence);
            }};
    resource::Rules<EmailTemplate> rules;
    rules.adjust = [&templates](const EmailTemplate* before, EmailTemplate& after, const Value& body, Faults&) {
        adjust_template(templates, before, after, body);
    };
    rules.check = check_change;
    rules.settle = [](store::Transaction& tx, const EmailTemplate* before, EmailTemplate* after,
                      const Value&) -> Result<void> {
        if (!before && after && after->template_key.empty())
            after->template_key = free_key(tx, key_of(after->name));
        return {};
    };
    rules.check_stored = check_overridden;
    rules.may_delete = [](store::Session& session, const EmailTemplate& given, bool) {
        return may_delete(session, given);
    };
    // The switch of an e-mail of the site is a setting; the template shows and writes it.
    rules.after_write = [&site, &templates](store::Transaction& tx, const EmailTemplate* before,
                                            const EmailTemplate* after, const record::Writer& writer) {
        if (!before || !after || !after->is_system || before->is_active == after->is_active)
            return;
        const auto known = templates.built_in(after->template_key);
        if (!known || known->switch_setting.empty())
            return;
        const auto written = site.settings.write(Value::object({{known->switch_setting, after->is_active}}), &tx,
                                                 writer.user_id.value_or(0));
        if (!written)
            throw std::runtime_error("the switch " + known->switch_setting +
                                     " was not written: " + written.error().message().english());
    };
    return {template_record(), std::move(options), std::move(rules)};
}

SequenceResource sequence_resource(const Site& site) {
    resource::Options options{.store = site.store,
                              .path = "/email-sequences",
                              .one = "e-mail sequence",
                              .many = "e-mail sequences",
                              .reads = who_may(),
                              .writes = who_may(),
                              .removes = who_may(),
                              .module = std::string(module_slug),
                              .filters = {{.name = "trigger_type", .type = api::choice(trigger_types())}},
                              .ascending = true,
                              .deletes_at_once = true,
                              .zone = [&site] { return site.zone(); },
                              .written =
                                  [&site] {
                                      if (site.jobs)
                                          site.jobs->wake(sequences_job);
                                  }};
    resource::Rules<Sequence> rules;
    rules.adjust = [&site](const Sequence* before, Sequence& after, const Value&, Faults&) {
        adjust_sequence(site, before, after);
    };
    rules.check = [](const Sequence*, const Sequence& after, Faults& faults) { check_sequence(after, faults); };
    rules.after_write = [](store::Transaction& tx, const Sequence* before, const Sequence* after,
                           const record::Writer&) {
        if (after && !(before && before->steps == after->steps))
            write_steps(tx, after->id, after->steps);
    };
    rules.check_stored = [](store::Session& session, const Sequence*, const Sequence& after, Faults& faults) {
        check_templates(session, after, faults);
    };
    return {sequence_record(), std::move(options), std::move(rules)};
}

}  // namespace svc::pro::email_automation
