// The sanitizer against the public lists of evasions, and against inputs made of them at random.
#include "base/platform/html/html.hpp"

#include <regex>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/platform/html/refused.hpp"
#include "tests/support/random.hpp"

using svc::html::clean_html;
using svc::html::text_of_html;

namespace {

// Finds faults of a cleaned text by its letters alone, without a parser: every < begins a listed tag written
// in full, with listed attributes in double quotes, and addresses have a listed scheme or none.
std::string fault_of(const std::string& html) {
    static const std::set<std::string> tags{
        "a",          "abbr",  "b",     "blockquote", "br",    "caption", "cite",   "code", "col",    "colgroup",
        "dd",         "del",   "div",   "dl",         "dt",    "em",      "figure", "h1",   "h2",     "h3",
        "figcaption", "h4",    "h5",    "h6",         "hr",    "i",       "img",    "ins",  "kbd",    "li",
        "mark",       "ol",    "p",     "pre",        "q",     "s",       "small",  "span", "strong", "sub",
        "sup",        "table", "tbody", "td",         "tfoot", "th",      "thead",  "tr",   "u",      "ul"};
    static const std::regex tag(R"re(^<(/?)([a-z1-6]+)((?: [a-z]+="[^"<>]*")*)>)re");
    static const std::regex attribute(R"re( ([a-z]+)="([^"<>]*)")re");
    static const std::regex address(R"re((?:(?:https?|mailto|tel):|[^:]*(?:$|[/?#\\])).*)re", std::regex::icase);
    static const std::regex entity("^&(?:amp|lt|gt|quot|#824);");
    static const std::set<std::string> attributes{"href",  "cite", "src",     "alt",     "width", "height",
                                                  "start", "span", "colspan", "rowspan", "scope", "value",
                                                  "title", "lang", "dir",     "id"};
    for (std::size_t at = 0; at < html.size(); ++at) {
        const std::string rest = html.substr(at, 4096);
        std::smatch match;
        if (html[at] == '>')
            return "a bare > at " + rest;
        if (html[at] == '&' && !std::regex_search(rest, entity))
            return "a bare & at " + rest;
        if (static_cast<unsigned char>(html[at]) < 0x20 && html[at] != '\n' && html[at] != '\t')
            return "a control character at " + rest;
        if (html[at] != '<')
            continue;
        if (!std::regex_search(rest, match, tag) || !tags.contains(match[2]))
            return "no listed tag at " + rest;
        const std::string given = match[3];
        for (auto one = std::sregex_iterator(given.begin(), given.end(), attribute); one != std::sregex_iterator();
             ++one) {
            const std::string name = (*one)[1], value = (*one)[2];
            if (!attributes.contains(name))
                return "the attribute " + name;
            if ((name == "href" || name == "src" || name == "cite") && !std::regex_match(value, address))
                return "the address " + value;
        }
        at += static_cast<std::size_t>(match.length(0)) - 1;
    }
    return {};
}

// The evasions of the OWASP cheat sheet, of cure53's mutation lists and of parser papers, by what they try.
const std::vector<std::string> evasions{
    // scripts in every dress
    "<script>alert(1)</script>",
    "<SCRIPT SRC=http://xss.example/x.js></SCRIPT>",
    "<SCRIPT/XSS SRC=\"http://x/x.js\"></SCRIPT>",
    "<SCRIPT/SRC=\"http://x/x.js\"></SCRIPT>",
    "<<SCRIPT>alert(1);//\\<</SCRIPT>",
    "<SCRIPT SRC=http://x/x.js?< B >",
    "<SCRIPT SRC=//x/.j>",
    "<scr<script>ipt>alert(1)</scr</script>ipt>",
    "<script\x0c>alert(1)</script>",
    "<script\n\t>alert(1)</script\n>",
    "<SCRIPT a=\">\" SRC=\"x.js\"></SCRIPT>",
    "<SCRIPT a=\">'>\" SRC=\"x.js\"></SCRIPT>",
    "<SCRIPT>document.write(\"<SCRI\");</SCRIPT>PT SRC=\"x.js\"></SCRIPT>",
    "\"><script>alert(1)</script>",
    "</title><script>alert(1)</script>",
    "<script>alert(1)",
    "<script>alert(1)//<b>x</b>",
    // handlers
    "<IMG SRC=x onerror=\"alert(1)\">",
    "<IMG onmouseover=\"alert(1)\">",
    "<IMG SRC=# onmouseover=\"alert(1)\">",
    "<img src=x onerror = alert(1)>",
    "<BODY ONLOAD=alert(1)>",
    "<BODY onload!#$%&()*~+-_.,:;?@[/|\\]^`=alert(1)>",
    "<img/src=x/onerror=alert(1)>",
    "<img src='x'onerror=alert(1)>",
    "<img src=\"x\"\"onerror=alert(1)>",
    "<a href=\"x\"onclick=alert(1)>x</a>",
    "<p ONCLICK=alert(1)>x",
    "<div onpointerenter=alert(1)>x</div>",
    "<details open ontoggle=alert(1)>",
    "<IMG \"\"\"><SCRIPT>alert(1)</SCRIPT>\">",
    "<img src=x `onerror=alert(1)`>",
    "<b/onclick=alert(1)//>x",
    "<a href=x title='\" onclick=alert(1) x=\"'>x</a>",
    "<a title=\"\n\" onclick=alert(1)\">x</a>",
    "<marquee onstart=alert(1)>x</marquee>",
    // addresses
    "<a href=\"javascript:alert(1)\">x</a>",
    "<a href=\"JaVaScRiPt:alert(1)\">x</a>",
    "<a href=\" javascript:alert(1)\">x</a>",
    "<a href=\"&#106;avascript:alert(1)\">x</a>",
    "<a href=\"&#x6A&#x61&#x76&#x61&#x73&#x63&#x72&#x69&#x70&#x74&#x3A;alert(1)\">x</a>",
    "<a href=\"&#0000106&#0000097vascript:alert(1)\">x</a>",
    "<a href=\"java\tscript:alert(1)\">x</a>",
    "<a href=\"java&#x09;script:alert(1)\">x</a>",
    "<a href=\"jav&#x0A;ascript:alert(1)\">x</a>",
    "<a href=\"jav&#x0D;ascript:alert(1)\">x</a>",
    "<a href=\"java&NewLine;script&colon;alert(1)\">x</a>",
    "<a href=\"&#14; javascript:alert(1)\">x</a>",
    "<a href=\"\x01\x02javascript:alert(1)\">x</a>",
    "<a href=\"java\x01script:alert(1)\">x</a>",
    "<a href=\"vbscript:msgbox(1)\">x</a>",
    "<a href=\"livescript:x\">x</a>",
    "<a href=\"data:text/html;base64,PHNjcmlwdD4=\">x</a>",
    "<a href=data:text/html,<script>alert(1)</script>>x</a>",
    "<a href=\"feed:javascript:alert(1)\">x</a>",
    "<a href=\"view-source:javascript:x\">x</a>",
    "<a href=\"blob:https://x/1\">x</a>",
    "<a href=\"file:///etc/passwd\">x</a>",
    "<a href=\"j\xC2\xAD"
    "avascript:alert(1)\">x</a>",
    "<a href=\"javascript&#58alert(1)\">x</a>",
    "<a href=\"ja\xE2\x80\x8Bvascript:alert(1)\">x</a>",
    "<a href=javascript://%0aalert(1)>x</a>",
    "<a href='\xEF\xBB\xBFjavascript:alert(1)'>x</a>",
    "<img src=\"javascript:alert(1)\">",
    "<img src=`javascript:alert(1)`>",
    "<img src=\"data:image/svg+xml,<svg onload=alert(1)>\">",
    "<img src=\"mailto:x\">",
    "<IMG DYNSRC=\"javascript:alert(1)\">",
    "<IMG LOWSRC=\"javascript:alert(1)\">",
    "<img srcset=\"javascript:alert(1)\">",
    "<q cite=\"javascript:alert(1)\">x</q>",
    "<form action=javascript:alert(1)><input type=submit>",
    "<button formaction=javascript:alert(1)>x</button>",
    "<isindex action=javascript:alert(1) type=image>",
    "<a xlink:href=\"javascript:alert(1)\">x</a>",
    "<table background=\"javascript:alert(1)\"><td background=\"javascript:alert(1)\">x",
    // styles
    "<DIV STYLE=\"background-image: url(javascript:alert(1))\">",
    "<DIV STYLE=\"width: expression(alert(1));\">",
    "<STYLE>@import'http://x/x.css';</STYLE>",
    "<STYLE>li {list-style-image: url(\"javascript:alert(1)\");}</STYLE><UL><LI>x",
    "<XSS STYLE=\"behavior: url(x.htc);\">",
    "<p style=\"position:fixed;inset:0\">x</p>",
    "<img style=\"xss:expr/*XSS*/ession(alert(1))\">",
    "<style><img src=\"</style><img src=x onerror=alert(1)//\">",
    "<LINK REL=\"stylesheet\" HREF=\"javascript:alert(1);\">",
    // frames, documents, embedded things
    "<iframe src=javascript:alert(1)></iframe>",
    "<iframe srcdoc=\"<img src=x onerror=alert(1)>\">",
    "<iframe srcdoc='&lt;script&gt;alert(1)&lt;/script&gt;'>",
    "<FRAMESET><FRAME SRC=\"javascript:alert(1);\"></FRAMESET>",
    "<object data=javascript:alert(1)>",
    "<OBJECT classid=clsid:x><param name=url value=javascript:alert(1)></OBJECT>",
    "<EMBED SRC=\"data:image/svg+xml;base64,PHN2Zz4=\">",
    "<applet code=x>",
    "<META HTTP-EQUIV=\"refresh\" CONTENT=\"0;url=javascript:alert(1);\">",
    "<BASE HREF=\"javascript:alert(1);//\">",
    "<video><source onerror=alert(1)></video>",
    "<audio src=x onerror=alert(1)>",
    "<portal src=javascript:alert(1)>",
    "<XML ID=I><X><C><![CDATA[<IMG SRC=\"javas]]><![CDATA[cript:alert(1);\">]]></C></X></xml>",
    "<!--#exec cmd=\"/bin/echo '<SCR'\"-->",
    "<? echo('<SCR)'; ?>",
    // comments and half markup
    "<!--[if gte IE 4]><SCRIPT>alert(1);</SCRIPT><![endif]-->",
    "<!--><img src=x onerror=alert(1)>-->",
    "<!--><script>alert(1)</script>",
    "<!-- --!><img src=x onerror=alert(1)>",
    "<!-- <b>x",
    "<!---><img src=x onerror=alert(1)>",
    "<![CDATA[<img src=x onerror=alert(1)>]]>",
    "<!doctype html><img src=x onerror=alert(1)>",
    "<IMG SRC=\"javascript:alert(1)\"",
    "<iframe src=http://x/<",
    "<b <script>alert(1)</script>",
    "</p onclick=alert(1)>",
    "</a href=javascript:x>",
    "< script>alert(1)</ script>",
    "<%<!--'%><script>alert(1);</script -->",
    "<a<img src=x onerror=alert(1)>",
    "<=\"<img src=x onerror=alert(1)>\">",
    "<x y=\"<!--\"><img src=x onerror=alert(1)>",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "&amp;lt;script&amp;gt;",
    // other grammars and mutations on reading again
    "<svg onload=alert(1)>",
    "<svg><script>alert(1)</script></svg>",
    "<svg><script>alert&#40;1)</script>",
    "<svg><a xlink:href=\"javascript:alert(1)\"><text>x</text></a></svg>",
    "<svg><animate attributeName=href values=javascript:alert(1) /></svg>",
    "<svg><use href=\"data:image/svg+xml,<svg id=x></svg>#x\"></svg>",
    "<svg></p><style><a id=\"</style><img src=1 onerror=alert(1)>\">",
    "<svg><style><img src=x onerror=alert(1)></style></svg>",
    "<svg><foreignObject><img src=x onerror=alert(1)></foreignObject></svg>",
    "<math><mtext><table><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=1 onerror=alert(1)&gt;\">",
    "<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
    "<math><mi><b><style><img src=x onerror=alert(1)>",
    "<math href=javascript:alert(1)>x</math>",
    "<math><annotation-xml encoding=\"text/html\"><img src=x onerror=alert(1)></annotation-xml></math>",
    "<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\">",
    "<noscript><noscript><p title=\"</noscript></noscript><img src=x onerror=alert(1)>\">",
    "<noembed><img title=\"</noembed><img src=x onerror=alert(1)>\">",
    "<noframes><p title=\"</noframes><img src=x onerror=alert(1)>\"></noframes>",
    "<xmp><p title=\"</xmp><img src=x onerror=alert(1)>\">",
    "<textarea><p title=\"</textarea><img src=x onerror=alert(1)>\">",
    "<title><a title=\"</title><img src=x onerror=alert(1)>\">",
    "<template><script>alert(1)</script></template>",
    "<template><template><img src=x onerror=alert(1)></template>",
    "<plaintext><img src=x onerror=alert(1)>",
    "<select><option><img src=x onerror=alert(1)></select>",
    "<select><template><style><!--</style><a rel=\"--></style></template></select><img src=x onerror=alert(1)>\">",
    "<table><a href=\"x\"><tr><td><a href=javascript:alert(1)>y",
    "<p><table><p>x<td><script>y",
    "<a><table><a href=y>z",
    "<b><p></b><i></p>x",
    "<p><button><p>x",
    "<a href=1><div><a href=2>x",
    "<listing>&lt;img onerror=\"alert(1)\" src=x&gt;</listing>",
    "<pre>\n\n\nx</pre>",
    "<img alt=\"`` onerror=alert(1)\" src=x>",
    "<div id=body name=location class=x>y</div>",
    "<a href=\"http://x/\">&#824; onclick=alert(1) <b>x</b></a>",
    "x<b>\xCC\xB8</b>",
    "<a title=\"&#824;\" href=x>\xCC\xB8</a>",
    // bytes
    std::string("<scr\0ipt>alert(1)</scr\0ipt>", 27),
    std::string("<a href=\"java\0script:alert(1)\">x", 32),
    "+ADw-SCRIPT+AD4-alert(1);+ADw-/SCRIPT+AD4-",
    "\xC0\xBCscript\xC0\xBE",
    "<img src=x\xE0 onerror=alert(1)>",
    "\xFE\xFF<script>",
    "<a href=\"\xE3\x80\x80javascript:alert(1)\">x</a>",
    "\xBC"
    "script\xBE"
    "alert(1)\xBC/script\xBE",
    "%3Cscript%3E",
    "\\u003cscript\\u003e",
};

}  // namespace

TEST_CASE("no public evasion leaves anything that is not listed") {
    for (const std::string& evasion : evasions) {
        CAPTURE(evasion);
        const std::string cleaned = clean_html(evasion);
        CAPTURE(cleaned);
        CHECK(fault_of(cleaned) == "");
        CHECK(clean_html(cleaned) == cleaned);
    }
}

TEST_CASE("any mixture of evasions is cleaned the same, and cleaning again changes nothing") {
    svc::test::Random random;
    CAPTURE(random.seed);
    const std::vector<std::string> pieces{"<p>",         "</p>",     "<a href=x>", "</a>",     "<table>",
                                          "<tr>",        "<td>",     "</table>",   "<b>",      "</b>",
                                          "<i>",         "</i>",     "<li>",       "<ul>",     "</ul>",
                                          "<div>",       "</div>",   "<pre>\n",    "text",     " ",
                                          "\n",          "&amp;",    "&lt;",       "\"",       "'",
                                          "<",           ">",        "&",          "<!--",     "-->",
                                          "<h1>",        "</h1>",    "<nobr>",     "<button>", "<caption>",
                                          "<colgroup>",  "<col>",    "<svg>",      "</svg>",   "<math>",
                                          "<mi>",        "</math>",  "<style>",    "</style>", "<template>",
                                          "</template>", "<select>", "<form>",     "</form>",  "<font color=red>",
                                          "<dd>",        "<dt>",     "<q>",        "<br>",     "</br>",
                                          "\r\n"};
    for (int round = 0; round < 3000; ++round) {
        std::string input;
        for (auto left = random.between(1, 12); left > 0; --left)
            input += random.between(0, 2) == 0 ? random.one_of(evasions) : random.one_of(pieces);
        for (auto left = random.between(0, 4); left > 0 && !input.empty(); --left) {
            const auto at = static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(input.size()) - 1));
            switch (random.between(0, 2)) {
                case 0:
                    input.erase(at, static_cast<std::size_t>(random.between(1, 5)));
                    break;
                case 1:
                    input[at] = static_cast<char>(random.between(0, 255));
                    break;
                default:
                    input.insert(at, random.one_of(pieces));
            }
        }
        CAPTURE(input);
        const std::string cleaned = clean_html(input);
        CAPTURE(cleaned);
        REQUIRE(fault_of(cleaned) == "");
        REQUIRE(clean_html(cleaned) == cleaned);
    }
}

