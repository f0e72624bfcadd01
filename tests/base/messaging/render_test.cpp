// Templates: what becomes of tags, values and markup.
#include "base/messaging/render.hpp"

#include <doctest/doctest.h>

#include "base/messaging/addresses.hpp"
#include "base/messaging/email.hpp"
#include "base/messaging/templates.hpp"
#include "base/settings/look.hpp"

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
