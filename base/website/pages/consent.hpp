// What a visitor allows of the scripts that count visits: asked once, kept in one cookie of theirs, read with each
// page.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shared/api/http.hpp"
#include "shared/pages/offered.hpp"

namespace svc::pages {

// A script that counts visits, of a partner or of the base itself.
struct Tag {
    OfferedTag offered;
    std::string script;              // its path
    bool only_shared_pages = false;  // not on a visitor's own pages
};
// The tags that are on, in the order in which pages have them; null: none. They live as long as the pages.
using TagsOn = std::shared_ptr<const std::vector<const Tag*>>;

inline constexpr std::string_view consent_cookie = "svc_consent";
inline constexpr int consent_seconds = 180 * 24 * 3600;

// The cookie's content: "1.10.facebook_pixel~google_analytics.1790000000" says that analytics was allowed, marketing
// refused, about which tags the visitor was asked, and when (seconds since 1970).
struct Decision {
    bool analytics = false, marketing = false;
    std::vector<std::string> about = {};
    std::int64_t at = 0;
};
std::optional<Decision> decision_in(std::string_view cookie);  // nothing: it is none
std::string to_cookie(const Decision& decision);

// What holds for the tags that are on. A decision that was made about fewer of them is none: the visitor is asked
// again, and until then nothing is allowed.
struct Consent {
    bool asks = false;                          // the visitor decides with this page
    bool analytics = false, marketing = false;  // allowed
    bool is_private = false;                    // Global Privacy Control: marketing is refused whatever was decided
    std::int64_t decided_at = 0;                // seconds since 1970; 0: never

    [[nodiscard]] bool any() const { return analytics || marketing; }
    [[nodiscard]] bool allows(std::string_view purpose) const {
        return purpose == "analytics" ? analytics : purpose == "marketing" && marketing;
    }
    // Pages for visitors with the same mark are the same.
    [[nodiscard]] char mark() const {
        return static_cast<char>('a' + (asks ? 1 : 0) + (analytics ? 2 : 0) + (marketing ? 4 : 0) +
                                 (asks && is_private ? 8 : 0));
    }
};
Consent consent_of(const TagsOn& tags, const HttpRequest& http, bool secure_cookies);
bool has_purpose(const TagsOn& tags, std::string_view purpose);

// A cookie of the browser by its whole name; empty: it has none.
std::string cookie_in(const HttpRequest& http, std::string_view name);
std::vector<std::string> cookie_names_in(const HttpRequest& http);

}  // namespace svc::pages
