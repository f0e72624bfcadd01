// Reads Mailchimp's answers: problem documents (RFC 7807) for errors.
#include "pro/mailchimp/client.hpp"

#include <algorithm>
#include <charconv>

#include "pro/crypto/hmac.hpp"
#include "pro/crypto/md5.hpp"
#include "shared/core/text.hpp"

namespace svc::pro::mailchimp {
namespace {

using json::Value;

constexpr auto patience = std::chrono::milliseconds(10'000);
constexpr std::size_t longest_answer = 1 << 20, longest_detail = 400;
// Mailchimp bears ten requests at a time; the threads of the job are fewer, and this bounds a run-away.
constexpr int most_requests = 900;
constexpr auto in_a_time = std::chrono::seconds(60);
constexpr auto longest_wait = std::chrono::hours(24);

std::optional<std::chrono::seconds> retry_after(const plugin::FetchReply& reply) {
    for (const auto& [name, value] : reply.headers) {
        std::int64_t seconds = 0;
        if (name != "retry-after")
            continue;
        const auto [end, fault] = std::from_chars(value.data(), value.data() + value.size(), seconds);
        if (fault == std::errc() && end == value.data() + value.size() && seconds >= 0)
            return std::min<std::chrono::seconds>(std::chrono::seconds(seconds), longest_wait);
    }
    return std::nullopt;
}

// Their words with those on single fields.
std::string detail_of(const Value& problem) {
    std::string detail = text_of(problem, "detail");
    if (detail.empty())
        detail = text_of(problem, "title");
    if (const Value& errors = problem["errors"]; errors.is_array())
        for (const Value& each : errors.items())
            detail += " " + text_of(each, "field") + ": " + text_of(each, "message");
    detail = text::made_utf8(detail.substr(0, longest_detail));
    std::erase(detail, '\0');  // no column holds it
    return detail;
}

Outcome outcome_of_refusal(int status, const std::string& title) {
    if (status == 401 || status == 403)
        return Outcome::key;
    if (status == 404)
        return Outcome::gone;
    if (status == 429)
        return Outcome::throttled;
    if (status < 400 || status >= 500 || status == 408)
        return Outcome::unavailable;
    if (title == "Member Exists")
        return Outcome::exists;
    if (title == "Member In Compliance State" || title == "Forgotten Email Not Subscribed")
        return Outcome::compliance;
    return Outcome::rejected;
}

Answer read(const plugin::FetchReply& reply) {
    Answer answer{.status = reply.status, .retry_after = retry_after(reply)};
    const bool is_good = reply.status >= 200 && reply.status < 300;
    if (is_good && reply.body.empty()) {
        answer.outcome = Outcome::done;
        return answer;
    }
    auto body = json::parse(reply.body, {.depth = 32, .elements = 50'000, .text = 64 * 1024});
    const bool is_readable = body && body->is_object();
    if (is_readable)
        answer.body = std::move(*body);
    if (is_good) {
        answer.outcome = is_readable ? Outcome::done : Outcome::garbled;
        answer.detail = is_readable ? std::string() : "The answer was no JSON.";
        return answer;
    }
    answer.outcome = outcome_of_refusal(reply.status, text_of(answer.body, "title"));
    answer.detail = detail_of(answer.body);
    if (answer.detail.empty())
        answer.detail = "Mailchimp answered " + std::to_string(reply.status) + ".";
    return answer;
}

std::string at_list(const std::string& list_id) { return "/lists/" + list_id; }
std::string at_member(const std::string& list_id, const std::string& hash) {
    return at_list(list_id) + "/members/" + hash;
}

}  // namespace

std::string text_of(const json::Value& object, std::string_view name) {
    const json::Value& member = object[name];
    return member.is_string() ? member.text() : std::string();
}

std::int64_t count_of(const json::Value& object, std::string_view name) {
    const json::Value& member = object[name];
    if (!member.is_number())
        return 0;
    const std::string& text = member.number_text();
    std::int64_t count = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), count);
    return fault == std::errc() && end == text.data() + text.size() && count > 0 ? count : 0;
}

std::string member_hash(std::string_view email) { return crypto::md5_hex(text::folded(email)); }

Answer Client::ask(const std::string& key, const char* method, const std::string& path, const Value& body) const {
    const std::string centre = data_centre_of(key);
    if (centre.empty())
        return {.outcome = Outcome::key, .detail = "The key does not end with a data centre, such as -us19."};
    plugin::FetchTwo::Request request;
    request.method = method;
    request.url = address_("https://" + centre + ".api.mailchimp.com") + "/3.0" + path;
    request.headers = {{"Authorization", "Basic " + crypto::base64("svc:" + key)}, {"Accept", "application/json"}};
    if (!body.is_null()) {
        request.headers.emplace_back("Content-Type", "application/json");
        request.body = body.dump();
    }
    request.timeout = patience;
    request.limit = longest_answer;
    request.host_burst = most_requests;
    request.host_per = in_a_time;
    const auto reply = send_(request);
    if (reply)
        return read(*reply);
    const Error& fault = reply.error();
    return {.outcome = fault.code().name == errc::rate_limited.name ? Outcome::throttled : Outcome::unavailable,
            .detail = fault.cause().empty() ? fault.message().english() : fault.cause()};
}

Answer Client::ask_about(const std::string& key, const char* method, const std::string& list_id,
                         const std::string& email, const Value& body, const char* query) const {
    Answer answer = ask(key, method, at_member(list_id, member_hash(email)) + query, body);
    if (answer.outcome == Outcome::done &&
        (text::folded(text_of(answer.body, "email_address")) != text::folded(email) ||
         text_of(answer.body, "list_id") != list_id)) {
        answer.outcome = Outcome::garbled;
        answer.detail = "The answer was about another contact.";
    }
    return answer;
}

Answer Client::account(const std::string& key) const { return ask(key, "GET", "/?fields=account_id,account_name"); }

Answer Client::lists(const std::string& key) const {
    return ask(key, "GET", "/lists?count=1000&fields=lists.id,lists.name,lists.stats.member_count");
}

Answer Client::list(const std::string& key, const std::string& list_id) const {
    return ask(key, "GET", at_list(list_id) + "?fields=id,name");
}

Answer Client::merge_fields(const std::string& key, const std::string& list_id) const {
    return ask(key, "GET",
               at_list(list_id) +
                   "/merge-fields?count=1000&fields=merge_fields.tag,merge_fields.name,"
                   "merge_fields.type,merge_fields.required");
}

Answer Client::upsert(const std::string& key, const std::string& list_id, const std::string& email,
                      const Value& body) const {
    // A merge field that the audience requires and we have no value for must not keep anybody out.
    return ask_about(key, "PUT", list_id, email, body, "?skip_merge_validation=true");
}

Answer Client::change(const std::string& key, const std::string& list_id, const std::string& email,
                      const Value& body) const {
    return ask_about(key, "PATCH", list_id, email, body, "?skip_merge_validation=true");
}

Answer Client::set_tags(const std::string& key, const std::string& list_id, const std::string& email,
                        const Value& tags) const {
    return ask(key, "POST", at_member(list_id, member_hash(email)) + "/tags", Value::object({{"tags", tags}}));
}

Answer Client::archive(const std::string& key, const std::string& list_id, const std::string& hash) const {
    return ask(key, "DELETE", at_member(list_id, hash));
}

Answer Client::forget(const std::string& key, const std::string& list_id, const std::string& hash) const {
    return ask(key, "POST", at_member(list_id, hash) + "/actions/delete-permanent");
}

Error error_of(const Answer& answer) {
    const auto because = [&](Error error) { return error.because(answer.detail); };
    switch (answer.outcome) {
        case Outcome::key:
            return because({integration_auth_failed,
                            "Mailchimp does not accept this key: {detail}"_sentence.with("detail", answer.detail)});
        case Outcome::throttled:
            return because(
                {errc::upstream_error, "Mailchimp takes no more requests at present. Try again later."_sentence});
        case Outcome::garbled:
            return because(
                {errc::upstream_error, "Mailchimp sent an answer that cannot be read. Try again later."_sentence});
        case Outcome::gone:
            return because({errc::not_found, "The account of this key has no such audience."_sentence});
        case Outcome::unavailable:
            return because(
                {errc::upstream_error, answer.status == 0
                                           ? "Mailchimp did not answer: {detail}"_sentence.with("detail", answer.detail)
                                           : "Mailchimp is out of order at present. Try again later."_sentence});
        default:
            return because(
                {errc::upstream_error, "Mailchimp refused this: {detail}"_sentence.with("detail", answer.detail)});
    }
}

}  // namespace svc::pro::mailchimp
