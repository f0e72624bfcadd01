// The licence server's protocol.
#include "pro/license/server.hpp"

#include "pro/crypto/signature.hpp"
#include "pro/license/hooks.hpp"
#include "pro/license/public_key.hpp"
#include "shared/api/schema.hpp"

namespace svc::pro::license {
namespace {

constexpr std::chrono::milliseconds patience{8000};
constexpr std::size_t longest_answer = 64 * 1024;
constexpr std::string_view signature_header = "x-svc-signature";

Error unanswered(std::string cause) {
    return Error(errc::upstream_error, "The licence server could not be reached. Try again later."_sentence)
        .because(std::move(cause));
}

const api::Schema& plan_schema() {
    static const api::Schema schema{
        {.name = "name", .type = api::text(100)},
        {.name = "tier", .type = api::choice({"personal", "growth", "agency"}), .required = true},
        {.name = "is_lifetime", .type = api::boolean(), .otherwise = json::Value(false)}};
    return schema;
}

const api::Schema& terms_schema() {
    const auto count = api::integer(0, 1'000'000).or_null();
    static const api::Schema schema{{.name = "status",
                                     .type = api::choice({"inactive", "active", "expired", "disabled", "invalid"}),
                                     .required = true},
                                    {.name = "expires_at", .type = api::instant().or_null()},
                                    {.name = "customer_name", .type = api::text(200)},
                                    {.name = "customer_email", .type = api::email().or_null()},
                                    {.name = "license_limit", .type = count},
                                    {.name = "site_count", .type = count},
                                    {.name = "activations_left", .type = count},
                                    {.name = "price_id", .type = count},
                                    {.name = "plan", .type = api::object(plan_schema())}};
    return schema;
}

Result<Terms> terms_from(const json::Value& given, Instant now) {
    const auto checked = terms_schema().check(given);
    if (!checked)
        return unanswered("The licence server's terms do not fit: " + checked.error().fields().front().field);
    const auto& value = *checked;
    Terms terms{.status = value["status"].text()};
    if (const auto expires = value.maybe_text("expires_at"))
        terms.expires_at = Instant::parse(*expires);
    terms.customer_name = value.text_or("customer_name");
    terms.customer_email = value.text_or("customer_email");
    terms.license_limit = value.maybe_integer("license_limit");
    terms.site_count = value.maybe_integer("site_count");
    terms.activations_left = value.maybe_integer("activations_left");
    terms.price_id = value.maybe_integer("price_id");
    if (const auto& plan = value["plan"]; plan.is_object()) {
        terms.plan_name = plan.text_or("name");
        terms.plan_tier = plan.text_or("tier");
        terms.is_lifetime = plan.maybe_boolean("is_lifetime").value_or(false);
    }
    // A server that calls a licence active past its own end contradicts itself.
    if (terms.status == status::active && terms.expires_at && *terms.expires_at <= now)
        terms.status = status::expired;
    return terms;
}

// Empty when there is none or more than one.
std::string signature_of(const plugin::FetchReply& reply) {
    std::string found;
    for (const auto& [name, value] : reply.headers) {
        const bool same = std::equal(name.begin(), name.end(), signature_header.begin(), signature_header.end(),
                                     [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a + 32 : a) == b; });
        if (same && !found.empty())
            return {};
        if (same)
            found = value;
    }
    return found;
}

}  // namespace

Result<std::string> Server::address() const {
    auto url =
        host_.hooks().apply(license_store_url, host_.need<plugin::Settings>().get("license_store_url"), {}).text();
    if (url.empty())
        return Error(errc::upstream_error, "No licence server is configured. Set license_store_url."_sentence);
    if (!url.starts_with("https://"))
        return unanswered("The address of the licence server must begin with https://.");
    return url;
}

std::string Server::origin() const {
    const auto url = address();
    if (!url)
        return {};
    return url->substr(0, url->find_first_of("/?#", std::string_view("https://").size()));
}

Result<Answer> Server::ask(std::string_view action, const std::string& key, const std::string& site_id,
                           Instant now) const {
    const auto* fetch = host_.find<plugin::Fetch>();
    if (!fetch)
        return unanswered("The base has no svc.fetch/1.");
    SVC_ASSIGN_OR_RETURN(const auto url, address());
    const auto nonce = random_id();
    const auto item = host_.hooks().apply(license_item_id, json::Value("svc-pro"), {});
    const auto reply = (*fetch)(
        {.method = "POST",
         .url = url,
         .headers = {{"Content-Type", "application/json"}, {"Accept", "application/json"}},
         .body =
             json::Value::object(
                 {{"action", action}, {"license_key", key}, {"item_id", item}, {"site_id", site_id}, {"nonce", nonce}})
                 .dump(),
         .timeout = patience,
         .limit = longest_answer});
    if (!reply)
        return unanswered(reply.error().cause().empty() ? reply.error().message().english() : reply.error().cause());
    if (reply->status != 200)
        return unanswered("The licence server answered " + std::to_string(reply->status) + ".");
    if (!crypto::is_signed(reply->body, signature_of(*reply), public_key()))
        return unanswered(public_key().empty()
                              ? "This build has no public key of a licence server. Install an official build."
                              : "The licence server's answer has an invalid signature.");
    const auto body = json::parse(reply->body);
    if (!body || !body->is_object() || !(*body)["result"].is_string() || body->text_or("nonce") != nonce)
        return unanswered("The licence server sent an invalid answer.");
    const auto& result = (*body)["result"].text();
    if (result == invalid_license.name)
        return invalid_license;
    if (result == activation_limit.name)
        return activation_limit;
    if (result != "ok")
        return unanswered("The licence server sent an unknown result.");
    SVC_ASSIGN_OR_RETURN(auto terms, terms_from((*body)["license"], now));
    return Answer{std::move(terms), reply->body};
}

}  // namespace svc::pro::license