TEST_CASE("what is not read as HTML is another time the same too, whatever characters are in it") {
    // More tags than are read.
    const std::string unread(20'000, '<');
    for (const char* one : {"\u0080", "\u0087", "\u009f", "\u00a0", "\ufdcf", "\ufdd0", "\ufdef", "\ufdf0", "\ufffd",
                            "\ufffe", "\uffff", "\U0001fffe", "\U0001ffff", "\U0010ffff", "\U0001f600"}) {
        CAPTURE(one);
        const std::string cleaned = clean_html(unread + one);
        CHECK(clean_html(cleaned) == cleaned);
        CHECK(clean_html(one) == cleaned.substr(cleaned.rfind(';') + 1));
    }
}

TEST_CASE("what writers of descriptions use stays as it is") {
    for (const std::string text :
         {"", "Plain words.", "Fish &amp; chips &lt; 10 &gt; 5",
          "<h2>Day 1</h2><p>Over the <strong>pass</strong>, <em>slowly</em>.</p>",
          "<ul><li>one</li><li>two<br>lines</li></ul>",
          "<p><a href=\"https://example.org/?a=1&amp;b=2\" title=\"More\">more</a> <a "
          "href=\"/trips/nile#days\">here</a> <a href=\"mailto:a@b.example\">write</a> <a "
          "href=\"tel:+4412\">call</a></p>",
          "<figure><img src=\"/media/7\" alt=\"The valley\" width=\"640\" "
          "height=\"480\"><figcaption>Valley</figcaption></figure>",
          "<table><thead><tr><th scope=\"col\">A</th></tr></thead><tbody><tr><td "
          "colspan=\"2\">1</td></tr></tbody></table>",
          "<ol start=\"3\"><li>x</li></ol>", "<p lang=\"ar\" dir=\"rtl\">\xD9\x85\xD8\xB1\xD8\xAD\xD8\xA8\xD8\xA7</p>",
          "<blockquote cite=\"https://example.org/\">x</blockquote><pre>\n\n  as is</pre><hr>"}) {
        CAPTURE(text);
        CHECK(clean_html(text) == text);
    }
}

TEST_CASE("what is not listed goes and its words stay, but for what no reader reads") {
    CHECK(clean_html("<article>a <blink>b</blink></article>") == "a b");
    CHECK(clean_html("a<script>b</script><style>c</style><svg><text>d</text></svg>e") == "ae");
    CHECK(clean_html("<p class=\"x\" id=\"y\" style=\"z\">a") == "<p id=\"y\">a</p>");
    CHECK(clean_html("<a href=\"javascript:x\">a</a>") == "a");
    CHECK(clean_html("<img alt=\"a\">b") == "b");
    CHECK(clean_html("<a href=\"java\nscript:x\">a</a><a href=\" https://x \">b</a>") ==
          "a<a href=\"https://x\">b</a>");
}

TEST_CASE("a deep, large or costly input is bounded and stays harmless") {
    const auto repeated = [](const std::string& piece, int times) {
        std::string all;
        while (times-- > 0)
            all += piece;
        return all;
    };
    std::string crossing;
    for (int at = 0; at < 1500; ++at)
        crossing += "<i a=" + std::to_string(at) + ">";
    crossing += repeated("<p>x", 15'000);
    std::string attributes = "<b ";
    for (int at = 0; at < 9000; ++at)
        attributes += " a" + std::to_string(at);
    for (const std::string& input :
         {repeated("<div>", 13'000), repeated("<b><div>", 8000), repeated("<table><td>", 5000), crossing, attributes,
          attributes + ">x", repeated("<", 70'000), repeated("&", 70'000), repeated("<a href=x>", 6000),
          repeated("x", 600'000), repeated("<p>\xC3\xA9", 100'000), repeated("</p>", 15'000), repeated("<svg>", 13'000),
          repeated("<ul><li>", 4000)}) {
        const std::string cleaned = clean_html(input);
        CAPTURE(input.substr(0, 100));
        CAPTURE(cleaned.substr(0, 200));
        CAPTURE(input.size());
        CHECK(cleaned.size() <= svc::html::most_bytes);
        CHECK(clean_html(cleaned) == cleaned);
        CHECK(fault_of(cleaned.substr(0, cleaned.find('<', std::min<std::size_t>(cleaned.size(), 20'000)))) == "");
    }
    CHECK(clean_html(repeated("<div>", 300) + "x") == repeated("<div>", 100) + "x" + repeated("</div>", 100));
}

TEST_CASE("the text of a description is what a reader sees") {
    CHECK(text_of_html("<h2>Day&nbsp;1</h2><p>Up &amp; <b>o</b>ver<br>the   pass</p><script>x</script><!-- y -->") ==
          "Day\xC2\xA0"
          "1 Up & over the pass");
    CHECK(text_of_html("<ul><li>one</li><li>two</li></ul>three") == "one two three");
    CHECK(text_of_html("a < b") == "a < b");
    CHECK(text_of_html("") == "");
}

TEST_CASE("links within a text keep the places they lead to") {
    CHECK(clean_html("<h2 id=\"day-3\">Day 3</h2><a href=\"#day-3\">there</a>") ==
          "<h2 id=\"day-3\">Day 3</h2><a href=\"#day-3\">there</a>");
    CHECK(clean_html("<a name=\"visa\"></a>") == "<a id=\"visa\"></a>");
    for (const char* wrong : {"svc-menu", "3days", "a b", "x\u00e9", ""})
        CHECK(clean_html("<p id=\"" + std::string(wrong) + "\">x</p>") == "<p>x</p>");
    CHECK(clean_html("<p id=\"" + std::string(65, 'a') + "\">x</p>") == "<p>x</p>");
}

TEST_CASE("videos and frames that are left out of a text are named by their addresses, each once") {
    const auto refused = svc::html::refused_embeds(
        "<p>a</p><iframe src=\"https://videos.example/1\"></iframe><video><source src='/clip.mp4'></video>"
        "<embed src=x.swf><iframe src=\"https://videos.example/1\"></iframe><object></object>");
    CHECK(refused == std::vector<std::string>{"https://videos.example/1", "/clip.mp4", "x.swf", "without an address"});
    CHECK(svc::html::refused_embeds("<p>no <b>video</b></p>").empty());
}

TEST_CASE("what was left out of a body is named as its faults are: items of lists count from 0") {
    const auto sent = svc::json::parse(R"({"description":"<iframe src='/a'></iframe>","faqs":[{"answer":"<p>b</p>"},
        {"answer":"<iframe src='/b'></iframe>"}],"highlights":["<iframe src='/c'></iframe>"]})");
    REQUIRE(sent);
    auto warnings = svc::json::Value::array();
    svc::html::add_warnings(warnings, *sent, "");
    std::vector<std::string> fields;
    for (const auto& each : warnings.items())
        fields.push_back(each["field"].text());
    CHECK(fields == std::vector<std::string>{"description", "faqs.1.answer", "highlights.0"});
}
