// Turns what partners offer into pages of the router, templates of the theme and files beside its own.
#include "base/website/pages/plugin_pages.hpp"

#include <algorithm>
#include <chrono>

#include "base/platform/crypto/crypto.hpp"
#include "base/platform/html/html.hpp"
#include "base/platform/limits/client_address.hpp"
#include "base/platform/limits/rate_limits.hpp"
#include "base/settings/values/site_pages.hpp"
#include "base/website/pages/card_sizes.hpp"
#include "base/website/pages/pages.hpp"
#include "shared/core/text.hpp"
#include "shared/json/sentence.hpp"

namespace svc::pages {
namespace {

using json::Value;

bool is_word(std::string_view text) {
    return !text.empty() && text.size() <= 64 &&
           text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-_") == std::string_view::npos;
}

// "/consent/{token}": a word first, then words and names.
bool is_pattern(std::string_view path) {
    bool is_first = true;
    while (path.starts_with('/')) {
        path.remove_prefix(1);
        const auto part = path.substr(0, path.find('/'));
        path.remove_prefix(part.size());
        const bool is_name = part.size() > 2 && part.front() == '{' && part.back() == '}';
        if (!(is_name ? !is_first && is_word(part.substr(1, part.size() - 2)) : is_word(part)))
            return false;
        is_first = false;
    }
    return path.empty() && !is_first;
}

// "/svc-theme/partner-consent.0123456789ab.js" without the hash; a path of another form as it is.
std::string without_hash(std::string_view path) {
    const auto end = path.rfind('.');
    const auto begin = end == std::string_view::npos || end == 0 ? end : path.rfind('.', end - 1);
    const bool has_hash = begin != std::string_view::npos && end - begin == 13 &&
                          path.substr(begin + 1, 12).find_first_not_of("0123456789abcdef") == std::string_view::npos;
    return has_hash ? std::string(path.substr(0, begin)) + std::string(path.substr(end)) : std::string(path);
}

// A sentence with its values (shared/json/sentence.hpp), or the text that an older plugin sends: of the site's pages or
// of the interface.
std::string said(const Value& sentence, const Format& words) {
    if (sentence.is_string() && !texts::bundled().knows(texts::sentences_domain, sentence.text()))
        return words.default_text(sentence.text());
    return texts::say(words.locale,
                      sentence.is_string() ? Sentence::of(sentence.text()) : json::sentence_from(sentence));
}

using MakeCards = std::function<Value(const Value& rows)>;  // empty: there are no cards

// {"date": "2027-05-04"}, {"moment": "2027-05-04T10:00:00Z"}, {"amount": 12.5, "currency": "USD"} and {"sentence": …}
// of a model, as the site writes days, times, sums and sentences; {"html": …} without what could act in a browser, and
// {"cards": rows as in GET /trips/public} for {{> part-cards}}.
Value written(const Value& value, const Format& words, const MakeCards& cards) {
    if (value.is_array()) {
        Value all = Value::array();
        for (const Value& each : value.items())
            all.push(written(each, words, cards));
        return all;
    }
    if (!value.is_object())
        return value;
    if (value.size() == 1 && value["date"].is_string())
        return words.day(value["date"].text());
    if (value.size() == 1 && value["moment"].is_string())
        return words.moment(value["moment"].text());
    if (value.size() == 1 && value.find("sentence"))
        return said(value["sentence"], words);
    if (value.size() == 2 && value["amount"].is_number() && value["currency"].is_string())
        return words.amount(value["amount"], value["currency"].text());
    if (value.size() == 1 && value["html"].is_string())
        return html::clean_html(value["html"].text());
    if (value.size() == 1 && value["cards"].is_array() && cards)
        return cards(value["cards"]);
    Value all = Value::object();
    for (const auto& [name, each] : value.members())
        all.set(name, written(each, words, cards));
    return all;
}

std::string_view first_of(std::string_view path) { return path.substr(1, path.find('/', 1) - 1); }

std::string address_of(const Site& site, const PageRequest& visit) {
    return limits::client_address(visit.http.peer, visit.http.headers, site.installation.trusted_proxies);
}

// What the browser calls itself.
std::string agent_of(const PageRequest& visit) {
    constexpr std::size_t longest = 500;
    for (const auto& [name, value] : visit.http.headers)
        if (limits::same_name(name, "User-Agent"))
            return text::made_utf8(text::first(value, longest));
    return {};
}

// Forms of partners write beside the interface, so they count as the writes there do (promise S26).
void take_turn(const Site& site, const PageRequest& visit) {
    const auto admits = [&](std::string_view bucket, const std::string& subject, const char* setting) {
        const limits::Limit limit{static_cast<int>(site.settings.integer(setting)), std::chrono::seconds(60)};
        return visit.http.tried ? site.limits.left(bucket, subject, limit) : site.limits.take(bucket, subject, limit);
    };
    const bool is_at_desk = visit.signed_in && visit.signed_in->can("svc_access_admin");
    const std::string user = visit.signed_in ? "user " + std::to_string(visit.signed_in->user_id) : std::string();
    const limits::Verdict verdict =
        is_at_desk        ? admits("staff", user, "staff_rate_limit")
        : visit.signed_in ? admits("api", user, "api_rate_limit")
                          : admits("public", limits::network_of(address_of(site, visit)), "public_rate_limit");
    if (!verdict.allowed)
        throw Stopped{429, texts::say(visit.words.locale, Error{errc::rate_limited}.message()),
                      std::to_string(verdict.retry_after)};
}

// What a page for search engines says of itself; a page without it is for its visitor alone.
Head head_of(const Value& given) {
    constexpr std::size_t longest = 500;
    const std::string canonical = given.text_or("canonical");
    return {.description = std::string(text::first(given.text_or("description"), longest)),
            .canonical = canonical.starts_with('/') && !canonical.starts_with("//") ? canonical : std::string(),
            .image = given.text_or("image"),
            .is_indexed = given.maybe_boolean("is_indexed").value_or(false)};
}

Value all_texts(const Router::Names& names) {
    Value all = Value::object();
    for (const auto& [name, value] : names)
        all.set(name, value);
    return all;
}

}  // namespace

Result<void> Partners::check(const OfferedPage& page) const {
    const auto refused = [&](std::string why) {
        return Error{errc::validation_error, Sentence::verbatim(std::move(why))};
    };
    constexpr std::size_t longest_label = 60;
    const bool is_account_page = !page.account_label.empty();
    if (is_account_page && (!is_word(page.path) || page.account_label.size() > longest_label))
        return refused("A page of the account has one word as its path and a label of at most 60 bytes; " + page.path +
                       " has not.");
    if (!is_account_page && !is_pattern(page.path))
        return refused("The path " + page.path + " is no page's: begin with a word, then words or {names}.");
    const std::string path = is_account_page ? "/{account}/" + page.path : page.path;
    const std::string_view first = first_of(path);
    if (!is_account_page && settings::is_reserved_base(first))
        return refused("The server uses /" + std::string(first) + " itself.");
    const bool is_taken = std::any_of(router_.all().begin(), router_.all().end(), [&](const auto& own) {
        return own->path == path || own->path.starts_with(path + "/") || own->type == page.type ||
               (base_of(*own).empty() && own->path.size() > 1 && first_of(own->path) == first);
    });
    if (is_taken || !is_word(page.type) || theme_.has(page.type))
        return refused("The path or the type of " + page.path + " is taken, or the type is no word.");
    if (const Sentence fault = theme_.fault_of_template(page.type, page.template_source); !fault.empty())
        return Error{errc::validation_error, fault};
    return {};
}

void Partners::add(OfferedPage page) {
    const bool is_account_page = !page.account_label.empty();
    theme_.add(page.type, is_account_page
                              ? R"(<div class="svc-account">{{> part-account-menu}}<div class="svc-stack">)" +
                                    page.template_source + "</div></div>"
                              : page.template_source);
    pages_.push_back(std::make_unique<OfferedPage>(std::move(page)));
    const OfferedPage& held = *pages_.back();
    PageSpec spec{.path = is_account_page ? "/{account}/" + held.path : held.path,
                  .type = held.type,
                  .who = is_account_page ? Who::signed_in : Who::everyone,
                  .keeping = held.is_shared ? Keeping::shared : Keeping::own};
    spec.show = [this, &held](PageRequest& visit) { return show(visit, held); };
    if (held.takes_forms)
        spec.submit = spec.show;
    router_.add(std::move(spec));
}

Result<void> Partners::check(const OfferedTag& tag) {
    const auto refused = [&](const char* why) {
        return Error{errc::validation_error, Sentence::verbatim("The tag " + tag.id + why)};
    };
    constexpr std::size_t longest_name = 60;
    if (!is_word(tag.id))
        return refused(" has an id that is no word.");
    if (tag.name.empty() || tag.name.size() > longest_name)
        return refused(" needs a name of at most 60 bytes.");
    if (tag.purpose != "analytics" && tag.purpose != "marketing")
        return refused(" is neither for analytics nor for marketing.");
    if (!tag.asset.ends_with(".js"))
        return refused(" needs a script.");
    for (std::string_view cookie : tag.cookies) {
        if (cookie.ends_with('*'))
            cookie.remove_suffix(1);
        if (cookie.size() < 2 || cookie.size() > 64 || cookie.starts_with("svc_") || cookie.starts_with("__") ||
            cookie.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") !=
                std::string_view::npos)
            return refused(" names a cookie that cannot be its own.");
    }
    return {};
}

void Partners::add(OfferedTag tag) {
    const std::string file = std::string(theme_root) + "partner-" + tag.asset;
    const auto script = std::find_if(assets_.begin(), assets_.end(),
                                     [&](const auto& each) { return without_hash(each.first) == file; });
    const std::string path = script == assets_.end() ? std::string() : script->first;
    tags_.push_back(std::make_unique<Tag>(Tag{std::move(tag), path}));
}

std::vector<const Tag*> Partners::tags() const {
    std::vector<const Tag*> all;
    for (const auto& tag : tags_)
        if (tag->offered.module.empty() || site_.module_enabled(tag->offered.module))
            all.push_back(tag.get());
    return all;
}

void Partners::add(const OfferedAsset& asset) {
    const auto dot = asset.name.rfind('.');
    Script file{.path = std::string(theme_root) + "partner-" + asset.name.substr(0, dot) + "." +
                        crypto::sha256_hex(asset.text).substr(0, 12) + asset.name.substr(dot),
                .text = std::make_shared<const std::string>(asset.text)};
    std::string name = asset.name;
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c == '.' || c == '-'; }, '_');
    asset_paths_.set(name, file.path);
    assets_.emplace(file.path, std::move(file));
}

