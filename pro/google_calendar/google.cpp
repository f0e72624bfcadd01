// Asks, judges the answer, and writes the log.
#include "pro/google_calendar/google.hpp"

#include <algorithm>
#include <charconv>

#include "pro/common/partner_address.hpp"
#include "pro/google_calendar/calls.hpp"
#include "shared/core/text.hpp"
#include "shared/core/uri.hpp"

namespace svc::pro::google_calendar {
namespace {

using json::Value;
using std::chrono::seconds;

constexpr auto patience = std::chrono::milliseconds(10'000);
constexpr std::size_t most_answer = 1 << 20, longest_reason = 120;
// Google allows 600 a minute for each user; half of it is left to other programs of the account.
constexpr int calls_a_minute = 300;
constexpr auto longest_pause = std::chrono::hours(6);

// The word that says why: {"error": {"errors": [{"reason"}], "status"}}, of OAuth {"error": "invalid_grant"}.
std::string reason_of(const Value& body) {
    const Value& error = body["error"];
    if (error.is_string())
        return error.text();
    if (error["errors"].is_array() && error["errors"].size() > 0)
        if (const Value& reason = error["errors"][std::size_t{0}]["reason"]; reason.is_string())
            return reason.text();
    return error["status"].is_string() ? error["status"].text() : std::string();
}

// Letters, digits and the like: whatever else a server writes there is no reason.
std::string as_word(std::string_view text) {
    std::string word(text.substr(0, longest_reason));
    std::erase_if(word, [](char c) {
        return !((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || c == ' ' ||
                 c == '.' || c == '-');
    });
    return word;
}

std::optional<seconds> retry_after(const plugin::FetchTwo::Reply& reply) {
    for (const auto& [name, value] : reply.headers) {
        if (name != "retry-after")
            continue;
        std::int64_t count = 0;
        const auto [end, fault] = std::from_chars(value.data(), value.data() + value.size(), count);
        if (fault == std::errc() && end == value.data() + value.size() && count >= 0)
            return std::min<seconds>(seconds(count), longest_pause);
    }
    return std::nullopt;
}

// The path without the id of the calendar, which may be somebody's address.
std::string shown_path(const std::string& url) {
    constexpr std::string_view before = "/calendars/";
    const auto host_end = url.find('/', url.find("://") + 3);
    std::string path = url.substr(host_end, url.find('?') - host_end);
    if (const auto at = path.find(before); at != std::string::npos) {
        const auto from = at + before.size();
        path.replace(from, std::min(path.find('/', from), path.size()) - from, "{calendar}");
    }
    return path;
}

}  // namespace

std::string GoogleAnswer::text(std::string_view name) const {
    const Value& value = body[name];
    return value.is_string() ? value.text() : std::string();
}

std::string GoogleAnswer::token(std::string_view name) const {
    constexpr std::size_t longest_token = 8000;
    std::string token = text(name);
    const bool is_one = token.size() <= longest_token &&
                        std::all_of(token.begin(), token.end(), [](char c) { return c > ' ' && c < 0x7f; });
    return is_one ? token : std::string();
}

seconds GoogleAnswer::lifetime() const {
    constexpr std::int64_t longest = 24 * 3600;
    const Value& value = body["expires_in"];
    std::int64_t count = 0;
    if (value.is_number()) {  // 3599.0 too: the digits before the point
        const std::string& text = value.number_text();
        if (std::from_chars(text.data(), text.data() + text.size(), count).ec != std::errc())
            count = 0;
    }
    return seconds(std::clamp<std::int64_t>(count, 0, longest));
}

Outcome outcome_of(int status, const Value& body) {
    if (status >= 200 && status < 300)
        return Outcome::done;
    if (status == 404 || status == 410)
        return Outcome::gone;
    if (status == 409)
        return Outcome::exists;
    if (status == 401)
        return Outcome::unauthorized;
    if (status == 429 || status >= 500)
        return Outcome::overloaded;
    if (status == 403) {
        const std::string reason = reason_of(body);
        for (const std::string_view quota :
             {"rateLimitExceeded", "userRateLimitExceeded", "quotaExceeded", "RESOURCE_EXHAUSTED"})
            if (reason == quota)
                return Outcome::overloaded;
    }
    return Outcome::refused;
}

GoogleAnswer Google::account(const std::string& path, const Form& form) const {
    std::string body;
    for (const auto& [name, value] : form)
        body += (body.empty() ? "" : "&") + std::string(name) + "=" + text::uri_component(value);
    plugin::FetchTwo::Request request;
    request.method = "POST";
    request.url = partner_address(site_, partner, token_host) + path;
    request.headers = {{"Content-Type", "application/x-www-form-urlencoded"}, {"Accept", "application/json"}};
    request.body = std::move(body);
    auto answer = ask(std::move(request), {});
    // Here 401 is about the client's secret, and no token helps.
    if (answer.outcome == Outcome::unauthorized)
        answer.outcome = Outcome::refused;
    return answer;
}

GoogleAnswer Google::calendar(std::string_view method, const std::string& path, const std::string& token,
                              const Value& body, const Subject& about) const {
    plugin::FetchTwo::Request request;
    request.method = method;
    request.url = partner_address(site_, partner, api_host) + "/calendar/v3" + path;
    request.headers = {{"Authorization", "Bearer " + token}, {"Accept", "application/json"}};
    if (!body.is_null()) {
        request.headers.emplace_back("Content-Type", "application/json");
        request.body = body.dump();
    }
    return ask(std::move(request), about);
}

GoogleAnswer Google::ask(plugin::FetchTwo::Request request, const Subject& about) const {
    request.timeout = patience;
    request.limit = most_answer;
    request.host_burst = calls_a_minute;
    request.host_per = std::chrono::minutes(1);
    Call call{.method = request.method, .path = shown_path(request.url), .about = about};
    const auto began = std::chrono::steady_clock::now();
    const auto reply = fetch_(request);
    call.duration = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - began);
    GoogleAnswer answer;
    if (!reply) {
        const Error& error = reply.error();
        answer.reason = as_word(error.cause().empty() ? error.message().english() : error.cause());
        if (error.retry_after())
            answer.retry_after = seconds(*error.retry_after());
    } else {
        answer.status = reply->status;
        answer.retry_after = retry_after(*reply);
        if (auto body = json::parse(reply->body); body && body->is_object())
            answer.body = std::move(*body);
        answer.outcome = outcome_of(answer.status, answer.body);
        if (!answer.is_done())
            answer.reason = as_word(reason_of(answer.body));
        // A proxy's page with status 200 is no answer of Google. Deletions and revocations have none.
        const bool has_answer = request.method != "DELETE" && !request.url.ends_with("/revoke");
        if (answer.is_done() && has_answer && answer.body.is_null()) {
            answer.outcome = Outcome::overloaded;
            answer.reason = "no JSON";
        }
    }
    call.status = answer.status;
    call.error = answer.reason;
    keep_call(site_, call);
    return answer;
}

}  // namespace svc::pro::google_calendar
