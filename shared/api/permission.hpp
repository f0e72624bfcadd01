// The permission that a route requires. Declared with the route, enforced by the gate, never by a handler.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "shared/core/result.hpp"

namespace svc::api {

struct Request;

// The caller, as authenticated by the gate.
struct Caller {
    enum class Kind { anonymous, user } kind = Kind::anonymous;
    std::int64_t user_id = 0;
    std::string login;
    std::string email;                      // verified address, empty when not verified
    std::vector<std::string> capabilities;  // sorted
    enum class Through { nothing, cookie, application_password } through = Through::nothing;
    std::string session_key;  // names the cookie session or the credential, for nonces and limits

    [[nodiscard]] bool is_user() const { return kind == Kind::user; }
    // manage_options passes every svc_* check.
    [[nodiscard]] bool can(std::string_view capability) const;
};

// No default: a route that forgets `.who` does not compile.
class Permission {
  public:
    static Permission everyone();
    static Permission signed_in();
    static Permission can(std::string capability);
    static Permission any_of(std::vector<std::string> capabilities);
    // Decided by looking at the request ("booking owner, guest with the token, or staff"). The check runs in the
    // gate after validation; it answers svc_unauthorized, svc_forbidden or a 404 error.
    static Permission decided_by(std::string help, std::function<Result<void>(const Request&)> check);

    // The checks before the body is read. Anonymous callers get 401, users without the permission 403.
    [[nodiscard]] Result<void> admits(const Caller& caller) const;
    [[nodiscard]] Result<void> admits(const Request& request) const;  // decided_by alone; else success
    [[nodiscard]] std::string text() const;                           // "everyone", "signed in", "svc_edit_trips", …
    [[nodiscard]] bool is_public() const;                             // everyone or decided_by
    [[nodiscard]] bool is_decided() const { return rule_ == Rule::decided_by; }
    [[nodiscard]] const std::vector<std::string>& capabilities() const { return capabilities_; }

  private:
    enum class Rule { everyone, signed_in, any_of, decided_by };
    Permission(Rule rule, std::vector<std::string> capabilities, std::string help,
               std::function<Result<void>(const Request&)> check);
    Rule rule_;
    std::vector<std::string> capabilities_;
    std::string says_;
    std::function<Result<void>(const Request&)> check_;
};

}  // namespace svc::api
