// Settings, what is read of Mailchimp, the receiver of reports, the log, and a person's data.
#include "tests/pro/mailchimp/audience.hpp"

using namespace svc;
using namespace svc::tests;

TEST_CASE("mailchimp: the key is sealed, shown masked, and a masked one changes nothing") {
    each_connected([](Connected& site) {
        const Value settings = site.read("/mailchimp/settings");
        CHECK(settings["api_key"].text() == "****us19");
        CHECK(settings["list_name"].text() == "Travelers");  // as Mailchimp says it
        CHECK(settings["connected"].boolean());
        CHECK(site.base.number("SELECT COUNT(*) FROM svc_settings WHERE value LIKE '%0123456789abcdef%'") == 0);
        site.set(R"({"api_key":"****us19","double_optin":true})");
        site.customer("ada@example.org", true);
        site.work();
        CHECK(site.audience.status("ada@example.org") == "pending");  // the key still counts
        CHECK(site.read("/settings").dump().find(mailchimp_key) == std::string::npos);
    });
}

TEST_CASE("mailchimp: settings that do not fit name their field") {
    each_connected([](Connected& site) {
        const auto fault = [&](const std::string& body) {
            const auto answered = site.put("/mailchimp/settings", body);
            CAPTURE(answered.text);
            CHECK(answered.status == 400);
            return answered.field();
        };
        CHECK(fault(R"({"api_key":"abc"})") == "api_key");
        CHECK(fault(R"({"api_key":"0123456789abcdef0123456789abcdef"})") == "api_key");
        // No key leads the program to another host.
        CHECK(fault(R"({"api_key":"0123456789abcdef0123456789abcdef-us1.evil.example/"})") == "api_key");
        CHECK(fault(R"({"api_key":"0123456789abcdef0123456789abcdef-us1@evil"})") == "api_key");
        CHECK(fault(R"({"api_key":"0123456789abcdef0123456789abcdee-us19"})") == "api_key");  // Mailchimp refuses it
        CHECK(fault(R"({"list_id":"../x"})") == "list_id");
        CHECK(fault(R"({"list_id":"zzz999"})") == "list_id");  // another account's
        CHECK(fault(R"({"field_mapping":{"fname":"first_name"}})") == "field_mapping.fname");
        CHECK(fault(R"({"field_mapping":{"FNAME":"password"}})") == "field_mapping.FNAME");
        CHECK(fault(R"({"sync_on_booking":"often"})") == "sync_on_booking");
        CHECK(site.read("/mailchimp/settings")["list_id"].text() == mailchimp_list);
    });
}

TEST_CASE("mailchimp: the test of a key says whose it is or why it failed") {
    each_connected([](Connected& site) {
        const auto test = [&](const std::string& key) {
            return site.base.post("/mailchimp/test", Value::object({{"api_key", key}}), site.admin());
        };
        const auto good = test("****us19");
        CHECK(good.status == 200);
        CHECK(good.data()["account"].text() == "Nile Tours");
        const auto refused = test("0123456789abcdef0123456789abcdee-us19");
        CHECK(refused.status == 400);
        CHECK(refused.code() == "integration_auth_failed");
        CHECK(refused.body["message"].text().find("Your API key may be invalid.") != std::string::npos);
        const auto shapeless = test("password");
        CHECK(shapeless.status == 400);
        CHECK(shapeless.body["message"].text().find("data centre") != std::string::npos);
        site.audience.answer("", 429, "{}");
        CHECK(test(mailchimp_key).status == 502);
        site.audience.answer("", 200, "<html>");
        CHECK(test(mailchimp_key).body["message"].text().find("cannot be read") != std::string::npos);
        site.audience.answer("", 200, "{}");
        CHECK(test(mailchimp_key).status == 502);
    });
}

TEST_CASE("mailchimp: audiences and merge fields are read live and asked for once in a while") {
    each_connected([](Connected& site) {
        const Value lists = site.read("/mailchimp/lists");
        CHECK(lists.size() == 2);
        CHECK(lists[std::size_t{0}].dump() == R"({"id":"a1b2c3d4e5","name":"Travelers","member_count":7})");
        site.audience.forget_asked();
        CHECK(site.read("/mailchimp/lists").size() == 2);
        CHECK(site.audience.asked().empty());
        const Value fields = site.read("/mailchimp/lists/" + mailchimp_list + "/merge-fields");
        CHECK(fields[std::size_t{0}]["tag"].text() == "FNAME");
        CHECK(site.base.get("/mailchimp/lists/zzz999/merge-fields", site.admin()).status == 404);
        site.set(R"({"double_optin":false})");  // forgets what was read
        site.audience.answer(
            "", 200, R"({"lists":[7,{"id":"../x"},{"id":"ok1","name":8,"stats":{"member_count":"many"}},null]})");
        CHECK(site.read("/mailchimp/lists").dump() == R"([{"id":"ok1","name":"","member_count":0}])");
        site.audience.answer("", 200, R"({"merge_fields":[7,{"tag":9,"required":"yes"}]})");
        CHECK(site.read("/mailchimp/lists/" + mailchimp_list + "/merge-fields").size() == 0);
        site.audience.answer_as_usual();
        site.set(R"({"api_key":""})");
        CHECK(site.base.get("/mailchimp/lists", site.admin()).status == 409);
        CHECK(site.base.post("/mailchimp/sync-all", Value::object(), site.admin()).status == 409);
    });
}

