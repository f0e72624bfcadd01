// The row of the connection, and who may ask Google for a token or a calendar.
#include "pro/google_calendar/connection.hpp"

#include "pro/google_calendar/items.hpp"
#include "pro/google_calendar/kept.hpp"
#include "pro/google_calendar/mails.hpp"
#include "pro/google_calendar/oauth.hpp"
#include "shared/core/uri.hpp"
#include "shared/store/typed.hpp"

namespace svc::pro::google_calendar {
namespace {

using json::Value;
using std::chrono::seconds;

constexpr auto lease_for = seconds(60);      // longer than any call with its answer stored
constexpr auto token_reserve = seconds(60);  // a token that ends within it is replaced before it is used
constexpr auto first_rest = seconds(30), longest_rest = seconds(3600);
constexpr std::string_view access_place = "google_calendar.access", refresh_place = "google_calendar.refresh";

// Events can be deleted with Google's consent alone: says what there is to do without it.
Result<void> why_not_leaving(const Connected& known) {
    if (known.state == state::leaving)
        return {};  // they are being deleted already
    return Error(
               not_connected,
               known.state == state::reconnect
                   ? "Google refuses our access, so our events cannot be deleted from here. Connect again and"
                     " disconnect then, or disconnect without deleting them and delete them in Google Calendar."_sentence
                   : "Google Calendar is not connected, so our events cannot be deleted from here. Connect again and"
                     " disconnect then, or delete them in Google Calendar."_sentence)
        .at("delete_events", "Connect again first, or leave the events."_sentence);
}

}  // namespace

const std::vector<store::SealedColumn>& sealed_columns() {
    static const std::vector<store::SealedColumn> all{{.table = "svc_google_calendar_connection",
                                                       .column = "refresh_token",
                                                       .bound_to = "'" + std::string(refresh_place) + "'"},
                                                      {.table = "svc_google_calendar_connection",
                                                       .column = "access_token",
                                                       .bound_to = "'" + std::string(access_place) + "'"}};
    return all;
}

struct Connection::Tokens {
    std::string state, access, refresh;
    std::optional<Instant> expires_at;
};

// The right to ask Google for a token or a calendar, of one process at a time. It is a row with an end, so that no
// transaction is open meanwhile and a process that dies holds up the others for a minute alone.
struct Connection::Lease {
    explicit Lease(const Site& site) : site_(site), id(crypto::random_hex(16)) {
        const auto now = site.clock.now();
        must_be_kept(site.store.write([&](store::Transaction& tx) -> Result<void> {
            is_held = tx.run(
                          "UPDATE svc_google_calendar_connection SET lease_id = :id, lease_until = :until WHERE id = 1"
                          " AND (lease_until IS NULL OR lease_until <= :now)",
                          {{"id", id}, {"until", now.plus(lease_for)}, {"now", now}}) > 0;
            return {};
        }),
                     "the lease of the connection");
    }
    ~Lease() {
        if (!is_held)
            return;
        try {
            static_cast<void>(site_.store.write([&](store::Transaction& tx) -> Result<void> {
                tx.run(
                    "UPDATE svc_google_calendar_connection SET lease_id = '', lease_until = NULL"
                    " WHERE id = 1 AND lease_id = :id",
                    {{"id", id}});
                return {};
            }));
        } catch (const std::exception&) {
            is_held = false;  // it ends by itself
        }
    }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;

  private:
    const Site& site_;

