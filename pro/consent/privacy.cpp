// The facts of the tables.
#include "pro/consent/privacy.hpp"

#include "pro/common/tables.hpp"
#include "pro/consent/configuration.hpp"
#include "pro/consent/consent.hpp"
#include "pro/consent/signed.hpp"
#include "shared/plugin/host_housekeeping.hpp"
#include "shared/record/facts.hpp"
#include "shared/store/typed.hpp"

namespace svc::pro::consent {
namespace {

using facts::By;
using json::Value;

constexpr std::int64_t copies_at_once = 200;
constexpr int requests_days = 1100;  // three seasons
constexpr std::string_view listener_name = "svc_consent";

// Times and hashes stay, so that a printed copy can still be proven; nothing else of the person does.
const facts::Facts& consent_facts() {
    using Kind = facts::Exported::Kind;
    const auto of_person = [] {
        return std::vector<facts::Whose>{{By::address, "email_lower"},
                                         {By::booking, "booking_id", "email_lower <> ''"}};
    };
    static const facts::Facts facts(
        {{.name = "svc_consent_requests",
          .erased = {{.of = of_person(),
                      .blanked = {{"name"},
                                  {"email"},
                                  {"email_lower"},
                                  {"search"},
                                  {"end_reason",
                                   "CASE WHEN status IN ('pending', 'expired') THEN 'erased' ELSE end_reason END"},
                                  {"status",
                                   "CASE WHEN status IN ('pending', 'expired') THEN 'revoked' ELSE status END"}}}},
          .exported = {{.key = "consent_requests",
                        .of = {By::address, "email_lower"},
                        .members = {{"booking", "booking_reference"},
                                    {"name", "name"},
                                    {"email", "email"},
                                    {"status", "status"},
                                    {"sent_at", "sent_at", Kind::instant},
                                    {"viewed_at", "viewed_at", Kind::instant}}}}},
         {.name = "svc_signed_consents",
          .erased = {{.of = of_person(),
                      .blanked = {{"traveler_name"},
                                  {"signer_name"},
                                  {"signer_email"},
                                  {"email_lower"},
                                  {"guardian_relation", facts::null},
                                  {"minor_name", facts::null},
                                  {"form_data", facts::no_members},
                                  {"sealed"},
                                  {"time_zone"},
                                  {"ip_address"},
                                  {"user_agent"},
                                  {"salt"},
                                  {"revoked_reason", facts::null},
                                  {"search"},
                                  {"erased_at", "COALESCE(erased_at, :now)"}}}}},
         {.name = "svc_signed_consent_files", .erased = {{.of = of_person()}}}});
    return facts;
}

// A module that was never on has no tables.
bool has_tables(store::Session& session) { return has_table(session, "svc_signed_consent_files"); }

// rows or export, email, user_id, customer_id, booking_ids
facts::Person person_of(const json::Array& given) {
    constexpr std::size_t email = 1, bookings = 4;
    facts::Person person;
    if (given.size() > email && given[email].is_string())
        for (const char c : given[email].text())
            person.email += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if (given.size() > bookings && given[bookings].is_array())
        for (const Value& id : given[bookings].items())
            if (id.is_number())
                person.booking_ids.push_back(id.integer());
    return person;
}

// With all answers, those about health too: they are the person's own.
Value signed_by(store::Session& session, const plugin::Secrets& secrets, const std::string& email) {
    constexpr std::int64_t most = 1000;
    Value all = Value::array();
    for (const std::int64_t id : store::values<std::int64_t>(
             session, "SELECT id FROM svc_signed_consents WHERE email_lower = :email ORDER BY id LIMIT :most",
             {{"email", email}, {"most", most}})) {
        const auto copy = copy_of(session, secrets, id);
        if (!copy)
            continue;
        const SignedConsent& row = copy->row;
        all.push(Value::object({{"form", row.form_name},
                                {"booking", row.booking_reference},
                                {"trip", row.trip_title},
                                {"travel_date", row.travel_date},
                                {"signer_name", row.signer_name},
                                {"signer_email", row.signer_email},
                                {"minor_name", row.minor_name},
                                {"answers", answers_of(*copy, true)},
                                {"signature", copy->marks.signature},
                                {"initials", copy->marks.initials},
                                {"ip_address", row.ip_address},
                                {"user_agent", row.user_agent},
                                {"signed_at", row.signed_at},
                                {"status", row.status}}));
    }
    return all;
}

Value exported(store::Session& session, const plugin::Secrets& secrets, const json::Array& given) {
    Value more = given.front();
    const auto person = person_of(given);
    if (person.email.empty() || !has_tables(session))
        return more;
    if (Value rows = consent_facts().exported(session, "consent_requests", person); rows.size() > 0)
        more.set("consent_requests", std::move(rows));
    if (Value rows = signed_by(session, secrets, person.email); rows.size() > 0)
        more.set("signed_consents", std::move(rows));
    return more;
}

}  // namespace

void take_part_in_privacy(const Site& site) {
    // Whether the module is enabled or not: the data that it stored belongs to the person.
    const hooks::Listener listener{.name = std::string(listener_name), .module = {}};
    site.filter_if_known("svc_person_export", listener, [&site](store::Transaction* tx, const json::Array& given) {
        return tx ? exported(*tx, site.secrets, given) : site.store.reading<Value>([&](store::Session& session) {
            return exported(session, site.secrets, given);
        });
    });
    site.filter_if_known("svc_person_erasure", listener,
                         [&clock = site.clock](store::Transaction* tx, const json::Array& given) {
                             if (!tx || !has_tables(*tx))
                                 return given.front();
                             std::int64_t rows = given.front().integer();
                             consent_facts().erase(*tx, person_of(given), clock.now(),
                                                   [&](std::string_view, std::int64_t changed) { rows += changed; });
                             return Value(rows);
                         });
}

void add_housekeeping(const Site& site) {
    auto* housekeeping = site.host.find<plugin::Housekeeping>();
    if (!housekeeping)
        return;  // an older base: what is over stays
    housekeeping->add({.name = "consent_requests",
                       // A signed one has the name and the address, too: it goes after its copy.
                       .sql = "DELETE FROM svc_consent_requests WHERE id IN (SELECT r.id FROM svc_consent_requests r"
                              " WHERE (r.status IN ('revoked', 'expired') OR (r.status = 'signed' AND NOT EXISTS"
                              " (SELECT 1 FROM svc_signed_consents s WHERE s.request_id = r.id)))"
                              " AND r.created_at < :before ORDER BY r.created_at LIMIT :most)",
                       .days = requests_days,
                       .module = std::string(module_slug)});
    housekeeping->add({.name = "signed_consents",
                       .sql = "DELETE FROM svc_signed_consents WHERE id IN (SELECT id FROM svc_signed_consents WHERE"
                              " created_at < :before ORDER BY created_at LIMIT :most)",
                       .days_setting = keep_days_setting,
                       .module = std::string(module_slug)});
}

Result<Value> delete_health(const Site& site, Instant now) {
    std::int64_t deleted = 0;
    if (!site.store.reading<bool>(has_tables))
        return Value::object({{"deleted", deleted}});
    const std::int64_t kept = health_days(site);
    const Date before = site.today(now).plus_days(-static_cast<std::int32_t>(kept));
    for (std::int64_t round = copies_at_once; round == copies_at_once; deleted += round) {
        SVC_ASSIGN_OR_RETURN(
            round, site.store.transact<std::int64_t>([&](store::Transaction& tx) -> Result<std::int64_t> {
                const auto ids = store::values<std::int64_t>(
                    tx,
                    // end_date is of the day of signing: a trip that was moved is told by its booking.
                    "SELECT s.id FROM svc_signed_consents s WHERE s.sealed <> '' AND s.end_date < :before"
                    " AND NOT EXISTS (SELECT 1 FROM svc_booking_v2 b WHERE b.id = s.booking_id AND b.status NOT IN"
                    " ('cancelled', 'refunded', 'failed', 'trash') AND COALESCE(b.end_date, b.travel_date) >= :before)"
                    " ORDER BY s.id LIMIT :most",
                    {{"before", before}, {"most", copies_at_once}});
                static const auto files =
                    SVC_BY_IDS("DELETE FROM svc_signed_consent_files WHERE kind = 'pdf' AND", "signed_id", "");
                static const auto rows = SVC_BY_IDS(
                    "UPDATE svc_signed_consents SET sealed = '', health_deleted_at = :now, updated_at = :now WHERE",
                    "id", "");
                if (!ids.empty()) {
                    store::run_of(tx, files, ids);
                    store::run_of(tx, rows, ids, {{"now", now}});
                }
                return static_cast<std::int64_t>(ids.size());
            }));
    }
    return Value::object({{"deleted", deleted}});
}

}  // namespace svc::pro::consent
