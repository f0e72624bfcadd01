// Tokens are sealed addresses, so that no table of links is needed.
#include "pro/email_automation/unsubscribe.hpp"

#include <algorithm>
#include <span>

#include "pro/common/sent_text.hpp"
#include "pro/email_automation/email_template.hpp"
#include "pro/email_automation/suppressions.hpp"
#include "shared/api/named.hpp"
#include "shared/core/embedded.hpp"
#include "shared/core/mailbox.hpp"

namespace svc::embedded {
std::span<const Embedded> pro_pages();
}

namespace svc::pro::email_automation {
namespace {

using json::Value;

constexpr std::string_view place = "svc_email_suppressions.mailbox";
constexpr std::size_t longest_token = 1000;

std::string template_named(std::string_view name) {
    for (const Embedded& each : embedded::pro_pages())
        if (each.name == name)
            return std::string(each.text);
    throw plugin::Refused("The template " + std::string(name) + " is missing.");
}

Result<void> set(const Site& site, const std::string& mailbox, bool is_out) {
    return site.store.write([&, now = site.clock.now()](store::Transaction& tx) -> Result<void> {
        if (is_out)
            static_cast<void>(Suppressions::add(tx, mailbox, "link", now));
        else
            Suppressions::remove(tx, mailbox);
        return {};
    });
}

Result<Value> page_model(const Site& site, const Value& request) {
    const auto mailbox = mailbox_of_token(site, request["names"].text_or("token"));
    if (!mailbox)
        return errc::not_found;
    if (request.text_or("method") == "POST") {
        SVC_RETURN_IF_ERROR(set(site, *mailbox, sent_text(request["form"], "again") != "1"));
        return Value::object({{"go", request.text_or("path")}});
    }
    const bool is_out =
        site.store.reading<bool>([&](store::Session& session) { return Suppressions::has(session, *mailbox); });
    return Value::object(
        {{"title", "News by e-mail"}, {"model", Value::object({{"mailbox", *mailbox}, {"is_out", is_out}})}});
}

api::RouteSpec route(api::Method method, std::string summary) {
    api::RouteSpec spec{
        .method = method, .path = "/email-unsubscribe/{token}", .who = api::Permission::everyone(), .handle = {}};
    spec.module = std::string(module_slug);
    spec.summary = std::move(summary);
    spec.errors = {&errc::not_found};
    spec.limit = {.burst = 30, .seconds = 60, .per = api::RateLimit::Per::address};
    return spec;
}

}  // namespace

// Base64 has three signs that a path takes no part of.
std::string unsubscribe_token(const Site& site, const std::string& email) {
    std::string token = site.secrets.seal(mailbox_key(email), place);
    std::replace(token.begin(), token.end(), '+', '-');
    std::replace(token.begin(), token.end(), '/', '_');
    token.erase(token.find_last_not_of('=') + 1);
    return token;
}

std::optional<std::string> mailbox_of_token(const Site& site, std::string_view token) {
    const auto begin = token.rfind('.');
    if (begin == std::string_view::npos || token.size() > longest_token)
        return std::nullopt;
    std::string box(token.substr(begin + 1));
    std::replace(box.begin(), box.end(), '-', '+');
    std::replace(box.begin(), box.end(), '_', '/');
    box.append((4 - box.size() % 4) % 4, '=');
    auto opened = site.secrets.open(std::string(token.substr(0, begin + 1)) + box, place);
    return opened ? std::optional(std::move(*opened)) : std::nullopt;
}

pages::OfferedPage unsubscribe_page(const Site& site) {
    return {.path = "/unsubscribe/{token}",
            .type = "unsubscribe",
            .template_source = template_named("unsubscribe.html"),
            .module = std::string(module_slug),
            .takes_forms = true,
            .show = [&site](const Value& request) { return page_model(site, request); }};
}

void add_unsubscribe_routes(const Site& site) {
    // What mail programs send has no session and no origin; the token alone tells whose mailbox it is.
    auto post = route(api::Method::post, "End marketing for the mailbox that the link was sent to (RFC 8058).");
    post.raw_body_only = true;
    post.raw_media = "application/x-www-form-urlencoded";
    post.body_limit = 4096;
    post.keeps_replay = false;
    post.answer = api::object("Unsubscribed", {{.name = "unsubscribed", .type = api::boolean(), .required = true}});
    post.handle = [&site](const api::Request& request) -> api::Reply {
        const auto mailbox = mailbox_of_token(site, request.path.text_or("token"));
        if (!mailbox)
            return api::failed(errc::not_found);
        SVC_RETURN_IF_ERROR(set(site, *mailbox, true));
        return api::ok(Value::object({{"unsubscribed", true}}));
    };
    site.routes.add(std::move(post));
    // Mail programs that know no such POST open the address.
    auto get = route(api::Method::get, "Lead to the page that ends marketing; changes nothing.");
    get.enveloped = false;
    get.success = 302;
    get.handle = [&site](const api::Request& request) -> api::Reply {
        const std::string token = request.path.text_or("token");
        if (!mailbox_of_token(site, token))
            return api::failed(errc::not_found);
        api::Reply reply;
        reply.status = 302;
        reply.raw = std::make_shared<const std::string>();
        reply.headers.emplace_back("Location", "/unsubscribe/" + token);
        reply.headers.emplace_back("Cache-Control", "no-store");
        return reply;
    };
    site.routes.add(std::move(get));
}

}  // namespace svc::pro::email_automation
