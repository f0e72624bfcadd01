// Signing in and out, registering, a forgotten password.
#include "base/website/views/views.hpp"
#include "shared/core/uri.hpp"

namespace svc::pages {
namespace {

using json::Value;

// Where to go on after signing in: a path of this site, or the account.
std::string next_of(const Views& views, PageRequest& visit) {
    std::string next = visit.http.method == "POST" ? visit.typed("next") : visit.parameter("next");
    return !next.empty() && next.starts_with('/') && text::is_place(next) && next.size() < 500
               ? next
               : views.path({views.bases().account});
}

View form_of(const Views& views, PageRequest& visit, std::string page, std::string title, int status = 200) {
    View view{.page = std::move(page), .status = status};
    const std::string account = views.bases().account;
    view.model.set("login_url",
                   views.path({account, "login"}) +
                       (visit.parameter("next").empty() ? "" : query_of({{"next", next_of(views, visit)}})));
    view.model.set("register_url", views.path({account, "register"}));
    view.model.set("forgot_url", views.path({account, "forgot"}));
    view.model.set("next", next_of(views, visit));
    view.model.set("can_register",
                   views.settings().flag("enable_customer_accounts") && views.settings().flag("customer_registration"));
    view.head.title = std::move(title);
    return view;
}

std::string account_label(std::string_view field, const Format& words) {
    return field == "username"     ? words.say_text("E-mail or login")
           : field == "password"   ? words.say_text("Password")
           : field == "email"      ? words.say_text("E-mail")
           : field == "first_name" ? words.say_text("First name")
           : field == "last_name"  ? words.say_text("Last name")
                                   : std::string();
}

void add_faults(View& view, const Answered& answered, const Format& words) {
    auto faults = answered.faults();
    if (faults.empty())
        faults.emplace_back("", answered.message());
    view.model.set("faults", faults_json(faults, [&](std::string_view field) { return account_label(field, words); }));
    view.model.set("has_faults", true);
}

Value register_fields(PageRequest& visit, const std::vector<std::pair<std::string, std::string>>& faults) {
    Value fields = Value::array();
    const auto add = [&](const char* name, const char* type, const char* autocomplete, bool needed) {
        fields.push(to_json({.name = name,
                             .label = account_label(name, visit.words),
                             .type = type,
                             .value = visit.typed(name),
                             .error = fault_of(faults, name),
                             .autocomplete = autocomplete,
                             .required = needed}));
    };
    add("first_name", "text", "given-name", true);
    add("last_name", "text", "family-name", false);
    add("email", "email", "email", true);
    return fields;
}

}  // namespace

View Views::login(PageRequest& visit) const {
    if (visit.signed_in)
        return go_to(next_of(*this, visit));
    View view = form_of(*this, visit, "login-page", visit.words.say_text("Sign in"));
    view.model.set("set", visit.parameter("set") == "1");
    return view;
}

View Views::login_submit(PageRequest& visit) const {
    Value body = Value::object({{"username", visit.typed("username")},
                                {"password", visit.typed("password")},
                                {"remember", visit.typed("remember") == "1"}});
    const Answered in = visit.call("POST", "/auth/login", body);
    if (!in.is_good()) {
        View view =
            form_of(*this, visit, "login-page", visit.words.say_text("Sign in"), in.status == 401 ? 400 : in.status);
        view.model.set("username", visit.typed("username"));
        add_faults(view, in, visit.words);
        return view;
    }
    visit.pass_cookies(in);
    visit.set_cookie("svc_in", "1", {}, true);  // a hint for scripts; proves nothing
    return go_to(next_of(*this, visit));
}

View Views::logout_submit(PageRequest& visit) const {
    visit.pass_cookies(visit.call("POST", "/auth/logout", Value::object()));
    visit.set_cookie("svc_in", "", 0, true);
    return go_to("/");
}

View Views::register_form(PageRequest& visit) const {
    View view = form_of(*this, visit, "register", visit.words.say_text("Create an account"));
    view.model.set("fields", register_fields(visit, {}));
    add_human_check(view, {"registration"});
    return view;
}

View Views::register_submit(PageRequest& visit) const {
    Value body = Value::object();
    for (const char* name : {"first_name", "last_name", "email", "recaptcha_token"})
        if (const std::string typed = visit.typed(name); !typed.empty())
            body.set(name, typed);
    const Answered made = visit.call("POST", "/auth/register", body, visit.typed("_key"));
    if (!made.is_good()) {
        View view = form_of(*this, visit, "register", visit.words.say_text("Create an account"), 400);
        view.model.set("fields", register_fields(visit, made.faults()));
        add_faults(view, made, visit.words);
        add_human_check(view, {"registration"});
        return view;
    }
    View view{.page = "notice"};
    view.head.title = visit.words.say_text("Look into your mailbox");
    view.model.set("heading", view.head.title);
    view.model.set("text", visit.words.say_text("We have sent a link to {email}. It confirms your address and lets you"
                                                " choose your password. It is valid for a day.",
                                                {{"email", visit.typed("email")}}));
    return view;
}

View Views::forgot(PageRequest& visit) const {
    return form_of(*this, visit, "forgot", visit.words.say_text("Forgotten password"));
}

View Views::forgot_submit(PageRequest& visit) const {
    const Answered asked =
        visit.call("POST", "/auth/password/forgot", Value::object({{"email", visit.typed("email")}}));
    if (!asked.is_good()) {
        View view = form_of(*this, visit, "forgot", visit.words.say_text("Forgotten password"), 400);
        view.model.set("email", visit.typed("email"));
        add_faults(view, asked, visit.words);
        return view;
    }
    View view{.page = "notice"};
    view.head.title = visit.words.say_text("Look into your mailbox");
    view.model.set("heading", view.head.title);
    view.model.set("text", visit.words.say_text("If {email} has an account, a link to set a new password is on its way."
                                                " It works once and within an hour.",
                                                {{"email", visit.typed("email")}}));
    return view;
}

}  // namespace svc::pages
