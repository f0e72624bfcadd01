// Templates: what becomes of tags, values and markup.
#include "base/messaging/templates/render.hpp"

#include <filesystem>
#include <fstream>
#include <unistd.h>

#include <doctest/doctest.h>

#include "base/messaging/outbox/addresses.hpp"
#include "base/messaging/outbox/email.hpp"
#include "base/messaging/outbox/inline_styles.hpp"
#include "base/messaging/templates/frame.hpp"
#include "base/messaging/templates/templates.hpp"
#include "base/platform/templates/tag_lines.hpp"
#include "base/settings/values/look.hpp"

using namespace svc;
using namespace svc::messaging;

namespace {

std::string html(std::string_view source, const Variables& variables = {}) { return render_html(source, variables); }
std::string subject(std::string_view source, const Variables& variables = {}) {
    return render_subject(source, variables);
}

}  // namespace

TEST_CASE("a tag is filled in whatever space is inside it, an unknown one is empty") {
    const Variables ada{{"name", "Ada"}};
    for (const char* source : {"Dear {{name}}!", "Dear {{ name }}!", "Dear {{   name}}!", "Dear {{\tname\n}}!"}) {
        CAPTURE(source);
        CHECK(html(source, ada) == "Dear Ada!");
        CHECK(subject(source, ada) == "Dear Ada!");
    }
    CHECK(html("[{{ nobody }}][{{ name_html }}]", ada) == "[][]");
}

TEST_CASE("values are escaped in bodies, except those that are HTML by their name, whatever form the tag has") {
    const Variables values{{"name", "<b>\"A\" & 'B'</b>"}, {"more_html", "<i>x</i>"}};
    const std::string safe = "&lt;b&gt;&quot;A&quot; &amp; &#39;B&#39;&lt;/b&gt;";
    for (const char* source : {"{{ name }}", "{{{ name }}}", "{{& name }}"})
        CHECK(html(source, values) == safe);
    CHECK(html("{{ more_html }}", values) == "<i>x</i>");
}

TEST_CASE("a value is never looked at for tags again") {
    const Variables values{{"a", "{{ secret }}"}, {"a_html", "{{ secret }}{{{secret}}}"}, {"secret", "key"}};
    CHECK(html("{{ a }} {{ a_html }}", values) == "{{ secret }} {{ secret }}{{{secret}}}");
    CHECK(subject("{{ a }}", values) == "{{ secret }}");
}

TEST_CASE("a subject has no markup and no line ends, from the template or from a value") {
    const Variables values{{"name", "Ada\r\nBcc: x@example.org <script>alert(1)</script>"}, {"n", "1 < 2 & 3 > 2"}};
    CHECK(subject("<b>Hello</b>\n {{ name }}", values) == "Hello  Ada  Bcc: x@example.org alert(1)");
    CHECK(subject("{{ n }}", values) == "1 < 2 & 3 > 2");
    CHECK(subject("{{ name }} <unclosed", values).find('\n') == std::string::npos);
}

TEST_CASE("of a template that cannot be read the whole tags are filled in and the rest stays text") {
    const Variables values{{"name", "<Ada>"}, {"more_html", "<i>x</i>"}};
    for (const auto& [source, filled] : {std::pair{"{{ name", "{{ name"},
                                         {"{{ name }", "{{ name }"},
                                         {"{{name}} <p>{{ name </p>", "&lt;Ada&gt; <p>{{ name </p>"},
                                         {"{{#section}} {{ name }} {{ nobody }}.", "{{#section}} &lt;Ada&gt; ."},
                                         {"{{/section}}", "{{/section}}"},
                                         {"{{#s}} {{ {{ more_html }}", "{{#s}} {{ <i>x</i>"},
                                         {"{{#s}}{{}} {{{{", "{{#s}}{{}} {{{{"}}) {
        CAPTURE(source);
        CHECK_FALSE(as_template(source));
        CHECK(html(source, values) == filled);
    }
    CHECK(subject("<b>{{ name", values) == "{{ name");
    for (const char* source : {"", "text", "{{ name }}", "{{#a}}{{ name }}{{/a}}", "} {"})
        CHECK(as_template(source));
    CHECK(html("").empty());
}

TEST_CASE("a part is shown only where its value is there") {
    CHECK(html("a{{#name}} {{ name }}{{/name}}{{^other}} none{{/other}}", {{"name", "x"}}) == "a x none");
    CHECK(html("{{> file }}") == "");
}

