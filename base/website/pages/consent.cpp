// Reads and writes the cookie of consent.
#include "base/website/pages/consent.hpp"

#include <algorithm>
#include <charconv>

#include "base/platform/limits/client_address.hpp"
#include "shared/core/ascii.hpp"

namespace svc::pages {
namespace {

// Cuts off the part before `mark`, or the rest.
std::string_view part_before(std::string_view& text, char mark) {
    const auto end = text.find(mark);
    const std::string_view part = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    return part;
}

bool is_flags(std::string_view text) {
    return text.size() == 2 && text.find_first_not_of("01") == std::string_view::npos;
}

// Global Privacy Control: the header "Sec-GPC: 1".
bool asks_for_privacy(const HttpRequest& http) {
    return std::any_of(http.headers.begin(), http.headers.end(), [](const HttpHeader& each) {
        return limits::same_name(each.first, "Sec-GPC") && ascii::trimmed(each.second) == "1";
    });
}

}  // namespace

std::optional<Decision> decision_in(std::string_view cookie) {
    constexpr std::size_t longest = 1000;
    constexpr std::int64_t last_second = 4'102'444'800;  // of this century
    if (cookie.size() > longest || part_before(cookie, '.') != "1")
        return std::nullopt;
    const std::string_view flags = part_before(cookie, '.');
    std::string_view about = part_before(cookie, '.');
    Decision decision;
    const auto [end, failure] = std::from_chars(cookie.data(), cookie.data() + cookie.size(), decision.at);
    if (!is_flags(flags) || failure != std::errc{} || end != cookie.data() + cookie.size() || decision.at <= 0 ||
        decision.at > last_second)
        return std::nullopt;
    decision.analytics = flags[0] == '1';
    decision.marketing = flags[1] == '1';
    while (!about.empty())
        decision.about.emplace_back(part_before(about, '~'));
    return decision;
}

std::string to_cookie(const Decision& decision) {
    std::string text = std::string("1.") + (decision.analytics ? '1' : '0') + (decision.marketing ? '1' : '0') + '.';
    for (const std::string& id : decision.about)
        text.append(text.ends_with('.') ? "" : "~").append(id);
    return text + '.' + std::to_string(decision.at);
}

bool has_purpose(const TagsOn& tags, std::string_view purpose) {
    return tags &&
           std::any_of(tags->begin(), tags->end(), [&](const Tag* tag) { return tag->offered.purpose == purpose; });
}

Consent consent_of(const TagsOn& tags, const HttpRequest& http, bool secure_cookies) {
    Consent consent;
    if (!tags)
        return consent;
    consent.is_private = asks_for_privacy(http);
    const auto decision = decision_in(cookie_in(http, (secure_cookies ? "__Host-" : "") + std::string(consent_cookie)));
    // A browser that asks for privacy has answered for marketing.
    const bool is_decided = std::all_of(tags->begin(), tags->end(), [&](const Tag* tag) {
        return (consent.is_private && tag->offered.purpose == "marketing") ||
               (decision &&
                std::find(decision->about.begin(), decision->about.end(), tag->offered.id) != decision->about.end());
    });
    consent.asks = !is_decided;
    if (!is_decided || !decision)
        return consent;
    consent.analytics = decision->analytics && has_purpose(tags, "analytics");
    consent.marketing = decision->marketing && has_purpose(tags, "marketing") && !consent.is_private;
    consent.decided_at = decision->at;
    return consent;
}

}  // namespace svc::pages
