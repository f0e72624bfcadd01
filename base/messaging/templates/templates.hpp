// The e-mails, their switches and their built-in texts.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/platform/templates/library.hpp"
#include "shared/hooks/hooks.hpp"

namespace svc::mails {
struct OfferedTemplate;
}

namespace svc::messaging {

class PluginTemplates;

struct Template {
    std::string_view key;                      // "booking_confirmation", as in the outbox
    std::string_view flag;                     // setting email_template_{flag} turns it off
    std::string_view base;                     // settings email_tpl_{base}_subject, _body, _cc, _bcc replace its text
    std::string_view event_key;                // "booking.created"
    bool initial = true;                       // the flag's default
    std::string_view subject = {}, body = {};  // the built-in text, mail/{key}.subject and mail/{key}.html
    const mails::OfferedTemplate* offered = nullptr;  // set: a plugin's, with its texts by language
};

std::span<const Template> templates();              // the base's
const Template& template_of(std::string_view key);  // std::logic_error for an unknown one
bool is_for_staff(std::string_view key);
// Whether it is about an account or the proof of an address: such an e-mail is for one recipient, without copies.
bool is_for_one(const Template& which);

// The folder of the operator's own files in place of the bundled ones, below the theme's: svc/mail.
inline constexpr std::string_view mail_folder = "svc/mail";

// The files of e-mails: {key}.subject and {key}.html, and "layout.html", the frame of all of them. A file of the same
// name in one of the folders replaces a bundled one, unless it is no template or has a tag that its e-mail lacks: then
// it is reported and the bundled one is used. `hooks` and `of_plugins` outlive the library; null: the tags of
// plugins are unknown, too.
std::unique_ptr<templates::Library> make_mail_files(std::vector<std::filesystem::path> folders,
                                                    const hooks::Hooks* hooks,
                                                    const PluginTemplates* of_plugins = nullptr);

}  // namespace svc::messaging
