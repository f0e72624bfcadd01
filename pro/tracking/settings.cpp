// Declares, reads and writes settings; secrets are masked in answers.
#include "pro/tracking/settings.hpp"

#include <algorithm>

#include "shared/api/named.hpp"
#include "shared/core/text.hpp"

namespace svc::pro::tracking {
namespace {

using json::Value;

constexpr std::string_view mask = "****";

api::Schema events_schema() {
    std::vector<api::Field> fields;
    for (const EventKind& kind : event_kinds())
        fields.push_back({.name = std::string(kind.key), .type = api::boolean(), .help = std::string(kind.help)});
    return api::Schema(std::move(fields));
}

api::Schema schema_of(const SettingsRoutes& given) {
    std::vector<api::Field> fields;
    for (const SettingRow& row : given.rows)
        fields.push_back({.name = std::string(row.name), .type = row.type, .help = std::string(row.help)});
    fields.push_back({.name = "events",
                      .type = api::object("TrackedEvents", events_schema()),
                      .help = "Which events are reported."});
    return api::Schema(std::move(fields));
}

Value events_json(const Site& site, const Partner& partner) {
    Value events = Value::object();
    for (const EventKind& kind : event_kinds())
        events.set(std::string(kind.key), reports(site, partner, kind));
    return events;
}

Value settings_json(const Site& site, const Partner& partner, const std::vector<SettingRow>& rows) {
    Value settings = Value::object();
    for (const SettingRow& row : rows) {
        Value value = site.settings.get(row.key);
        settings.set(std::string(row.name), row.secret ? Value(masked(value.text())) : std::move(value));
    }
    return settings.set("events", events_json(site, partner));
}

// The settings as they would be, by their names on the wire.
Value after_of(const Site& site, const std::vector<SettingRow>& rows, const Value& body) {
    Value after = Value::object();
    for (const SettingRow& row : rows) {
        const Value* given = body.find(row.name);
        const bool is_kept = !given || (row.secret && given->is_string() && is_masked(given->text()));
        after.set(std::string(row.name), is_kept ? site.settings.get(row.key) : *given);
    }
    return after;
}

// By the keys of settings. The base keeps a secret whose mask is written.
Value values_of(const Partner& partner, const std::vector<SettingRow>& rows, const Value& body) {
    Value values = Value::object();
    for (const SettingRow& row : rows)
        if (const Value* given = body.find(row.name))
            values.set(std::string(row.key), *given);
    for (const EventKind& kind : event_kinds())
        if (const Value* given = body["events"].find(kind.key))
            values.set(std::string(setting_at(kind, partner)), *given);
    return values;
}

api::RouteSpec settings_route(const Partner& partner, const SettingsRoutes& given, api::Method method) {
    api::RouteSpec spec{.method = method, .path = given.path, .who = api::Permission::can("manage_svc"), .handle = {}};
    spec.module = std::string(partner.module);
    spec.summary = (method == api::Method::get ? "Return the settings of " : "Change settings of ") + given.title +
                   (method == api::Method::get ? "; secrets are masked." : "; a masked secret stays as it is.");
    spec.answer = api::object(given.component, schema_of(given));
    return spec;
}

}  // namespace

void declare_settings(const Site& site, const Partner& partner, const std::vector<SettingRow>& rows) {
    for (const SettingRow& row : rows)
        site.settings.declare({.key = std::string(row.key),
                               .type = row.type,
                               .initial = row.initial,
                               .help = std::string(row.help),
                               .group = "integration",
                               .secret = row.secret,
                               .module = std::string(partner.module)});
    for (const EventKind& kind : event_kinds())
        site.settings.declare({.key = std::string(setting_at(kind, partner)),
                               .type = api::boolean(),
                               .initial = true,
                               .help = std::string(kind.help) + " Reported to " + std::string(partner.name) + " as " +
                                       std::string(name_at(kind, partner)) + ".",
                               .group = "integration",
                               .module = std::string(partner.module)});
}

bool is_id(const Partner& partner, std::string_view text) {
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    if (partner.key == meta.key)
        return text.size() >= 6 && text.size() <= 20 && std::all_of(text.begin(), text.end(), is_digit);
    return text.starts_with("G-") && text.size() >= 6 && text.size() <= 20 &&
           std::all_of(text.begin() + 2, text.end(), [&](char c) { return is_digit(c) || (c >= 'A' && c <= 'Z'); });
}

bool reports(const Site& site, const Partner& partner, const EventKind& kind) {
    return site.settings.get(setting_at(kind, partner)).boolean();
}

void add_settings_routes(const Site& site, const Partner& partner, const SettingsRoutes& given) {
    auto read = settings_route(partner, given, api::Method::get);
    read.handle = [&site, &partner, rows = given.rows](const api::Request&) {
        return api::ok(settings_json(site, partner, rows));
    };
    site.routes.add(std::move(read));
    auto write = settings_route(partner, given, api::Method::put);
    write.body = schema_of(given);
    write.repeats_safely = true;
    write.rules = [&site, given](const api::Request& request) -> Result<std::vector<FieldError>> {
        const auto checked = given.check(after_of(site, given.rows, request.body));
        return checked ? std::vector<FieldError>() : checked.error().fields();
    };
    write.handle = [&site, &partner, given](const api::Request& request) -> api::Reply {
        SVC_RETURN_IF_ERROR(given.check(after_of(site, given.rows, request.body)));
        const Value values = values_of(partner, given.rows, request.body);
        SVC_RETURN_IF_ERROR(site.store.write([&](store::Transaction& tx) -> Result<void> {
            if (values.size() == 0)
                return {};
            SVC_RETURN_IF_ERROR(site.settings.write(values, &tx, request.caller.user_id));
            given.saved(tx);
            return {};
        }));
        return api::ok(settings_json(site, partner, given.rows));
    };
    site.routes.add(std::move(write));
}

std::string masked(std::string_view secret) {
    const std::size_t length = text::length(secret);
    if (length == 0)
        return {};
    if (length < 8)
        return std::string(mask);  // showing four characters would reveal most of it
    return std::string(mask) + std::string(secret.substr(text::first(secret, length - 4).size()));
}

bool is_masked(std::string_view text) { return text.starts_with(mask) && text::length(text) <= 8; }

std::string secret_of(const Site& site, const Partner& partner, const std::string& given) {
    return given.empty() || is_masked(given) ? site.settings.text(partner.secret_setting) : given;
}

}  // namespace svc::pro::tracking