std::vector<std::pair<std::string, std::string>> Partners::account_pages() const {
    std::vector<std::pair<std::string, std::string>> all;
    for (const auto& page : pages_)
        if (!page->account_label.empty() && (page->module.empty() || site_.module_enabled(page->module)))
            all.emplace_back(page->account_label, page->path);
    return all;
}

std::optional<std::string> Partners::part(const PageRequest& visit, const Value& part) const {
    const std::string type = part.text_or("page");
    const auto page = std::find_if(pages_.begin(), pages_.end(), [&](const auto& each) { return each->type == type; });
    if (page == pages_.end() || (!(*page)->module.empty() && !site_.module_enabled((*page)->module)))
        return std::nullopt;
    Value model = part["model"].is_object() ? written(part["model"], visit.words, {}) : Value::object();
    model.set("assets", asset_paths_);
    return theme_.render(type, model, visit.words.locale, true);
}

Origins Partners::origins(const std::string& of) const {
    const auto found = origins_.find(of);
    return found == origins_.end() ? Origins{} : found->second;
}

// Also by the name of another release's content: a page that a browser kept asks for that one, and gets today's.
const Script* Partners::asset_at(std::string_view path) const {
    if (const auto found = assets_.find(path); found != assets_.end())
        return &found->second;
    const auto same = std::find_if(assets_.begin(), assets_.end(),
                                   [&](const auto& each) { return without_hash(each.first) == without_hash(path); });
    return same == assets_.end() || without_hash(path) == path ? nullptr : &same->second;
}

