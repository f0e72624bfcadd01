// POST and GET /mailchimp/webhook/{token}.
#include "pro/mailchimp/receiver.hpp"

#include <algorithm>
#include <map>

#include "pro/crypto/hmac.hpp"
#include "shared/api/named.hpp"
#include "shared/core/text.hpp"

namespace svc::pro::mailchimp {
namespace {

using json::Value;

constexpr std::string_view place = "svc_mailchimp_state.secret";
constexpr std::size_t secret_bytes = 32, longest_body = 16 * 1024, most_members = 100, longest_email = 254;

std::optional<int> hex_digit(char c) {
    return c >= '0' && c <= '9'   ? std::optional(c - '0')
           : c >= 'a' && c <= 'f' ? std::optional(c - 'a' + 10)
           : c >= 'A' && c <= 'F' ? std::optional(c - 'A' + 10)
                                  : std::nullopt;
}

// Nothing for a text that is not encoded right.
std::optional<std::string> decoded(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            out += text[i] == '+' ? ' ' : text[i];
            continue;
        }
        const auto high = i + 2 < text.size() ? hex_digit(text[i + 1]) : std::nullopt,
                   low = i + 2 < text.size() ? hex_digit(text[i + 2]) : std::nullopt;
        if (!high || !low)
            return std::nullopt;
        out += static_cast<char>(*high * 16 + *low);
        i += 2;
    }
    return out;
}

std::map<std::string, std::string> form_of(std::string_view body) {
    std::map<std::string, std::string> form;
    while (!body.empty() && form.size() < most_members) {
        const auto end = std::min(body.find('&'), body.size());
        const std::string_view pair = body.substr(0, end);
        const auto sign = pair.find('=');
        if (sign != std::string_view::npos)
            if (auto name = decoded(pair.substr(0, sign)), value = decoded(pair.substr(sign + 1)); name && value)
                form.emplace(std::move(*name), std::move(*value));
        body.remove_prefix(std::min(end + 1, body.size()));
    }
    return form;
}

bool is_address(const std::string& text) {
    return !text.empty() && text.size() <= longest_email && text.find('@') != std::string::npos &&
           text.find_first_of(std::string_view("\0\r\n ", 4)) == std::string::npos && text::made_utf8(text) == text;
}

bool is_right(const Site& site, const api::Request& request) {
    const std::string secret = receiver_secret(site);
    return !secret.empty() && crypto::equal(secret, request.path.text_or("token"));
}

api::RouteSpec receiver_route(api::Method method, std::string summary) {
    api::RouteSpec spec{
        .method = method, .path = "/mailchimp/webhook/{token}", .who = api::Permission::everyone(), .handle = {}};
    spec.module = module_slug;
    spec.summary = std::move(summary);
    spec.errors = {&errc::not_found};
    spec.lane = api::Lane::webhook;
    // After a newsletter many leave at once; each is reported by a request of its own.
    spec.limit = {.burst = 600, .seconds = 60, .per = api::RateLimit::Per::address};
    spec.answer = api::object("MailchimpReport", {{.name = "received", .type = api::boolean(), .required = true}});
    return spec;
}

api::Reply received_reply() { return api::ok(Value::object({{"received", true}})); }

}  // namespace

const std::vector<store::SealedColumn>& sealed_columns() {
    static const std::vector<store::SealedColumn> all{
        {.table = "svc_mailchimp_state", .column = "secret", .bound_to = "'" + std::string(place) + "'"}};
    return all;
}

std::string new_secret() { return crypto::random_hex(secret_bytes); }

std::string sealed_secret(const Site& site, const std::string& secret) { return site.secrets.seal(secret, place); }

std::string receiver_secret(const Site& site) {
    const auto sealed =
        site.store.reading<std::string>([](store::Session& session) { return Repository::secret(session); });
    if (sealed.empty())
        return {};
    auto opened = site.secrets.open(sealed, place);
    return opened ? std::move(*opened) : std::string();
}

std::optional<Report> report_in(std::string_view body, Instant now) {
    const auto form = form_of(body);
    const auto member = [&](const char* name) {
        const auto found = form.find(name);
        return found == form.end() ? std::string() : found->second;
    };
    Report report{.kind = member("type"), .list_id = member("data[list_id]"), .email = {}, .received_at = now};
    if (report.kind != "subscribe" && report.kind != "unsubscribe" && report.kind != "cleaned" &&
        report.kind != "upemail")
        return std::nullopt;
    if (report.kind == "unsubscribe" && member("data[action]") == "delete")
        report.kind = "delete";
    const std::string email = member(report.kind == "upemail" ? "data[old_email]" : "data[email]");
    if (!is_address(email) || !is_list_id(report.list_id))
        return std::nullopt;
    report.email = text::folded(email);
    return report;
}

void add_receiver(const Site& site) {
    auto post =
        receiver_route(api::Method::post, "Take a report of Mailchimp: somebody unsubscribed, or an address is gone.");
    post.raw_body_only = true;
    post.raw_media = "application/x-www-form-urlencoded";
    post.body_limit = longest_body;
    post.keeps_replay = false;
    post.handle = [&site](const api::Request& request) -> api::Reply {
        if (!is_right(site, request))
            return api::failed(errc::not_found);
        // What cannot be used is taken too: Mailchimp would only send it again.
        if (const auto report = report_in(request.raw_body, request.now))
            SVC_RETURN_IF_ERROR(site.store.write([&](store::Transaction& tx) -> Result<void> {
                Repository::report(tx, *report);
                tx.after_commit([jobs = site.jobs] { jobs->wake(sync_job); });
                return {};
            }));
        return received_reply();
    };
    site.routes.add(std::move(post));
    auto get = receiver_route(api::Method::get, "Tell Mailchimp that this address takes its reports; changes nothing.");
    get.handle = [&site](const api::Request& request) -> api::Reply {
        return is_right(site, request) ? received_reply() : api::failed(errc::not_found);
    };
    site.routes.add(std::move(get));
}

}  // namespace svc::pro::mailchimp
