// Checks what a plugin declares as the base's own templates are checked by tests.
#include "base/messaging/templates/plugin_templates.hpp"

#include <algorithm>
#include <stdexcept>

namespace svc::messaging {
namespace {

bool is_name(std::string_view text, std::string_view further) {
    return !text.empty() && text.size() <= 60 && std::all_of(text.begin(), text.end(), [&](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || further.find(c) != further.npos;
    });
}

// Lists and the log name an event for every e-mail.
std::string event_of(const mails::OfferedTemplate& offered) {
    return offered.event_key.empty() ? "plugin." + offered.key : offered.event_key;
}

bool has_pattern(const KnownTag& tag, std::string_view pattern) {
    return std::find(tag.events.begin(), tag.events.end(), pattern) != tag.events.end();
}

// Of each language, since each is a text of its own.
Result<void> check_texts(const char* field, const mails::LanguageText& text, const std::string& event_key,
                         const std::vector<KnownTag>& tags) {
    if (text.empty())
        return missing(field);
    for (const auto& [language, words] : text) {
        if (words.empty())
            return invalid(field, "Add the text in the language {language}."_sentence.with("language", language));
        if (const auto read = as_template(words); !read)
            return invalid(field, read.error().message());
        if (auto fault = unknown_tag(words, event_key, tags))
            return invalid(field, std::move(*fault));
    }
    return {};
}

}  // namespace

void PluginTemplates::add_tags(std::vector<KnownTag>& defined, const mails::OfferedTemplate& offered,
                               const std::string& event_key) {
    if (offered.is_about_booking)
        for (KnownTag& tag : defined)
            if ((has_pattern(tag, "booking.*") || has_pattern(tag, about_bookings_of_plugins)) &&
                !has_pattern(tag, event_key))
                tag.events.push_back(event_key);
    for (const mails::OfferedTag& tag : offered.tags) {
        // Two e-mails of a plugin may share a tag.
        const auto same = std::find_if(defined.begin(), defined.end(), [&](const KnownTag& other) {
            return other.key == tag.key && other.label == tag.label && other.category == offered.category;
        });
        if (same == defined.end())
            defined.push_back({.key = tag.key,
                               .events = {event_key},
                               .label = tag.label,
                               .description = tag.sentence,
                               .category = offered.category,
                               .sample = mails::text_for(tag.sample, "en"),
                               .is_secret = tag.is_secret});
        else if (!has_pattern(*same, event_key))
            same->events.push_back(event_key);
    }
}

Result<void> PluginTemplates::check(const mails::OfferedTemplate& offered) const {
    if (!is_name(offered.key, ""))
        return invalid("key", "Enter 1 to 60 small letters, digits and underscores."_sentence);
    const auto own = templates();
    const bool is_taken = find(offered.key) || std::any_of(own.begin(), own.end(), [&](const Template& each) {
                              return each.key == offered.key || each.flag == offered.key || each.base == offered.key;
                          });
    if (is_taken)
        return invalid("key", "There is an e-mail {key} already."_sentence.with("key", offered.key));
    if (!offered.event_key.empty() && !is_name(offered.event_key, "."))
        return invalid("event_key", "Enter 1 to 60 small letters, digits, points and underscores."_sentence);
    if (offered.event_key.starts_with("account."))
        return invalid("event_key", "E-mails about accounts are the base's own."_sentence);
    if (offered.name.empty() || offered.name.size() > 100)
        return invalid("name", "Enter 1 to 100 characters."_sentence);
    for (const mails::OfferedTag& tag : offered.tags)
        if (!is_name(tag.key, "") || tag.label.empty() || tag.sentence.empty())
            return invalid(
                "tags",
                "Each tag has a key of small letters, digits and underscores, a label and a sentence."_sentence);
    const std::string event = event_of(offered);
    std::vector<KnownTag> tags = with_tags(base_tags());
    add_tags(tags, offered, event);
    SVC_RETURN_IF_ERROR(check_texts("subject", offered.subject, event, tags));
    return check_texts("body", offered.body, event, tags);
}

const Template& PluginTemplates::add(std::string plugin, mails::OfferedTemplate offered) {
    if (const auto fits = check(offered); !fits)
        throw std::logic_error("the e-mail " + offered.key + ": " + fits.error().message().english());
    std::string event = event_of(offered);
    Held& held = all_.emplace_back(Held{std::move(plugin), std::move(offered), std::move(event)});
    held.shown = {.key = held.offered.key,
                  .flag = held.offered.key,
                  .base = held.offered.key,
                  .event_key = held.event_key,
                  .subject = mails::text_for(held.offered.subject, "en"),
                  .body = mails::text_for(held.offered.body, "en"),
                  .offered = &held.offered};
    return held.shown;
}

std::vector<const Template*> PluginTemplates::all() const {
    std::vector<const Template*> shown;
    for (const Held& held : all_)
        shown.push_back(&held.shown);
    return shown;
}

std::vector<const Template*> PluginTemplates::listed() const {
    std::vector<const Template*> shown = all();
    std::erase_if(shown, [this](const Template* each) { return !is_on(*each); });
    return shown;
}

const Template* PluginTemplates::find(std::string_view key) const {
    for (const Held& held : all_)
        if (held.offered.key == key)
            return &held.shown;
    return nullptr;
}

const Template& PluginTemplates::any(std::string_view key) const {
    const Template* found = find(key);
    return found ? *found : template_of(key);
}

bool PluginTemplates::is_on(const Template& which) const {
    return !which.offered || which.offered->module.empty() || !module_enabled_ ||
           module_enabled_(which.offered->module);
}

bool PluginTemplates::is_of(std::string_view plugin, std::string_view key) const {
    return std::any_of(all_.begin(), all_.end(),
                       [&](const Held& held) { return held.plugin == plugin && held.offered.key == key; });
}

std::vector<KnownTag> PluginTemplates::with_tags(std::vector<KnownTag> defined) const {
    for (const Held& held : all_)
        add_tags(defined, held.offered, held.event_key);
    return defined;
}

}  // namespace svc::messaging
