// Asks travelers to sign: by the clock and by hand, once for each form, booking and traveler; reminds them; ends what
// is over.
#pragma once

#include "pro/common/site_address.hpp"
#include "pro/consent/party.hpp"
#include "pro/consent/request.hpp"
#include "shared/plugin/host_calls.hpp"

namespace svc::pro::consent {

// The word of a test e-mail's link to a form as it is: sealed, so that nobody counts the forms, and in force for 30
// days. 0: the form is not stored, and has no page.
std::string test_token(const plugin::Secrets& secrets, std::int64_t form_id, Instant now);
bool is_test_token(std::string_view token);
// The form; 0: none is stored. Nothing: it is none of ours, or is over.
std::optional<std::int64_t> form_of_test(const plugin::Secrets& secrets, std::string_view token, Instant now);

// 64 hexadecimal digits, 256 bits; only its hash is stored.
std::string new_token();
bool is_token(std::string_view text);
std::string hash_of_token(std::string_view token);

// Any thread, outside of transactions, but for what says otherwise.
class Requests {
  public:
    Requests(const Site& site, const plugin::Calls& calls) : site_(site), address_(calls) {}

    struct Made {
        std::vector<ConsentRequest> requests;
        std::vector<std::int64_t> existing;  // travelers who were asked before
    };
    // Without indexes whom the form asks. svc_conflict: all were asked before, or the booking has ended.
    Result<Made> create(std::int64_t form_id, std::int64_t booking_id,
                        const std::optional<std::vector<std::int64_t>>& indexes, Instant now);
    // A new link to the address of today; older links end, and the form's newest version takes the place of the old
    // one.
    Result<ConsentRequest> send_again(std::int64_t id, Instant now);
    Result<ConsentRequest> revoke(std::int64_t id, Instant now);
    // Open requests of a booking that was called off.
    void revoke_of_booking(std::int64_t booking_id, Instant now);
    // After a change of a booking: requests go with their travelers to another seat. Where a seat was given to another
    // person, the former one's request and signature are revoked, and the new one is asked.
    void follow_party(std::int64_t booking_id, Instant now);
    Result<bool> send_test(const std::string& form_name, const std::string& email, std::int64_t form_id, Instant now);

    // The jobs: how many were done.
    Result<json::Value> send_due(Instant now);
    Result<json::Value> remind_due(Instant now);

    // Of the site, without a slash at the end; and of its interface, below the site: "/svc/v1".
    Result<std::string> site_url() { return address_.site_url(); }
    Result<std::string> base_path() { return address_.base_path(); }

  private:
    std::int64_t send_form(const ConsentForm& form, Instant now, std::int64_t most);
    std::int64_t send_to_party(const ConsentForm& form, std::int64_t booking_id, Instant now);
    std::int64_t end_what_is_over(Instant now);
    std::optional<std::int64_t> reminder_of(const ConsentRequest& request, const ConsentForm& form, const Party& party,
                                            Instant now) const;
    bool remind(std::int64_t id, Instant now);
    void ask_new(store::Transaction& tx, const std::vector<ConsentRequest>& ended, const Party& party,
                 const std::string& site_url, Instant now) const;
    std::optional<ConsentRequest> add(store::Transaction& tx, const ConsentForm& form, const Party& party,
                                      std::int64_t index, const std::string& site_url, Instant now) const;
    void invite(store::Transaction& tx, ConsentRequest& request, const Party& party, const std::string& form_name,
                const std::string& site_url, std::optional<std::int64_t> days_left, Instant now) const;
    [[nodiscard]] Instant end_of_link(const ConsentForm& form, const Party& party, Instant now) const;
    void note_failure(const char* event, std::int64_t id, const std::exception& failure) const;

    const Site& site_;
    SiteAddress address_;
};

}  // namespace svc::pro::consent