TEST_CASE("the plain text has the same content as the HTML") {
    CHECK(plain_text("<p>Dear  Ada,</p>\n<p>Two\n lines<br>and &lt;this&gt; &amp; that</p>"
                     "<table><tr><td>Total</td><td>5</td></tr><tr><td>Due</td><td>0</td></tr></table>") ==
          "Dear Ada,\n\nTwo lines\nand <this> & that\n\nTotal 5\nDue 0\n");
    CHECK(plain_text("<a href=\"https://x.example/?a=1&amp;b=2\">Trip</a>") == "Trip (https://x.example/?a=1&b=2)\n");
    CHECK(plain_text("1 < 2 &unknown; <unclosed") == "1 < 2 &unknown;\n");
    CHECK(plain_text("") == "");
    CHECK(
        plain_text(
            "<p>Dear\nAda</p><p class=\"said\">One &amp;\n\n\n\nTwo\nthree</p><table><tr><th>Total</th><td>2</td></tr>"
            "</table>") == "Dear Ada\n\nOne &\n\nTwo\nthree\n\nTotal: 2\n");
}

TEST_CASE("every built-in text can be rendered, with nothing and with markers in every tag") {
    for (const auto& each : messaging::templates()) {
        if (each.body.empty())
            continue;
        CAPTURE(each.key);
        CHECK(html(each.body).find("{{") == std::string::npos);
        Variables marked;
        for (const char* tag :
             {"customer_name", "intro_paragraph", "booking_reference", "trip_name", "trip_url", "travel_date",
              "travelers_count", "total_amount_formatted", "amount_due_formatted", "footer_note", "site_name",
              "refund_amount_formatted", "refund_reason", "credit_note_number", "credit_note_url"})
            marked[tag] = "\"><script>x</script>\r\nX: y";
        const auto body = html(each.body, marked);
        CHECK(body.find("<script") == std::string::npos);
        CHECK(body.find("\"><script") == std::string::npos);
        const auto line = subject(each.subject, marked);
        CHECK(line.find('<') == std::string::npos);
        CHECK(line.find('\n') == std::string::npos);
        CHECK(line.find('\r') == std::string::npos);
    }
}

TEST_CASE("tries are 1, 5, 15, 60 and 240 minutes apart, a fifth more or less, and end") {
    const int minutes[] = {1, 5, 15, 60, 240};
    for (int i = 0; i < 5; ++i)
        for (const double chance : {0.0, 0.5, 1.0}) {
            const auto wait = wait_after(i + 1, chance);
            REQUIRE(wait);
            CHECK(wait->count() == doctest::Approx(minutes[i] * 60e6 * (0.8 + 0.4 * chance)));
        }
    CHECK_FALSE(wait_after(6, 0.5));
    CHECK_FALSE(wait_after(0, 0.5));
}

TEST_CASE("amounts are shown with their currency's decimals and code") {
    settings::Look look;
    const auto shown = [&](const char* text, const char* code) {
        const auto currency = Currency::parse(code).value();
        return look.amount(Money::parse(text, currency).value());
    };
    CHECK(shown("1299", "USD") == "USD 1,299.00");
    CHECK(shown("999.5", "EUR") == "EUR 999.50");
    CHECK(shown("1234567", "JPY") == "JPY 1,234,567");
    CHECK(shown("-1234.5", "KWD") == "KWD -1,234.500");
    CHECK(shown("0", "USD") == "USD 0.00");
    look = {.date_format = "d/m/Y", .decimal_separator = ",", .thousand_separator = ".", .currency_behind = true};
    CHECK(shown("1234567.5", "EUR") == "1.234.567,50 EUR");
    CHECK(shown("-123.4", "EUR") == "-123,40 EUR");
    CHECK(shown("-1234", "JPY") == "-1.234 JPY");
    CHECK(look.day("2027-01-31") == "31/01/2027");
    CHECK(look.day("soon") == "soon");
}

TEST_CASE("a list of addresses keeps each valid one once") {
    CHECK(addresses_of(" a@x.org ;b@x.org,, nonsense ,a@x.org;c@x.org\r\nBcc: d@x.org") ==
          std::vector<std::string>{"a@x.org", "b@x.org"});
    CHECK(addresses_of("").empty());
}

namespace {

Frame frame_named(const char* name) {
    Frame frame;
    frame.site_name = name;
    return frame;
}

std::string framed(std::string_view source, const Variables& variables, std::string_view locale = "en") {
    const auto files = make_mail_files({}, nullptr);
    return with_inline_styles(
        in_frame(*files, frame_named("Blue Boots"), render_html(source, variables, locale), "Hello", locale));
}

// The start tag that begins like that.
std::string tag_in(const std::string& html, std::string_view start) {
    const auto at = html.find(start, html.find("<body"));
    return at == std::string::npos ? std::string() : html.substr(at, html.find('>', at) - at + 1);
}

}  // namespace

