// Files that people have at hand when they move: taken, or refused with the way to the right one.
#include "base/data/wordpress_import/shown_text.hpp"
#include "base/data/wordpress_import/wxr_bytes.hpp"
#include "tests/base/data/wordpress_import/wordpress.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

std::string one_trip(const std::string& title) {
    return wxr(post(7, "tour", title, "publish", meta("yatra_tour_meta_regular_price", "500")));
}

std::string sentence(const Answered& answer) { return answer.body["data"]["errors"].dump(); }

std::string cleaned(const std::string& text, std::size_t piece, wordpress_import::CleanBytes& bytes) {
    std::string out;
    for (std::size_t at = 0; at < text.size(); at += piece)
        bytes.add(text.substr(at, piece), at + piece >= text.size(), out);
    return out;
}

}  // namespace

TEST_CASE("each kind of wrong file is refused with the way to the right one, and leaves what was staged") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        TestBase base(database);
        REQUIRE(stage(base, one_trip("Nile cruise")).status == 200);
        const std::pair<std::string, const char*> files[] = {
            {R"({"yatra_all_content":{"images":[],"terms":{}}})", "This is Yatra's own export"},
            {R"({"a":1})", "This is a JSON file."},
            {std::string("PK\x03\x04") + "export.xml", "This is a ZIP archive."},
            {std::string("PK\x03\x04") + "[Content_Types].xml", "This is a workbook (.xlsx)."},
            {"\x1F\x8B\x08 data", "This file is compressed (.gz)."},
            {"<?xml version=\"1.0\"?><urlset/>", "This XML file is no export of WordPress."},
            {"<!DOCTYPE html><html><body>Log in</body></html>", "This is a web page"},
            {"<?xml version=\"1.0\"?><rss>" + std::string(5'000, ' ') + "</rss>", "This is a news feed (RSS)"},
            {std::string("\xFF\xFE<\0?\0", 6), "This XML file is in UTF-16."},
            {"  \n ", "The file is empty."},
            {one_trip("Alps").substr(0, 300), "it ends too early"},
            {"<?xml version=\"1.0\" encoding=\"x-none\"?><rss><wp:a/></rss>", "its character encoding is not known"},
            {"<?xml version=\"1.0\"?>\n<rss>\n<wp:a></b></rss>", "line 3 is no XML"}};
        for (const auto& [bytes, expected] : files) {
            CAPTURE(expected);
            const auto refused = stage(base, bytes);
            CAPTURE(refused.text);
            CHECK(refused.status == 400);
            CHECK(refused.field() == "file");
            CHECK(sentence(refused).find(expected) != std::string::npos);
        }
        Form form;
        form.file("export.xml", one_trip("Alps")).field("dry_run", "true");
        const auto unknown =
            base.call("POST", "/migration/upload", form.whole(),
                      base.user("administrator").with("Content-Type", "multipart/form-data; boundary=edge"));
        CHECK(unknown.field() == "dry_run");
        CHECK(migrate_all(base)["trips"]["migrated"].integer() == 1);
        CHECK(base.get("/trips/public/nile-cruise").status == 200);
    });
}

TEST_CASE("blank lines before an export and characters that XML forbids are dropped and counted") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        TestBase base(database);
        std::string bytes = "\n \r\n\xEF\xBB\xBF" + one_trip("Nile\x01 cr&#x8;uise \xC3\xA4\xFF");
        const auto staged = stage(base, bytes);
        CAPTURE(staged.text);
        REQUIRE(staged.status == 200);
        CHECK(staged.data()["left_out"]["Blank lines before the export, which were skipped"].integer() == 2);
        CHECK(staged.data()["left_out"]["Characters that XML forbids, which were dropped"].integer() == 3);
        CHECK(migrate_all(base)["trips"]["migrated"].integer() == 1);
        CHECK(base.number("SELECT COUNT(*) FROM svc_trips WHERE title = 'Nile cruise \xC3\xA4'") == 1);
    });
}

TEST_CASE("bytes are cleaned alike however they are cut into pieces") {
    const std::string text =
        "\n<?xml version=\"1.0\"?>a\x02&#1;&amp;\xE2\x82\xAC\xF0\x9F\x98\x80\xC3(\xEF\xBF\xBF&#xD800;&#12345;&";
    wordpress_import::CleanBytes whole;
    const std::string expected = cleaned(text, text.size(), whole);
    CHECK(expected == "<?xml version=\"1.0\"?>a&amp;\xE2\x82\xAC\xF0\x9F\x98\x80(&#12345;&");
    for (std::size_t piece = 1; piece < 14; ++piece) {
        wordpress_import::CleanBytes bytes;
        CHECK(cleaned(text, piece, bytes) == expected);
        CHECK(bytes.dropped().characters == whole.dropped().characters);
    }
    wordpress_import::CleanBytes latin;
    CHECK(cleaned("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\xE4", 100, latin).ends_with("\xE4"));
    CHECK(latin.dropped().characters == 0);
}

