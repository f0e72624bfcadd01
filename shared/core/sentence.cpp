// MessageFormat in English, as far as sentences use it; other languages are said by ICU.
#include "shared/core/sentence.hpp"

#include <algorithm>
#include <ostream>

#include "shared/core/ascii.hpp"
#include "shared/core/date.hpp"
#include "shared/core/money.hpp"

namespace svc {
namespace {

std::string english_of(const Sentence::Value* value) {
    if (!value)
        return {};
    if (value->kind != Sentence::Kind::list)
        return value->text;
    std::string list;
    for (const Sentence& part : value->parts)
        list += (list.empty() ? "" : ", ") + part.english();
    return list;
}

// The end of a place that begins at `from`, after its closing brace.
std::size_t end_of_place(std::string_view pattern, std::size_t from) {
    int depth = 0;
    for (std::size_t at = from; at < pattern.size(); ++at) {
        if (pattern[at] == '{')
            ++depth;
        else if (pattern[at] == '}' && --depth == 0)
            return at + 1;
    }
    return pattern.size();
}

std::string filled_in(const Sentence& sentence, std::string_view pattern, std::string_view number);

// "one {# day} other {# days}", for a number: an exact form ("=0") first.
std::string plural_form(const Sentence& sentence, std::string_view forms, std::string_view number) {
    std::string_view by_number, other;
    bool is_exact = false;
    while (true) {
        const auto open = forms.find('{');
        if (open == std::string_view::npos)
            break;
        const std::string_view name = ascii::trimmed(forms.substr(0, open));
        const auto end = end_of_place(forms, open);
        const std::string_view form = forms.substr(open + 1, end - open - 2);
        forms.remove_prefix(end);
        const bool exact = name.starts_with('=') && name.substr(1) == number;
        if (exact || (!is_exact && name == "one" && number == "1")) {
            by_number = form;
            is_exact = exact;
        } else if (name == "other") {
            other = form;
        }
    }
    return filled_in(sentence, by_number.data() ? by_number : other, number);
}

// Braces between apostrophes are text; a double apostrophe is one.
std::string filled_in(const Sentence& sentence, std::string_view pattern, std::string_view number) {
    std::string out;
    for (std::size_t at = 0; at < pattern.size(); ++at) {
        const char one = pattern[at];
        const char next = at + 1 < pattern.size() ? pattern[at + 1] : '\0';
        if (one == '\'' && (next == '{' || next == '}')) {
            const auto close = std::min(pattern.find('\'', at + 1), pattern.size());
            out += pattern.substr(at + 1, close - at - 1);
            at = close;
        } else if (one == '\'' && next == '\'') {
            out += one;
            ++at;
        } else if (one == '#' && !number.empty()) {
            out += number;
        } else if (one == '{') {
            const auto end = end_of_place(pattern, at);
            const std::string_view inner = pattern.substr(at + 1, end - at - 2);
            const auto comma = inner.find(',');
            const std::string value = english_of(sentence.value(ascii::trimmed(inner.substr(0, comma))));
            const auto forms = comma == std::string_view::npos ? comma : inner.find(',', comma + 1);
            out += forms == std::string_view::npos ? value : plural_form(sentence, inner.substr(forms + 1), value);
            at = end - 1;
        } else {
            out += one;
        }
    }
    return out;
}

}  // namespace

Sentence Sentence::verbatim(std::string text) {
    Sentence made;
    made.text_ = std::move(text);
    return made;
}

Sentence Sentence::of(std::string english, std::vector<Value> values) {
    Sentence made = verbatim(std::move(english));
    made.is_known_ = true;
    made.values_ = std::move(values);
    return made;
}

Sentence& Sentence::add(Value value) {
    values_.push_back(std::move(value));
    return *this;
}

Sentence& Sentence::with(std::string_view place, const Sentence& inner) & {
    return add({std::string(place), Kind::list, {}, {inner}});
}

Sentence& Sentence::with(std::string_view place, const std::vector<Sentence>& list) & {
    return add({std::string(place), Kind::list, {}, list});
}

Sentence& Sentence::with(std::string_view place, const Money& amount) & {
    return add({std::string(place), Kind::money, amount.decimal() + " " + std::string(amount.currency().code()), {}});
}

Sentence& Sentence::with(std::string_view place, Date day) & {
    return add({std::string(place), Kind::date, day.text(), {}});
}

Sentence& Sentence::with_decimal(std::string_view place, std::string_view number) & {
    return add({std::string(place), Kind::decimal, std::string(number), {}});
}

const Sentence::Value* Sentence::value(std::string_view place) const {
    const auto found =
        std::find_if(values_.begin(), values_.end(), [&](const Value& one) { return one.place == place; });
    return found == values_.end() ? nullptr : &*found;
}

std::string Sentence::english() const {
    if (!is_known_ || text_.find_first_of("{'") == std::string::npos)
        return text_;
    return filled_in(*this, text_, {});
}

std::ostream& operator<<(std::ostream& out, const Sentence& sentence) { return out << sentence.english(); }

std::vector<Sentence> verbatim_list(const std::vector<std::string>& names) {
    std::vector<Sentence> list;
    list.reserve(names.size());
    for (const std::string& name : names)
        list.push_back(Sentence::verbatim(name));
    return list;
}

}  // namespace svc
