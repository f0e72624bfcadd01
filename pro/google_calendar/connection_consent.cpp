// The visit to Google's consent page and the way back.
#include "pro/google_calendar/connection.hpp"
#include "pro/google_calendar/items.hpp"
#include "pro/google_calendar/oauth.hpp"
#include "shared/core/uri.hpp"
#include "shared/store/typed.hpp"

namespace svc::pro::google_calendar {
namespace {

using json::Value;

constexpr auto visit_for = std::chrono::minutes(10);
constexpr std::string_view verifier_place = "google_calendar.verifier";

// The least that does: our own calendar alone; or the events of all calendars, and their names to choose one of.
std::string scope_of(std::string_view kind) {
    const std::string at = "https://www.googleapis.com/auth/";
    return kind == calendar_kind::own ? at + "calendar.app.created"
                                      : at + "calendar.events " + at + "calendar.calendarlist.readonly";
}

// A person may untick a right on the consent page. An answer that names none grants what was asked (RFC 6749, 5.1).
bool has_scopes(const std::string& granted, const std::string& asked) {
    if (granted.empty())
        return true;
    const std::string all = " " + granted + " ";
    for (std::size_t from = 0; from < asked.size();) {
        const auto end = std::min(asked.find(' ', from), asked.size());
        if (all.find(" " + asked.substr(from, end - from) + " ") == std::string::npos)
            return false;
        from = end + 1;
    }
    return true;
}

struct Pending {
    std::int64_t user_id = 0;
    std::string browser_hash, calendar_kind, verifier, redirect_uri;
};

Error bad_state() {
    return invalid("state", "This answer belongs to no visit of yours, or it comes too late. Connect again."_sentence);
}

}  // namespace

Result<Connection::Visit> Connection::begin(const std::string& kind, std::int64_t user_id) {
    const Client client = client_of(site_);
    if (client.id.empty())
        return missing("client_id");
    if (client.secret.empty())
        return missing("client_secret");
    SVC_ASSIGN_OR_RETURN(const auto redirect, redirect_uri());
    const std::string state = random_word(), verifier = random_word();
    Visit visit{.auth_url = {},
                .browser = random_word(),
                .cookie_path = redirect.substr(redirect.find('/', redirect.find("://") + 3)),
                .is_secure = redirect.starts_with("https://"),
                .lasts = visit_for};
    const auto now = site_.clock.now();
    SVC_RETURN_IF_ERROR(site_.store.write([&](store::Transaction& tx) -> Result<void> {
        // The latest visit of a user alone counts.
        tx.run("DELETE FROM svc_google_calendar_states WHERE expires_at <= :now OR user_id = :user_id",
               {{"now", now}, {"user_id", user_id}});
        tx.run(
            "INSERT INTO svc_google_calendar_states (state_hash, browser_hash, user_id, calendar_kind, verifier,"
            " redirect_uri, expires_at) VALUES (:state, :browser, :user_id, :kind, :verifier, :redirect, :ends)",
            {{"state", crypto::sha256_hex(state)},
             {"browser", crypto::sha256_hex(visit.browser)},
             {"user_id", user_id},
             {"kind", kind},
             {"verifier", site_.secrets.seal(verifier, verifier_place)},
             {"redirect", redirect},
             {"ends", now.plus(visit_for)}});
        return {};
    }));
    const Form query{{"client_id", client.id},
                     {"redirect_uri", redirect},
                     {"response_type", "code"},
                     {"scope", scope_of(kind)},
                     {"access_type", "offline"},
                     {"prompt", "consent"},  // without it Google gives a second consent no refresh token
                     {"state", state},
                     {"code_challenge", challenge_of(verifier)},
                     {"code_challenge_method", "S256"}};
    for (const auto& [name, value] : query)
        visit.auth_url += (visit.auth_url.empty() ? std::string(consent_page) + "?" : "&") + std::string(name) + "=" +
                          text::uri_component(value);
    return visit;
}

bool Connection::may(std::int64_t user_id) const {
    const auto asked = calls_({.path = "/google-calendar/settings", .as = plugin::Calls::As::user, .user_id = user_id});
    return asked && asked->is_good();
}

Result<Connection::Arrival> Connection::finish(const Back& back) {
    const auto now = site_.clock.now();
    auto taken =
        site_.store.transact<std::optional<Pending>>([&](store::Transaction& tx) -> Result<std::optional<Pending>> {
            const store::Params of{{"state", crypto::sha256_hex(back.state)}, {"now", now}};
            auto found = store::first_struct<Pending, std::int64_t, std::string, std::string, std::string, std::string>(
                tx,
                "SELECT user_id, browser_hash, calendar_kind, verifier, redirect_uri FROM svc_google_calendar_states"
                " WHERE state_hash = :state AND expires_at > :now",
                of);
            // Another browser's answer leaves the visit as it is: whoever began it may still come back.
            if (!found || !crypto::equal(found->browser_hash, crypto::sha256_hex(back.browser)))
                return std::optional<Pending>{};
            if (tx.run("DELETE FROM svc_google_calendar_states WHERE state_hash = :state AND expires_at > :now", of) ==
                0)
                return std::optional<Pending>{};  // used a moment ago
            return found;
        });
    if (!taken)
        return std::move(taken.error());
    const auto& pending = *taken;
    if (!pending || !may(pending->user_id))
        return bad_state();
    if (back.code.empty() || !back.error.empty())
        return Arrival::denied;
    SVC_ASSIGN_OR_RETURN(const auto verifier, site_.secrets.open(pending->verifier, verifier_place));
    const Client client = client_of(site_);
    const auto answer = google_.account("/token", {{"grant_type", "authorization_code"},
                                                   {"code", back.code},
                                                   {"client_id", client.id},
                                                   {"client_secret", client.secret},
                                                   {"redirect_uri", pending->redirect_uri},
                                                   {"code_verifier", verifier}});
    if (!answer.is_done() || answer.token("access_token").empty() || answer.token("refresh_token").empty())
        return Arrival::failed;
    if (!has_scopes(answer.text("scope"), scope_of(pending->calendar_kind))) {
        static_cast<void>(google_.account("/revoke", {{"token", answer.text("refresh_token")}}));
        return Arrival::denied;
    }
    keep(answer, pending->calendar_kind);
    if (pending->calendar_kind == calendar_kind::own)
        own_calendar(answer.text("access_token"));
    if (syncs_by_itself(site_))
        SVC_RETURN_IF_ERROR(site_.store.write([&](store::Transaction& tx) -> Result<void> {
            Items::add_all(tx, wishes_of(site_), site_.today(now), now);
            return {};
        }));
    if (site_.jobs)
        site_.jobs->wake(sync_job);
    return Arrival::connected;
}

}  // namespace svc::pro::google_calendar
