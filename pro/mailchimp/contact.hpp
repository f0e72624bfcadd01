// What Mailchimp is to know of a customer, as the site's data say now, and what is to be done for it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pro/mailchimp/configuration.hpp"

namespace svc::pro::mailchimp {

// States of a contact at Mailchimp, as svc_mailchimp_members keeps them.
namespace status {
inline constexpr std::string_view subscribed = "subscribed", pending = "pending", transactional = "transactional",
                                  unsubscribed = "unsubscribed", cleaned = "cleaned", archived = "archived",
                                  compliance = "compliance", rejected = "rejected";
}

// A contact as we know it there.
struct Member {
    std::int64_t id = 0;
    std::string email = {};  // in lower case
    std::int64_t customer_id = 0;
    std::string status = {};
    Instant status_at{};
    bool is_theirs = false;  // it became so by others than us
    bool is_ours = false;    // we subscribed it because of an opt-in
    std::vector<std::string> tags = {};
    std::string sent = {};
    std::string list_id = {};  // of the audience; not written with the others

    [[nodiscard]] bool is_live() const {
        return status == status::subscribed || status == status::pending || status == status::transactional;
    }
};

struct Contact {
    std::int64_t customer_id = 0;
    std::string email = {};                   // in lower case; empty: the customer is gone
    std::optional<Instant> opted_in_at = {};  // empty: no opt-in is recorded
    bool has_booking = false;
    json::Value merge_fields = json::Value::object();
    std::vector<std::string> tags = {};  // sorted
};

// Reads the views of the base; bookings that were called off count for nothing.
Contact contact_of(store::Session& session, const Configuration& now, std::int64_t customer_id, Date today);

// What is to be sent for a contact.
struct Decision {
    enum class Does : std::uint8_t { nothing, upsert, unsubscribe } does = Does::nothing;
    std::string why = {};  // of nothing: no_opt_in, unsubscribed_there, cleaned, archived_there, compliance, gone
    std::string status_if_new = {};  // upsert
    std::string status = {};         // upsert: also of one that exists; empty: it keeps its own
    bool is_opt_in = false;          // upsert because of a recorded opt-in
};
// Nobody is subscribed without a recorded opt-in, and whoever left at Mailchimp is left alone: only an opt-in that is
// later makes Mailchimp ask them. Pure.
Decision decided(const Contact& contact, const std::optional<Member>& member, const Configuration& now);

// The body of an upsert.
json::Value body_of(const Contact& contact, const Decision& decision);
// Tags to set and to remove, as Mailchimp takes them; empty when there are none.
json::Value tag_changes(const std::vector<std::string>& before, const std::vector<std::string>& after);

}  // namespace svc::pro::mailchimp
