// Marks, a check of UTF-8, ICU's detector, and a score of letters in their words.
#include "base/platform/csv/encoding.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <memory>
#include <optional>

#include <unicode/uchar.h>
#include <unicode/ucnv.h>
#include <unicode/ucsdet.h>
#include <unicode/unorm2.h>

#include "shared/core/text.hpp"

namespace svc::csv {
namespace {

constexpr std::size_t looked_at = 64 << 10;
constexpr int sure = 30;  // of a hundred, as ICU counts; Cyrillic text has 37
constexpr const char *western = "windows-1252", *central = "windows-1250", *baltic = "windows-1257";

// How many bytes at the end of a piece begin a character that the next piece ends.
std::size_t unfinished(std::string_view piece) {
    for (std::size_t back = 1; back <= std::min<std::size_t>(3, piece.size()); ++back) {
        const auto byte = static_cast<unsigned char>(piece[piece.size() - back]);
        if (byte >= 0xC0)
            return (byte >= 0xF0 ? 4U : byte >= 0xE0 ? 3U : 2U) > back ? back : 0;
        if (byte < 0x80)
            return 0;
    }
    return 0;
}

bool is_utf8_file(std::ifstream& file) {
    std::string rest;
    std::string piece(looked_at, '\0');
    while (file.read(piece.data(), static_cast<std::streamsize>(piece.size())), file.gcount() > 0) {
        rest.append(piece.data(), static_cast<std::size_t>(file.gcount()));
        const std::size_t rest_size = unfinished(rest);
        if (!text::is_utf8(std::string_view(rest).substr(0, rest.size() - rest_size)))
            return false;
        rest.erase(0, rest.size() - rest_size);
    }
    return rest.empty();
}

// The usual encoding of spreadsheet programs where these languages are written or in these countries.
std::string usual(const Origin& origin) {
    struct Of {
        const char *encoding, *languages, *countries;
    };
    static constexpr Of all[] = {
        {central, "cs pl hu sk sl hr ro bs sq", "CZ PL HU SK SI HR RO MD BA AL"},
        {"windows-1251", "ru uk bg sr mk be", "RU UA BG BY KZ KG MK RS"},
        {"windows-1253", "el", "GR CY"},
        {"windows-1254", "tr", "TR"},
        {"windows-1255", "he", "IL"},
        {"windows-1256", "ar fa", "EG SA AE JO MA TN DZ IQ OM QA"},
        {baltic, "et lv lt", "EE LV LT"},
        {"Shift_JIS", "ja", "JP"},
        {"GB18030", "zh", "CN"},
        {"Big5", "", "TW HK"},
        {"EUC-KR", "ko", "KR"},
    };
    const auto names = [](std::string_view list, std::string_view word) {
        return word.size() == 2 && list.find(word) != std::string_view::npos;
    };
    const std::string language = origin.language.substr(0, 2);
    for (const Of& of : all)
        if (names(of.countries, origin.country) || names(of.languages, language))
            return of.encoding;
    return western;
}

// ICU's guess at a language without Latin letters, or nothing. Of Latin ones it confuses short texts.
std::optional<std::string> guessed_script(std::string_view head) {
    UErrorCode status = U_ZERO_ERROR;
    const std::unique_ptr<UCharsetDetector, decltype(&ucsdet_close)> detector(ucsdet_open(&status), &ucsdet_close);
    ucsdet_setText(detector.get(), head.data(), static_cast<int32_t>(head.size()), &status);
    const UCharsetMatch* match = ucsdet_detect(detector.get(), &status);
    const char* name = match && U_SUCCESS(status) ? ucsdet_getName(match, &status) : nullptr;
    if (!name || U_FAILURE(status) || ucsdet_getConfidence(match, &status) < sure)
        return std::nullopt;
    // By their own names, and as Windows calls what is nearly the same.
    static constexpr std::pair<std::string_view, std::string_view> known[] = {{"windows-1251", "windows-1251"},
                                                                              {"KOI8-R", "KOI8-R"},
                                                                              {"ISO-8859-5", "ISO-8859-5"},
                                                                              {"windows-1253", "windows-1253"},
                                                                              {"ISO-8859-7", "windows-1253"},
                                                                              {"windows-1255", "windows-1255"},
                                                                              {"ISO-8859-8", "windows-1255"},
                                                                              {"windows-1256", "windows-1256"},
                                                                              {"ISO-8859-6", "ISO-8859-6"},
                                                                              {"Shift_JIS", "Shift_JIS"},
                                                                              {"EUC-JP", "EUC-JP"},
                                                                              {"GB18030", "GB18030"},
                                                                              {"Big5", "Big5"},
                                                                              {"EUC-KR", "EUC-KR"}};
    for (const auto& [of_icu, ours] : known)
        if (of_icu == name)
            return std::string(ours);
    return std::nullopt;
}

enum class Sound : std::uint8_t { none, vowel, consonant, either };

// The letter without its accents.
UChar32 base_of(UChar32 letter) {
    UErrorCode status = U_ZERO_ERROR;
    const UNormalizer2* canonical = unorm2_getNFDInstance(&status);
    std::array<UChar, 8> parts{};
    const auto size =
        unorm2_getRawDecomposition(canonical, letter, parts.data(), static_cast<int32_t>(parts.size()), &status);
    return U_SUCCESS(status) && size > 0 ? parts[0] : letter;
}

Sound sound_of(UChar32 c) {
    if (!u_isalpha(c) || c == 0xAA || c == 0xBA)  // the raised letters of Spanish ordinals end a number
        return Sound::none;
    const UChar32 letter = u_tolower(base_of(c));
    if (letter == 'y')
        return Sound::either;
    static constexpr std::u32string_view vowels = U"aeiou\u00E6\u00F8\u0153\u0131";  // æ ø œ ı
    return vowels.find(static_cast<char32_t>(letter)) != std::u32string_view::npos ? Sound::vowel : Sound::consonant;
}

// How well a letter beyond ASCII stands between its neighbours: a vowel among consonants and the other way round is
// likely, a sign within a word or a capital behind a small letter is not.
int score_at(const std::u16string& text, std::size_t at) {
    const UChar32 c = text[at];
    const UChar32 before = at > 0 ? text[at - 1] : ' ', after = at + 1 < text.size() ? text[at + 1] : ' ';
    const Sound own = sound_of(c), left = sound_of(before), right = sound_of(after);
    if (own == Sound::none) {
        const bool is_of_words = c == 0x2019 || c == 0x2018 || c == 0xB4 || c == 0xAD || c == 0xB7 || c == 0xA0;
        return left == Sound::none || is_of_words ? 0 : right == Sound::none ? -1 : -3;
    }
    if (u_isupper(c) && u_islower(before))
        return -3;
    const bool beside_vowel = left == Sound::vowel || right == Sound::vowel,
               beside_consonant = left == Sound::consonant || right == Sound::consonant;
    if (own == Sound::consonant)
        return beside_vowel ? 1 : beside_consonant ? -1 : 0;
    if (c == 0xF5 && after != 'e')  // õ: Portuguese has "ões" alone
        return -1;
    if (c == 0x153 && after == 'u')  // œu: French
        return 1;
    if (beside_vowel)
        return c == 0xEF || c == 0xEB || c == 0xFC ? 1 : -1;  // ï ë ü part two vowels
    return beside_consonant ? 1 : 0;
}

int score_of(const std::string& encoding, std::string_view head) {
    UErrorCode status = U_ZERO_ERROR;
    const std::unique_ptr<UConverter, decltype(&ucnv_close)> converter(ucnv_open(encoding.c_str(), &status),
                                                                       &ucnv_close);
    std::u16string text(head.size() * 2, u'\0');
    const auto size = ucnv_toUChars(converter.get(), text.data(), static_cast<int32_t>(text.size()), head.data(),
                                    static_cast<int32_t>(head.size()), &status);
    if (U_FAILURE(status))
        return INT32_MIN;
    text.resize(static_cast<std::size_t>(size));
    int score = 0;
    for (std::size_t at = 0; at < text.size(); ++at)
        if (text[at] >= 0x80)
            // Bytes that the encoding does not have.
            score += text[at] == 0xFFFD || (text[at] < 0xA0) ? -3 : score_at(text, at);
    return score;
}

std::string guessed(std::string_view head, const Origin& origin) {
    if (auto script = guessed_script(head))
        return *script;
    const std::string usually = usual(origin);
    std::string best;
    int most = INT32_MIN;
    for (const std::string& one : {usually, std::string(western), std::string(central), std::string(baltic)})
        if (const int score = score_of(one, head); score > most) {
            most = score;
            best = one;
        }
    return best.empty() ? western : best;
}

}  // namespace

const std::vector<std::string>& encoding_names() {
    static const std::vector<std::string> names{
        "UTF-8",        "windows-1252", "windows-1250", "windows-1251", "windows-1253", "windows-1254",
        "windows-1255", "windows-1256", "windows-1257", "windows-1258", "ISO-8859-1",   "ISO-8859-2",
        "ISO-8859-5",   "ISO-8859-6",   "ISO-8859-15",  "KOI8-R",       "macintosh",    "UTF-16LE",
        "UTF-16BE",     "Shift_JIS",    "EUC-JP",       "GB18030",      "Big5",         "EUC-KR"};
    return names;
}

Encoding encoding_of(const std::string& path, const Origin& origin) {
    std::ifstream file(path, std::ios::binary);
    std::string head(looked_at, '\0');
    file.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(file.gcount()));
    if (head.starts_with("\xEF\xBB\xBF"))
        return {"UTF-8", 3};
    if (head.starts_with("\xFF\xFE"))
        return {"UTF-16LE", 2};
    if (head.starts_with("\xFE\xFF"))
        return {"UTF-16BE", 2};
    if (!origin.encoding.empty())
        return {origin.encoding, 0};
    file.clear();
    file.seekg(0);
    if (is_utf8_file(file))
        return {"UTF-8", 0};
    return {guessed(head, origin), 0, false};
}

}  // namespace svc::csv
