// The licence of this installation: a key, the licence server's terms, and their public view.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shared/core/date.hpp"
#include "shared/json/value.hpp"

namespace svc::pro::license {

namespace status {
inline constexpr std::string_view inactive = "inactive", active = "active", expired = "expired", disabled = "disabled",
                                  invalid = "invalid";
}

// How long a licence stays active past its end while the server is unreachable.
inline constexpr std::chrono::hours grace{7 * 24};

// The licence server's terms; nothing else of its response is used.
struct Terms {
    std::string status{status::inactive};
    std::optional<Instant> expires_at = {};  // none: it does not end
    std::string customer_name = {}, customer_email = {};
    std::optional<std::int64_t> license_limit = {}, site_count = {}, activations_left = {}, price_id = {};
    std::string plan_name = {};
    std::string plan_tier = {};  // personal, growth, agency; empty: unknown
    bool is_lifetime = false;
};

// 32 random hexadecimal digits: ids of installations and of requests. Not secret.
std::string random_id();

struct License {
    std::string site_id;          // random, made once; the server counts sites by it
    std::string key;              // empty: none is stored, or it cannot be opened with this installation's key file
    std::string key_origin = {};  // scheme and host of the server that the key was given for; empty: unknown
    Terms terms;
    std::string server_answer = {};  // its last one, whole; sealed at rest and never shown
    std::optional<Instant> last_checked_at = {};
    std::optional<Instant> unreached_since = {};  // the server did not answer a check since then
    // When a check found that the server had taken it back (deactivated, disabled, unknown); nobody did that here.
    std::optional<Instant> lost_at = {};
};

// The terms' status now: an active licence is expired once its end and the grace are over.
std::string status_at(const Terms& terms, Instant now);
// Active or expired: what it had allowed stays.
bool was_activated(const License& license);
// The modules of Pro that `is_on` says are on and that the licence does not cover.
std::vector<std::string> beyond_plan(const License& license, const std::function<bool(std::string_view)>& is_on,
                                     Instant now);

// Whether the licence is of that plan or a higher one (personal, growth, agency) and in force; "free" needs none. One
// that ended allows nothing new, and takes nothing away that is in use.
bool covers(const License& license, std::string_view plan, Instant now);
// Of modules as {"slug", "plan"}, those it covers.
json::Value covered(const License& license, const json::Value& modules, Instant now);

// "****" and the last four characters; of fewer than eight, none.
std::string masked(std::string_view key);

// The public part, for routes and hooks: without key and customer, and only the terms of the response.
json::Value to_json(const License& license, Instant now);

}  // namespace svc::pro::license
