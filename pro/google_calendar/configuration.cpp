// Settings are stored among the site's, each under the module's prefix.
#include "pro/google_calendar/configuration.hpp"

#include <algorithm>

namespace svc::pro::google_calendar {
namespace {

using json::Value;

struct Row {
    std::string_view name;  // of the member; the setting is google_calendar_ and this
    api::Type type;
    Value initial;
    std::string_view help;
    bool is_secret = false;
};

constexpr std::string_view secret_name = "client_secret", mask = "****";

const std::vector<Row>& rows() {
    // Google takes at most five reminders, each at most four weeks before.
    constexpr std::int64_t most_days = 28;
    constexpr std::size_t most_reminders = 5;
    static const std::vector<Row> all{
        {"client_id", api::text(300), "", "Client ID of the OAuth client in the Google Cloud console."},
        {secret_name, api::text(300), "", "Client secret of the same OAuth client.", true},
        {"auto_sync", api::boolean(), true, "Changes are copied by themselves; otherwise only when staff asks for it."},
        {"sync_departures", api::boolean(), true, "Each departure has an event with its load and its guide."},
        {"sync_bookings", api::boolean(), false, "Each confirmed booking has an event, without personal data."},
        {"share_names", api::boolean(), false, "Events of bookings have the name of the contact, which Google stores."},
        {"send_invitations", api::boolean(), false,
         "Google invites the contact of a booking by e-mail; needs share_names."},
        {"reminder_days", api::list(api::integer(0, most_days), most_reminders), Value::array(),
         "Days before the start on which the calendar reminds of it."}};
    return all;
}

std::string key_of(std::string_view name) { return "google_calendar_" + std::string(name); }

Value value_of(const Site& site, std::string_view name) { return site.settings.get(key_of(name)); }

// As the base masks its own: the last four characters of a longer one.
std::string masked(const std::string& secret) {
    constexpr std::size_t shown = 4;
    if (secret.empty())
        return {};
    return std::string(mask) + (secret.size() < 2 * shown ? std::string() : secret.substr(secret.size() - shown));
}

bool is_masked(const Value& given) { return given.is_string() && given.text().starts_with(mask); }

}  // namespace

void declare_settings(plugin::Settings& settings) {
    for (const Row& row : rows())
        settings.declare({.key = key_of(row.name),
                          .type = row.type,
                          .initial = row.initial,
                          .help = std::string(row.help),
                          .group = "integration",
                          .secret = row.is_secret,
                          .module = std::string(module_slug)});
}

Wishes wishes_of(const Site& site) {
    Wishes wishes{.departures = value_of(site, "sync_departures").boolean(),
                  .bookings = value_of(site, "sync_bookings").boolean(),
                  .names_contacts = value_of(site, "share_names").boolean(),
                  .invites = value_of(site, "send_invitations").boolean(),
                  .language = site.settings.text("site_language")};
    for (const Value& day : value_of(site, "reminder_days").items())
        wishes.reminder_days.push_back(day.integer());
    std::sort(wishes.reminder_days.begin(), wishes.reminder_days.end());
    return wishes;
}

bool syncs_by_itself(const Site& site) { return value_of(site, "auto_sync").boolean(); }

Client client_of(const Site& site) {
    return {.id = value_of(site, "client_id").text(), .secret = value_of(site, secret_name).text()};
}

api::Schema settings_schema() {
    std::vector<api::Field> fields;
    for (const Row& row : rows())
        fields.push_back({.name = std::string(row.name), .type = row.type, .help = std::string(row.help)});
    return api::Schema(std::move(fields));
}

Value settings_json(const Site& site) {
    Value settings = Value::object();
    for (const Row& row : rows()) {
        const Value value = value_of(site, row.name);
        settings.set(std::string(row.name), row.is_secret ? Value(masked(value.text())) : value);
    }
    return settings;
}

Result<void> check_settings(const Site& site, const Value& body) {
    const auto would_be = [&](const char* name) {
        return body.maybe_boolean(name).value_or(value_of(site, name).boolean());
    };
    if (would_be("send_invitations") && !would_be("share_names"))
        return invalid(
            body.find("share_names") && !body.find("send_invitations") ? "share_names" : "send_invitations",
            "An invitation gives Google the contact's name and address: let events have names first."_sentence);
    return {};
}

Result<bool> write_settings(const Site& site, const Value& body, store::Transaction& tx, std::int64_t user_id) {
    Value values = Value::object();
    bool is_shown = false;
    for (const Row& row : rows()) {
        const Value* given = body.find(row.name);
        if (!given || (row.is_secret && is_masked(*given)))
            continue;
        values.set(key_of(row.name), *given);
        const bool is_of_events = row.name != "client_id" && row.name != secret_name;
        is_shown = is_shown || (is_of_events && *given != value_of(site, row.name));
    }
    if (values.size() > 0)
        SVC_RETURN_IF_ERROR(site.settings.write(values, &tx, user_id));
    return is_shown;
}

}  // namespace svc::pro::google_calendar
