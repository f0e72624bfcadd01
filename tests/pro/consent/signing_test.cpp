// What the recipient of a link reads and signs, the evidence of it, and everything that is refused.
#include "tests/pro/consent/signer.hpp"
#include "tests/support/pdf_tools.hpp"

using namespace svc;
using namespace svc::tests;

namespace {

std::string pdf_of(Signer& base, std::int64_t id, const Visitor& who) {
    const auto file = base.get(Signer::path("/consent/signed/", id, "/pdf"), who);
    REQUIRE(file.status == 200);
    CHECK(file.header("Content-Type") == "application/pdf");
    return file.text;
}

}  // namespace

TEST_CASE("a link opens the form that was frozen with it, with the trip, the signer and the traveler") {
    each_signer([](Signer& base) {
        const auto booked = base.booking(R"([{"first_name":"Ada","last_name":"Lovelace","date_of_birth":"1990-12-10"},
            {"first_name":"Tim","last_name":"Lovelace"}])",
                                         2);
        base.set(R"({"consent_paper_note":"Ask for it at the office."})");
        const auto form = base.form(R"({"fields":[{"id":"b","type":"text","label":"Second","order":2},
            {"id":"a","type":"text","label":"First","order":1},{"id":"c","type":"text","label":"Off","enabled":false}]})");
        const auto token = base.asked(form, booked, "[2]");
        REQUIRE(base.put(Signer::path("/consent/forms/", form), R"({"name":"Changed"})").status == 200);
        const auto page = base.get("/consent/form/" + token);
        CAPTURE(page.text);
        REQUIRE(page.status == 200);
        const Value& data = page.data();
        CHECK(data["form"]["title"].text() == "Waiver");
        CHECK(data["form"]["version"].integer() == 1);
        CHECK(data["form"]["sha256"].text().size() == 64);
        REQUIRE(data["form"]["fields"].size() == 2);
        CHECK(data["form"]["fields"][std::size_t{0}]["id"].text() == "a");
        CHECK(data["booking"]["reference"].text() == booked.reference);
        CHECK(data["booking"]["trip_title"].text() == "Nile cruise");
        CHECK(data["signer"]["email"].text() == "ada@example.org");
        CHECK(data["traveler"]["name"].text() == "Tim Lovelace");
        CHECK(data["traveler"]["is_minor"].is_null());
        CHECK(data["adult_age"].integer() == 18);
        CHECK(data["paper_note"].text() == "Ask for it at the office.");
        CHECK_FALSE(data["is_test"].boolean());
        const Value request = base.request(base.last_request());
        CHECK(request["viewed_at"].is_string());
        CHECK(base.get("/consent/form/" + std::string(64, 'a')).status == 404);
        CHECK(base.get("/consent/form/short").status == 404);
        CHECK(base.get("/consent/form/" + std::string(64, 'a') + "/pdf").status == 404);
    });
}

