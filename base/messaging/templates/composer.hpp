// Chooses the text of an e-mail, fills it in and addresses it.
#pragma once

#include "base/messaging/outbox/email.hpp"
#include "base/messaging/templates/secrets.hpp"
#include "base/messaging/templates/values.hpp"

namespace svc::messaging {

// The texts and values of an e-mail.
struct Content {
    Wording wording;
    Variables variables;
    const hooks::Filter* html_filter = nullptr;  // of the finished HTML; null: none
    json::Array filter_arguments = {};           // after the HTML
};

// Any thread, outside transactions.
class Composer {
  public:
    // `mail_folders`: see make_mail_files.
    Composer(const Parts& parts, std::vector<std::filesystem::path> mail_folders)
        : parts_(parts), files_(make_mail_files(std::move(mail_folders), &parts.hooks, parts.plugin_templates.get())) {}

    // The texts of a plugin's template, which a file of the operator's replaces. [start-up]
    void add_files(const Template& of_plugin) const;

    // The operator's text, else the built-in one, after the filters for this booking and this trip. Without a trip_id
    // it is the booking's trip. `locale` chooses among the texts of a plugin's template; the base's own are translated
    // as they are written. `values`: those that a plugin queued with its e-mail; null: none.
    [[nodiscard]] Wording wording_of(const Template& which, const json::Value& booking = {},
                                     std::optional<std::int64_t> trip_id = std::nullopt, std::string_view locale = "en",
                                     const Variables* values = nullptr) const;
    // Sets texts, sender and copies of an e-mail whose recipient and language are set. An e-mail to a customer that
    // holds a secret goes to its recipient alone; the copies of it that the settings ask for are returned, without the
    // secret. E-mails to staff never hold one.
    [[nodiscard]] std::vector<NewEmail> compose(const Template& which, const Content& content, NewEmail& email) const;
    // The same for an e-mail that is not sent: its subject is logged, and nobody reads its texts.
    void compose_subject(const Template& which, const Content& content, NewEmail& email) const;
    // Sets subject, HTML and plain text in the e-mail's language.
    void write(const Template& which, const Wording& wording, const Variables& variables, NewEmail& email) const;
    // Replaces the HTML by the result of a filter, and the plain text with it; an empty result changes nothing.
    void filter_html(const hooks::Filter& filter, const json::Array& arguments, NewEmail& email) const;
    // Sets the sender and the copies by `addresses` of the wording, else by the settings.
    void address(const Template& which, const json::Value& addresses, NewEmail& email) const;
    // The recipients of e-mails to staff (setting admin_email), separated by commas.
    [[nodiscard]] std::string staff_addresses() const;

    [[nodiscard]] const templates::Library& files() const { return *files_; }

  private:
    [[nodiscard]] NewEmail copy_of(const Template& which, const Content& open, const NewEmail& email,
                                   const std::vector<std::string>& tokens) const;

    const Parts& parts_;
    const std::unique_ptr<templates::Library> files_;
};

// The filter of the HTML of e-mails about a booking's status; null for other e-mails.
const hooks::Filter* html_filter_of(const Template& which);

}  // namespace svc::messaging