TEST_CASE("an e-mail has its look without the style block: text, headings, tables of amounts, buttons") {
    const std::string html = framed(
        "<h1>Hello</h1><table class=\"facts\" role=\"presentation\"><tr><th>Total</th><td>USD 72.50</td></tr></table>"
        "<p class=\"action\"><a class=\"button\" href=\"https://example.org/?a=1>0\">Pay</a></p><br>"
        "<p class=\"quiet\" style=\"color: red\">Small</p>",
        {});
    const auto has = [](const std::string& tag, std::string_view part) {
        CAPTURE(tag);
        CAPTURE(part);
        CHECK(tag.find(part) != std::string::npos);
    };
    has(tag_in(html, "<body"), "style=\"margin: 0; padding: 0; background: #f3f4f2; color: #1d2521;");
    has(tag_in(html, "<td class=\"text\""), "font: 400 16px/1.6 system-ui, -apple-system, 'Segoe UI'");
    has(tag_in(html, "<h1"), "font-size: 26px;");
    has(tag_in(html, "<th"), "border-bottom: 1px solid #e2e5e1;");
    has(tag_in(html, "<th"), "color: #5d6a63;");
    has(tag_in(html, "<td style"), "font-weight: 550;");
    const auto button = html.substr(html.find("<a class=\"button\""), 600);
    has(button, "href=\"https://example.org/?a=1>0\" style=\"");
    has(button, "background: #1f5a8c;");
    // Of two colours of the link the button's is the later one, and of its own and ours its own.
    CHECK(button.find("color: #ffffff") > button.find("color: #1f5a8c;"));
    has(tag_in(html, "<p class=\"quiet\""), "color: #5d6a63; color: red\"");
    // What the block says of the dark and of phones wins over attributes.
    const auto dark = html.substr(html.find("prefers-color-scheme: dark"));
    has(dark.substr(0, dark.find("</style>")), "background: #1c2220 !important;");
    CHECK(html.find("!important") < html.find("</style>"));
    CHECK(html.find("!important", html.find("</style>")) == std::string::npos);
}

TEST_CASE("an e-mail that is broken HTML or has no style block stays as it is written") {
    for (const char* text :
         {"<p>unclosed", "<a href=\"x", "a < b & c > d", "<!-- <td> --><b>x</b>", "</td></table>", "<"}) {
        CAPTURE(text);
        CHECK(framed(text, {}).find(text) != std::string::npos);
    }
    CHECK(with_inline_styles("<h1>x</h1>") == "<h1>x</h1>");
    CHECK(with_inline_styles("") == "");
}

TEST_CASE("a person's name that runs the other way has its own direction, in HTML and in plain text") {
    const Variables names{{"customer_name", "محمد <b>"}, {"trip_name", "رحلة"}};
    const std::string source = "<p>{{#t}}Dear {customer_name},{{/t}}</p><p>{{ customer_name }}, {{ trip_name }}</p>";
    const std::string html = framed(source, names);
    CHECK(html.find("<p>Dear <span dir=\"auto\">محمد &lt;b&gt;</span>,</p>") != std::string::npos);
    CHECK(html.find("<p><span dir=\"auto\">محمد &lt;b&gt;</span>, رحلة</p>") != std::string::npos);
    CHECK(plain_text(render_html(source, names, "en")).find("Dear \u2068محمد <b>\u2069,") != std::string::npos);
    CHECK(framed(source, {{"customer_name", "Ada"}}).find("<p>Dear Ada,</p>") != std::string::npos);
    CHECK(
        framed("<p>{{ customer_name }}</p>", {{"customer_name", "Ada"}}, "ar").find("<span dir=\"auto\">Ada</span>") !=
        std::string::npos);
    CHECK(framed("<a title=\"{{ customer_name }}\">x</a>", names).find("title=\"محمد &lt;b&gt;\"") !=
          std::string::npos);
}

TEST_CASE("the theme's check names a tag that an e-mail lacks with its line, without a server") {
    CHECK(templates::line_of_tag("a\n{{ name }}", "name") == 2);
    CHECK(templates::line_of_tag("{{#t}}Dear {name},{{/t}}", "name") == 1);
    CHECK(templates::line_of_tag("name\n{{surname}}\n{{{ name }}}", "name") == 3);
    CHECK(templates::line_of_tag("name", "name") == 0);
    const auto folder = std::filesystem::temp_directory_path() / ("svc-mails-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "booking_confirmed.html") << "<p>{{ trip_name }}</p>\n<p>{{ custmer_name }}</p>";
    const auto faults = make_mail_files({folder}, nullptr)->check();
    std::filesystem::remove_all(folder);
    REQUIRE(faults.size() == 1);
    CHECK(faults[0].sentence.starts_with("line 2: Unknown tag in this e-mail: {{ custmer_name }}."));
}
