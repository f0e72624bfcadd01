// Filters for signing in.
#pragma once

#include "shared/hooks/hooks.hpp"

namespace svc::identity {

inline const hooks::Filter user_allowed_to_login{"svc_user_allowed_to_login",
                                                 "Whether this user may sign in, after the password was verified.",
                                                 json::Kind::boolean,
                                                 {"user_id"}};
inline const hooks::Filter login_redirect_url{
    "svc_login_redirect_url",
    "Address to open after signing in: an http or https address, or a path of this site.",
    json::Kind::string,
    {"user_id"}};

inline const hooks::Filter login_attempts{
    "svc_login_rate_limit_attempts",
    "Failed sign-ins allowed per network and account within svc_login_rate_limit_window; results"
    " other than integers from 1 to 1000 are ignored.",
    json::Kind::number,
    {}};
inline const hooks::Filter login_window{
    "svc_login_rate_limit_window",
    "The period in seconds; results other than integers from 1 to 86400 are ignored.",
    json::Kind::number,
    {}};
inline const hooks::Filter basic_password_allowed{
    "svc_basic_password_allowed",
    "Whether Basic credentials may contain this user's password besides application passwords, over HTTPS; false"
    " by default. user_id is 0 for unknown names.",
    json::Kind::boolean,
    {"user_id"}};
inline const hooks::Filter module_capabilities{
    "svc_module_capabilities",
    "The known capabilities. Added names belong to a plugin: administrators have them, and roles and users"
    " can be granted them. Applied at start; listen before adding routes that need one.",
    json::Kind::array,
    {},
    R"([""])"};

inline const hooks::Action verification_due{
    "svc_account_verification_due",
    "Somebody with an account is to prove that its e-mail address is theirs: it is new,"
    " or they asked for the link once more. account: name, email, sent_at.",
    {"user_id", "account"}};
inline const hooks::Action reset_due{
    "svc_account_password_reset_due",
    "The owner of an account is to be mailed the link that sets a new password. account: name, email, sent_at.",
    {"user_id", "account"}};
inline const hooks::Action registered_again{"svc_account_registered_again",
                                            "Somebody tried to make an account for an address that has one already; the"
                                            " response did not reveal it. account: name, email.",
                                            {"user_id", "account"}};
inline const hooks::Action address_change_wanted{
    "svc_account_email_change_wanted",
    "An account owner requested a change of address; svc_account_email_change_due follows if the address is free.",
    {"user_id", "account"}};
inline const hooks::Action address_change_due{
    "svc_account_email_change_due",
    "The link that confirms a new address is to be mailed to it. account: name, email, sent_at, account (the present"
    " address, shortened).",
    {"user_id", "account"}};
inline const hooks::Action address_changed{
    "svc_account_email_changed",
    "The address of an account was changed by the mailed link. account: name, email (the old one), new_email.",
    {"user_id", "account"}};

inline void declare_hooks(hooks::Hooks& hooks) {
    for (const auto* filter : {&login_attempts, &login_window, &module_capabilities})
        hooks.declare(*filter);
    hooks.declare(user_allowed_to_login);
    hooks.declare(basic_password_allowed);
    hooks.declare(login_redirect_url);
}

}  // namespace svc::identity