TEST_CASE("mailchimp: who unsubscribes or is cleaned there has no consent here, and no later sync brings them back") {
    each_connected([](Connected& site) {
        const auto ada = site.customer("ada@example.org", true), bob = site.customer("bob@example.org", true);
        const auto cyd = site.customer("cyd@example.org", true);
        site.work();
        REQUIRE(site.report("unsubscribe", "Ada%40Example.org").status == 200);
        REQUIRE(site.report("cleaned", "bob%40example.org").status == 200);
        site.audience.put("ada@example.org", "unsubscribed");
        site.audience.put("bob@example.org", "cleaned");
        site.work();
        CHECK_FALSE(site.agrees(ada));
        CHECK_FALSE(site.agrees(bob));
        CHECK(site.agrees(cyd));
        CHECK(site.status()["unsubscribed_there"].integer() == 2);
        site.audience.forget_asked();
        site.book("ada@example.org", true);
        REQUIRE(site.base.post("/mailchimp/sync-all", Value::object(), site.admin()).status == 200);
        site.work();
        CHECK(site.audience.status("ada@example.org") == "unsubscribed");
        CHECK(site.audience.count("PUT") == 1);  // of Cyd
        // A consent that is given later makes Mailchimp ask; a cleaned address stays away.
        site.agree(ada, true);
        site.agree(bob, true);
        site.work();
        CHECK(site.audience.status("ada@example.org") == "pending");
        CHECK(site.audience.status("bob@example.org") == "cleaned");
        CHECK(site.agrees(ada));
    });
}

TEST_CASE("mailchimp: a report before the first sync counts too, and one about another audience does not") {
    each_connected([](Connected& site) {
        const auto ada = site.customer("ada@example.org", true);
        const auto bob = site.customer("bob@example.org", true);
        REQUIRE(site.report("unsubscribe", "ada%40example.org").status == 200);
        REQUIRE(site.report("unsubscribe", "bob%40example.org", "f6").status == 200);
        REQUIRE(site.report("unsubscribe", "nobody%40example.org").status == 200);
        site.work();
        CHECK_FALSE(site.agrees(ada));
        CHECK(site.agrees(bob));
        CHECK(site.audience.members() == 1);
        CHECK(site.base.number("SELECT COUNT(*) FROM svc_mailchimp_reports") == 0);
        CHECK(site.base.number("SELECT COUNT(*) FROM svc_mailchimp_members WHERE email LIKE 'nobody%'") == 0);
    });
}

TEST_CASE("mailchimp: an address that changed there and a contact that was deleted there are not sent again") {
    each_connected([](Connected& site) {
        const auto ada = site.customer("ada@example.org", true);
        site.work();
        REQUIRE(site.report("upemail", "ada%40example.org").status == 200);
        site.work();
        site.audience.forget_asked();
        REQUIRE(site.base.post("/mailchimp/sync-all", Value::object(), site.admin()).status == 200);
        site.work();
        CHECK(site.audience.count("PUT") == 0);
        CHECK(site.agrees(ada));
    });
}