TEST_CASE("signing stores the copy with its evidence, fires the action, mails a copy, and happens once") {
    each_signer([](Signer& base) {
        const auto booked = base.booking();
        const auto token = base.asked(base.form(), booked);
        REQUIRE(base.get("/consent/form/" + token).status == 200);
        const auto done = base.sign(token, R"({"shown_seconds":42,"time_zone":"Europe/Berlin"})");
        CAPTURE(done.text);
        REQUIRE(done.status == 201);
        const auto id = done.data()["id"].integer();
        base.settle();
        CHECK(base.fired("svc_consent_signed") ==
              std::vector<std::string>{Value::array({id, base.last_request(), booked.id}).dump()});
        const Value copy = base.read(Signer::path("/consent/signed/", id));
        CHECK(copy["signer_name"].text() == "Ada Lovelace");
        CHECK(copy["signer_email"].text() == "ada@example.org");
        CHECK(copy["form_data"]["agrees"].boolean());
        CHECK(copy["form_data"]["shoe"].text() == "38");
        CHECK(copy["signature_type"].text() == "drawn");
        CHECK(copy["signature_data"].text() == drawn);
        CHECK(copy["ip_address"].text() == "192.0.2.44");
        CHECK(copy["user_agent"].text() == "Mozilla/5.0 (a test)");
        CHECK(copy["opened_at"].is_string());
        CHECK(copy["shown_seconds"].integer() == 42);
        CHECK(copy["time_zone"].text() == "Europe/Berlin");
        CHECK(copy["signed_at"] == done.data()["signed_at"]);
        CHECK(copy["form"]["title"].text() == "Waiver");
        CHECK(copy["is_intact"].boolean());
        CHECK(copy["status"].text() == "signed");
        // The PDF is the one that was hashed, with the audit page.
        const std::string pdf = pdf_of(base, id, base.admin());
        CHECK(pro::crypto::sha256_hex(pdf) == copy["pdf_sha256"].text());
        const std::string text = PdfFile(pdf).text();
        CHECK(text.find("Waiver") != std::string::npos);  // the form's title
        for (const std::string& part : {std::string("I take part at my own risk."), std::string("Ada Lovelace"),
                                        std::string("192.0.2.44"), copy["data_sha256"].text().substr(0, 16)}) {
            CAPTURE(part);
            CHECK(text.find(part) != std::string::npos);
        }
        const auto preview = base.read(Signer::path("/consent/signed/", id, "/pdf?preview=1"));
        CHECK(preview["filename"].text() == "Consent-" + booked.reference + "-1.pdf");
        CHECK(pro::crypto::from_base64(preview["pdf_data"].text()) == pdf);
        // The signer's copy, by mail and by the link.
        CHECK(base.mails("trip_consent_signed") == std::vector<std::string>{"ada@example.org"});
        CHECK(base.mails("trip_consent_signed", "body_html")[0].find("own risk") != std::string::npos);
        CHECK(base.token("trip_consent_signed") == token);
        CHECK(base.get("/consent/form/" + token + "/pdf").text == pdf);
        // Once.
        const auto again = base.sign(token, R"({"signer_name":"Somebody Else"})");
        CHECK(again.status == 409);
        CHECK(again.code() == "already_signed");
        CHECK(again.body["data"]["signed_at"] == copy["signed_at"]);
        const auto opened = base.get("/consent/form/" + token);
        CHECK(opened.status == 409);
        CHECK(opened.body["data"]["signed_at"] == copy["signed_at"]);
        CHECK(opened.body["data"]["copy_url"].text() == done.data()["copy_url"].text());
        CHECK(base.number("SELECT COUNT(*) FROM svc_signed_consents") == 1);
        CHECK(base.request(base.last_request())["status"].text() == "signed");
        CHECK(base.request(base.last_request())["signed_id"].integer() == id);
        const Value listed = base.read("/consent/signed?search=lovelace");
        REQUIRE(listed.size() == 1);
        CHECK(listed[std::size_t{0}].find("signature_data") == nullptr);
    });
}

TEST_CASE("long titles and long answers are whole in the PDF") {
    each_signer([](Signer& base) {
        std::string title, story;
        for (int i = 0; i < 30; ++i)
            title += "rule ";
        for (int i = 0; i < 400; ++i)
            story += "climbing ";
        const auto form = base.form(
            Value::object(
                {{"name", title + "endoftitle"},
                 {"fields",
                  Value::array({Value::object(
                      {{"id", "story"}, {"type", "textarea"}, {"label", "Your story"}, {"health", false}})})}})
                .dump());
        const auto answers = Value::object({{"form_data", Value::object({{"story", story + "endofstory"}})}});
        const auto id = base.signed_id(base.asked(form, base.booking()), answers.dump());
        const std::string text = PdfFile(pdf_of(base, id, base.admin())).text();
        CHECK(text.find("endoftitle") != std::string::npos);
        CHECK(text.find("endofstory") != std::string::npos);
    });
}

