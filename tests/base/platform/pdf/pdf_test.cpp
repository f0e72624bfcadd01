// Pages as other programs read them: scripts, fonts, margins, bounds.
#include "base/platform/pdf/pdf.hpp"

#include <algorithm>
#include <set>
#include <sstream>
#include <thread>

#include <doctest/doctest.h>

#include "tests/support/pdf_tools.hpp"

using namespace svc;
using tests::PdfFile;

namespace {

pdf::Document document(std::vector<pdf::Block> blocks) {
    return {.title = "A document",
            .author = "svc",
            .footer = "SVC-1",
            .families = "Noto Sans, DejaVu Sans",
            .accent = {.red = 0.1, .green = 0.3, .blue = 0.5},
            .made_at = Instant::parse("2026-11-20T12:00:00Z").value(),
            .letterhead = {"Nile & Co", "1 Quay"},
            .blocks = std::move(blocks),
            .most_time = std::chrono::hours(1)};  // however slow the machine is
}

int darkest(const tests::PdfPage& page, int from_x, int from_y, int to_x, int to_y) {
    int least = 255;
    for (int y = from_y; y < to_y; ++y)
        for (int x = from_x; x < to_x; ++x)
            least = std::min(least, page.at(x, y));
    return least;
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("every script of our fonts is set with their glyphs, embedded as subsets") {
    const std::pair<std::string, std::string> scripts[] = {{"Latin", "Árvíztűrő tükörfúrógép, Łódź, Þingvellir"},
                                                           {"Greek", "Ταξίδι στη Σαντορίνη"},
                                                           {"Cyrillic", "Путешествие по Байкалу"},
                                                           {"Arabic", "رحلة نيلية إلى أسوان"},
                                                           {"Hebrew", "טיול לים המלח"},
                                                           {"Devanagari", "नेपाल यात्रा"},
                                                           {"Thai", "ทัวร์เชียงใหม่"},
                                                           {"Japanese", "東京と京都の旅"},
                                                           {"Chinese", "长城一日游"},
                                                           {"Korean", "서울 여행"},
                                                           {"Georgian", "თბილისი"},
                                                           {"Armenian", "Երևան"}};
    for (const auto& [name, sample] : scripts) {
        CAPTURE(name);
        const auto made = pdf::rendered(
            document({pdf::Paragraph{sample},
                      pdf::Table{.widths = {0.6, 0.4}, .head = {sample, sample}, .rows = {{{sample, sample}}}}}));
        CHECK(made.missing_glyphs == 0);
        const PdfFile file(made.bytes);
        const auto fonts = file.fonts();
        CHECK_FALSE(fonts.empty());
        for (const auto& font : fonts) {
            CAPTURE(font.name);
            CHECK(font.embedded);
            CHECK(font.subset);
        }
        CHECK(made.bytes.size() < 200'000);
    }
    // Left-to-right text comes back as it was set; the others are in their own order.
    for (const char* sample :
         {"Árvíztűrő tükörfúrógép", "Ταξίδι στη Σαντορίνη", "Путешествие по Байкалу", "東京と京都の旅"}) {
        CAPTURE(sample);
        CHECK(holds(PdfFile(pdf::rendered(document({pdf::Paragraph{sample}})).bytes).text(), sample));
    }
}

TEST_CASE("a character that no font has is counted") {
    CHECK(pdf::rendered(document({pdf::Paragraph{"\U000F1234"}})).missing_glyphs > 0);
}

TEST_CASE("a page is A4, has ink, and leaves its margins free") {
    std::string long_text;
    for (int i = 0; i < 3000; ++i)
        long_text += "wanderlust ";
    const auto made = pdf::rendered(document(
        {pdf::Paragraph{"Title", pdf::Face::title}, pdf::Paragraph{long_text},
         pdf::Facts{{{"Name", long_text}, {"Empty", ""}}},
         pdf::Table{.widths = {0.5, 0.5}, .head = {"a", "b"}, .rows = {{{long_text, std::string(500, 'M')}}}}}));
    const PdfFile file(made.bytes);
    REQUIRE(made.pages > 2);
    CHECK(file.pages() == made.pages);
    CHECK_FALSE(holds(file.text(), "Empty"));
    for (int number = 1; number <= made.pages; ++number) {
        CAPTURE(number);
        const auto page = file.page(number);
        CHECK(page.width == 596);
        CHECK(page.height == 842);
        CHECK(darkest(page, 50, 50, 545, 792) < 100);
        CHECK(darkest(page, 0, 0, 48, 842) == 255);
        CHECK(darkest(page, 548, 0, 596, 842) == 255);
        CHECK(darkest(page, 0, 0, 596, 46) == 255);
        CHECK(darkest(page, 0, 830, 596, 842) == 255);
    }
}

TEST_CASE("the same document is the same bytes") {
    const auto one = document({pdf::Paragraph{"東京 and Ταξίδι"}});
    CHECK(pdf::rendered(one).bytes == pdf::rendered(one).bytes);
}

TEST_CASE("a text of any length is set whole, over pages") {
    std::string words, block;
    for (int i = 0; words.size() < 60'000; ++i)
        words += "word" + std::to_string(i) + ' ';
    words += "thelastone";
    for (int i = 0; block.size() < 60'000; ++i)
        block += "line " + std::to_string(i) + " of many, each long enough to be worth its paper\n";
    block += "theverylastline";
    for (const bool as_facts : {false, true}) {
        CAPTURE(as_facts);
        const auto made = as_facts ? pdf::rendered(document({pdf::Facts{{{"About", words}, {"Notes", block}}}}))
                                   : pdf::rendered(document({pdf::Paragraph{words}, pdf::Paragraph{block}}));
        REQUIRE(made.pages < pdf::most_pages);
        const std::string text = PdfFile(made.bytes).text();
        CHECK(holds(text, "thelastone"));
        CHECK(holds(text, "theverylastline"));
        CHECK_FALSE(holds(text, "…"));
        std::set<std::string> found;
        std::istringstream stream(text);
        for (std::string word; stream >> word;)
            found.insert(word);
        int missing = 0;
        for (int i = 0; i < 6000; ++i)
            missing += !found.contains("word" + std::to_string(i));
        CHECK(missing == 0);
    }
    // No blank to break at: still all of it, but for what no page holds.
    const std::string endless(60'000, 'W');
    const auto made = pdf::rendered(document({pdf::Paragraph{endless}}));
    const std::string text = PdfFile(made.bytes).text();
    CHECK(std::count(text.begin(), text.end(), 'W') == 60'000);
}

TEST_CASE("a document ends at its last allowed page with a note") {
    std::vector<pdf::Block> blocks;
    for (std::size_t i = 0; i < pdf::most_blocks; ++i)
        blocks.emplace_back(pdf::Paragraph{.text = "Line " + std::to_string(i), .listed = true});
    const auto made = pdf::rendered(document(std::move(blocks)));
    CHECK(made.pages == pdf::most_pages);
    CHECK(holds(PdfFile(made.bytes).text(), "This document has too many pages to be created."));
}

TEST_CASE("a table's head is on each of its pages") {
    pdf::Table table{.widths = {0.5, 0.5}, .head = {"Description", "Amount"}};
    for (int i = 0; i < 100; ++i)
        table.rows.push_back({{"Row " + std::to_string(i), "1.00"}});
    const auto made = pdf::rendered(document({table}));
    const std::string text = PdfFile(made.bytes).text();
    int heads = 0;
    for (auto at = text.find("Description"); at != std::string::npos; at = text.find("Description", at + 1))
        ++heads;
    REQUIRE(made.pages > 1);
    CHECK(heads == made.pages);
    for (int i = 0; i < 100; ++i)
        CHECK(holds(text, "Row " + std::to_string(i) + " "));
}

TEST_CASE("control characters, ill-formed text and endless words are set or left out, never fatal") {
    const std::string nasty[] = {std::string("a\0b", 3),   "bell\x07",      "\xff\xfe",
                                 std::string(50'000, 'W'), "\u202Egnp.exe", "line one\r\nline two",
                                 std::string(30'000, '\n')};
    for (const std::string& text : nasty) {
        CAPTURE(text.size());
        const auto made = pdf::rendered(document({pdf::Paragraph{text}, pdf::Facts{{{text, text}}},
                                                  pdf::Table{.widths = {0.5, 0.5}, .rows = {{{text, text}}}}}));
        REQUIRE(made.in_time);
        CHECK(PdfFile(made.bytes).pages() == made.pages);
    }
}

TEST_CASE("combining marks beyond eight on a letter are left out, so that 64 KiB of them are little work") {
    std::string marked = "A";
    for (int i = 0; i < 32'768; ++i)
        marked += "\u0301";
    const auto made = pdf::rendered(document({pdf::Paragraph{marked + "END"}, pdf::Facts{{{"Name", marked}}}}));
    REQUIRE(made.in_time);
    CHECK(made.bytes.size() < 50'000);
    CHECK(made.pages == 1);
    const std::string text = PdfFile(made.bytes).text();
    CHECK(holds(text, "END"));
    CHECK(std::count(text.begin(), text.end(), '\xCC') <= 4 * static_cast<int>(pdf::most_marks));
    // Scripts keep their marks: Thai and Vietnamese letters carry up to three.
    const std::string needed = "ผู้ใหญ่ ở đây";
    CHECK(pdf::rendered(document({pdf::Paragraph{needed}})).missing_glyphs == 0);
}

TEST_CASE("a document that is not finished in its time has no bytes and returns the reason") {
    auto late = document({pdf::Paragraph{"Hello"}});
    late.most_time = std::chrono::milliseconds(-1);
    const auto made = pdf::rendered(late);
    CHECK_FALSE(made.in_time);
    CHECK(made.bytes.empty());
}

TEST_CASE("a value in a right-to-left script is beside its label") {
    // The last one begins with a number, which has no direction of its own.
    for (const char* value : {"Aswan by boat", "رحلة نيلية إلى أسوان", "طفل\nرجل", "١٢ شارع الكورنيش"}) {
        CAPTURE(value);
        auto plain = document({pdf::Facts{{{"Trip", value}}}});
        plain.letterhead.clear();
        const auto page = PdfFile(pdf::rendered(plain).bytes).page(1);
        CHECK(darkest(page, 178, 60, 215, 110) < 160);
        CHECK(darkest(page, 400, 68, 545, 140) == 255);
    }
}

TEST_CASE("rows of all scripts have equal heights, so that labels are in even steps") {
    const auto labels_of = [](const char* value) {
        auto plain = document({pdf::Facts{{{"Label", value}, {"Label", value}, {"Label", value}}},
                               pdf::Table{.widths = {0.5, 0.5}, .head = {"Label", "B"}, .rows = {{{"Label", value}}}}});
        plain.letterhead.clear();
        const auto page = PdfFile(pdf::rendered(plain).bytes).page(1);
        std::vector<int> tops;
        for (int y = 66; y < 400; ++y)
            if (darkest(page, 50, y, 70, y + 1) < 200 && darkest(page, 50, y - 1, 70, y) >= 200)
                tops.push_back(y);
        return tops;
    };
    const auto latin = labels_of("Aswan by boat");
    CHECK(latin.size() >= 5);
    for (const char* value :
         {"رحلة نيلية إلى أسوان", "ナイル川クルーズ", "Ταξίδι στο Νείλο", "11 أسوان アスワン Aswan"}) {
        CAPTURE(value);
        CHECK(labels_of(value) == latin);
    }
}

TEST_CASE("letters are placed by their font, not on whole points") {
    std::string text;
    for (int i = 0; i < 50; ++i)
        text += "5 ";
    auto plain = document({pdf::Paragraph{text + "H"}});
    plain.letterhead.clear();
    const auto page = PdfFile(pdf::rendered(plain).bytes).page(1);
    // 0.572 and 0.26 of 9.5 points each; on whole points they would end at 400.
    CHECK(darkest(page, 436, 60, 460, 110) < 128);
}

TEST_CASE("a head has the addressee at the left, the facts beside and a QR code at the right") {
    auto with = document({});
    with.letterhead.clear();
    with.head = pdf::Head{.kind = "Travel voucher",
                          .number = "SVC-1A2B3C4D",
                          .addressee_label = "Customer",
                          .addressee = {"Ada Lovelace", "ada@example.org"},
                          .facts = {{{"Status", "Confirmed"}, {"Empty", ""}}},
                          .code = "1A2B-3C4D-5E6F-7G8H"};
    const PdfFile file(pdf::rendered(with).bytes);
    const std::string text = file.text();
    for (const char* part : {"Travel voucher", "SVC-1A2B3C4D", "Customer", "Ada Lovelace", "Status", "Confirmed"})
        CHECK(holds(text, part));
    CHECK_FALSE(holds(text, "Empty"));
    // Of 21 modules, 76 points wide: three corners have their pattern, the fourth has none.
    const auto page = file.page(1);
    int top = 60;
    while (top < 200 && (page.at(471, top) > 100 || page.at(471, top + 12) > 100))
        ++top;
    CHECK(darkest(page, 440, top, 468, top + 76) == 255);  // the quiet zone
    for (const auto& [x, y] : {std::pair(0, 0), std::pair(51, 0), std::pair(0, 51)}) {
        CAPTURE(x);
        CAPTURE(y);
        CHECK(darkest(page, 469 + x + 9, top + y + 9, 469 + x + 11, top + y + 11) < 60);
        CHECK(page.at(469 + x + 4, top + y + 10) > 120);
    }
    const auto ink_of = [](const tests::PdfPage& one) {
        return std::count_if(one.grey.begin(), one.grey.end(), [](std::uint8_t grey) { return grey < 128; });
    };
    with.head->code.clear();
    CHECK(ink_of(PdfFile(pdf::rendered(with).bytes).page(1)) < ink_of(page) - 1000);
}

TEST_CASE("an emoji has a picture") {
    const auto made = pdf::rendered(document({pdf::Paragraph{"\U0001F42A \U0001F30D", pdf::Face::title}}));
    CHECK(made.missing_glyphs == 0);
    CHECK(darkest(PdfFile(made.bytes).page(1), 50, 80, 100, 140) < 200);
}

TEST_CASE("a logo is at the head, at the right within its box") {
    auto with = document({});
    with.letterhead.clear();
    with.logo = images::Picture::blank(400, 100);  // black
    const auto page = PdfFile(pdf::rendered(with).bytes).page(1);
    CHECK(page.at(400, 60) < 10);
    CHECK(page.at(540, 60) < 10);
    CHECK(page.at(390, 60) == 255);  // 150 points wide
    CHECK(page.at(400, 89) > 10);    // 37.5 high
}

TEST_CASE("documents are set from several threads at once") {
    const auto one = document({pdf::Paragraph{"नेपाल and العربية"}});
    const std::string expected = pdf::rendered(one).bytes;
    std::vector<std::thread> threads;
    std::array<int, 4> equal{};
    for (std::size_t i = 0; i < equal.size(); ++i)
        threads.emplace_back([&, i] {
            for (int turn = 0; turn < 5; ++turn)
                equal.at(i) += pdf::rendered(one).bytes == expected ? 1 : 0;
        });
    for (std::thread& thread : threads)
        thread.join();
    for (const int count : equal)
        CHECK(count == 5);
}
