// A page's way: form's origin, caller, page, template, headers.
#include "base/website/pages/pages.hpp"

#include <algorithm>
#include <chrono>

#include "base/people/identity/session_cookie.hpp"
#include "base/platform/assets/assets.hpp"
#include "base/platform/crypto/crypto.hpp"
#include "base/website/pages/colours.hpp"
#include "base/website/pages/former_bases.hpp"
#include "base/website/pages/hooks.hpp"
#include "base/website/pages/islands.hpp"
#include "base/website/pages/scripts.hpp"
#include "base/website/pages/sent_files.hpp"
#include "shared/api/query.hpp"
#include "shared/core/ascii.hpp"
#include "shared/core/correlation.hpp"
#include "shared/core/log.hpp"
#include "shared/core/no_wait.hpp"
#include "shared/core/text.hpp"
#include "shared/core/uri.hpp"
#include "shared/plugin/pro_modules.hpp"

namespace svc::pages {
namespace {

// A page in memory follows changes by other processes within a second, as seats in memory do.
constexpr std::int64_t kept_for = 1'000'000;

std::string_view field_of(const std::vector<HttpHeader>& headers, std::string_view name) {
    for (const auto& [key, value] : headers)
        if (limits::same_name(key, name))
            return value;
    return {};
}

const PageSpec content_page{.path = "/{page}", .type = "content", .keeping = Keeping::shared};

bool reads(std::string_view method) { return method == "GET" || method == "HEAD"; }

std::string_view host_of(std::string_view origin) {
    const auto at = origin.find("://");
    return at == std::string_view::npos ? std::string_view{} : origin.substr(at + 3);
}

View refused(std::string title, const std::string& heading, const std::string& text) {
    return {.page = "error",
            .model = json::Value::object({{"heading", heading}, {"text", text}}),
            .head = {.title = std::move(title)},
            .status = 403};
}

}  // namespace

Pages::Pages(Parts parts) : parts_(std::move(parts)) {}

bool Pages::serves(std::string_view target) const {
    if (parts_.base_path.empty() || !target.starts_with('/'))
        return false;
    const auto path = target.substr(0, target.find('?'));
    const bool is_interface = path.starts_with(parts_.base_path) &&
                              (path.size() == parts_.base_path.size() || path[parts_.base_path.size()] == '/');
    const bool is_admin = path == "/admin" || path.starts_with("/admin/") || path.starts_with("/svc-assets/");
    return !is_interface && !is_admin && path != "/docs" && path != "/openapi.json";
}

HttpPlan Pages::plan(std::string_view method, std::string_view target, const std::vector<HttpHeader>&) const {
    constexpr std::size_t most_text = 256 * 1024, most_files = std::size_t{12} << 20;
    const std::string_view rest = target.substr(std::min<std::size_t>(1, target.size()));
    const std::string_view base = rest.substr(0, rest.find_first_of("/?")), path = target.substr(0, target.find('?'));
    const bool books = !reads(method) && base == parts_.site.settings.text("booking_base");
    // Its form may ask for files, the largest of which the interface takes: before a booking, and on its own page.
    const bool asks_files = books ? path.ends_with("/details") || path.find("/confirmation/") != path.npos
                                  : !reads(method) && base == parts_.site.settings.text("account_base") &&
                                        path.find("/bookings/") != path.npos;
    const bool takes_files =
        asks_files && parts_.site.module_enabled && parts_.site.module_enabled(plugin::slugs::dynamic_form_field);
    return {.body_limit = reads(method) ? 0
                          : takes_files ? most_files
                                        : most_text,
            .waits = !reads(method) && !target.starts_with(theme_root),
            .lane = books ? HttpLane::checkout : HttpLane::general};
}

std::optional<HttpAnswer> Pages::answer_at_once(const HttpRequest& http) {
    if (!reads(http.method))
        return std::nullopt;
    if (auto found = file(http))
        return found;
    return kept(http);
}

HttpAnswer Pages::compress(const HttpRequest& http, const std::shared_ptr<const std::string>& body,
                           const std::string& etag) const {
    api::Request request;
    request.header = [&http](std::string_view name) { return field_of(http.headers, name); };
    api::Reply reply = bodies_.answer(request, body, etag);
    HttpAnswer answer{.status = reply.status, .headers = std::move(reply.headers), .body = std::move(reply.raw)};
    std::erase_if(answer.headers, [](const HttpHeader& each) { return each.first == "Cache-Control"; });
    return answer;
}

// A name that holds the content's hash is cached for a year; any other name is revalidated each time.
std::optional<HttpAnswer> Pages::file(const HttpRequest& http) const {
    const auto path = http.target.substr(0, http.target.find('?'));
    const bool is_style = path.starts_with(theme_root) && path.ends_with(".css") &&
                          !path.substr(theme_root.size()).starts_with("partner-") && !is_choices_sheet(path);
    std::shared_ptr<const std::string> text;
    std::string name;
    if (is_style) {
        ThemeFile now = style();
        text = std::move(now.text);
        name = std::string(theme_root) + now.name;
    } else if (const Script* script = script_at(path) ? script_at(path) : parts_.partners.asset_at(path)) {
        text = script->text;
        name = script->path;
    } else
        return std::nullopt;
    HttpAnswer answer = compress(http, text, "\"" + crypto::sha256_hex(*text).substr(0, 12) + "\"");
    answer.headers.emplace_back("Content-Type", path.ends_with(".css")   ? "text/css; charset=utf-8"
                                                : path.ends_with(".svg") ? "image/svg+xml"
                                                                         : "text/javascript; charset=utf-8");
    answer.headers.emplace_back("X-Content-Type-Options", "nosniff");
    answer.headers.emplace_back(
        "Cache-Control", path == name ? "public, max-age=31536000, immutable" : "public, max-age=0, must-revalidate");
    return answer;
}

HttpAnswer Pages::answer(const HttpRequest& http) {
    const auto began = std::chrono::steady_clock::now();
    PageRequest visit(http, interface_, parts_.base_path, parts_.site.installation.cookie_secure);
    const std::size_t mark = http.target.find('?');
    visit.path = http.target.substr(0, mark);
    visit.raw_query = mark == std::string_view::npos ? std::string_view{} : http.target.substr(mark + 1);
    HttpAnswer answer;
    try {
        visit.writes = writes_.load(std::memory_order_relaxed);
        visit.words = format_of(parts_.site.settings);
        answer = served(visit);
    } catch (const WouldWait&) {
        throw;
    } catch (const Stopped& stop) {
        answer = failed(visit, stop.status, stop.message, stop.retry_after);
    } catch (const store::Failure& gone) {
        log::error("page_failed", {{"cause", log::redacted(gone.what())}});
        answer = failed(visit, 503, {}, "2");
    } catch (const std::exception& failure) {
        log::error("page_failed", {{"cause", failure.what()}});
        answer = failed(visit, 500, {});
    }
    log::info("page", {{"method", log::Value::ours(std::string(http.method))},
                       {"status", answer.status},
                       {"micros", static_cast<std::int64_t>(std::chrono::duration_cast<std::chrono::microseconds>(
                                                                std::chrono::steady_clock::now() - began)
                                                                .count())}});
    return answer;
}

// Browsers send a form's origin; a form without one, or from another site, was not sent by a page of ours.
std::optional<View> Pages::refusal_of_form(PageRequest& visit) const {
    const std::string_view origin = field_of(visit.http.headers, "Origin"),
                           fetch = field_of(visit.http.headers, "Sec-Fetch-Site"),
                           host = field_of(visit.http.headers, "Host");
    const bool is_ours = !origin.empty()
                             ? origin == parts_.site.installation.address || (!host.empty() && host_of(origin) == host)
                             : fetch == "same-origin" || fetch == "none";
    if (!is_ours)
        return refused(visit.words.say_text("Form refused"),
                       visit.words.say_text("This form was not sent from this site"),
                       visit.words.say_text("Open the page here and send the form again. Nothing has been changed."));
    const auto type = field_of(visit.http.headers, "Content-Type");
    if (type.starts_with("multipart/form-data")) {
        read_files(visit, type);
        return std::nullopt;
    }
    if (!type.starts_with("application/x-www-form-urlencoded"))
        throw Stopped{415, visit.words.say_text("Forms are sent as application/x-www-form-urlencoded.")};
    auto form = api::parse_query(visit.http.body);
    if (!form)
        throw Stopped{400, visit.words.say_text("The form cannot be read.")};
    visit.form = std::move(*form);
    return std::nullopt;
}

View Pages::show(PageRequest& visit, const PageSpec& page) {
    const bool is_form = !reads(visit.http.method);
    if (is_form)
        if (auto refusal = refusal_of_form(visit))
            return std::move(*refusal);
    if ((page.keeping == Keeping::own || is_form || visit.is_preview()) &&
        !(is_form && page.begins && visit.typed("_nonce").empty())) {
        if (auto session = parts_.gatekeeper.signed_in(visit.http.headers)) {
            visit.signed_in = std::move(session->caller);
            visit.nonce = std::move(session->nonce);
        }
        // The nonce of the form, not a fresh one: the page it was on was this visitor's.
        if (is_form && visit.signed_in && !parts_.gatekeeper.is_nonce_of(*visit.signed_in, visit.typed("_nonce")))
            return refused(
                visit.words.say_text("Form expired"), visit.words.say_text("This form has expired"),
                visit.words.say_text("Go back, reload the page and send the form again. Nothing has been changed."));
        if (page.who == Who::signed_in && !visit.signed_in)
            return go_to("/" + parts_.bases().account + "/login?next=" + text::uri_of(visit.path));
    }
    return is_form ? page.submit(visit) : page.show(visit);
}

// A page below a base that was another one before: 301 as a renamed trip's. A form that was open meanwhile is taken,
// since a redirect would lose it.
std::optional<View> Pages::moved_from(const PageRequest& visit, Router::Match& match) const {
    const Bases bases = parts_.bases();
    const std::string path = match.is_ours ? std::string() : moved_path(parts_.site.settings, bases, visit.path);
    Router::Match now = path.empty() ? Router::Match{} : parts_.router.match(path, bases);
    if (!now.page)
        return std::nullopt;
    if (!reads(visit.http.method)) {
        match = std::move(now);
        return std::nullopt;
    }
    View view = go_to(path + (visit.raw_query.empty() ? "" : "?" + std::string(visit.raw_query)));
    view.moved = true;
    return view;
}

HttpAnswer Pages::served(PageRequest& visit) {
    if (auto found = file(visit.http))
        return std::move(*found);
    // "//host/" without its last slash is another site's address: it is no page and leads nowhere.
    if (visit.path.size() > 1 && visit.path.ends_with('/') && reads(visit.http.method) && text::is_place(visit.path)) {
        View view = go_to(std::string(visit.path.substr(0, visit.path.size() - 1)) +
                          (visit.raw_query.empty() ? "" : "?" + std::string(visit.raw_query)));
        view.moved = true;
        return finish(visit, nullptr, std::move(view));
    }
    if (auto query = api::parse_query(visit.raw_query); query)
        visit.query = std::move(*query);
    else
        return failed(visit, 400, visit.words.say_text("The address cannot be read."));
    see_consent(visit);
    Router::Match match = found(visit);
    if (!match.page) {
        if (auto own = reads(visit.http.method) ? parts_.content(visit) : std::nullopt)
            return finish(visit, &content_page, std::move(*own));
        if (auto moved = moved_from(visit, match))
            return finish(visit, nullptr, std::move(*moved));
    }
    if (!match.page) {
        const std::string host = match.is_ours ? std::string() : parts_.unclaimed();
        if (host.empty())
            return failed(visit, 404, {});
        HttpAnswer answer;
        answer.status = 200;
        answer.headers.emplace_back("X-Accel-Redirect", host);
        return answer;
    }
    const bool is_form = visit.http.method == "POST";
    if (!is_form && !reads(visit.http.method)) {
        HttpAnswer answer = failed(visit, 405, visit.words.say_text("This page cannot be asked that way."));
        answer.headers.emplace_back("Allow", match.page->submit ? "GET, HEAD, POST" : "GET, HEAD");
        return answer;
    }
    if (is_form && !match.page->submit) {
        HttpAnswer answer = failed(visit, 405, visit.words.say_text("This page takes no form."));
        answer.headers.emplace_back("Allow", "GET, HEAD");
        return answer;
    }
    visit.names = match.names;
    return finish(visit, match.page, show(visit, *match.page));
}

HttpAnswer Pages::finish(PageRequest& visit, const PageSpec* page, View view) {
    HttpAnswer answer;
    answer.status = view.status;
    for (const std::string& cookie : visit.cookies())
        answer.headers.emplace_back("Set-Cookie", cookie);
    for (const auto& [name, value] : view.headers)
        answer.headers.emplace_back(name, value);
    answer.headers.emplace_back("X-Content-Type-Options", "nosniff");
    answer.headers.emplace_back("Referrer-Policy", "same-origin");
    if (!view.go.empty()) {
        answer.status = view.moved ? 301 : 303;
        answer.headers.emplace_back("Location", text::uri_of(view.go));
        answer.headers.emplace_back("Cache-Control", view.moved ? "public, max-age=3600" : "no-store");
        return answer;
    }
    const bool is_shared = page && page->keeping == Keeping::shared && view.status == 200 && reads(visit.http.method) &&
                           !visit.is_preview() && visit.cookies().empty() && parts_.site.settings.flag("cache_enabled");
    add_tags(visit, page, view);
    const std::string content_policy = policy(view);
    auto body =
        std::make_shared<const std::string>(view.page.empty() ? std::move(view.raw) : rendered(visit, page, view));
    answer.headers.emplace_back("Content-Type", view.content_type);
    answer.headers.emplace_back("Content-Security-Policy", content_policy);
    if (!is_shared || !tally_.in_use()) {
        answer.headers.emplace_back("Cache-Control", "private, no-store");
        answer.body = std::move(body);
        return answer;
    }
    Kept made{.body = body,
              .etag = "\"" + crypto::sha256_hex(*body).substr(0, 32) + "\"",
              .policy = content_policy,
              .writes = visit.writes,
              .until = parts_.site.clock.now().micros() + kept_for};
    HttpAnswer whole = compress(visit.http, body, made.etag);
    answer.status = whole.status;
    answer.body = std::move(whole.body);
    for (auto& header : whole.headers)
        answer.headers.push_back(std::move(header));
    answer.headers.emplace_back("Cache-Control", "public, max-age=0, must-revalidate");
    if (visit.tags)
        answer.headers.emplace_back("Vary", "Cookie, Sec-GPC");
    if (view.content_type.starts_with("text/html"))
        keep(key_of(visit.http.target, visit.tags, visit.http), std::move(made));
    return answer;
}

// Another site shows this page in a frame: of one that may not be framed, browsers say that the server refused.
void Pages::in_its_frame(const PageRequest& visit, View& view) const {
    if (view.status == 404) {
        view.head.title = visit.words.say_text("This trip is not on offer");
        view.model.set("heading", view.head.title);
        view.model.set("text", visit.words.say_text("Look at our other trips, or write to us."));
    }
    view.page = "embed-error";
    view.stands_alone = view.is_framed = true;
    view.model.set("frame_script", script_of("frame").path);
    const json::Value origins = parts_.site.settings.get("embed_origins");
    for (const json::Value& origin : origins.items())
        view.parents.push_back(origin.text());
}

HttpAnswer Pages::failed(PageRequest& visit, int status, std::string_view message, std::string_view after) {
    const bool is_missing = status == 404;
    View view{.page = is_missing ? "not-found" : "error",
              .head = {.title = visit.words.say_text("Page not found")},
              .status = status};
    if (!is_missing) {
        const Format& words = visit.words;
        const std::string heading = status == 429   ? words.say_text("Please wait a moment")
                                    : status == 503 ? words.say_text("We are busy right now")
                                    : status >= 500 ? words.say_text("Something went wrong on our side")
                                                    : words.say_text("That did not work");
        view.head.title = heading;
        view.model.set("heading", heading);
        view.model.set("text",
                       !message.empty() && status < 500
                           ? std::string(message)
                           : words.say_text("Try again in a moment. If it keeps happening, please write to us."));
    }
    if (visit.path.starts_with("/embed/"))
        in_its_frame(visit, view);
    if (!after.empty())
        view.headers.emplace_back("Retry-After", std::string(after));
    try {
        return finish(visit, nullptr, std::move(view));
    } catch (const std::exception& failure) {
        log::error("error_page_failed", {{"cause", failure.what()}});
        HttpAnswer answer;
        answer.status = status;
        answer.headers = {{"Content-Type", "text/plain; charset=utf-8"}, {"Cache-Control", "no-store"}};
        answer.body = std::make_shared<const std::string>("The page cannot be shown. Try again in a moment.\n");
        return answer;
    }
}

}  // namespace svc::pages