View Partners::show(PageRequest& visit, const OfferedPage& page) const {
    if (!page.module.empty() && !site_.module_enabled(page.module))
        throw Stopped{404, {}};
    if (visit.http.method == "POST")
        take_turn(site_, visit);
    const bool is_kept = page.is_shared && !visit.is_preview();  // for others too: it is told of nobody
    const auto answer = page.show(Value::object({{"method", std::string(visit.http.method)},
                                                 {"path", std::string(visit.path)},
                                                 {"names", all_texts(visit.names)},
                                                 {"query", visit.query},
                                                 {"form", visit.form},
                                                 {"user_id", visit.signed_in ? visit.signed_in->user_id : 0},
                                                 {"address", is_kept ? std::string() : address_of(site_, visit)},
                                                 {"agent", is_kept ? std::string() : agent_of(visit)},
                                                 {"takes_sentences", true}}));
    if (!answer)
        throw Stopped{answer.error().code().status, texts::say(visit.words.locale, answer.error().message())};
    if (const std::string go = answer->text_or("go"); !go.empty())
        return go_to(go);
    if (const std::string language = answer->text_or("language"); !language.empty())
        visit.words.locale = language;
    const MakeCards cards = !cards_ ? MakeCards() : [&](const Value& rows) {
        return Value::object(
            {{"trips", cards_(visit, rows)}, {"layout", "standard"}, {"sizes", card_sizes("standard", "25rem")}});
    };
    View view{
        .page = page.type,
        .model = (*answer)["model"].is_object() ? written((*answer)["model"], visit.words, cards) : Value::object()};
    view.model.set("assets", asset_paths_);
    if (const Value& trips = (*answer)["trips"]; trips.is_array() && cards)
        for (const auto& [name, member] : cards(trips).members())
            view.model.set(name, member);
    view.head = head_of((*answer)["head"]);
    view.head.title = said((*answer)["title"], visit.words);
    if (!page.account_label.empty() && surround_)
        surround_(visit, view, page.path);
    const std::int64_t status = answer->maybe_integer("status").value_or(200);
    view.status = status >= 200 && status < 600 && status != 204 && status != 304 && status / 100 != 3
                      ? static_cast<int>(status)
                      : 500;
    add_origins(view, page.origins);
    return view;
}

}  // namespace svc::pages
