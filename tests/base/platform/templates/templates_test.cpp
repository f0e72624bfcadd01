// Templates: escaping, texts, partials, theme folders, and markup that is hostile or has no end.
#include <array>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include <doctest/doctest.h>

#include "base/platform/templates/library.hpp"
#include "base/platform/templates/template.hpp"

using namespace svc;
using json::Value;
using templates::Template;

namespace {

constexpr std::array catalogues{
    Embedded{"site/de.po",
             "msgid \"Dear {name}, {count, plural, one {# seat} other {# seats}} & more\"\n"
             "msgstr \"Hallo {name}, {count, plural, one {# Platz} other {# Plätze}} & mehr\"\n"}};

const texts::Texts& german() {
    static const texts::Texts all(catalogues);
    return all;
}

std::string filled(std::string_view text, const Value& data, std::string_view locale = "en",
                   templates::Kind kind = templates::Kind::html) {
    const auto read = Template::read("page.html", text, {.domain = "site", .kind = kind, .texts = &german()});
    REQUIRE_MESSAGE(read, read.error().message().english());
    const auto done = read->render(data, locale);
    REQUIRE(done);
    return *done;
}

std::string fault(std::string_view text) {
    const auto read = Template::read("page.html", text, {});
    return read ? "" : read.error().message().english();
}

// A folder of its own, gone at the end.
struct Folder {
    std::filesystem::path path = std::filesystem::temp_directory_path() /
                                 ("svc-templates-" + std::to_string(reinterpret_cast<std::uintptr_t>(this)));
    Folder() { std::filesystem::create_directories(path / "partials"); }
    ~Folder() { std::filesystem::remove_all(path); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    void write(const std::string& name, const std::string& text) const { std::ofstream(path / name) << text; }
};

constexpr std::array bundled{Embedded{"pages/trip.html", "<h1>{{title}}</h1>{{> card}}\n"},
                             Embedded{"partials/card.html", "<p>{{price}}</p>\n"},
                             Embedded{"mail/plain.txt", "{{title}}\n"}};

}  // namespace

TEST_CASE("values are escaped unless their name marks them as HTML") {
    const auto data = Value::object({{"name", "<b>&\"'"}, {"text_html", "<i>x</i>"}, {"n", 12}, {"yes", true}});
    CHECK(filled("{{name}}", data) == "&lt;b&gt;&amp;&quot;&#39;");
    CHECK(filled("{{ text_html }}{{{text_html}}}{{&text_html}}", data) == "<i>x</i><i>x</i><i>x</i>");
    CHECK(filled("{{n}}|{{missing}}|{{yes}}", data) == "12||");
    CHECK(filled("{{name}}", data, "en", templates::Kind::plain) == "<b>&\"'");
    CHECK(fault("a\n{{{name}}}").starts_with("page.html line 2: only tags whose names end in _html"));
    CHECK_FALSE(fault("{{&name}}").empty());
}

TEST_CASE("sections: rounds of lists, what is there, and what is empty") {
    const auto data = Value::object({{"list", Value::array({Value::object({{"a", 1}}), Value::object({{"a", 2}})})},
                                     {"none", Value::array()},
                                     {"empty", ""},
                                     {"zero", 0},
                                     {"deep", Value::object({{"er", Value::object({{"x", "y"}})}})},
                                     {"texts", Value::array({"p", "q"})}});
    CHECK(filled("{{#list}}{{a}},{{/list}}", data) == "1,2,");
    CHECK(filled("{{#none}}x{{/none}}{{^none}}nothing{{/none}}", data) == "nothing");
    CHECK(filled("{{#empty}}x{{/empty}}{{^empty}}empty{{/empty}}{{#zero}}{{zero}}{{/zero}}", data) == "empty0");
    CHECK(filled("{{deep.er.x}}{{#deep}}{{er.x}}{{/deep}}", data) == "yy");
    CHECK(filled("{{#texts}}{{.}}{{/texts}}", data) == "pq");
    CHECK(filled("a\n{{! gone }}\nb", data) == "a\nb");
    CHECK(filled("<ul>\n  {{#list}}\n  <li>{{a}}</li>\n  {{/list}}\n</ul>", data) ==
          "<ul>\n  <li>1</li>\n  <li>2</li>\n</ul>");
}

TEST_CASE("a text is translated to the reader's language and escaped as a whole") {
    const std::string_view text =
        "<p>{{#t}}Dear {name},\n   {count, plural, one {# seat} other {# seats}} & more{{/t}}</p>";
    const auto data = Value::object({{"name", "<Ada> {{x}} {y}"}, {"count", 2}});
    CHECK(filled(text, data) == "<p>Dear &lt;Ada&gt; {{x}} {y}, 2 seats &amp; more</p>");
    CHECK(filled(text, data, "de-CH") == "<p>Hallo &lt;Ada&gt; {{x}} {y}, 2 Plätze &amp; mehr</p>");
    CHECK(filled("{{#list}}{{#t}}No {n}{{/t}};{{/list}}",
                 Value::object({{"list", Value::array({Value::object({{"n", 1}}), Value::object({{"n", 2}})})}})) ==
          "No 1;No 2;");
    CHECK(fault("{{#t}}Dear {name{{/t}}").find("is no text with arguments") != std::string::npos);
    CHECK(fault("{{#t}}See {link_html}{{/t}}").find("takes no HTML") != std::string::npos);
    const auto read = Template::read("a", "{{x}}{{#t}}Dear {name}{{/t}}", {});
    REQUIRE(read);
    CHECK(read->tags() == std::set<std::string, std::less<>>{"name", "x"});
}

TEST_CASE("what is no template is refused with its line") {
    CHECK(fault("\n\n{{#a}}x") == "page.html line 3: the section {{#a}} is not closed.");
    CHECK(fault("{{#a}}{{/b}}") == "page.html line 1: {{/b}} closes no section.");
    CHECK(fault("x\n{{a").find("line 2: the tag is not closed") != std::string::npos);
    CHECK(fault("{{=<% %>=}}").find("delimiters") != std::string::npos);
    CHECK(fault("{{a b}}").find("is no name of a tag") != std::string::npos);
    CHECK(fault("{{> none}}").find("there is no partial") != std::string::npos);
    CHECK(fault("{{#t}}x").find("not closed by {{/t}}") != std::string::npos);
}

TEST_CASE("hostile and endless markup ends in an error, soon") {
    std::string deep;
    for (int i = 0; i < 1000; ++i)
        deep += "{{#a}}";
    CHECK(fault(deep).find("too deep") != std::string::npos);
    std::string many;
    for (int i = 0; i < 30'000; ++i)
        many += "{{a}}";
    CHECK(fault(many).find("too many tags") != std::string::npos);
    CHECK(fault(std::string(2'000'000, 'x')).find("too long") != std::string::npos);
    const auto partial = [](std::string_view) { return std::optional<std::string>("{{> self}}{{> self}}"); };
    const auto endless = Template::read("page.html", "{{> self}}", {.partial = partial});
    REQUIRE_FALSE(endless);
    CHECK(endless.error().message().english().find("partials are too deep") != std::string::npos);

    // 100 items in each other twenty times are more rounds than there are atoms.
    Value list = Value::array();
    for (int i = 0; i < 100; ++i)
        list.push(Value::object({{"x", i}}));
    std::string rounds, ends;
    for (int i = 0; i < 20; ++i) {
        rounds += "{{#list}}";
        ends += "{{/list}}";
    }
    const auto bomb = Template::read("bomb", rounds + ends, {});
    REQUIRE(bomb);
    CHECK_FALSE(bomb->render(Value::object({{"list", list}}), "en"));
    const auto flood =
        Template::read("flood", "{{#list}}{{#list}}" + std::string(100'000, 'x') + "{{/list}}{{/list}}", {});
    REQUIRE(flood);
    CHECK_FALSE(flood->render(Value::object({{"list", list}}), "en"));
}

TEST_CASE("an operator's template may hold any tag, and nothing in it gets round escaping") {
    const auto read = Template::read("setting", "{{{name}}}{{&name}}{{ strange name }}{{name}}", {.is_lenient = true});
    REQUIRE(read);
    CHECK(*read->render(Value::object({{"name", "<"}}), "en") == "&lt;&lt;&lt;");
}

TEST_CASE("a theme folder replaces files one by one, the first folder first") {
    Folder theme, parent;
    parent.write("partials/card.html", "<b>{{price}}</b>");
    const templates::Library library({.domain = "site", .bundled = bundled, .folders = {theme.path, parent.path}});
    const auto data = Value::object({{"title", "A & B"}, {"price", "EUR 1"}});
    CHECK(library.render("pages/trip.html", data, "en") == "<h1>A &amp; B</h1><b>EUR 1</b>\n");
    CHECK(library.render("mail/plain.txt", data, "en") == "A & B\n");
    CHECK(library.faults().empty());
    CHECK(library.names().size() == 3);
    CHECK_THROWS_AS((void)library.render("pages/none.html", data, "en"), std::logic_error);
}

TEST_CASE("a broken override falls back to the bundled template and is reported") {
    Folder theme;
    theme.write("partials/card.html", "{{#open}}");
    templates::Library library({.domain = "site", .bundled = bundled, .folders = {theme.path}});
    const auto data = Value::object({{"title", "T"}, {"price", "P"}, {"list", Value::array({1, 2})}});
    CHECK(library.render("pages/trip.html", data, "en") == "<h1>T</h1><p>P</p>\n");
    REQUIRE(library.faults().size() == 1);
    CHECK(library.faults()[0].sentence.find("{{#open}} is not closed") != std::string::npos);

    theme.write("partials/card.html", "{{> ../../../../etc/passwd}}");
    library.reload({theme.path});
    CHECK(library.render("pages/trip.html", data, "en") == "<h1>T</h1><p>P</p>\n");
    CHECK(library.faults().size() == 1);

    theme.write("partials/card.html", std::string(300'000, 'x'));
    library.reload({theme.path});
    CHECK(library.render("pages/trip.html", data, "en") == "<h1>T</h1><p>P</p>\n");

    std::string rounds, ends;
    for (int i = 0; i < 30; ++i) {
        rounds += "{{#list}}";
        ends += "{{/list}}";
    }
    theme.write("partials/card.html", rounds + ends);
    library.reload({theme.path});
    CHECK(library.render("pages/trip.html", data, "en") == "<h1>T</h1><p>P</p>\n");
    CHECK(library.faults().size() == 1);
}

TEST_CASE("one template is filled in by many threads at a time") {
    const auto read = Template::read("page", "{{#list}}{{x}}{{#t}}Dear {x}{{/t}}{{/list}}", {.texts = &german()});
    REQUIRE(read);
    std::atomic<int> wrong = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            const std::string x = std::to_string(t);
            const auto data = Value::object({{"list", Value::array({Value::object({{"x", x}})})}});
            for (int i = 0; i < 500; ++i)
                wrong += *read->render(data, "en") == x + "Dear " + x ? 0 : 1;
        });
    for (auto& each : threads)
        each.join();
    CHECK(wrong == 0);
}

namespace {

// A list of trips, as data and as data that is made later.
Value some_trips(std::size_t count, std::string_view mark) {
    Value list = Value::array();
    for (std::size_t i = 0; i < count; ++i) {
        Value trip = Value::object({{"title", std::string(mark) + std::to_string(i)}, {"is_odd", i % 2 == 1}});
        if (i % 3 != 0)
            trip.set("tags", Value::array({"a", "<b>"}));
        list.push(std::move(trip));
    }
    return list;
}

struct Remembering {
    std::shared_ptr<std::atomic<std::size_t>> total = std::make_shared<std::atomic<std::size_t>>(0);
    std::vector<std::shared_ptr<templates::Renderings>> texts;
    int made = 0;

    explicit Remembering(std::size_t count) {
        for (std::size_t i = 0; i < count; ++i)
            texts.push_back(std::make_shared<templates::Renderings>(total));
    }
    std::string rendered(const Template& page, Value data, const Value& list, bool is_list = true) {
        std::vector<templates::Later> later;
        later.emplace_back(
            "trips", texts,
            [&](std::size_t index) {
                ++made;
                return is_list ? list[index] : list;
            },
            is_list);
        data.set("trips", later[0].place());
        const auto done = page.render(data, "en", later);
        REQUIRE(done);
        return *done;
    }
};

}  // namespace

TEST_CASE("what is rendered of data that is made later is what is rendered of the data, the second time from memory") {
    for (const std::string_view text :
         {"<ul>\n{{#trips}}<li>\n{{title}}\n</li>\n{{/trips}}</ul>", "<ul>{{#trips}}<li>{{title}}</li>{{/trips}}</ul>",
          "a\n{{#trips}}\n  {{title}}\n{{/trips}}\nb", "a\n  {{#trips}}\n  {{title}}\n  {{/trips}}\nb {{title}}",
          "a {{#trips}}\n{{title}}{{#is_odd}}\n odd\n{{/is_odd}}\n{{/trips}} b",
          "{{#trips}}{{#is_odd}}{{/is_odd}}{{/trips}}\n",
          "{{#trips}}{{title}} of {{site.name}}{{#tags}}, {{.}} "
          "{{site.name}}{{/tags}}{{^tags}}{{none}}-{{/tags}}\n{{/trips}}",
          "{{^trips}}nothing{{/trips}}{{#trips}}{{#site}}{{name}}{{#words}}{{.}}{{title}}{{/words}}{{/site}}{{/trips}}",
          "{{#trips}}{{#t}}Dear {title}, {count, plural, one {# seat} other {# "
          "seats}}{{/t}}{{/trips}}{{#trips}}{{title}}{{/trips}}",
          "{{#site}}{{#trips}}{{name}}{{title}}{{/trips}}{{/site}}", "{{#trips}}{{#trips}}x{{/trips}}{{/trips}}"}) {
        const auto page = Template::read("page.html", text, {.domain = "site", .texts = &german()});
        REQUIRE(page);
        CAPTURE(text);
        for (const std::size_t count : {0U, 1U, 5U}) {
            Remembering remembering(count);
            const Value list = some_trips(count, "<T>");
            // What stands around the list changes to and fro.
            for (const char* name : {"A", "A", "B", "", "A", "B"}) {
                Value data = Value::object({{"title", "outside"}, {"count", 2}});
                data.set("site", Value::object({{"name", name}, {"words", Value::array({"x", name})}}));
                Value whole = data;
                whole.set("trips", list);
                const auto expected = page->render(whole, "en");
                REQUIRE(expected);
                CAPTURE(name);
                CHECK(remembering.rendered(*page, data, list) == *expected);
            }
        }
    }
}

TEST_CASE("a remembered text is used again without its data, in its own language and template alone") {
    const std::string_view text =
        "{{#trips}}{{title}} {{#t}}Dear {name}, {count, plural, one {# seat} other {# seats}} & more{{/t}}{{/trips}}";
    const templates::Reading reading{.domain = "site", .texts = &german()};
    const auto page = Template::read("page.html", text, reading), other = Template::read("page.html", text, reading);
    Remembering remembering(3);
    const Value list = some_trips(3, "T"), data = Value::object({{"name", "Ada"}, {"count", 1}});
    const std::string first = remembering.rendered(*page, data, list);
    CHECK(remembering.made == 3);
    CHECK(remembering.rendered(*page, data, list) == first);
    CHECK(remembering.made == 3);
    const std::size_t bytes = *remembering.total;
    CHECK(bytes > 0);
    CHECK(remembering.rendered(*other, data, list) == first);
    CHECK(remembering.made == 6);
    std::vector<templates::Later> later;
    later.emplace_back("trips", remembering.texts, [&](std::size_t index) { return list[index]; });
    Value german_data = data;
    german_data.set("trips", later[0].place());
    CHECK(page->render(german_data, "de", later).value().find("Hallo Ada, 1 Platz &amp; mehr") != std::string::npos);
    remembering.texts.clear();
    later.clear();
    CHECK(*remembering.total == 0);
}

TEST_CASE("one value that is made later is remembered whole, and its members may be looked for outside of it") {
    static constexpr std::array<std::string_view, 2> members{"rows", "note"};
    const auto page = Template::read(
        "page.html", "{{#about}}{{note}}{{#rows}}<i>{{.}}</i>{{title}}{{/rows}}{{/about}}|{{about.note}}|{{none}}", {});
    const auto outside = Template::read("page.html", "{{note}}{{#rows}}{{.}}{{/rows}}{{^gone}}!{{/gone}}", {});
    REQUIRE((page && outside));
    auto total = std::make_shared<std::atomic<std::size_t>>(0);
    const auto texts = std::make_shared<templates::Renderings>(total);
    int made = 0;
    const auto rendered = [&](const Template& which, std::size_t count) {
        std::vector<templates::Later> later;
        later
            .emplace_back(
                "about", std::vector<std::shared_ptr<templates::Renderings>>(count, texts),
                [&made](std::size_t) {
                    ++made;
                    return Value::object({{"note", "n"}, {"rows", Value::array({1, 2})}});
                },
                false)
            .with_members(members);
        Value data = Value::object({{"title", "T"}});
        data.set("about", later[0].place());
        return which.render(data, "en", later).value();
    };
    CHECK(rendered(*page, 1) == "n<i>1</i>T<i>2</i>T|n|");
    CHECK(made == 1);
    CHECK(rendered(*page, 1) == "n<i>1</i>T<i>2</i>T|n|");
    CHECK(rendered(*page, 0) == "||");
    made = 0;
    CHECK(rendered(*outside, 1) == "n12!");
    CHECK(made == 1);
    CHECK(rendered(*outside, 0) == "!");
}

TEST_CASE("what an item's place decides is asked beside it, and a remembered text is used in such places alone") {
    const auto page =
        Template::read("page.html", "{{#trips}}{{title}}{{#leads}}!{{/leads}}{{#in_view}}+{{/in_view}} {{/trips}}", {});
    REQUIRE(page);
    auto total = std::make_shared<std::atomic<std::size_t>>(0);
    std::vector<std::shared_ptr<templates::Renderings>> texts;
    for (int i = 0; i < 5; ++i)
        texts.push_back(std::make_shared<templates::Renderings>(total));
    int made = 0;
    const auto rendered = [&](std::vector<std::size_t> order, bool told) {
        std::vector<std::shared_ptr<templates::Renderings>> ordered;
        for (const std::size_t each : order)
            ordered.push_back(texts[each]);
        std::vector<templates::Later> later;
        later.emplace_back("trips", ordered, [&](std::size_t index) {
            ++made;
            return Value::object({{"title", "T" + std::to_string(order[index])}});
        });
        if (told)
            later[0].stands_in({Value::object({{"leads", true}, {"in_view", true}}),
                                Value::object({{"leads", false}, {"in_view", true}}),
                                Value::object({{"leads", false}, {"in_view", false}})});
        Value data = Value::object({{"leads", true}});  // around the list; a place's own member is nearer
        data.set("trips", later[0].place());
        return page->render(data, "en", later).value();
    };
    CHECK(rendered({0, 1, 2, 3}, true) == "T0!+ T1+ T2 T3 ");
    CHECK(made == 4);
    CHECK(rendered({0, 1, 2, 3}, true) == "T0!+ T1+ T2 T3 ");
    CHECK(made == 4);
    CHECK(rendered({1, 0, 3, 2}, true) == "T1!+ T0+ T3 T2 ");
    CHECK(made == 6);  // the first two stand elsewhere
    CHECK(rendered({0, 1, 3, 2}, true) == "T0!+ T1+ T3 T2 ");
    CHECK(made == 6);
    CHECK(rendered({0, 1}, false) == "T0! T1! ");
}
