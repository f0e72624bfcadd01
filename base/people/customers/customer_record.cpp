// Declares the record of customers and what it is compared by.
#include "base/people/customers/customer_record.hpp"

#include <algorithm>
#include <stdexcept>

#include "base/people/customers/extra_fields.hpp"
#include "base/people/customers/repository.hpp"
#include "shared/api/named.hpp"
#include "shared/core/mailbox.hpp"
#include "shared/core/text.hpp"
#include "shared/core/words.hpp"
#include "shared/store/like.hpp"

namespace svc::customers {
namespace {

constexpr std::size_t fewest_digits = 7, compared_digits = 9;

std::string phone_key_of(std::string_view phone) {
    std::string digits;
    for (const char c : phone)
        if (c >= '0' && c <= '9')
            digits += c;
    if (digits.size() < fewest_digits)
        return {};
    return digits.substr(digits.size() - std::min(digits.size(), compared_digits));
}

std::string tag_key_of(const std::vector<std::string>& tags) {
    std::string key;
    for (const std::string& tag : tags)
        key += "\n" + text::search_key(tag) + "\n";
    return key;
}

api::Type emergency_contact() {
    return api::object("EmergencyContact", {{.name = "name", .type = api::text(150)},
                                            {.name = "phone", .type = api::text(40)},
                                            {.name = "relationship", .type = api::text(60)}})
        .or_null();
}

// Expressions over a customer's own row.
#define SVC_SUM_OF_BOOKINGS(what)                                                                              \
    "(SELECT " what                                                                                            \
    " FROM svc_bookings b WHERE b.customer_id = r.id AND b.status NOT IN ('cancelled', 'failed', 'refunded', " \
    "'trash'))"
// As it is stored; the setting's default where it is not.
#define SVC_SITE_CURRENCY \
    "COALESCE((SELECT REPLACE(s.value, '\"', '') FROM svc_settings s WHERE s.key = 'currency'), 'USD')"
#define SVC_OF_ACCOUNT(column) "(SELECT u." column " FROM svc_users u WHERE u.id = r.user_id)"

record::Entry<CustomerRecord> emergency_entry() {
    using C = CustomerRecord;
    return record::computed<C>(
        "emergency_contact", emergency_contact(),
        [](const C& c) {
            return json::Value::object(
                {{"name", c.emergency_name}, {"phone", c.emergency_phone}, {"relationship", c.emergency_relationship}});
        },
        [](C& c, const json::Value& given, Faults&) {
            const auto set_text = [&](const char* member, std::string& to) {
                if (given.is_null())
                    to.clear();
                else if (const auto text = given.maybe_text(member))
                    to = *text;
            };
            set_text("name", c.emergency_name);
            set_text("phone", c.emergency_phone);
            set_text("relationship", c.emergency_relationship);
        },
        record::by_client, "The emergency contact.");
}

record::Entry<CustomerRecord> extra_fields_entry(const settings::Settings& settings) {
    using C = CustomerRecord;
    return record::computed<C>(
        "fields", api::map(api::anything()), [](const C& c) { return extra_fields_of(c); },
        [&settings](C& c, const json::Value& given, Faults& faults) {
            if (given.is_object())
                set_extra_fields(c,
                                 with_extra_fields(extra_fields_of(c), given, settings.get("customer_fields"), faults));
        },
        record::by_client,
        "Values by id of the fields in asked_fields. Values that are not sent stay; an empty one removes it."
        " Visible to callers who may edit customers.");
}

record::Sealer sealer_of(const crypto::Keyring& keyring) {
    return {
        .seal = [&keyring](std::string_view text, std::string_view bound_to) { return keyring.seal(text, bound_to); },
        .open =
            [&keyring](std::string_view sealed, std::string_view bound_to) {
                auto opened = keyring.open(sealed, bound_to);
                if (!opened)  // an empty one would be stored in its place by the next write
                    throw std::runtime_error("a sealed text of a customer does not open with any key");
                return std::move(*opened);
            }};
}

}  // namespace

json::Value extra_fields_of(const CustomerRecord& customer) {
    const auto fields = json::parse(customer.extra_fields);
    return fields && fields->is_object() ? *fields : json::Value::object();
}

void set_extra_fields(CustomerRecord& customer, const json::Value& fields) {
    customer.extra_fields = fields.size() > 0 ? fields.dump() : std::string();
}

Keys keys_of(const std::string& first_name, const std::string& last_name, const std::string& email,
             const std::string& phone) {
    Keys keys;
    keys.full_name = text::clean(first_name + " " + last_name);
    keys.search = text::search_key(keys.full_name + "\n" + email + "\n" + phone);
    keys.name_order = text::title_order(keys.full_name);
    keys.email = mailbox_key(email);
    keys.phone = phone_key_of(phone);
    return keys;
}

std::string person_key_of(const std::string& full_name, const std::optional<Date>& date_of_birth) {
    return date_of_birth && !full_name.empty() ? text::search_key(full_name) + "\n" + date_of_birth->text()
                                               : std::string();
}

std::string tag_pattern(std::string_view tag) { return store::like_contains("\n" + text::search_key(tag) + "\n"); }

std::string_view tier_of(std::int64_t points) {
    return points >= 10'000 ? "platinum" : points >= 5'000 ? "gold" : points >= 2'000 ? "silver" : "bronze";
}

record::Record<CustomerRecord> make_record(const settings::Settings& settings, const crypto::Keyring& keyring) {
    using namespace record;
    using C = CustomerRecord;
    const auto key = [](std::string Keys::*member) {
        return [member](const C& c) { return keys_of(c.first_name, c.last_name, c.email, c.phone).*member; };
    };
    const auto day = [&settings](const std::optional<Instant>& moment) {
        return moment ? json::Value(settings.zone().date_at(*moment).text()) : json::Value();
    };
    return Record<C>{
        {.table = "svc_customers",
         .component = "CustomerDetail",
         .search_column = "search",
         .tuning = {.grams = "svc_customers_grams", .tallied = true},
         .sorts = {{"created_at", {"r.created_at"}},
                   {"id", {"r.id"}},
                   {"name", {"r.name_order"}},
                   {"email", {"r.email_lower"}},
                   {"status", {"r.status"}},
                   {"total_bookings", {SVC_SUM_OF_BOOKINGS("COUNT(*)")}},
                   {"total_spent",
                    {SVC_SUM_OF_BOOKINGS("COALESCE(SUM(CASE WHEN b.currency = " SVC_SITE_CURRENCY
                                         " THEN b.amount_paid_minor ELSE 0 END), 0)")}},
                   {"last_booking_date", {SVC_SUM_OF_BOOKINGS("COALESCE(MAX(b.created_at), 0)")}}},
         .default_sort = "created_at",
         .conditions = {{"tag", "r.tag_key LIKE :tag ESCAPE '\\'"}},
         .hidden_status = {},
         .read_more = [&settings](
                          store::Session& session,
                          const std::vector<Any>& rows) { Repository::add_totals(session, rows, settings.currency()); },
         .sealer = sealer_of(keyring)},
        {id(&C::id),
         column("user_id", &C::user_id, api::id(), by_server, "The customer's account."),
         computed<C>("name", api::text(255), [](const C& c) { return json::Value(c.full_name); }),
         column("full_name", &C::full_name, api::text(255), hidden | searched),
         stored_text<C>("name_order", key(&Keys::name_order)),
         column("first_name", &C::first_name, api::text(100, 1), by_client | required),
         column("last_name", &C::last_name, api::text(100), by_client),
         column("email", &C::email, api::email(), by_client | required | searched, "Unique among customers."),
         stored_text<C>("email_lower", [](const C& c) { return text::folded(c.email); }),
         stored_text<C>("email_key", key(&Keys::email)),
         column("phone", &C::phone, api::text(40), by_client | searched),
         stored_text<C>("phone_key", key(&Keys::phone)),
         column("secondary_phone", &C::secondary_phone, api::text(40), by_client),
         column("country", &C::country, api::text(60), by_client | also({"country_code"}), "Country code or name."),
         column("city", &C::city, api::text(100), by_client),
         column("state", &C::state, api::text(100), by_client),
         column("address", &C::address, api::text(500), by_client),
         column("postal_code", &C::postal_code, api::text(20), by_client),
         column("date_of_birth", &C::date_of_birth, api::date(), by_client),
         stored_text<C>("person_key", [](const C& c) { return person_key_of(c.full_name, c.date_of_birth); }),
         column("gender", &C::gender, api::choice({"male", "female", "other", "prefer_not_to_say"}), by_client),
         column("nationality", &C::nationality, api::text(60), by_client),
         emergency_entry(),
         column("emergency_name", &C::emergency_name, api::text(150), hidden),
         column("emergency_phone", &C::emergency_phone, api::text(40), hidden),
         column("emergency_relationship", &C::emergency_relationship, api::text(60), hidden),
         column("dietary_requirements", &C::dietary_requirements, api::raw_text(2'000), by_client | sealed),
         column("medical_conditions", &C::medical_conditions, api::raw_text(2'000), by_client | sealed,
                "Visible to callers who may edit customers."),
         column("special_needs", &C::special_needs, api::raw_text(2'000), by_client | sealed),
         extra_fields_entry(settings),
         column("extra_fields", &C::extra_fields, api::raw_text(100'000), hidden | sealed),
         computed<C>(
             "asked_fields", extra_fields_type(), [&settings](const C&) { return settings.get("customer_fields"); }, {},
             {}, "The fields that the setting customer_fields declares."),
         column("preferred_language", &C::preferred_language, api::text(20, 2), by_client, "For example en or pt-BR."),
         column("preferred_currency", &C::preferred_currency, api::text(3, 3), by_client),
         column("newsletter_optin", &C::newsletter_optin, api::boolean(), by_client),
         column("newsletter_optin_at", &C::newsletter_optin_at, api::instant(), by_server, "When consent was given."),
         column("marketing_optin", &C::marketing_optin, api::boolean(), by_client),
         column("marketing_optin_at", &C::marketing_optin_at, api::instant(), by_server, "When consent was given."),
         column("source", &C::source, api::text(50), by_server_on_create,
                "What created the record: booking, registration, account or admin."),
         choice("status", &C::status, statuses, by_client, "A blocked customer cannot book."),
         column("loyalty_points", &C::loyalty_points, api::integer(0, 1'000'000'000), by_client),
         computed<C>("loyalty_tier", api::choice({"bronze", "silver", "gold", "platinum"}),
                     [](const C& c) { return json::Value(tier_of(c.loyalty_points)); }),
         column("notes", &C::notes, api::raw_text(10'000), by_client, "Visible to staff only."),
         column("tags", &C::tags, api::list(api::text(50, 1), 30), by_client),
         stored_text<C>("tag_key", [](const C& c) { return tag_key_of(c.tags); }),
         computed<C>(
             "total_bookings", api::integer(0), [](const C& c) { return json::Value(c.totals.bookings); }, {}, {},
             "Excluding cancelled, failed and refunded bookings."),
         computed<C>(
             "total_spent", api::money(),
             [&settings](const C& c) {
                 return json::Value(json::Number{Money(c.totals.spent_minor, settings.currency()).decimal()});
             },
             {}, {}, "Amount paid in the site's currency."),
         computed<C>("total_travelers", api::integer(0), [](const C& c) { return json::Value(c.totals.travelers); }),
         computed<C>("last_booking_date", api::date().or_null(),
                     [day](const C& c) { return day(c.totals.last_booked_at); }),
         computed<C>("last_travel_date", api::date().or_null(),
                     [](const C& c) {
                         return c.totals.last_travel_date ? json::Value(c.totals.last_travel_date->text())
                                                          : json::Value();
                     }),
         derived("registered_at", &C::registered_at, SVC_OF_ACCOUNT("created_at"), api::instant(),
                 "When the account was created."),
         derived("verified_at", &C::verified_at, SVC_OF_ACCOUNT("email_verified_at"), api::instant()),
         derived("last_login_at", &C::last_login_at, SVC_OF_ACCOUNT("last_login_at"), api::instant()),
         column("erased_at", &C::erased_at, api::instant(), by_server, "When the person's data was erased."),
         row_version<C>(),
         timestamps<C>(),
         authors<C>(Names::left_out, hidden)}};
}

}  // namespace svc::customers