  public:
    const std::string id;
    bool is_held = false;
};

Connected connected_now(store::Session& session) {
    return store::first_struct<Connected, std::string, std::string, std::string, std::string, std::string, std::string,
                               std::optional<Instant>, std::optional<Instant>, std::optional<Instant>, std::int64_t,
                               std::int64_t, std::int64_t, std::optional<Instant>, std::optional<Instant>>(
               session,
               "SELECT uid, state, calendar_kind, problem, calendar_id, calendar_name, rests_until, changed_at, "
               "last_sync_at, failures, run_number,"
               " run_total, run_started_at, run_finished_at FROM svc_google_calendar_connection WHERE id = 1",
               {})
        .value();
}

Result<std::string> Connection::redirect_uri() {
    SVC_ASSIGN_OR_RETURN(const auto site_url, address_.site_url());
    SVC_ASSIGN_OR_RETURN(const auto base_path, address_.base_path());
    return site_url + base_path + "/google-calendar/callback";
}

Connection::Access Connection::access(const std::string& refused) {
    const auto tokens = site_.store.reading<Tokens>([](store::Session& session) {
        return store::first_struct<Tokens, std::string, std::string, std::string, std::optional<Instant>>(
                   session,
                   "SELECT state, access_token, refresh_token, access_expires_at FROM svc_google_calendar_connection"
                   " WHERE id = 1",
                   {})
            .value();
    });
    if (tokens.state != state::connected && tokens.state != state::leaving)
        return {};
    const auto now = site_.clock.now();
    if (!tokens.access.empty() && tokens.expires_at && *tokens.expires_at > now.plus(token_reserve))
        if (auto token = site_.secrets.open(tokens.access, access_place); token && *token != refused)
            return {.token = std::move(*token)};
    return refresh(refused);
}

Connection::Access Connection::refresh(const std::string& refused) {
    const Lease lease(site_);
    if (!lease.is_held)
        return {.token = {}, .why = NoAccess::later};
    // Another process may have been faster.
    const auto stored = site_.store.reading<Tokens>([](store::Session& session) {
        return store::first_struct<Tokens, std::string, std::string, std::string, std::optional<Instant>>(
                   session,
                   "SELECT state, access_token, refresh_token, access_expires_at FROM svc_google_calendar_connection"
                   " WHERE id = 1",
                   {})
            .value();
    });
    if (stored.state != state::connected && stored.state != state::leaving)
        return {};
    if (stored.expires_at && *stored.expires_at > site_.clock.now().plus(token_reserve))
        if (auto token = site_.secrets.open(stored.access, access_place); token && *token != refused)
            return {.token = std::move(*token)};
    auto refresh_token = site_.secrets.open(stored.refresh, refresh_place);
    if (!refresh_token) {  // of another key file
        needs_consent(problem::revoked, stored.refresh);
        return {};
    }
    return refreshed(*refresh_token, stored.refresh, lease.id);
}

Connection::Access Connection::refreshed(const std::string& refresh_token, const std::string& sealed,
                                         const std::string& lease) {
    const Client client = client_of(site_);
    const auto answer = google_.account("/token", {{"grant_type", "refresh_token"},
                                                   {"refresh_token", refresh_token},
                                                   {"client_id", client.id},
                                                   {"client_secret", client.secret}});
    const std::string token = answer.is_done() ? answer.token("access_token") : std::string();
    const std::string error = answer.outcome == Outcome::refused ? answer.text("error") : std::string();
    if (error == "invalid_grant" || error == "invalid_client" || error == "unauthorized_client") {
        needs_consent(error == "invalid_grant" ? problem::revoked : problem::client, sealed);
        return {};
    }
    if (token.empty()) {
        rest(answer);
        return {.token = {}, .why = NoAccess::later};
    }
    must_be_kept(site_.store.write([&](store::Transaction& tx) -> Result<void> {
        // Whoever has the lease by now has a later token.
        tx.run(
            "UPDATE svc_google_calendar_connection SET access_token = :token, access_expires_at = :ends"
            " WHERE id = 1 AND lease_id = :lease AND refresh_token = :sealed AND state IN ('connected', 'leaving')",
            {{"token", site_.secrets.seal(token, access_place)},
             {"ends", site_.clock.now().plus(answer.lifetime())},
             {"lease", lease},
             {"sealed", sealed}});
        return {};
    }),
                 "an access token");
    return {.token = token};
}

std::string Connection::own_calendar(const std::string& token, bool anew) {
    const Lease lease(site_);
    if (!lease.is_held)
        return {};
    const auto known = site_.store.reading<Connected>([](store::Session& session) { return connected_now(session); });
    if (!known.calendar_id.empty() && !anew) {
        // Ours from before: a reconnect goes on with it, unless somebody has deleted it.
        const auto found = google_.calendar("GET", "/calendars/" + text::uri_component(known.calendar_id), token);
        if (found.outcome != Outcome::gone && found.outcome != Outcome::refused)
            return known.calendar_id;
    }
    const std::string company = site_.settings.text("company_name");
    const std::string name = company.empty() ? "Departures" : company;
    const auto made = google_.calendar("POST", "/calendars", token,
                                       Value::object({{"summary", name}, {"timeZone", site_.zone().name()}}));
    const std::string id = made.token("id");
    if (!made.is_done() || id.empty()) {
        rest(made);  // a refusal too: without a calendar each run would ask again
        return {};
    }
    must_be_kept(site_.store.write([&](store::Transaction& tx) -> Result<void> {
        choose(tx, {.id = id, .name = name});
        return {};
    }),
                 "the calendar");
    return id;
}

bool Connection::choose(store::Transaction& tx, const Calendar& calendar) {
    return tx.run(
               "UPDATE svc_google_calendar_connection SET calendar_id = :id, calendar_name = :name,"
               " problem = CASE WHEN problem = 'calendar_gone' AND :id <> '' THEN '' ELSE problem END"
               " WHERE id = 1 AND (calendar_id <> :id OR calendar_name <> :name)",
               {{"id", calendar.id}, {"name", calendar.name}}) > 0;
}

void Connection::needs_consent(std::string_view why, const std::string& sealed) {
    const auto now = site_.clock.now();
    must_be_kept(site_.store.write([&](store::Transaction& tx) -> Result<void> {
        if (tx.run("UPDATE svc_google_calendar_connection SET state = 'reconnect', problem = :why, changed_at = :now,"
                   " access_token = '', refresh_token = '', access_expires_at = NULL, rests_until = NULL, failures = 0"
                   " WHERE id = 1 AND state = 'connected' AND refresh_token = :sealed",
                   {{"why", why}, {"now", now}, {"sealed", sealed}}) > 0)
            mail_reconnect(site_, tx, why, now);
        // Who wanted to leave has left: there is no way to the events any more.
        if (tx.run("UPDATE svc_google_calendar_connection SET state = 'off', problem = '', changed_at = :now,"
                   " access_token = '', refresh_token = '', access_expires_at = NULL WHERE id = 1 AND state = 'leaving'"
                   " AND refresh_token = :sealed",
                   {{"now", now}, {"sealed", sealed}}) > 0)
            Items::forget_waiting(tx, now);
        return {};
    }),
                 "the state of the connection");
}

void Connection::lost_calendar(const std::string& calendar_id) {
    must_be_kept(site_.store.write([&](store::Transaction& tx) -> Result<void> {
        if (connected_now(tx).calendar_id != calendar_id)
            return {};
        choose(tx, {});
        tx.run("UPDATE svc_google_calendar_connection SET problem = :why, changed_at = :now WHERE id = 1",
               {{"why", problem::calendar_gone}, {"now", site_.clock.now()}});
        return {};
    }),
                 "the state of the connection");
}

void Connection::client_changed(store::Transaction& tx) const {
    // Who changes it sees so, and needs no e-mail.
    tx.run(
        "UPDATE svc_google_calendar_connection SET state = 'reconnect', problem = :why, changed_at = :now,"
        " access_token = '', refresh_token = '', access_expires_at = NULL WHERE id = 1 AND state = 'connected'",
        {{"why", problem::client}, {"now", site_.clock.now()}});
}

void Connection::rest(const GoogleAnswer& answer) {
    must_be_kept(site_.store.write([&](store::Transaction& tx) -> Result<void> {
        const auto failures = connected_now(tx).failures;
        seconds wait = std::min<seconds>(first_rest * (1LL << std::min<std::int64_t>(failures, 10)), longest_rest);
        if (answer.retry_after)
            wait = *answer.retry_after;
        tx.run("UPDATE svc_google_calendar_connection SET rests_until = :until, failures = failures + 1 WHERE id = 1",
               {{"until", site_.clock.now().plus(wait)}});
        return {};
    }),
                 "the rest of the connection");
}

void Connection::worked() {
    must_be_kept(site_.store.write([&](store::Transaction& tx) -> Result<void> {
        tx.run(
            "UPDATE svc_google_calendar_connection SET last_sync_at = :now,"
            " failures = CASE WHEN rests_until > :now THEN failures ELSE 0 END,"
            " rests_until = CASE WHEN rests_until > :now THEN rests_until ELSE NULL END WHERE id = 1",
            {{"now", site_.clock.now()}});
        return {};
    }),
                 "the state of the connection");
}

Result<void> Connection::leave() {
    std::string sealed;
    SVC_RETURN_IF_ERROR(site_.store.write([&](store::Transaction& tx) -> Result<void> {
        sealed =
            store::value<std::string>(tx, "SELECT refresh_token FROM svc_google_calendar_connection WHERE id = 1", {})
                .value_or("");
        tx.run(
            "UPDATE svc_google_calendar_connection SET state = 'off', problem = '', refresh_token = '',"
            " access_token = '', access_expires_at = NULL, rests_until = NULL, failures = 0, changed_at = :now"
            " WHERE id = 1",
            {{"now", site_.clock.now()}});
        tx.run("DELETE FROM svc_google_calendar_states", {});
        Items::forget_waiting(tx, site_.clock.now());
        return {};
    }));
    // Google's answer changes nothing here: who has disconnected is so, and the log says what Google made of it.
    if (!sealed.empty())
        if (const auto token = site_.secrets.open(sealed, refresh_place))
            static_cast<void>(google_.account("/revoke", {{"token", *token}}));
    return {};
}

Result<void> Connection::leave_after_events() {
    return site_.store.write([&](store::Transaction& tx) -> Result<void> {
        if (tx.run("UPDATE svc_google_calendar_connection SET state = 'leaving', changed_at = :now WHERE id = 1"
                   " AND state = 'connected'",
                   {{"now", site_.clock.now()}}) == 0)
            return why_not_leaving(connected_now(tx));
        Items::remove_all(tx, site_.clock.now());
        return {};
    });
}

void Connection::keep(const GoogleAnswer& answer, const std::string& kind) {
    const auto now = site_.clock.now();
    must_be_kept(site_.store.write([&](store::Transaction& tx) -> Result<void> {
        const Connected before = connected_now(tx);
        tx.run(
            "UPDATE svc_google_calendar_connection SET uid = CASE WHEN uid = '' THEN :uid ELSE uid END,"
            " state = 'connected', calendar_kind = :kind, problem = '', refresh_token = :refresh,"
            " access_token = :access, access_expires_at = :ends, rests_until = NULL, failures = 0, changed_at = :now"
            " WHERE id = 1",
            {{"uid", crypto::random_hex(8)},
             {"kind", kind},
             {"refresh", site_.secrets.seal(answer.text("refresh_token"), refresh_place)},
             {"access", site_.secrets.seal(answer.text("access_token"), access_place)},
             {"ends", now.plus(answer.lifetime())},
             {"now", now}});
        // A calendar of the other kind is out of reach of the new consent, or is not meant any more.
        if (before.calendar_kind != kind)
            choose(tx, {});
        Items::retry_all(tx, now);
        return {};
    }),
                 "the connection with its tokens");
}

}  // namespace svc::pro::google_calendar
