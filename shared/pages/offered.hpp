// The contributions of a partner of the site, such as a plugin, to its pages.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "shared/core/result.hpp"
#include "shared/json/value.hpp"
#include "shared/pages/origins.hpp"

namespace svc::pages {

// A page of a partner. The base renders it in the site's layout, with the content security policy and the form
// protection of its own pages. It caches only a page that says so.
struct OfferedPage {
    std::string path;             // "/consent/{token}"; a parameter matches one segment, the first segment is a word
    std::string type;             // of its template and its body class; a theme's file svc/{type}.html replaces it
    std::string template_source;  // mustache, as files of the theme
    std::string module = {};      // without that module there is no page
    bool takes_forms = false;     // POST reaches `show` too, sent from this site
    // The same for all visitors: the base keeps it for a second, browsers by its ETag, and tags count its visits. Its
    // request names nobody, except with ?preview=1, which is never kept. No page with forms or of the account; an older
    // base makes it anew for each visitor.
    bool is_shared = false;
    Origins origins = {};
    // Any thread; may wait. The request: {"method", "path", "names" {…}, "query" {…}, "form" {…}, "user_id" (0:
    // nobody), "address", "agent"}. The answer: {"model" {…}, "title", "status" (200), "go" (303 to that address),
    // "language" of the page, "trips": rows as in GET /trips/public, which {{> part-cards}} shows as the site's cards,
    // "head" for search engines: {"description", "canonical" (a path), "image", "is_indexed" (false)}; an older base
    // ignores the last three}. Members of the model may be {"date"}, {"moment"}, {"amount", "currency"}, {"sentence"},
    // {"html"} (without what acts in a browser, for names that end in _html) and {"cards": rows as "trips"}.
    // svc_not_found shows the page for that; any other error its sentence.
    std::function<Result<json::Value>(const json::Value& request)> show = {};
    // Set: a page of the account. `path` is one word then, "payments", below the account's base; only signed-in
    // visitors reach it, and the account's menu leads to it by these words (English; in the site's language where the
    // base's catalogue has them). The page shows the template next to the menu.
    std::string account_label = {};
};

// A file for partners' pages, served by the name of its content. Pages get its address as {{assets.NAME}}, where every
// character of the name but letters and digits is an underscore.
struct OfferedAsset {
    std::string name;  // "consent.js"; ends in .js, .css or .svg
    std::string text;
};

// A tag: a script of a partner that counts visits. It stands only on pages of visitors who allowed its purpose; the
// base asks them, and its banner and its page of choices name the tag. Nothing of it is sent to anybody else.
struct OfferedTag {
    std::string id;           // a word, "google_analytics"; the module's own may replace a tag of the base with that id
    std::string name;         // as visitors read it, "Google Analytics"
    std::string purpose;      // "analytics" or "marketing"
    std::string asset;        // the script: a file of add(OfferedAsset), "analytics.js"
    std::string module = {};  // without that module there is no tag
    Origins origins = {};     // what the script needs, named by the policy of pages where it stands
    // Cookies that it sets, by name or by their beginning, "_ga*": listed to visitors, deleted when they refuse.
    std::vector<std::string> cookies = {};
    // Any thread; is asked while a page is made, which may be kept for a second. The request: {"page" (its type),
    // "language", "allowed" {"analytics", "marketing"}, "facts" {…}}; which facts a page has: svc_pages.h. The answer:
    // what the script reads as JSON; null: the tag is not on this page.
    std::function<Result<json::Value>(const json::Value& request)> configure = {};
};

}  // namespace svc::pages