TEST_CASE("mailchimp: the receiver takes reports at its secret address alone, and nothing else harms it") {
    each_connected([](Connected& site) {
        const std::string address = site.receiver();
        CHECK(site.base.get(address).status == 200);  // Mailchimp asks before it stores the address
        std::string wrong = address;
        wrong.back() = wrong.back() == '0' ? '1' : '0';
        CHECK(site.base.get(wrong).status == 404);
        CHECK(site.base.get("/mailchimp/webhook/x").status == 404);
        const auto form = Visitor{}.with("Content-Type", "application/x-www-form-urlencoded");
        CHECK(site.base.call("POST", wrong, "type=unsubscribe", form).status == 404);
        for (const std::string& body :
             {std::string(), std::string("type"), std::string("type=unsubscribe"), std::string("%zz=%"),
              std::string("type=unsubscribe&data[email]=a%00b@example.org&data[list_id]=a1b2c3d4e5"),
              std::string("type=unsubscribe&data[email]=%ff@example.org&data[list_id]=a1b2c3d4e5"),
              std::string("type=unsubscribe&data[email]=ada@example.org&data[list_id]=../x"),
              std::string("type=campaign&data[email]=ada@example.org&data[list_id]=a1b2c3d4e5"),
              std::string(9000, '&')})
            CHECK(site.base.call("POST", address, body, form).status == 200);
        CHECK(site.base.number("SELECT COUNT(*) FROM svc_mailchimp_reports") == 0);
        CHECK(site.base.call("POST", address, std::string(20'000, 'x'), form).status == 413);
        const auto renewed = site.base.post("/mailchimp/webhook-address", Value::object(),
                                            site.admin().with("Idempotency-Key", "another-address"));
        REQUIRE(renewed.status == 200);
        CHECK(site.base.get(address).status == 404);
        CHECK(site.base.get(site.receiver()).status == 200);
        CHECK(site.base.number(("SELECT COUNT(*) FROM svc_mailchimp_state WHERE secret LIKE '%" +
                                site.receiver().substr(site.receiver().rfind('/') + 1) + "%'")
                                   .c_str()) == 0);
        site.turn(false);
        CHECK(site.base.get(address).status == 404);
    });
}

TEST_CASE("mailchimp: the log is searched and filtered, and says why somebody was not sent") {
    each_connected([](Connected& site) {
        site.book("ada@example.org", true);
        site.book("bob@example.org", false);
        site.work();
        CHECK(site.read("/mailchimp/log?search=BOB").size() == 1);
        CHECK(site.read("/mailchimp/log?status=skipped")[std::size_t{0}]["reason"].text() == "no_opt_in");
        CHECK(site.read("/mailchimp/log?from=2001-01-01&to=2001-01-02").size() == 0);
        CHECK(site.base.get("/mailchimp/log?status=nonsense", site.admin()).status == 400);
        CHECK(site.base.get("/mailchimp/log").status == 401);
        CHECK(site.base.get("/mailchimp/status", site.base.user("sales_agent")).status == 403);
    });
}

TEST_CASE("mailchimp: an erasure deletes the contact there for good, and the export names it") {
    each_connected([](Connected& site) {
        const auto id = site.customer("ada@example.org", true);
        site.customer("bob@example.org", true);
        site.work();
        const auto exported = site.base.assembly->privacy.exported("ada@example.org");
        REQUIRE(exported);
        CHECK(exported->dump().find("\"mailchimp\"") != std::string::npos);
        CHECK(exported->dump().find(mailchimp_list) != std::string::npos);
        REQUIRE(site.base.assembly->privacy.erase("ada@example.org"));
        site.settle();
        CHECK(site.base.number("SELECT COUNT(*) FROM svc_mailchimp_members") == 1);
        CHECK(site.base.number("SELECT COUNT(*) FROM svc_mailchimp_log WHERE email LIKE 'ada%'") == 0);
        CHECK(site.base.number(
                  ("SELECT COUNT(*) FROM svc_mailchimp_queue WHERE customer_id = " + std::to_string(id)).c_str()) == 0);
        site.audience.answer("", 503, "");
        site.work();
        CHECK(site.status()["waiting"].integer() == 1);
        site.audience.answer_as_usual();
        site.rested();
        site.work();
        CHECK(site.audience.status("ada@example.org") == "none");
        CHECK(site.audience.status("bob@example.org") == "subscribed");
        CHECK(site.status()["waiting"].integer() == 0);
        // The outcome of a request that was under way is not kept, and what it made is deleted there.
        site.audience.put("ada@example.org", "subscribed");
        const pro::mailchimp::Member late{.email = "ada@example.org",
                                          .customer_id = id,
                                          .status = std::string(pro::mailchimp::status::subscribed),
                                          .is_ours = true};
        REQUIRE(site.base.assembly->store->transact<bool>([&](store::Transaction& tx) -> Result<bool> {
            pro::mailchimp::Repository::put(tx, mailchimp_list, late, false, Instant::from_micros(1));
            return true;
        }));
        CHECK(site.base.number("SELECT COUNT(*) FROM svc_mailchimp_members") == 1);
        site.work();
        CHECK(site.audience.status("ada@example.org") == "none");
    });
}

TEST_CASE("mailchimp: the last step of a booking has the tick while it is connected") {
    each_connected([](Connected& site) {
        const auto page = [&](const std::string& target) {
            const std::vector<HttpHeader> headers{{"Host", "example.org"}};
            const auto answer = site.base.assembly->pages.pages.answer(
                HttpRequest{.method = "GET", .target = target, .headers = headers, .body = "", .peer = "192.0.2.7"});
            return answer.body ? *answer.body : std::string();
        };
        const std::string about = page("/newsletter");
        CHECK(about.find("Mailchimp") != std::string::npos);
        CHECK(about.find("f-newsletter") == std::string::npos);
    });
}
