// Tags on pages, and the banner that asks for them.
#include "base/website/pages/pages.hpp"
#include "base/website/pages/scripts.hpp"

namespace svc::pages {
namespace {

// Of the pages of one visitor only the first of a booking and that of a booking made: no name is typed there, and no
// secret stands in the address.
bool may_count(const PageSpec& page, const View& view) {
    return page.keeping == Keeping::shared ||
           (view.page == page.type && (page.type == "booking" || page.type == "booking-confirmation"));
}

bool is_reading(std::string_view method) { return method == "GET" || method == "HEAD"; }

// JSON that cannot end the script that it stands in.
std::string in_script(const json::Value& value) {
    std::string text = value.dump();
    for (auto at = text.find('<'); at != std::string::npos; at = text.find('<', at))
        text.replace(at, 1, "\\u003c");
    return text;
}

std::string names_of(const TagsOn& tags, std::string_view purpose) {
    std::string names;
    for (const Tag* tag : *tags)
        if (tag->offered.purpose == purpose)
            names.append(names.empty() ? "" : ", ").append(tag->offered.name);
    return names;
}

json::Value banner(const PageRequest& visit) {
    const Format& words = visit.words;
    const std::string analytics = names_of(visit.tags, "analytics"),
                      marketing = visit.consent.is_private ? std::string() : names_of(visit.tags, "marketing");
    json::Value purposes = json::Value::array();
    const auto add = [&](const char* name, const std::string& label) {
        purposes.push(json::Value::object({{"name", name}, {"label", label}}));
    };
    if (!analytics.empty())
        add("analytics", words.say_text("Count visits: {partners}", {{"partners", analytics}}));
    if (!marketing.empty())
        add("marketing", words.say_text("Measure advertising: {partners}", {{"partners", marketing}}));
    const std::string text =
        marketing.empty() ? words.say_text(
                                "May we count your visit with {partners}? This sets cookies and tells them"
                                " which pages you open.",
                                {{"partners", analytics}})
        : analytics.empty() ? words.say_text(
                                  "May we measure our advertising with {partners}? This sets cookies and"
                                  " tells them which pages you open.",
                                  {{"partners", marketing}})
                            : words.say_text(
                                  "May we count your visit with {analytics} and measure our advertising with"
                                  " {marketing}? This sets cookies and tells them which pages you open.",
                                  {{"analytics", analytics}, {"marketing", marketing}});
    const std::string back = std::string(visit.http.target);
    return json::Value::object({{"text", text},
                                {"purposes", std::move(purposes)},
                                {"back", back},
                                {"action", choices_path},
                                {"script", script_of("consent").path},
                                {"sheet", choices_sheet().path}});
}

}  // namespace

void Pages::see_consent(PageRequest& visit) const {
    visit.tags = parts_.tags.on(writes_.load(std::memory_order_relaxed));
    visit.consent = consent_of(visit.tags, visit.http, parts_.site.installation.cookie_secure);
    const std::lock_guard lock(keeping_);
    tags_on_ = visit.tags;
}

std::string Pages::key_of(std::string_view target, const TagsOn& tags, const HttpRequest& http) const {
    std::string key(target);
    if (tags)
        key.append(1, mark_before_consent)
            .append(1, consent_of(tags, http, parts_.site.installation.cookie_secure).mark());
    return key;
}

void Pages::add_tags(const PageRequest& visit, const PageSpec* page, View& view) const {
    if (!visit.tags || view.is_part || view.stands_alone || view.is_framed || view.page.empty())
        return;
    view.model.set("svc_choices", choices_path);
    if (!page || !may_count(*page, view) || view.status != 200 || !is_reading(visit.http.method) || visit.is_preview())
        return;
    if (visit.consent.asks)
        view.model.set("svc_asks", banner(visit));
    json::Value shown = json::Value::array();
    const json::Value request = json::Value::object(
        {{"page", view.page},
         {"language", visit.words.locale},
         {"allowed",
          json::Value::object({{"analytics", visit.consent.analytics}, {"marketing", visit.consent.marketing}})},
         {"facts", std::move(view.facts)}});
    for (const Tag* tag : *visit.tags) {
        if (!visit.consent.allows(tag->offered.purpose) || (tag->only_shared_pages && page->keeping != Keeping::shared))
            continue;
        const json::Value read = Tags::read_by(*tag, request);
        if (read.is_null())
            continue;
        shown.push(
            json::Value::object({{"id", tag->offered.id}, {"script", tag->script}, {"read_html", in_script(read)}}));
        add_origins(view, tag->offered.origins);
    }
    view.model.set("svc_tags", std::move(shown));
}

}  // namespace svc::pages
