// Proof that an account's address belongs to its owner: the holder of a mailed link sets the password, and all previous
// credentials of the account end. Public responses never reveal whether an address has an account.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/people/identity/service.hpp"
#include "shared/api/route.hpp"

namespace svc::identity {

void declare_address_proof(hooks::Hooks& hooks);  // [start-up]

// The data sent with a link.
struct LinkUse {
    std::string token, password;
    std::string address = {};  // the client's
};

// Any thread.
class AddressProof {
  public:
    explicit AddressProof(AddressParts parts);  // [start-up]: subscribes to requests for links; must not move
    AddressProof(const AddressProof&) = delete;
    AddressProof& operator=(const AddressProof&) = delete;

    // Mails the link that proves the address, with the caller's transaction.
    void ask(store::Transaction& tx, std::int64_t user_id, std::string_view name, std::string_view email, Instant now);
    // Counts a link to that address; false while one was mailed less than 120 s ago.
    bool may_mail(std::string_view email);

    // Sends the link again where one is due; success for any address. 429 with remaining_seconds within 120 s.
    Result<void> resend(const std::string& email, const std::string& address);
    // Sets the password and ends every earlier session and application password; nothing when the address was proven
    // before. invalid_token, token_expired, 400 naming `password`, 429.
    struct Verified {
        User user;
        bool before = false;
    };
    Result<Verified> verify(const LinkUse& use);

    // Mails a link for a new password if the address has an account; succeeds for any address, one mail in 120 s. 429
    // for a network with too many requests.
    Result<void> forget_password(const std::string& email, const std::string& address);
    // Sets the password once per link, within an hour; ends sessions and application passwords, proves the address.
    // invalid_token, token_expired, 400 naming `password`, 429.
    Result<void> reset_password(const LinkUse& use);

    // The links' tokens, derived from the actions' arguments.
    [[nodiscard]] static std::string token(const crypto::Keyring& keyring, std::int64_t user_id, std::string_view email,
                                           Instant sent_at);
    // Empty for a deleted user.
    [[nodiscard]] std::string reset_token(std::int64_t user_id, Instant sent_at) const;

  private:
    void listen(const hooks::Action& action, std::string name,
                const std::function<void(store::Transaction&, const User&)>& then);
    // Within the transaction that sets the password.
    void take_over(store::Transaction& tx, const User& user, Instant now);

    AddressParts parts_;
};

void add_address_proof_routes(api::RouteTable& routes, AddressProof& proof, Service& service,
                              const settings::Settings& settings);

}  // namespace svc::identity
