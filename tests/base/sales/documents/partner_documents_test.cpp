// Documents of plugins: their blocks in the site's look, and what is refused.
#include "base/sales/documents/partner_documents.hpp"

#include <doctest/doctest.h>

#include "base/platform/crypto/crypto.hpp"
#include "tests/support/each_on.hpp"
#include "tests/support/pdf_tools.hpp"
#include "tests/support/test_base.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

Value parsed(const std::string& text) {
    auto value = json::parse(text);
    REQUIRE(value);
    return std::move(*value);
}

// A black PNG of 8 by 4 pixels.
constexpr const char* black_png =
    "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAECAAAAACWpiEsAAAAC0lEQVR4nGNgIAwAACQAAbZm3wQAAAAASUVORK5CYII=";

struct Office {
    explicit Office(Database& database) : base(database) {
        const auto saved = base.assembly->settings.write(
            Value::object({{"company_name", "Nile & Co"}, {"company_phone", "+20 2 1234"}, {"vat_number", "EG-1"}}), 0);
        REQUIRE(static_cast<bool>(saved));
    }
    Result<pdf::Rendered> pdf(const Value& document) { return base.assembly->documents.partners.pdf(document); }
    // The field that is refused in a document of these blocks; "good" when none is.
    std::string fault(const std::string& blocks) { return fault_of(parsed(blocks)); }
    std::string fault_of(const Value& blocks) {
        const auto made = pdf(Value::object({{"title", "t"}, {"blocks", blocks}}));
        if (made)
            return "good";
        CHECK(made.error().code().name == "svc_validation_error");
        return made.error().fields().empty() ? "" : made.error().fields().front().field;
    }
    TestBase base;
};

const auto each_office = each_on<Office>;

}  // namespace

TEST_CASE("a plugin's document has its blocks as text, in the site's letterhead, and the number of each page") {
    each_office([](Office& office) {
        const auto made = office.pdf(parsed(std::string(R"({"title": "Consent", "language": "de", "mark": "Signed copy",
            "head": {"kind": "Einverständnis", "number": "SVC-1", "addressee_label": "Für", "addressee": ["Ada"],
                     "facts": [["Reise", "Nilfahrt"]]},
            "blocks": [{"type": "heading", "text": "Haftung"}, {"type": "paragraph", "text": "Ich komme freiwillig mit."},
                       {"type": "paragraph", "text": "Klein", "style": "small"},
                       {"type": "paragraph", "text": "Punkt", "listed": true},
                       {"type": "facts", "rows": [["Blutgruppe", "0+"], ["Leer", ""]]},
                       {"type": "table", "head": ["Was", "Wann"], "rows": [["Geöffnet", "10:00"]], "widths": [30, 70]},
                       {"type": "page_break"}, {"type": "page_break"},
                       {"type": "picture", "width_mm": 80, "png_base64": ")") +
                                            black_png + R"("}]})"));
        REQUIRE(made);
        CHECK(made->pages == 2);  // a second break in a row adds no empty page
        const PdfFile file(made->bytes);
        const std::string text = file.text();
        for (const char* part : {"Einverständnis", "SVC-1", "Ada", "Nilfahrt", "Haftung", "Ich komme freiwillig mit.",
                                 "Blutgruppe", "0+", "Geöffnet", "10:00", "Nile & Co", "EG-1", "Signed copy"})
            CHECK_MESSAGE(holds(text, part), part);
        CHECK_FALSE(holds(text, "Leer"));
        // The picture is 80 mm wide, 227 points, from the left margin at 50.
        const PdfPage page = file.page(2);
        int first = page.width, last = 0;
        for (int y = 0; y < page.height - 60; ++y)
            for (int x = 0; x < page.width; ++x)
                if (page.at(x, y) < 64) {
                    first = std::min(first, x);
                    last = std::max(last, x);
                }
        CHECK(first == doctest::Approx(50).epsilon(0.05));
        CHECK(last - first == doctest::Approx(227).epsilon(0.03));
    });
}

TEST_CASE("equal documents of a plugin with equal times are equal bytes") {
    Office office(*Database::sqlite());
    const Value document =
        parsed(R"({"title": "t", "made_at": 1790000000000000, "blocks": [{"type": "paragraph", "text": "a"}]})");
    const auto first = office.pdf(document), second = office.pdf(document);
    REQUIRE(first);
    REQUIRE(second);
    CHECK(first->bytes == second->bytes);
}

TEST_CASE("a block that is wrong or too large is refused with its index") {
    Office office(*Database::sqlite());
    const std::string good = R"({"type": "paragraph", "text": "a"})";
    CHECK(office.fault("[" + good + "]") == "good");
    CHECK(office.fault("{}") == "blocks");
    CHECK(office.fault("[" + good + R"(, {"type": "script", "text": "a"}])") == "blocks.1");
    CHECK(office.fault("[7]") == "blocks.0");
    CHECK(office.fault(R"([{"type": "heading"}])") == "blocks.0");
    CHECK(office.fault(R"([{"type": "paragraph", "text": "a", "style": "huge"}])") == "blocks.0");
    CHECK(office.fault(R"([{"type": "facts", "rows": [["a"]]}])") == "blocks.0");
    CHECK(office.fault(R"([{"type": "facts"}])") == "blocks.0");
    CHECK(office.fault(R"([{"type": "table", "rows": [["1","2","3","4","5","6","7","8","9"]]}])") == "blocks.0");
    CHECK(office.fault(R"([{"type": "table", "rows": [[1]]}])") == "blocks.0");
    CHECK(office.fault(R"([{"type": "table", "rows": [["a", "b"]], "widths": [60, 60]}])") == "blocks.0");
    CHECK(office.fault(R"([{"type": "table", "rows": [["a", "b"]], "widths": [60]}])") == "blocks.0");
    const auto picture = [](const std::string& base64, int width) {
        return R"([{"type": "picture", "width_mm": )" + std::to_string(width) + R"(, "png_base64": ")" + base64 +
               "\"}]";
    };
    CHECK(office.fault(picture(black_png, 80)) == "good");
    CHECK(office.fault(picture(black_png, 171)) == "blocks.0");
    CHECK(office.fault(picture(black_png, 9)) == "blocks.0");
    CHECK(office.fault(picture("###", 80)) == "blocks.0");
    CHECK(office.fault(picture(crypto::base64("GIF89a, no PNG at all, really"), 80)) == "blocks.0");
    const std::string png = *crypto::from_base64(black_png);
    CHECK(office.fault(picture(crypto::base64(png.substr(0, 30)), 80)) == "blocks.0");
    std::string wide = png;
    wide[16] = '\x7f';  // two thousand million pixels, as it says
    CHECK(office.fault(picture(crypto::base64(wide), 80)) == "blocks.0");
    const auto large = Value::object(
        {{"type", "picture"}, {"width_mm", 80}, {"png_base64", crypto::base64(png + std::string(512 << 10, 'x'))}});
    CHECK(office.fault_of(Value::array({large})) == "blocks.0");
    Value many = Value::array(), rows = Value::array();
    for (int i = 0; i <= 2'000; ++i)
        many.push(parsed(good));
    CHECK(office.fault_of(many) == "blocks");
    for (int i = 0; i <= 2'500; ++i)
        rows.push(Value::array({"a", "b"}));
    const auto facts = Value::object({{"type", "facts"}, {"rows", std::move(rows)}});
    CHECK(office.fault_of(Value::array({facts, facts})) == "blocks.1");  // all rows of a document are counted
    CHECK(!office.pdf(parsed(R"({"blocks": []})")));
    CHECK(!office.pdf(Value("no document")));
}
