// reCAPTCHA on the site's forms; what its answers do is tested beside a siteverify in tests/e2e/recaptcha_test.py.
#include "tests/base/website/page_site.hpp"

namespace svc::tests {
namespace {

using json::Value;

Value protects(const char* form) {
    return Value::object({{"recaptcha_enabled", true},
                          {std::string("recaptcha_protect_") + form, true},
                          {"recaptcha_site_key", "key-\"of\"-ours"},
                          {"recaptcha_secret_key", "canary-recaptcha-secret"}});
}

std::string policy_of(const Answered& page) { return page.header("Content-Security-Policy"); }

}  // namespace

TEST_CASE("recaptcha_protect_enquiry, _registration: their forms alone load the provider, with its origins") {
    each_page_site([](PageSite& site) {
        site.base.given_trip("Nile cruise");
        const char* enquiry = "/trip/nile-cruise/enquiry";
        for (const char* path : {enquiry, "/account/register", "/trip", "/account/login"}) {
            const auto page = site.page(path);
            CHECK(!has(page.text, "recaptcha"));
            CHECK(!has(policy_of(page), "google"));
        }
        for (const auto& [form, path, other] :
             {std::tuple{"enquiry", enquiry, "/account/register"}, {"registration", "/account/register", enquiry}}) {
            CAPTURE(form);
            site.set(protects(form));
            const auto page = site.page(path);
            CHECK(has(page.text, "data-human=\"key-&quot;of&quot;-ours\" data-action=\"" + std::string(form) + "\""));
            CHECK(has(page.text, "https://www.google.com/recaptcha/api.js?render=key-%22of%22-ours"));
            CHECK(has(page.text, "This form is protected against robots and needs JavaScript."));
            CHECK(!has(page.text, "canary-recaptcha"));
            CHECK(has(policy_of(page), "script-src 'self' https://www.google.com https://www.gstatic.com;"));
            CHECK(has(policy_of(page), "frame-src https://www.google.com https://recaptcha.google.com;"));
            CHECK(!has(policy_of(site.page(other)), "google"));
            const auto at = page.text.find("/svc-theme/human.");
            REQUIRE(at != std::string::npos);
            CHECK(site.page(page.text.substr(at, page.text.find('"', at) - at)).status == 200);
            site.set(Value::object({{std::string("recaptcha_protect_") + form, false}}));
        }
        for (const char* path : {"/trip", "/trip/nile-cruise", "/account/login", "/account/forgot"})
            CHECK(!has(policy_of(site.page(path)), "google"));
    });
}

TEST_CASE("a protected form without a token keeps what was typed, shows the reason and stores nothing") {
    each_page_site([](PageSite& site) {
        site.base.given_trip("Nile cruise");
        site.set(protects("enquiry"));
        site.set(protects("registration"));
        const std::string typed = "customer_name=Ada&customer_email=ada%40example.org&message=Is+it+warm%3F";
        for (const char* token : {"", "&recaptcha_token=", "&recaptcha_token=a&recaptcha_token="}) {
            const auto refused = site.form("/trip/nile-cruise/enquiry", typed + token);
            CHECK(refused.status == 400);
            CHECK(has(refused.text, "The reCAPTCHA check failed. Please try again."));
            CHECK(has(refused.text, "Is it warm?"));
            CHECK(has(refused.text, "value=\"ada@example.org\""));
            CHECK(has(refused.text, "data-action=\"enquiry\""));
            CHECK(has(policy_of(refused), "https://www.google.com"));
        }
        const auto refused = site.form(
            "/account/register",
            "first_name=Ada&last_name=L&email=ada%40example.org&password=longenough&confirm_password=longenough");
        CHECK(refused.status == 400);
        CHECK(has(refused.text, "The reCAPTCHA check failed."));
        CHECK(has(refused.text, "value=\"ada@example.org\""));
        CHECK(!has(refused.text, "longenough"));
        CHECK(site.base.number("SELECT COUNT(*) FROM svc_enquiries") == 0);
        CHECK(site.base.number("SELECT COUNT(*) FROM svc_users WHERE email = 'ada@example.org'") == 0);
    });
}

TEST_CASE(
    "recaptcha_script_url: another address of the script, whose origin the policy names; none that is no address") {
    each_page_site([](PageSite& site) {
        site.base.given_trip("Nile cruise");
        site.set(protects("enquiry"));
        site.set(Value::object({{"recaptcha_script_url", "https://www.recaptcha.net/recaptcha/api.js"}}));
        const auto page = site.page("/trip/nile-cruise/enquiry");
        CHECK(has(page.text, "https://www.recaptcha.net/recaptcha/api.js?render="));
        CHECK(has(policy_of(page), "script-src 'self' https://www.recaptcha.net "));
        CHECK(!has(policy_of(page), "www.google.com"));
        for (const char* bad : {"javascript:alert(1)", "//a.example/x.js", "https://a.example", "https:///x.js",
                                "https://a.example/x.js; script-src *", "https://a.example/x.js?y", "https://*/x.js"})
            CHECK(site.base
                      .call("PUT", "/settings", Value::object({{"recaptcha_script_url", bad}}).dump(),
                            site.base.user("administrator"))
                      .status == 400);
    });
}

TEST_CASE("svc_recaptcha_protects_form protects a page's form as it protects the interface's route") {
    const BeforeStart before([](app::Assembly& base) {
        listen(base, "svc_recaptcha_protects_form",
               [](store::Transaction*, const json::Array& given) -> Value { return given[1].text() == "enquiry"; });
    });
    each_page_site([](PageSite& site) {
        site.base.given_trip("Nile cruise");
        CHECK(has(site.page("/trip/nile-cruise/enquiry").text, "data-action=\"enquiry\""));
        CHECK(site.form("/trip/nile-cruise/enquiry", "customer_name=A&customer_email=a%40example.org&message=Hi")
                  .status == 400);
        site.set(protects("registration"));
        CHECK(!has(site.page("/account/register").text, "data-action"));
    });
}

}  // namespace svc::tests
