// Words as searches compare them.
#include "shared/core/words.hpp"

#include <doctest/doctest.h>

#include "shared/core/text.hpp"

using namespace svc;

namespace {

std::string words(std::string_view text, std::size_t most = 100) {
    std::string joined;
    for (const auto& word : text::search_words(text, most))
        joined += (joined.empty() ? "" : " ") + word;
    return joined;
}

}  // namespace

TEST_CASE("words are letters and digits, without case and accents") {
    CHECK(words("  Nile-Cruise, 4 days!") == "nile cruise 4 days");
    CHECK(words("Łódź ŁODZ lo\xCC\x81"
                "dz") == "lodz");
    CHECK(words("Tromsø STRASSE Straße Ævintýri") == "tromso strasse aevintyri");
    CHECK(words("Côte d'Azur") == "cote d azur");
    CHECK(words("ﬁne ＦＵＬＬ") == "fine full");
    CHECK(words("Ελλάδα ΕΛΛΆΔΑ Москва́") == "ελλαδα москва");
    CHECK(words("") == "");
    CHECK(words("?!* \"'()") == "");
}

TEST_CASE("scripts without blanks give a word a letter, vowel signs stay with theirs") {
    CHECK(words("東京ツアーin3") == "東 京 ツ ア ー in3");
    CHECK(words("नेपाल") == "नेपाल");
    CHECK(words("が か") == "が か");
    CHECK(words("서울") == "서울");
}

TEST_CASE("a word ends where its letters do, whatever lies beyond ASCII around it") {
    CHECK(words("Cafés naïve-x abc—def ab\xC2\xA0"
                "cd Zoë") == "cafes naive x abc def ab cd zoe");
    CHECK(words("x東y") == "x 東 y");
    CHECK(words("—plain— PLAINÉ Éplain") == "plain plaine eplain");
    CHECK(words("abc\xFF"
                "def 12\xC3") == "abc def 12");
    CHECK(words(std::string(40, 'X') + "é " + std::string(39, 'Y') + "éz") ==
          std::string(40, 'x') + " " + std::string(39, 'y') + "e");
}

TEST_CASE("neither the words nor their number grow with what somebody sends") {
    const std::string letters(100'000, 'x');
    CHECK(words(letters) == std::string(40, 'x'));
    std::string umlauts;
    for (int i = 0; i < 5'000; ++i)
        umlauts += "Ä";
    CHECK(words(umlauts) == std::string(40, 'a'));
    CHECK(words("a b c d", 2) == "a b");
    CHECK(words("\xFF\xFE nile \xC3") == "nile");
    CHECK(words("nile NILE Nílé", 2) == "nile");
}

TEST_CASE("what lists are searched by has no case, accents or strokes, and the apostrophe of a keyboard") {
    using svc::text::search_key;
    CHECK(search_key("DÍAZ") == "diaz");
    CHECK(search_key("Łódź Đorđe İstanbul Straße ﬁn") == "lodz dorde istanbul strasse fin");
    CHECK(search_key("O\u2019Brien O\u02BCBrien O\u00B4Brien O`Brien") == "o'brien o'brien o'brien o'brien");
    CHECK(search_key("\u201CA\u201D \u2013 B") == "\"a\" - b");
    CHECK(search_key("Ada\u200B Love\u00ADlace\nTwo") == "ada lovelace\ntwo");
    CHECK(search_key("Дмитрий") == search_key("ДМИТРИЙ"));
    // An address is stored with its domain in ASCII.
    for (const char* address : {"ada@xn--mller-kva.example", "Ada@XN--MLLER-KVA.example", "ada@müller.example"})
        CHECK(search_key(address) == "ada@muller.example");
    CHECK(search_key("xn--, a--b xn--\u00e4") == "xn--, a--b xn--a");
}

TEST_CASE("folding for a search twice, or after the case alone was folded, changes nothing") {
    for (const char* text :
         {"DÍAZ", "Łódź Đorđe", "İstanbul", "Straße", "O\u2019Brien", "\u0149 \u00B4", "ﬁn", "日本 ガ"}) {
        const std::string key = svc::text::search_key(text);
        CHECK(svc::text::search_key(key) == key);
        CHECK(svc::text::search_key(svc::text::folded(text)) == key);
    }
}
