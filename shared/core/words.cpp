// Words by Unicode's properties, folded further than for comparing: without accents and compatibility forms.
#include "shared/core/words.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <new>

#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/uscript.h>
#include <unicode/utf8.h>

#include "shared/core/by_text.hpp"
#include "shared/core/email.hpp"
#include "shared/core/text.hpp"

namespace svc::text {
namespace {

constexpr std::size_t longest_word = 40;

// The library's macros convert freely between char and its own types.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"

// The code point at `at`, negative for an ill-formed sequence; `at` moves past it.
UChar32 next(std::string_view text, std::size_t& at) {
    auto place = static_cast<std::int32_t>(at);
    const auto size = static_cast<std::int32_t>(text.size());
    UChar32 code = 0;
    U8_NEXT(text.data(), place, size, code);
    at = static_cast<std::size_t>(place);
    return code;
}

#pragma GCC diagnostic pop

bool joins_letter(UChar32 code) {
    constexpr std::uint32_t marks = U_GC_MN_MASK | U_GC_MC_MASK;
    return (U_GET_GC_MASK(code) & marks) != 0;
}
bool is_of_word(UChar32 code) { return u_isalnum(code) || joins_letter(code); }

UScriptCode script_of(UChar32 code) {
    UErrorCode status = U_ZERO_ERROR;
    return uscript_getScript(code, &status);
}

// Han, kana, Thai and their neighbours put no blanks between words.
bool stands_alone(UChar32 code) {
    if (code == 0x30FC)  // the long vowel of kana, which is of no script
        return true;
    switch (script_of(code)) {
        case USCRIPT_HAN:
        case USCRIPT_HIRAGANA:
        case USCRIPT_KATAKANA:
        case USCRIPT_THAI:
        case USCRIPT_LAO:
        case USCRIPT_KHMER:
        case USCRIPT_MYANMAR:
            return true;
        default:
            return false;
    }
}

// An accent of no script in particular. The vowel signs of Indic scripts and the voicing of kana make other words.
bool is_accent(UChar32 code) {
    return joins_letter(code) && code != 0x3099 && code != 0x309A && script_of(code) == USCRIPT_INHERITED;
}

// Letters that people type without their stroke, which Unicode does not take apart.
const char16_t* plain_letters(UChar32 code) {
    switch (code) {
        case 0xF8:
            return u"o";
        case 0x142:
            return u"l";
        case 0x111:
        case 0xF0:
            return u"d";
        case 0x127:
            return u"h";
        case 0x131:
            return u"i";
        case 0x167:
            return u"t";
        case 0xE6:
            return u"ae";
        case 0x153:
            return u"oe";
        case 0xFE:
            return u"th";
        default:
            return nullptr;
    }
}

const icu::Normalizer2& taking_apart() {
    UErrorCode status = U_ZERO_ERROR;
    const icu::Normalizer2* form = icu::Normalizer2::getNFKDInstance(status);
    if (U_FAILURE(status))
        throw std::bad_alloc();  // the data is built in: nothing else can fail
    return *form;
}

icu::UnicodeString units_of(std::string_view text) {
    return icu::UnicodeString::fromUTF8(icu::StringPiece(text.data(), static_cast<std::int32_t>(text.size())));
}

// Decomposes and folds case; `put(kept, code)` adds each code point without accents and strokes.
template <class Put>
std::string folded_by(icu::UnicodeString units, Put put) {
    static const icu::Normalizer2& form = taking_apart();
    UErrorCode status = U_ZERO_ERROR;
    units = form.normalize(units, status);
    units.foldCase();
    units = form.normalize(units, status);
    if (U_FAILURE(status))
        throw std::bad_alloc();
    icu::UnicodeString without_marks;
    for (std::int32_t at = 0; at < units.length(); at = units.moveIndex32(at, 1)) {
        const UChar32 code = units.char32At(at);
        if (const char16_t* plain = plain_letters(code))
            without_marks.append(plain);
        else if (!is_accent(code))
            put(without_marks, code);
    }
    std::string out;
    without_marks.toUTF8String(out);
    return composed(out);
}

std::string folded_word(std::string_view word) {
    return folded_by(units_of(word), [](icu::UnicodeString& result, UChar32 code) {
        if (is_of_word(code))
            result.append(code);
    });
}

// The keyboard's equivalent of a typographic sign, 0 for none.
char16_t typed_sign(UChar32 code) {
    switch (code) {
        case 0x60:
        case 0xB4:
        case 0x2B9:
        case 0x2BB:
        case 0x2BC:
        case 0x2BD:
        case 0x2C8:
        case 0x2018:
        case 0x2019:
        case 0x201A:
        case 0x201B:
        case 0x2032:
        case 0x2035:
        case 0xFF07:
            return u'\'';
        case 0xAB:
        case 0xBB:
        case 0x201C:
        case 0x201D:
        case 0x201E:
        case 0x201F:
            return u'"';
        case 0x2010:
        case 0x2011:
        case 0x2012:
        case 0x2013:
        case 0x2014:
        case 0x2015:
        case 0x2212:
            return u'-';
        default:
            return 0;
    }
}

// The same words come again and again in the texts of one site.
class Folded {
  public:
    const std::string& of(std::string_view word) {
        const auto known = words_.find(word);
        if (known != words_.end())
            return known->second;
        if (words_.size() == most)
            words_.clear();
        return words_.emplace(word, first(folded_word(word), longest_word)).first->second;
    }

