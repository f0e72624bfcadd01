// Settings are stored among the site's, under the keys of earlier releases.
#include "pro/mailchimp/configuration.hpp"

#include <algorithm>

#include "shared/core/ascii.hpp"

namespace svc::pro::mailchimp {
namespace {

using json::Value;

constexpr const char *api_key = "mailchimp_api_key", *list_id = "mailchimp_list_id", *list_name = "mailchimp_list_name",
                     *on_booking = "mailchimp_sync_on_booking", *on_payment = "mailchimp_sync_on_payment",
                     *transactional = "mailchimp_sync_transactional", *double_optin = "mailchimp_double_optin",
                     *add_tags = "mailchimp_add_tags", *default_tags = "mailchimp_default_tags",
                     *field_mapping = "mailchimp_field_mapping";

constexpr std::string_view prefix = "mailchimp_", mask = "****";
constexpr std::size_t longest_key = 100, most_fields = 50;

struct Row {
    const char* key;
    api::Type type;
    Value initial;
    const char* help;
    bool secret = false;
};

const std::vector<Row>& rows() {
    static const std::vector<Row> all{
        {api_key, api::text(longest_key), "", "Key of your account at Mailchimp.", true},
        {list_id, api::text(50), "", "Audience that contacts are added to."},
        {list_name, api::text(200), "", "Its name, as Mailchimp says it."},
        {on_booking, api::boolean(), true, "Add customers who agreed to the newsletter when they book."},
        {on_payment, api::boolean(), false, "Add customers who agreed to the newsletter when they pay."},
        {transactional, api::boolean(), false,
         "Add customers who did not agree too, as transactional contacts, who get no newsletter."},
        {double_optin, api::boolean(), false, "Mailchimp asks new contacts to confirm before they are subscribed."},
        {add_tags, api::boolean(), true, "Contacts are tagged with the trips and the states of their bookings."},
        {default_tags, api::text(500), "", "Tags that each contact gets, separated by commas."},
        {field_mapping, api::map(api::choice(field_sources()), most_fields), Value::object(),
         "What each merge field of the audience shows, by its tag, such as FNAME."}};
    return all;
}

std::string name_of(const Row& row) { return std::string(std::string_view(row.key).substr(prefix.size())); }

bool is_masked(std::string_view text) { return text.starts_with(mask); }

// Of a short key nothing is shown.
std::string masked(const std::string& key) {
    return key.empty() ? std::string() : std::string(mask) + (key.size() < 12 ? "" : key.substr(key.size() - 4));
}

bool is_merge_tag(std::string_view tag) {
    return !tag.empty() && tag.size() <= 10 && std::all_of(tag.begin(), tag.end(), [](char c) {
        return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    });
}

std::vector<std::string> tags_in(std::string_view text) {
    std::vector<std::string> tags;
    while (!text.empty()) {
        const auto end = std::min(text.find(','), text.size());
        std::string tag(ascii::trimmed(text.substr(0, end)));
        if (!tag.empty() && std::find(tags.begin(), tags.end(), tag) == tags.end())
            tags.push_back(std::move(tag));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return tags;
}

}  // namespace

const std::vector<std::string>& field_sources() {
    static const std::vector<std::string> all{"first_name",     "last_name", "full_name",   "phone",
                                              "country",        "language",  "latest_trip", "next_travel_date",
                                              "latest_booking", "bookings"};
    return all;
}

std::string data_centre_of(std::string_view key) {
    const auto dash = key.rfind('-');
    if (dash == std::string_view::npos || dash < 16 || key.size() > longest_key || !ascii::is_hex(key.substr(0, dash)))
        return {};
    const std::string_view centre = key.substr(dash + 1);
    const auto digits = centre.find_first_of("0123456789");
    if (digits == std::string_view::npos || digits < 2 || digits > 4 || centre.size() - digits > 3)
        return {};
    const auto is_within = [](std::string_view part, char first, char last) {
        return std::all_of(part.begin(), part.end(), [&](char c) { return c >= first && c <= last; });
    };
    return is_within(centre.substr(0, digits), 'a', 'z') && is_within(centre.substr(digits), '0', '9')
               ? std::string(centre)
               : std::string();
}

bool is_list_id(std::string_view id) {
    return !id.empty() && id.size() <= 50 && std::all_of(id.begin(), id.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    });
}

void declare_settings(plugin::Settings& settings) {
    for (const Row& row : rows())
        settings.declare({.key = row.key,
                          .type = row.type,
                          .initial = row.initial,
                          .help = row.help,
                          .group = "integration",
                          .secret = row.secret,
                          .module = module_slug});
}

Configuration configuration_of(const Site& site) {
    const auto flag = [&](const char* key) { return site.settings.get(key).boolean(); };
    Configuration now{.api_key = site.settings.text(api_key),
                      .list_id = site.settings.text(list_id),
                      .on_booking = flag(on_booking),
                      .on_payment = flag(on_payment),
                      .double_optin = flag(double_optin),
                      .transactional = flag(transactional),
                      .adds_tags = flag(add_tags),
                      .default_tags = tags_in(site.settings.text(default_tags)),
                      .fields = {}};
    for (const auto& [tag, source] : site.settings.get(field_mapping).members())
        if (is_merge_tag(tag) && source.is_string())
            now.fields.emplace(tag, source.text());
    // Settings can be written by /settings too, which knows no rules of ours.
    if (data_centre_of(now.api_key).empty())
        now.api_key.clear();
    if (!is_list_id(now.list_id))
        now.list_id.clear();
    return now;
}

api::Schema settings_schema() {
    std::vector<api::Field> fields;
    for (const Row& row : rows())
        fields.push_back({.name = name_of(row), .type = row.type, .help = row.help});
    return api::Schema(std::move(fields));
}

Value settings_json(const Site& site) {
    Value settings = Value::object();
    for (const Row& row : rows()) {
        const Value value = site.settings.get(row.key);
        settings.set(name_of(row), row.secret ? Value(masked(value.text())) : value);
    }
    return settings;
}

Result<void> check_settings(const Value& body) {
    if (const auto key = body.maybe_text("api_key");
        key && !key->empty() && !is_masked(*key) && data_centre_of(*key).empty())
        return invalid("api_key", "This is no key of Mailchimp: it ends with a data centre, such as -us19."_sentence);
    if (const auto id = body.maybe_text("list_id"); id && !id->empty() && !is_list_id(*id))
        return invalid("list_id", "The id of an audience has letters and digits only."_sentence);
    if (const Value& mapping = body["field_mapping"]; mapping.is_object())
        for (const auto& [tag, source] : mapping.members())
            if (!is_merge_tag(tag))
                return invalid(
                    "field_mapping." + tag,
                    "The tag of a merge field has at most 10 capital letters, digits and underscores."_sentence);
    for (const std::string& tag : tags_in(body.text_or("default_tags")))
        if (tag.size() > longest_tag)
            return invalid("default_tags", "A tag has at most 100 characters."_sentence);
    return {};
}

Result<void> write_settings(const Site& site, const Value& body, store::Transaction& tx, std::int64_t user_id) {
    Value values = Value::object();
    for (const Row& row : rows())
        if (const Value* given = body.find(name_of(row)); given && !(row.secret && is_masked(given->text())))
            values.set(row.key, *given);
    return values.size() > 0 ? site.settings.write(values, &tx, user_id) : Result<void>();
}

std::string key_meant(const Site& site, const std::string& given) {
    return is_masked(given) ? site.settings.text(api_key) : given;
}

}  // namespace svc::pro::mailchimp
