// Writes the frame around the bundle.
#include "base/admin/frame.hpp"

#include <memory>

#include "base/platform/html/html.hpp"
#include "shared/api/public_answer.hpp"

namespace svc::admin {
namespace {

// Returns " http://shop.example" for "http://shop.example/path": the origin of the site's own pictures, for an admin
// that is opened at another address. Empty for https, which the policy allows anyway, and for characters that could end
// the policy.
std::string plain_origin(const std::string& site_url) {
    constexpr std::string_view scheme = "http://";
    if (!site_url.starts_with(scheme))
        return {};
    const std::string origin = site_url.substr(0, site_url.find('/', scheme.size()));
    return origin.find_first_of("\"';, ") == std::string::npos ? " " + origin : std::string();
}

// Previews of e-mails are sandboxed frames, which inherit this policy, and e-mails have their styles inline.
std::string policy(const std::string& site_url) {
    return "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob: "
           "https:" +
           plain_origin(site_url) +
           "; font-src 'self'; connect-src 'self'; frame-src 'self' blob:; manifest-src 'self'; form-action 'self'; "
           "frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'; "
           "trusted-types svc ProseMirrorClipboard";
}

std::string head(const assets::Assets& assets, std::string_view style, const std::string& language) {
    return "<!doctype html>\n<html lang=\"" + html::escaped(language) +
           "\"><head><meta charset=\"utf-8\">"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
           "<meta name=\"color-scheme\" content=\"light dark\"><meta name=\"robots\" content=\"noindex\">"
           "<title>svc admin</title>"
           "<link rel=\"icon\" type=\"image/svg+xml\" href=\"" +
           assets.path("admin/icon.svg") + "\"><link rel=\"stylesheet\" href=\"" + assets.path(style) + "\">";
}

std::string explanation(const assets::Assets& assets) {
    return head(assets, "admin/notice.css", "en") +
           "</head><body><main><h1>The admin is not part of this build</h1>"
           "<p>The server was built without its web bundle: <code>npm</code> was missing, or "
           "<code>-DSVC_WEB=OFF</code> was set. The interface and the site work without it.</p>"
           "<p>Install <code>nodejs</code> and <code>npm</code> (Debian 12 has both), then run "
           "<code>cmake --preset release -DSVC_WEB=ON</code> and <code>make run</code>.</p></main></body></html>\n";
}

}  // namespace

bool is_address(std::string_view path) { return path == "/admin" || path.starts_with("/admin/"); }

api::Reply frame(const assets::Assets& assets, const FramedSite& site, const std::string& version,
                 const std::function<std::string_view(std::string_view)>& header) {
    const bool is_built = assets.has("admin/admin.js");
    std::string page;
    if (is_built)
        page = head(assets, "admin/admin.css", site.language) + "<meta name=\"svc-api\" content=\"" +
               html::escaped(site.api_root) + "\"><meta name=\"svc-version\" content=\"" + html::escaped(version) +
               "\"><script type=\"module\" src=\"" + assets.path("admin/admin.js") +
               "\"></script></head><body><div id=\"app\"></div><noscript><main><h1>The admin needs JavaScript</h1>"
               "<p>Allow JavaScript for this address and reload the page.</p></main></noscript></body></html>\n";
    else
        page = explanation(assets);
    api::Request request{};
    request.header = header;
    const std::string tag = api::entity_tag(page);
    auto reply = api::public_answer(request, std::make_shared<const std::string>(std::move(page)), tag);
    if (!is_built && reply.status == 200)
        reply.status = 503;
    reply.content_type = "text/html; charset=utf-8";
    reply.headers.emplace_back("Content-Security-Policy", policy(site.url));
    return reply;
}

}  // namespace svc::admin
