// The e-mails of consent forms: the base's template of a request, and two of this module.
#pragma once

#include "pro/consent/party.hpp"
#include "pro/consent/request.hpp"
#include "pro/consent/signed.hpp"

namespace svc::pro::consent {

// Declares the templates of reminders and of signed copies. [start-up]
void declare_mails(const Site& site);

struct Invitation {
    const ConsentRequest& request;
    const Party& party;
    std::string form_name, link;
    std::optional<std::int64_t> days_left = {};  // of a reminder
};
// In the transaction that counts it as mails_sent. One that the base refuses throws std::runtime_error.
void queue_invitation(const Site& site, store::Transaction& tx, const Invitation& invitation);
// A copy for the signer, in the transaction that stores it. Answers about health are left out: e-mails are no safe.
void queue_copy(const Site& site, store::Transaction& tx, const Copy& copy, const std::string& link);
// With sample values and a notice that it is a test. `key`: unlike that of any other test.
void queue_test(const Site& site, store::Transaction& tx, const std::string& form_name, const std::string& to,
                const std::string& link, const std::string& key, Date day);

}  // namespace svc::pro::consent
