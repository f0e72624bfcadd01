// The frame of every e-mail: the operator's name, logo and colour above and below its text.
#pragma once

#include <string>
#include <string_view>

#include "base/platform/templates/library.hpp"
#include "base/settings/values/settings.hpp"

namespace svc::messaging {

struct Frame {
    std::string site_name, site_url, logo_url;  // without a logo the name replaces it
    std::string color = "#1f5a8c";              // "#rrggbb", of buttons and links
    std::string email, phone, address;          // how to reach the operator; empty for e-mails to staff
};

// As the site is set now; the operator's country by its name in that language.
Frame frame_of(const settings::Settings& settings, const std::string& site_url, bool is_for_staff,
               std::string_view locale);

// The whole HTML of an e-mail around the text of it, by layout.html. A text that is a whole document itself stays as it
// is.
std::string in_frame(const templates::Library& files, const Frame& frame, const std::string& body_html,
                     const std::string& subject, std::string_view locale);
// The end of the plain text.
std::string signature_of(const Frame& frame);

// Parts of texts, escaped: a paragraph, and a link that looks like a button.
std::string paragraph_html(std::string_view text);
std::string button_html(std::string_view address, std::string_view label);

}  // namespace svc::messaging