TEST_CASE("a fresh stage is not completed by a migration of what was staged before") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        TestBase base(database);
        REQUIRE(stage(base, one_trip("Nile cruise")).status == 200);
        migrate_all(base);
        const auto state = [&] {
            return base.get("/migration/status", base.user("administrator")).data()["data_types"]["trips"];
        };
        CHECK(state()["status"].text() == "completed");
        CHECK(state()["migrated"].integer() == 1);
        REQUIRE(stage(base, one_trip("Alps")).status == 200);
        CHECK(state()["status"].text() == "staged");
        CHECK(state()["migrated"].integer() == 0);
    });
}

TEST_CASE("a job that has failures alone gives them without being asked for errors") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        TestBase base(database);
        REQUIRE(stage(base, "trip_slug,start_date\nno-such,2031-01-01\n", "tour_dates").status == 200);
        const Value done = migrate_all(base);
        const auto file =
            base.get("/tools/jobs/" + done["tour_dates"]["job_id"].text() + "/download", base.user("administrator"));
        CHECK(file.status == 200);
        CHECK(file.text.find("There is no trip with this slug.") != std::string::npos);
    });
}

TEST_CASE("texts of the classic editor become paragraphs and breaks as WordPress shows them") {
    const std::pair<const char*, const char*> texts[] = {
        {"One.\n\nTwo.", "<p>One.</p>\n<p>Two.</p>\n"},
        {"One\nline.\r\n\r\nTwo.", "<p>One<br />\nline.</p>\n<p>Two.</p>\n"},
        {"<strong>A</strong> b\n\n<h2>Head</h2>\nText", "<p><strong>A</strong> b</p>\n<h2>Head</h2>\n<p>Text</p>\n"},
        {"<ul>\n<li>A</li>\n<li>B</li>\n</ul>", "<ul><li>A</li>\n<li>B</li>\n</ul>\n"},
        {"<p>Has\nits own.</p>", "<p>Has<br />\nits own.</p>\n"},
        {"a<br>b<br><br>c", "<p>a<br />b</p>\n<p>c</p>\n"},
        {"<blockquote>Said.</blockquote>", "<blockquote><p>Said.</p>\n</blockquote>\n"},
        {"<pre>a\n\nb</pre>", "<pre>a\n\nb</pre>\n"},
        {"<div>bare</div>", "<div>bare</div>\n"},
        {"a <!--more--> b", "<p>a  b</p>\n"},
        {"1 < 2", "<p>1 < 2</p>\n"},
        {"<!-- wp:paragraph --><p>Own.</p><!-- /wp:paragraph -->\n\nx",
         "<!-- wp:paragraph --><p>Own.</p><!-- /wp:paragraph -->\n\nx"},
        {"", ""}};
    for (const auto& [given, expected] : texts) {
        CAPTURE(given);
        CHECK(wordpress_import::with_paragraphs(given) == expected);
    }
}

TEST_CASE("shortcodes give their words, captions a figure, and brackets that are none stay") {
    const auto shown = [](const char* given) {
        wordpress_import::TextRemains remains;
        return wordpress_import::without_shortcodes(given, remains);
    };
    CHECK(shown("[vc_row a=\"]\"][vc_column]Text[/vc_column][/vc_row]") == "Text");
    CHECK(shown("a [gallery ids='1, 2'] b") == "a  b");
    CHECK(shown("[sic] [1] [x y] [[gallery]] [") == "[sic] [1] [x y] [gallery] [");
    CHECK(shown("[box]in[/box]") == "in");
    CHECK(shown("[caption id=\"a\"]<img src=\"x\"/> Words <em>here</em>[/caption]") ==
          "\n\n<figure><img src=\"x\"/><figcaption>Words <em>here</em></figcaption></figure>\n\n");
    CHECK(shown("[caption caption=\"A & B\"]<a href=\"y\"><img src=\"x\"></a>[/caption]") ==
          "\n\n<figure><a href=\"y\"><img src=\"x\"></a><figcaption>A &amp; B</figcaption></figure>\n\n");
    wordpress_import::TextRemains remains;
    wordpress_import::without_shortcodes("[gallery ids=\"5,6\"][tab title=x]", remains);
    CHECK(remains.pictures == std::vector<std::string>{"5", "6"});
    CHECK(remains.shortcodes == std::set<std::string>{"gallery", "tab"});
}
