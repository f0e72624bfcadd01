// Which e-mails there are, what switches them and what they say when the operator wrote nothing else.
#pragma once

#include <span>
#include <string_view>

#include "base/platform/templates/library.hpp"

namespace svc::messaging {

struct Template {
    std::string_view key;                      // "booking_confirmation", as in the outbox
    std::string_view flag;                     // setting email_template_{flag} turns it off
    std::string_view base;                     // settings email_tpl_{base}_subject, _body, _cc, _bcc replace its text
    std::string_view event_key;                // "booking.created"
    bool fresh = true;                         // the flag's default
    std::string_view subject = {}, body = {};  // the built-in text, mail/{key}.subject and mail/{key}.html
};

std::span<const Template> templates();
const Template& template_of(std::string_view key);  // std::logic_error for an unknown one
bool is_for_staff(std::string_view key);

// The bundled files: those texts, and "layout.html", which all of them stand in.
const templates::Library& mail_files();

}  // namespace svc::messaging
