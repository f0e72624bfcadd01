// Requests to Google: the OAuth 2.0 endpoints and the Calendar API, v3. Their addresses are fixed here; the
// configuration may name another one for both (payment.api_bases), for tests and proxies.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pro/common/site.hpp"
#include "pro/google_calendar/google_calendar.hpp"
#include "shared/plugin/host_fetch.hpp"

namespace svc::pro::google_calendar {

inline constexpr std::string_view partner = "google_calendar";  // its name in payment.api_bases
inline constexpr std::string_view consent_page = "https://accounts.google.com/o/oauth2/v2/auth",
                                  token_host = "https://oauth2.googleapis.com", api_host = "https://www.googleapis.com";

// What an answer means for whoever asked.
enum class Outcome : std::uint8_t {
    done,          // 2xx
    gone,          // 404, 410: there is no such event or calendar
    exists,        // 409: an event has had this id, also one that was deleted
    unauthorized,  // 401: another access token is needed
    overloaded,    // 403 by a quota, 429, 5xx, no or a garbled answer: nothing is asked for a while
    refused        // any other: asking again does not help by itself
};

struct GoogleAnswer {
    Outcome outcome = Outcome::overloaded;
    int status = 0;         // 0: none
    json::Value body = {};  // null: no JSON
    std::string reason;     // a word of Google's, or a sentence about the line; holds no secret
    std::optional<std::chrono::seconds> retry_after = {};

    [[nodiscard]] bool is_done() const { return outcome == Outcome::done; }
    // The text of a member; empty when it is absent or no text.
    [[nodiscard]] std::string text(std::string_view name) const;
    // The same of a token; empty for what no header holds.
    [[nodiscard]] std::string token(std::string_view name) const;
    // How long a token of it lasts, a day at most; 0 where it does not say so as a number.
    [[nodiscard]] std::chrono::seconds lifetime() const;
};

using Form = std::vector<std::pair<std::string_view, std::string>>;

// A row of the log for each call. Never inside a transaction; any thread.
class Google {
  public:
    Google(const Site& site, plugin::FetchTwo& fetch) : site_(site), fetch_(fetch) {}

    // POST https://oauth2.googleapis.com/… as a form.
    [[nodiscard]] GoogleAnswer account(const std::string& path, const Form& form) const;
    // `path` below /calendar/v3, encoded, with its query; a null body is none.
    [[nodiscard]] GoogleAnswer calendar(std::string_view method, const std::string& path, const std::string& token,
                                        const json::Value& body = {}, const Subject& about = {}) const;

  private:
    [[nodiscard]] GoogleAnswer ask(plugin::FetchTwo::Request request, const Subject& about) const;

    const Site& site_;
    plugin::FetchTwo& fetch_;
};

// What an answer with this status and body means. Pure; for answers of Google alone.
Outcome outcome_of(int status, const json::Value& body);

}  // namespace svc::pro::google_calendar
