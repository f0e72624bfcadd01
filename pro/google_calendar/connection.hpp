// The connection with a Google account: consent by OAuth 2.0 with PKCE, tokens, and the state that staff see.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "pro/common/site_address.hpp"
#include "pro/google_calendar/configuration.hpp"
#include "pro/google_calendar/google.hpp"
#include "shared/plugin/host_calls.hpp"
#include "shared/store/sealed_columns.hpp"

namespace svc::pro::google_calendar {

const std::vector<store::SealedColumn>& sealed_columns();

struct Calendar {
    std::string id, name;
};

// The row of the connection, without its secrets.
struct Connected {
    std::string uid, state{state::off}, calendar_kind{calendar_kind::own}, problem;
    std::string calendar_id, calendar_name;  // empty: none is chosen
    std::optional<Instant> rests_until, changed_at, last_sync_at;
    std::int64_t failures = 0;
    std::int64_t run_number = 0, run_total = 0;
    std::optional<Instant> run_started_at, run_finished_at;

    [[nodiscard]] bool is_connected() const { return state == state::connected; }
};
Connected connected_now(store::Session& session);

// Why there is no access token now.
enum class NoAccess : std::uint8_t {
    off,    // not connected, or Google wants a new consent: what is queued waits for it
    later,  // Google does not answer or another process asks right now
};

// Nothing of Google is asked inside a transaction. Any thread.
class Connection {
  public:
    Connection(const Site& site, const Google& google, const plugin::Calls& calls)
        : site_(site), google_(google), calls_(calls), address_(calls) {}

    struct Visit {
        std::string auth_url, browser, cookie_path;
        bool is_secure = false;
        std::chrono::seconds lasts{};
    };
    // Begins the visit to Google's consent page. `browser` of the answer is a secret for a cookie of this browser.
    // validation_error without client id and secret.
    Result<Visit> begin(const std::string& kind, std::int64_t user_id);

    enum class Arrival : std::uint8_t { connected, denied, failed };
    struct Back {
        std::string state, code, error, browser;
    };
    // Ends it: exchanges the code for tokens and finds or makes the calendar. A state that is unknown, used, late, of
    // another browser or of a user who may no longer do this is a validation_error.
    Result<Arrival> finish(const Back& back);

    // A token for the Calendar API; `refused` is one that Google did not take. One process at a time asks for another.
    struct Access {
        std::string token;  // empty: see `why`
        NoAccess why = NoAccess::off;
    };
    Access access(const std::string& refused = {});

    // Makes our own calendar where none is chosen, or says which is. Empty: there is none and none could be made.
    std::string own_calendar(const std::string& token, bool anew = false);

    // Ends the connection at once: the tokens are forgotten, then revoked.
    Result<void> leave();
    // Keeps the tokens until the events are deleted.
    Result<void> leave_after_events();

    // Google refuses this refresh token, as it is stored: staff must connect again, and are told so once. Nothing where
    // they have done so meanwhile.
    void needs_consent(std::string_view why, const std::string& sealed);
    void lost_calendar(const std::string& calendar_id);  // nothing where another one is chosen by now
    // Staff named another client: tokens are of the client that asked for them. Part of `tx`.
    void client_changed(store::Transaction& tx) const;
    // False: that calendar was chosen already. Part of `tx`.
    static bool choose(store::Transaction& tx, const Calendar& calendar);
    // Nothing is asked for a while, longer with each failure in a row.
    void rest(const GoogleAnswer& answer);
    void worked();  // a rest that the same run was asked for stays

    Result<std::string> redirect_uri();
    Result<std::string> site_address() { return address_.site_url(); }

  private:
    struct Tokens;
    struct Lease;
    [[nodiscard]] bool may(std::int64_t user_id) const;
    Access refresh(const std::string& refused);
    Access refreshed(const std::string& refresh_token, const std::string& sealed, const std::string& lease);
    void keep(const GoogleAnswer& answer, const std::string& kind);

    const Site& site_;
    const Google& google_;
    const plugin::Calls& calls_;
    SiteAddress address_;
};

}  // namespace svc::pro::google_calendar
