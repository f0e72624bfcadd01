// What all documents have around their content: logo, seller, colours, fonts, and the foot of each page.
#pragma once

#include "base/sales/documents/document.hpp"
#include "base/sales/documents/logo.hpp"
#include "shared/hooks/hooks.hpp"

namespace svc::documents {

struct Framed {
    std::string_view kind;  // as the filters are told: "invoice"
    std::string title, foot;
    Instant made_at;
};

// Any thread. Waits where the logo is on another server.
class Frames {
  public:
    Frames(hooks::Hooks& hooks, const settings::Settings& settings, Logos& logos, const Clock& clock)
        : hooks_(hooks), settings_(settings), logos_(logos), clock_(clock) {}

    // A document without content.
    [[nodiscard]] pdf::Document around(Framed framed, const Company& seller, const Words& words) const;

  private:
    [[nodiscard]] std::string filtered(const hooks::Filter& filter, std::string value, std::string_view kind) const;

    hooks::Hooks& hooks_;
    const settings::Settings& settings_;
    Logos& logos_;
    const Clock& clock_;
};

}  // namespace svc::documents
