// Settings, hooks and the question to reCAPTCHA.
#include "base/people/identity/human_check.hpp"

#include <algorithm>

#include "base/people/identity/provider_script.hpp"
#include "shared/core/log.hpp"
#include "shared/core/uri.hpp"

namespace svc::identity {
namespace {

const hooks::Filter protects_form{"svc_recaptcha_protects_form",
                                  "Whether a form (booking, enquiry, registration) requires reCAPTCHA.",
                                  json::Kind::boolean,
                                  {"form"}};
const hooks::Filter score_threshold{
    "svc_recaptcha_score_threshold", "Minimum reCAPTCHA score, 0 to 1.", json::Kind::number, {"form"}};

constexpr std::size_t longest_token = 4096;

// In millionths, enough for scores and percentages; empty for an invalid number.
std::optional<std::int64_t> millionths(const json::Value& number) {
    if (!number.is_number())
        return std::nullopt;
    const auto rate = Rate::parse_percent(number.number_text());
    return rate ? std::optional(rate->ppm * 100) : std::nullopt;
}

Result<void> check_script(const json::Value& value) {
    if (origin_of_script(value.text()).empty())
        return Error{errc::validation_error, "Enter a script's https:// or http:// address without a query."_sentence};
    return {};
}

}  // namespace

std::string origin_of_script(std::string_view address) {
    const std::size_t scheme = address.starts_with("https://") ? 8 : address.starts_with("http://") ? 7 : 0;
    const auto slash = address.find('/', scheme);
    const auto host = address.substr(scheme, slash == std::string_view::npos ? slash : slash - scheme);
    const bool is_plain = std::all_of(address.begin(), address.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view("-._~/:").find(c) != std::string_view::npos;
    });
    return scheme == 0 || slash == std::string_view::npos || host.empty() || !is_plain
               ? std::string()
               : std::string(address.substr(0, slash));
}

void declare_human_check(settings::Settings& settings, hooks::Hooks& hooks) {
    hooks.declare(protects_form);
    hooks.declare(score_threshold);
    const auto flag = [&](const char* key, const char* help) {
        settings.declare({.key = key, .type = api::boolean(), .initial = false, .help = help, .group = "integration"});
    };
    flag("recaptcha_enabled", "Protect forms with reCAPTCHA.");
    flag("recaptcha_protect_booking", "Protect booking.");
    flag("recaptcha_protect_enquiry", "Protect enquiries.");
    flag("recaptcha_protect_registration", "Protect registration.");
    settings.declare({.key = "recaptcha_site_key",
                      .type = api::text(200),
                      .initial = "",
                      .help = "Site key of reCAPTCHA version 3.",
                      .group = "integration"});
    settings.declare({.key = "recaptcha_secret_key",
                      .type = api::text(200),
                      .initial = "",
                      .help = "reCAPTCHA secret key; enter it again when changing"
                              " recaptcha_verify_url.",
                      .group = "integration",
                      .secret = true});
    settings.declare({.key = "recaptcha_score_threshold",
                      .type = api::decimal(0, 1),
                      .initial = json::Value(Rate{5000}),
                      .help = "Minimum reCAPTCHA score, 0 to 1.",
                      .group = "integration"});
    settings.declare({.key = "recaptcha_verify_url",
                      .type = api::text(500, 1),
                      .initial = "https://www.google.com/recaptcha/api/siteverify",
                      .help = "Address that verifies reCAPTCHA tokens.",
                      .group = "integration"});
    settings.declare({.key = "recaptcha_script_url",
                      .type = api::text(500, 1),
                      .initial = "https://www.google.com/recaptcha/api.js",
                      .help =
                          "Script of reCAPTCHA that pages with protected forms load; where Google cannot be reached,"
                          " https://www.recaptcha.net/recaptcha/api.js.",
                      .group = "integration",
                      .also_checks = check_script});
}

bool HumanCheck::protects(std::string_view form) const {
    const bool is_on = settings_.flag("recaptcha_enabled") && settings_.flag("recaptcha_protect_" + std::string(form));
    return hooks_.apply(protects_form, is_on, {form}).boolean();
}

Result<void> HumanCheck::check(std::string_view form, const std::string& token, const std::string& address) const {
    if (!protects(form))
        return {};
    const Error refused =
        Error{errc::recaptcha_failed}.at("recaptcha_token", SentenceId{errc::recaptcha_failed.sentence});
    const std::string secret = settings_.text("recaptcha_secret_key");
    if (token.empty() || token.size() > longest_token || secret.empty())
        return refused;
    const auto answer =
        fetch_({.url = settings_.text("recaptcha_verify_url"),
                .method = "POST",
                .headers = {{"Content-Type", "application/x-www-form-urlencoded"}},
                .body = "secret=" + text::uri_component(secret) + "&response=" + text::uri_component(token) +
                        "&remoteip=" + text::uri_component(address),
                .most_bytes = 64 * 1024});
    const auto response =
        answer && answer->status == 200 ? json::parse(answer->body) : Result<json::Value>(errc::recaptcha_failed);
    if (!response) {
        log::warning("recaptcha_unanswered", {{"form", form}});
        return refused;
    }
    if (!(*response)["success"].is_boolean() || !(*response)["success"].boolean())
        return refused;
    // Version 2 has no score; passing it is enough.
    const auto score = millionths((*response)["score"]);
    const auto least = millionths(hooks_.apply(score_threshold, settings_.get("recaptcha_score_threshold"), {form}));
    if ((*response).find("score") && (!score || !least || *score < *least))
        return refused;
    return {};
}

}  // namespace svc::identity
