// Renders the parts that all pages share: policy, head, style, layout.
#include "base/people/identity/session_cookie.hpp"
#include "base/platform/assets/assets.hpp"
#include "base/platform/crypto/crypto.hpp"
#include "base/website/pages/colours.hpp"
#include "base/website/pages/hooks.hpp"
#include "base/website/pages/islands.hpp"
#include "base/website/pages/pages.hpp"
#include "base/website/pages/site_templates.hpp"

namespace svc::pages {
namespace {

constexpr std::string_view font_name = "theme/heading.woff2";

std::string origins_text(const std::vector<std::string>& origins) {
    std::string text;
    for (const std::string& each : origins)
        if (each.find_first_of(" ;,'\"\r\n") == std::string::npos)
            text += " " + each;
    return text;
}

// Whether the page says why a form was refused: those who do not see the page hear it from its title first.
bool is_refusal(const PageRequest& visit, const View& view) {
    return view.model.maybe_boolean("has_faults").value_or(false) || !view.model.text_or("payment_fault").empty() ||
           !view.model.text_or("fault").empty() || (visit.http.method == "POST" && view.status >= 400);
}

// What plugins add to a page that shows a checkout.
void add_parts(const hooks::Hooks& hooks, const Partners& partners, const PageRequest& visit, const std::string& type,
               json::Value& model) {
    if (!model["checkout"].is_object() || !hooks.filtered(booking_page_parts.name))
        return;
    json::Value checkout = model["checkout"], shown = json::Value::array();
    checkout.set("language", visit.words.locale);
    const json::Value parts = hooks.apply(booking_page_parts, json::Value::array(), {type, std::move(checkout)});
    for (const json::Value& each : list_of(parts))
        if (auto html = partners.part(visit, each))
            shown.push(json::Value::object({{"part_html", std::move(*html)}}));
    model.set("parts", std::move(shown));
}

}  // namespace

// Kept until the theme's files or the look's settings are others.
Pages::ThemeFile Pages::style() const {
    const Look look{.colour = parts_.site.settings.text("frontend_primary_color"),
                    .accent = parts_.site.settings.text("frontend_accent_color"),
                    .width = parts_.site.settings.text("frontend_container_max_width")};
    const std::string made_of =
        std::to_string(parts_.theme.edition()) + " " + look.colour + " " + look.accent + " " + look.width;
    const std::lock_guard lock(styling_);
    if (style_.made_of != made_of) {
        auto text = std::make_shared<const std::string>(font_face(assets::built_in().path(font_name)) +
                                                        *parts_.theme.style() + look_style(look));
        style_ = {
            .text = text, .name = "style." + crypto::sha256_hex(*text).substr(0, 12) + ".css", .made_of = made_of};
    }
    return style_;
}

std::string Pages::policy(const View& view) const {
    return "default-src 'none'; script-src 'self'" + origins_text(view.script_origins) +
           "; style-src 'self'; img-src 'self' https: data:" + origins_text(view.image_origins) +
           "; font-src 'self'; connect-src 'self'" + origins_text(view.script_origins) +
           origins_text(view.connect_origins) + "; manifest-src 'self'; form-action 'self'" +
           origins_text(view.form_origins) + "; base-uri 'none'" +
           (view.frame_origins.empty() ? "" : "; frame-src" + origins_text(view.frame_origins)) + "; frame-ancestors " +
           (view.is_framed ? "'self'" + origins_text(view.parents) : "'none'");
}

std::string Pages::rendered(PageRequest& visit, const PageSpec* page, View& view) {
    if (!view.is_part && is_refusal(visit, view))
        view.head.title = visit.words.say_text("Error: {title}", {{"title", view.head.title}});
    json::Value model = std::move(view.model);
    add_parts(parts_.site.hooks, parts_.partners, visit, view.page, model);
    model.set("site", parts_.frame(visit));
    model.set("type", view.page);
    json::Value head = json::Value::object({{"title", view.head.title},
                                            {"description", view.head.description},
                                            {"keywords", view.head.keywords},
                                            {"image", view.head.image},
                                            {"kind", view.head.kind}});
    if (!view.head.canonical.empty())
        head.set("canonical", parts_.site.installation.address + view.head.canonical);
    if (!view.head.is_indexed)
        head.set("robots", view.head.follows ? "noindex,follow" : "noindex");
    json::Value scripts = json::Value::array();
    for (std::string text : view.head.structured) {  // "<" cannot end the script
        for (auto at = text.find('<'); at != std::string::npos; at = text.find('<', at))
            text.replace(at, 1, "\\u003c");
        scripts.push(json::Value::object({{"script_html", std::move(text)}}));
    }
    head.set("structured", std::move(scripts));
    model.set("head", std::move(head));
    model.set("nonce", visit.nonce);
    if (!page || page->keeping == Keeping::own)
        model.set("key", crypto::random_token());
    model.set("style", std::string(theme_root) + style().name);
    model.set("font", assets::built_in().path(font_name));
    model.set("scripts", scripts_of(view.page));
    const bool is_fragment = view.is_part || visit.parameter("svc_fragment") == "page-content";
    std::string name = view.page;
    if (parts_.site.hooks.filtered(template_path.name))
        if (std::string other = parts_.site.hooks.apply(template_path, name, {view.page}).text();
            parts_.theme.has(other))
            name = std::move(other);
    const bool is_alone = is_fragment || view.stands_alone;
    return parts_.theme.render(name, model, visit.words.locale, is_alone,
                               is_alone ? std::string() : around_of(parts_.site.settings, page, view.page), view.later);
}

api::Reply Pages::site_page(int status, const json::Value& model) {
    const std::vector<HttpHeader> none;
    const HttpRequest nobody{.method = "GET", .target = "/", .headers = none, .body = {}, .peer = {}};
    PageRequest visit(nobody, interface_, parts_.base_path, parts_.site.installation.cookie_secure);
    visit.words = format_of(parts_.site.settings);
    View view{.page = "mailed", .model = model, .head = {.title = model.text_or("heading")}, .status = status};
    api::Reply reply;
    reply.status = status;
    reply.content_type = view.content_type;
    reply.raw = std::make_shared<const std::string>(rendered(visit, nullptr, view));
    reply.headers = {{"Content-Security-Policy", policy(view)}, {"Cache-Control", "no-store"}};
    return reply;
}

}  // namespace svc::pages