  private:
    static constexpr std::size_t most = 4'000;
    ByText<std::string> words_;
};

// Each byte in lower case when it is a letter or digit of ASCII, else 0.
constexpr std::array<char, 256> plain_letter = [] {
    std::array<char, 256> letters{};
    for (char c = '0'; c <= '9'; ++c)
        letters[static_cast<unsigned char>(c)] = c;
    for (char c = 'a'; c <= 'z'; ++c)
        letters[static_cast<unsigned char>(c)] = letters[static_cast<unsigned char>(c - 'a' + 'A')] = c;
    return letters;
}();
char plain_at(std::string_view text, std::size_t at) { return plain_letter[static_cast<unsigned char>(text[at])]; }

// A run of plain letters, nearly always a whole word, in lower case.
class PlainWord {
  public:
    // Reads from `at` on; answers where the run ends.
    std::size_t read(std::string_view text, std::size_t at) {
        size_ = 0;
        for (char letter = 0; at < text.size() && (letter = plain_at(text, at)) != 0; ++at)
            if (size_ < longest_word)
                letters_[size_++] = letter;
        return at;
    }
    [[nodiscard]] std::string_view letters() const { return {letters_.data(), size_}; }

  private:
    std::array<char, longest_word> letters_;
    std::size_t size_ = 0;
};

bool give(std::string_view word, bool plain, const std::function<bool(std::string_view)>& take) {
    if (plain) {
        PlainWord whole;
        whole.read(word, 0);
        return take(whole.letters());
    }
    // Bounded before it is folded: a run of letters may be as long as the text.
    thread_local Folded folded;
    const std::string& word_text = folded.of(word.substr(0, longest_word * 4 * 2));
    return word_text.empty() || take(word_text);
}

}  // namespace

void each_word(std::string_view text, const std::function<bool(std::string_view)>& take) {
    const std::string valid = is_utf8(text) ? std::string() : made_utf8(text);
    if (!valid.empty())
        text = valid;
    std::size_t start = 0, at = 0;
    bool within = false, plain = true, alone = false;
    PlainWord run;
    const auto end_word = [&](std::size_t end) {
        const bool more = !within || give(text.substr(start, end - start), plain, take);
        within = alone = false;
        plain = true;
        return more;
    };
    while (at < text.size()) {
        const std::size_t before = at;
        if (static_cast<unsigned char>(text[at]) < 0x80) {
            if (!within) {
                at = run.read(text, before);
                if (at == before) {
                    ++at;
                } else if (at == text.size() || static_cast<unsigned char>(text[at]) < 0x80) {
                    if (!take(run.letters()))
                        return;
                } else {
                    within = true;  // a letter beyond ASCII may follow
                    start = before;
                }
                continue;
            }
            const bool part = plain_at(text, at++) != 0;
            if ((!part || alone) && !end_word(before))
                return;
            if (part && !within) {
                within = true;
                start = before;
            }
            continue;
        }
        const UChar32 code = next(text, at);
        const bool part = code >= 0 && is_of_word(code);
        const bool own = part && !joins_letter(code) && stands_alone(code);
        if ((!part || own || (alone && !joins_letter(code))) && !end_word(before))
            return;
        if (!part)
            continue;
        if (!within) {
            within = true;
            start = before;
        }
        alone = alone || own;
        plain = false;
    }
    end_word(text.size());
}

std::string search_key(std::string_view typed) {
    const std::string decoded = typed.find("--") == typed.npos ? std::string() : domains_in_letters(typed);
    const std::string_view text = decoded.empty() ? typed : decoded;
    const bool plain = std::all_of(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) >= 0x20 && static_cast<unsigned char>(c) < 0x7f && c != '`') || c == '\n';
    });
    if (plain) {
        std::string lowered(text);
        for (char& c : lowered)
            if (c >= 'A' && c <= 'Z')
                c = static_cast<char>(c + 32);
        return lowered;
    }
    // A standalone accent would decompose into a space and an accent.
    icu::UnicodeString units = units_of(made_utf8(text));
    for (std::int32_t at = 0; at < units.length(); ++at)
        if (const char16_t sign = typed_sign(units.charAt(at)))
            units.setCharAt(at, sign);
    return folded_by(std::move(units), [](icu::UnicodeString& result, UChar32 code) {
        if (const char16_t sign = typed_sign(code))
            result.append(sign);
        else if (code == '\n' || code == '\t' ||
                 !(u_hasBinaryProperty(code, UCHAR_DEFAULT_IGNORABLE_CODE_POINT) || u_charType(code) == U_CONTROL_CHAR))
            result.append(code);
    });
}

std::string title_order(std::string_view title) {
    std::string key;
    each_word(title, [&](std::string_view word) {
        (key += word) += ' ';
        return true;
    });
    return (key += '\n') += folded(title);
}

std::vector<std::string> search_words(std::string_view text, std::size_t most) {
    std::vector<std::string> words;
    each_word(text, [&](std::string_view word) {
        if (std::find(words.begin(), words.end(), word) == words.end())
            words.emplace_back(word);
        return words.size() < most;
    });
    return words;
}

}  // namespace svc::text