TEST_CASE("the copy of a long form is mailed whole") {
    each_signer([](Signer& base) {
        Value blocks = Value::array();
        for (int i = 0; i < 8; ++i)
            blocks.push(Value::object({{"type", "paragraph"}, {"content", std::string(15'000, 'x')}}));
        blocks.push(Value::object({{"type", "paragraph"}, {"content", "The last word."}}));
        base.signed_id(base.asked(base.form(Value::object({{"content_blocks", blocks}}).dump()), base.booking()));
        const auto bodies = base.mails("trip_consent_signed", "body_html");
        REQUIRE(bodies.size() == 1);
        CHECK(bodies[0].find("The last word.") != std::string::npos);
    });
}

TEST_CASE("a stored copy that somebody changed is not intact") {
    each_signer([](Signer& base) {
        const auto id = base.signed_id(base.asked(base.form(), base.booking()));
        const std::string path = Signer::path("/consent/signed/", id);
        CHECK(base.read(path)["is_intact"].boolean());
        base.run("UPDATE svc_signed_consents SET signer_name = 'Eva Byron'");
        CHECK_FALSE(base.read(path)["is_intact"].boolean());
        for (const char* method : {"PUT", "PATCH", "DELETE"})
            CHECK(base.call(method, path, "{}", base.admin()).status == 405);
    });
}

TEST_CASE("every answer is checked by its field, and every fault is named") {
    each_signer([](Signer& base) {
        const auto form = base.form(R"({"require_initials":true,"fields":[
            {"id":"t","type":"text","label":"T","required":true},{"id":"a","type":"textarea","label":"A"},
            {"id":"c","type":"checkbox","label":"C","required":true},
            {"id":"s","type":"select","label":"S","options":["one","two"]},{"id":"d","type":"date","label":"D"},
            {"id":"e","type":"email","label":"E"},{"id":"p","type":"phone","label":"P"},
            {"id":"n","type":"number","label":"N"},{"id":"off","type":"text","label":"O","required":true,"enabled":false}]})");
        const auto token = base.asked(form, base.booking());
        const auto faults = [&](const std::string& members) {
            const auto refused = base.sign(token, members);
            CAPTURE(refused.text);
            CHECK(refused.status == 400);
            std::string names;
            for (const auto& [name, sentences] : refused.body["data"]["errors"].members())
                names += name + " ";
            return names;
        };
        CHECK(faults(R"({"form_data":{"s":"three","d":"2027-02-30","e":"eva","p":"call me","n":"1e5"},"signature_data":
            null,"signer_name":"A","agree":false})") ==
              "form_data.t form_data.c form_data.s form_data.d form_data.e form_data.p form_data.n signature_data"
              " initials_data agree ");
        // Answers that fit with one more, and other members besides.
        const auto answers = [](const std::string& more) {
            return R"({"initials_data":"AL","form_data":{"t":"x","c":true)" + more + "}}";
        };
        const auto besides = [](const std::string& more) { return R"({"form_data":{"t":"x","c":true},)" + more + "}"; };
        CHECK(faults(answers(R"(,"t2":"of another form")")) == "form_data.t2 ");
        CHECK(faults(answers(R"(,"off":"x")")) == "form_data.off ");
        CHECK(faults(answers(R"(,"a":{"b":1})")) == "form_data.a ");
        CHECK(faults(answers(R"(,"n":[1])")) == "form_data.n ");
        CHECK(faults(answers(R"(,"a":")" + std::string(5001, 'x') + "\"")) == "form_data.a ");
        CHECK(faults(besides(R"("initials_data":"far too many")")) == "initials_data ");
        CHECK(faults(besides(R"("initials_data":"AL","signer_name":"")")) == "signer_name ");
        CHECK(faults(besides(R"("initials_data":"AL","signer_name":"see https://example.org")")) == "signer_name ");
        CHECK(faults(besides(R"("initials_data":"AL","signing_as":"nobody")")) == "signing_as ");
        CHECK(faults(R"({"initials_data":"AL","form_data":"text"})") == "form_data ");
        CHECK(base.number("SELECT COUNT(*) FROM svc_signed_consents") == 0);
        CHECK(base.number("SELECT COUNT(*) FROM svc_consent_requests WHERE status = 'pending'") == 1);
        base.signed_id(token,
                       answers(R"(,"s":"two","d":"2027-02-28","e":"eva@example.org","p":"+44 20 7946","n":12.5)"));
    });
}

TEST_CASE("a signature is a PNG picture of sane size or a typed name, which a keyboard alone can enter") {
    each_signer([](Signer& base) {
        const auto token = base.asked(base.form(), base.booking());
        const auto field_of = [&](const std::string& signature) {
            return base.sign(token, Value::object({{"signature_data", signature}}).dump()).field();
        };
        CHECK(field_of("data:image/png;base64,") == "signature_data");
        CHECK(field_of("data:image/png;base64,AAAA") == "signature_data");
        CHECK(field_of("data:image/svg+xml;base64,PHN2Zz48L3N2Zz4=") == "signature_data");
        CHECK(field_of("https://example.org/me.png") == "signature_data");
        CHECK(field_of(huge_drawn) == "signature_data");
        CHECK(field_of(drawn.substr(0, drawn.size() - 8)) == "signature_data");
        std::string changed = drawn;
        changed[80] = changed[80] == 'A' ? 'B' : 'A';
        CHECK(field_of(changed) == "signature_data");  // its check sum is wrong
        // Whole chunks with right check sums, and no pixels in them: no copy could ever be printed.
        CHECK(field_of("data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAACgAAAAUCAAAAADaLSBnAAAAEklEQVRubyBw"
                       "aXhlbHMgYXJlIGhlcmVOljP/AAAAAElFTkSuQmCC") == "signature_data");
        CHECK(field_of("data:image/png;base64," + std::string(700'000, 'A')) == "signature_data");  // over 512 KiB
        CHECK(base.sign(token, Value::object({{"signature_data", std::string(10'000'000, 'A')}}).dump()).status == 413);
        CHECK(base.sign(token, R"({"signature_data":7})").field() == "signature_data");
        CHECK(base.sign(token, R"({"signature_data":null,"signature_typed":" "})").field() == "signature_data");
        const auto id = base.signed_id(token, R"({"signature_data":null,"signature_typed":"Ada Lovelace"})");
        const Value copy = base.read(Signer::path("/consent/signed/", id));
        CHECK(copy["signature_type"].text() == "typed");
        CHECK(copy["signature_data"].text() == "Ada Lovelace");
        const auto none = base.asked(base.form(R"({"require_signature":false})"), base.booking());
        const auto without = base.signed_id(none, R"({"signature_data":null})");
        CHECK(base.read(Signer::path("/consent/signed/", without))["signature_type"].text() == "none");
    });
}

TEST_CASE("a drawn signature of almost 512 KiB is taken") {
    each_signer([](Signer& base) {
        const auto token = base.asked(base.form(), base.booking());
        // The small picture with a chunk of text in it: length, name, data and a check sum that was computed here.
        const std::string png = *pro::crypto::from_base64(drawn.substr(drawn.find(',') + 1));
        const std::string data = "Comment" + std::string(1, '\0') + std::string(500'000, 'x');
        std::uint32_t sum = 0xFFFFFFFF;
        for (const char c : "tEXt" + data) {
            sum ^= static_cast<std::uint8_t>(c);
            for (int bit = 0; bit < 8; ++bit)
                sum = (sum >> 1) ^ ((sum & 1) != 0 ? 0xEDB88320U : 0U);
        }
        const auto bytes_of = [](std::uint32_t number) {
            std::string bytes;
            for (int shift = 24; shift >= 0; shift -= 8)
                bytes += static_cast<char>(number >> shift & 0xFF);
            return bytes;
        };
        const std::size_t behind_header = 33;
        const std::string large = png.substr(0, behind_header) + bytes_of(static_cast<std::uint32_t>(data.size())) +
                                  "tEXt" + data + bytes_of(~sum) + png.substr(behind_header);
        const std::string url = "data:image/png;base64," + pro::crypto::base64(large);
        const auto id = base.signed_id(token, Value::object({{"signature_data", url}}).dump());
        CHECK(base.read(Signer::path("/consent/signed/", id))["signature_data"].text() == url);
    });
}

TEST_CASE("what was shown is what is signed: another text of the form is refused") {
    each_signer([](Signer& base) {
        const auto form = base.form();
        base.asked(form, base.booking());
        const auto id = base.last_request();
        const auto seen = base.get("/consent/form/" + base.token()).data()["form"]["sha256"].text();
        REQUIRE(base.put(Signer::path("/consent/forms/", form), R"({"description":"New"})").status == 200);
        REQUIRE(base.make(Signer::path("/consent/requests/", id, "/resend"), "{}").status == 200);
        const auto refused = base.sign(base.token(), Value::object({{"form_sha256", seen}}).dump());
        CHECK(refused.status == 409);
        CHECK(refused.code() == "svc_conflict");
        const auto now = base.get("/consent/form/" + base.token()).data()["form"]["sha256"].text();
        base.signed_id(base.token(), Value::object({{"form_sha256", now}}).dump());
    });
}

TEST_CASE("a guardian signs for a minor, by the age on the travel date, with relation and both names") {
    each_signer([](Signer& base) {
        const auto booked = base.booking(R"([{"first_name":"Ada","last_name":"Lovelace","date_of_birth":"1990-12-10"},
            {"first_name":"Tim","last_name":"Lovelace","date_of_birth":"2015-03-04"},{"first_name":"Jo"}])",
                                         3);
        const auto form = base.form();
        const auto of_child = base.asked(form, booked, "[2]");
        CHECK(base.get("/consent/form/" + of_child).data()["traveler"]["is_minor"].boolean());
        CHECK(base.sign(of_child).field() == "signing_as");
        CHECK(base.sign(of_child, R"({"signing_as":"guardian"})").field() == "minor_name");
        CHECK(base.sign(of_child, R"({"signing_as":"guardian","minor_name":"Tim Lovelace"})").field() ==
              "guardian_relation");
        const auto id = base.signed_id(
            of_child, R"({"signing_as":"guardian","minor_name":"Tim Lovelace","guardian_relation":"mother"})");
        const Value copy = base.read(Signer::path("/consent/signed/", id));
        CHECK(copy["signer_role"].text() == "guardian");
        CHECK(copy["signer_name"].text() == "Ada Lovelace");
        CHECK(copy["minor_name"].text() == "Tim Lovelace");
        CHECK(copy["guardian_relation"].text() == "mother");
        const std::string text = PdfFile(pdf_of(base, id, base.admin())).text();
        CHECK(text.find("Guardian of") != std::string::npos);
        CHECK(text.find("mother") != std::string::npos);
        // Who is of age signs in person; whose age is not known says it.
        const std::string as_guardian =
            R"({"signing_as":"guardian","minor_name":"Somebody","guardian_relation":"father"})";
        const auto of_adult = base.asked(form, booked, "[1]");
        CHECK(base.sign(of_adult, as_guardian).field() == "signing_as");
        base.signed_id(of_adult);
        base.signed_id(base.asked(form, booked, "[3]"), as_guardian);
        // Eighteen on the travel date, not on the day of signing.
        const auto [year, rest] = std::pair(std::stoi(base.day(5).substr(0, 4)), base.day(5).substr(4));
        const auto grown = base.booking(R"([{"first_name":"Kim","last_name":"Byron","date_of_birth":")" +
                                        std::to_string(year - 18) + rest + R"("}])");
        const auto of_grown = base.asked(form, grown);
        CHECK_FALSE(base.get("/consent/form/" + of_grown).data()["traveler"]["is_minor"].boolean());
        base.set(R"({"consent_adult_age":21})");
        CHECK(base.get("/consent/form/" + of_grown).data()["traveler"]["is_minor"].boolean());
    });
}

TEST_CASE("a withdrawn consent keeps its copy, and the traveler can be asked again") {
    each_signer([](Signer& base) {
        const auto form = base.form();
        const auto booked = base.booking();
        const auto token = base.asked(form, booked);
        const auto id = base.signed_id(token);
        const std::string path = Signer::path("/consent/signed/", id);
        const auto revoked = base.make(path + "/revoke", R"({"reason":"by letter"})");
        REQUIRE(revoked.status == 200);
        CHECK(revoked.data()["status"].text() == "revoked");
        CHECK(revoked.data()["revoked_reason"].text() == "by letter");
        CHECK(revoked.data()["revoked_by"].integer() > 0);
        CHECK(revoked.data()["is_intact"].boolean());
        CHECK(base.make(path + "/revoke", "{}").status == 409);
        CHECK(base.get("/consent/form/" + token).status == 410);
        CHECK(base.read("/consent/signed?status=signed").size() == 0);
        const std::string text = PdfFile(pdf_of(base, id, base.admin())).text();
        CHECK(text.find("Withdrawn on") != std::string::npos);
        base.signed_id(base.asked(form, booked));
        CHECK(base.read(Signer::path("/consent/signed?form_id=", form)).size() == 2);
        CHECK(base.make("/consent/signed/999/revoke", "{}").status == 404);
    });
}

TEST_CASE("the preview prints a form that is not stored and stores nothing") {
    each_signer([](Signer& base) {
        const auto before = base.row_counts();
        const auto shown = base.make("/consent/signed/preview", R"({"name":"Draft waiver","fields":[{"id":"a","type":
            "text","label":"Allergies"}],"content_blocks":[{"type":"paragraph","content":"Unstored text"}],"form_data":
            {"a":"Nuts"}})");
        CAPTURE(shown.text);
        REQUIRE(shown.status == 200);
        const std::string text = PdfFile(*pro::crypto::from_base64(shown.data()["pdf_data"].text())).text();
        CHECK(text.find("Unstored text") != std::string::npos);
        CHECK(text.find("Nuts") != std::string::npos);
        CHECK(base.make("/consent/signed/preview", R"({"name":"A","content_blocks":[{"type":"terms"}]})").field() ==
              "content_blocks.0.content");
        CHECK(base.row_counts() == before);
    });
}

TEST_CASE("whoever guesses tokens is stopped") {
    each_signer([](Signer& base) {
        int limited = 0;
        for (int i = 0; i < 25; ++i)
            limited +=
                base.get("/consent/form/" + std::string(62, 'b') + std::to_string(10 + i), Visitor{}.from("192.0.2.66"))
                            .status == 429
                    ? 1
                    : 0;
        CHECK(limited == 5);
    });
}
