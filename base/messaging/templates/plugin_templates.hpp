// The e-mail templates that plugins bring, beside the base's own.
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/messaging/templates/merge_tags.hpp"
#include "base/messaging/templates/templates.hpp"
#include "shared/mails/offered.hpp"

namespace svc::messaging {

// Templates are added at start-up; everything else: any thread, afterwards.
class PluginTemplates {
  public:
    // `module_enabled` empty: every module is on.
    explicit PluginTemplates(std::function<bool(std::string_view slug)> module_enabled = {})
        : module_enabled_(std::move(module_enabled)) {}

    // The error's field is the member of `offered` that does not fit.
    [[nodiscard]] Result<void> check(const mails::OfferedTemplate& offered) const;
    // std::logic_error for one that check() rejects. The template lives as long as this object.
    const Template& add(std::string plugin, mails::OfferedTemplate offered);

    [[nodiscard]] bool empty() const { return all_.empty(); }
    // Of plugins alone, in the order in which they were added; listed: those whose module is on.
    [[nodiscard]] std::vector<const Template*> all() const;
    [[nodiscard]] std::vector<const Template*> listed() const;
    [[nodiscard]] const Template* find(std::string_view key) const;  // of a plugin; null: none has that key
    [[nodiscard]] const Template& any(std::string_view key) const;   // the base's or a plugin's, else std::logic_error
    [[nodiscard]] bool is_on(const Template& which) const;           // its module is; true for one of the base
    // Whether that plugin has brought the template.
    [[nodiscard]] bool is_of(std::string_view plugin, std::string_view key) const;

    // The definitions with the tags of these templates, as svc_email_merge_tag_definitions passes them.
    [[nodiscard]] std::vector<KnownTag> with_tags(std::vector<KnownTag> defined) const;

  private:
    struct Held {
        std::string plugin;
        mails::OfferedTemplate offered;
        std::string event_key;
        Template shown = {};
    };
    static void add_tags(std::vector<KnownTag>& defined, const mails::OfferedTemplate& offered,
                         const std::string& event_key);

    std::function<bool(std::string_view)> module_enabled_;
    std::deque<Held> all_;  // stable addresses: templates hold views of it
};

}  // namespace svc::messaging
