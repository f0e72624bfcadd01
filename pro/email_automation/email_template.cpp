// Declares the record of templates and its rules.
#include "pro/email_automation/email_template.hpp"

#include <algorithm>

#include "pro/email_automation/events.hpp"
#include "shared/api/named.hpp"
#include "shared/core/mailbox.hpp"

namespace svc::pro::email_automation {
namespace {

using json::Value;

constexpr std::int64_t most_priority = 1'000'000;

api::Type targets_type() {
    return api::object(
        "EmailTargets",
        {{.name = "trips", .type = api::list(api::id(), 500)},
         {.name = "categories", .type = api::list(api::id(), 500), .help = "Trip categories, with those below them."},
         {.name = "trip_types", .type = api::list(api::choice({"single_day", "multi_day"}), 2)}});
}

api::Type settings_type() {
    return api::object("EmailTemplateSettings",
                       {{.name = "overrides",
                         .type = api::text(100).or_null(),
                         .help = "The template_key of the template that this one replaces; null: it is for everybody."},
                        {.name = "targets", .type = targets_type()},
                        {.name = "priority",
                         .type = api::integer(0, most_priority),
                         .help = "Of two overrides that fit alike the one with the larger priority is used."}});
}

Value settings_of(const EmailTemplate& given) {
    return Value::object({{"overrides", given.overrides.empty() ? Value() : Value(given.overrides)},
                          {"targets", Value::object({{"trips", json::array_of(given.trips)},
                                                     {"categories", json::array_of(given.categories)},
                                                     {"trip_types", json::array_of(given.trip_types)}})},
                          {"priority", given.priority}});
}

api::Type body_type() {
    api::Type type = api::raw_text(60'000);
    type.shortest = 1;
    return type;
}

template <class Read>
void take_list(const Value& targets, const char* name, Read read) {
    if (const Value* list = targets.find(name); list && list->is_array())
        read(list->items());
}

// Absent members stay as they are. Whether a template is an override is said when it is made.
void take_settings(EmailTemplate& given, const Value& settings, Faults& faults) {
    if (const Value* overrides = settings.find("overrides")) {
        const std::string key = overrides->is_string() ? overrides->text() : std::string();
        if (given.id != 0 && key != given.overrides)
            faults.at("settings.overrides",
                      "What a template overrides stays as it is. Make another override."_sentence);
        given.overrides = key;
    }
    const Value& targets = settings["targets"];
    const auto ids = [](const json::Array& items) {
        std::vector<std::int64_t> all;
        for (const Value& item : items)
            all.push_back(item.integer());
        std::sort(all.begin(), all.end());
        all.erase(std::unique(all.begin(), all.end()), all.end());
        return all;
    };
    take_list(targets, "trips", [&](const json::Array& items) { given.trips = ids(items); });
    take_list(targets, "categories", [&](const json::Array& items) { given.categories = ids(items); });
    take_list(targets, "trip_types", [&](const json::Array& items) {
        given.trip_types.clear();
        for (const Value& item : items)
            given.trip_types.push_back(item.text());
    });
    if (const auto priority = settings.maybe_integer("priority"))
        given.priority = *priority;
}

bool are_addresses(std::string_view list) {
    while (!list.empty()) {
        const auto end = std::min(list.find_first_of(",;"), list.size());
        std::string_view one = list.substr(0, end);
        list.remove_prefix(std::min(end + 1, list.size()));
        one.remove_prefix(std::min(one.find_first_not_of(' '), one.size()));
        one = one.substr(0, one.find_last_not_of(' ') + 1);
        if (!one.empty() && mailbox_key(one).empty())
            return false;
    }
    return true;
}

}  // namespace

void check_template(const EmailTemplate& given, Faults& faults) {
    if (!given.event_key.empty() && !find_event(given.event_key))
        faults.at("event_key", Sentence::verbatim("Invalid event key"));  // the words of spec 7
    for (const auto& [field, address] : {std::pair{"from_email", given.from_email}, {"reply_to", given.reply_to}})
        if (!address.empty() && (address.find_first_of(",;") != std::string::npos || mailbox_key(address).empty()))
            faults.at(field, "Enter a valid e-mail address."_sentence);
    for (const auto& [field, list] : {std::pair{"to_email", given.to_email}, {"cc", given.cc}, {"bcc", given.bcc}})
        if (!are_addresses(list))
            faults.at(field, "Enter e-mail addresses separated by commas."_sentence);
    if (!given.to_email.empty() && given.recipient_type != "admin")
        faults.at("to_email", "Only e-mails to staff have recipients of their own."_sentence);
    const bool has_targets = !given.trips.empty() || !given.categories.empty() || !given.trip_types.empty();
    if (given.is_override() && !has_targets)
        faults.at("settings.targets", "Enter at least one trip, category or trip type."_sentence);
    if (!given.is_override() && has_targets)
        faults.at("settings.targets", "Only an override is for some trips: enter settings.overrides."_sentence);
}

const record::Record<EmailTemplate>& template_record() {
    using namespace record;
    using T = EmailTemplate;
    static const Record<T> declared{
        {.table = "svc_email_templates",
         .component = "EmailTemplate",
         .search_column = "search",
         .sorts = {{"id", {"r.id"}}, {"created_at", {"r.created_at"}}, {"updated_at", {"r.updated_at"}}},
         .default_sort = "name",
         .conditions = {{"category", "r.category = :category"},
                        {"event_key", "r.event_key = :event_key"},
                        {"template_key", "r.template_key = :template_key"},
                        {"is_override", "(CASE WHEN r.overrides <> '' THEN 1 ELSE 0 END) = :is_override"}}},
        {id(&T::id),
         column(
             "template_key", &T::template_key, api::text(100), by_client_on_create | searched,
             "Small letters, digits and underscores; without one it is made from the name. Of an override that of the"
             " template it replaces."),
         stored("overrides", &T::overrides, by_server_on_create),
         column("name", &T::name, api::text(150, 1), by_client | required | searched | sortable),
         column("description", &T::description, api::text(1000), by_client),
         column("category", &T::category,
                api::choice({"booking", "payment", "customer", "enquiry", "marketing", "account", "consent", "admin"}),
                by_client | default_value("booking"),
                "marketing: sent only with consent, never to who unsubscribed, and with a link to unsubscribe."),
         column("event_key", &T::event_key, api::text(100), by_client, "The event whose tags it may use; empty: none."),
         column("recipient_type", &T::recipient_type, api::choice({"customer", "admin"}),
                by_client | default_value("customer")),
         column("subject", &T::subject, api::text(255, 1), by_client | required | searched),
         column("body", &T::body, body_type(), by_client | required, "HTML with tags such as {{ trip_name }}."),
         column("from_name", &T::from_name, api::text(190), by_client),
         column("from_email", &T::from_email, api::text(254), by_client),
         column("to_email", &T::to_email, api::text(1000), by_client, "Of e-mails to staff: in place of admin_email."),
         column("reply_to", &T::reply_to, api::text(254), by_client),
         column("cc", &T::cc, api::text(1000), by_client),
         column("bcc", &T::bcc, api::text(1000), by_client),
         column("is_active", &T::is_active, api::boolean(), by_client | default_value(true),
                "Of an e-mail of the site: whether it is sent. false of another: no step and no e-mail uses it."),
         column("is_system", &T::is_system, api::boolean(), by_server, "It cannot be deleted, only reset."),
         column("is_customized", &T::is_customized, api::boolean(), by_server,
                "false: its texts are those that come with the release, in the recipient's language."),
         computed<T>(
             "reset", api::boolean(), {}, [](T&, const Value&, Faults&) {}, by_client_on_update,
             "true: the texts that come with the release again."),
         stored("target_trips", &T::trips),
         stored("target_categories", &T::categories),
         stored("target_trip_types", &T::trip_types),
         stored("priority", &T::priority),
         computed<T>("settings", settings_type(), settings_of, take_settings, by_client),
         row_version<T>(),
         timestamps<T>(),
         authors<T>(Names::left_out, hidden)}};
    return declared;
}

}  // namespace svc::pro::email_automation
