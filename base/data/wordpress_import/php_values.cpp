// A reader of one pass over the text.
#include "base/data/wordpress_import/php_values.hpp"

#include <algorithm>

namespace svc::wordpress_import {
namespace {

using json::Value;

constexpr int most_depth = 32;
constexpr std::size_t most_values = 200'000, most_named = 5'000, longest_number = 40;

class PhpReader {
  public:
    explicit PhpReader(std::string_view text) : text_(text) {}
    std::optional<Value> whole() {
        auto value = read(0);
        return value && at_ == text_.size() ? value : std::nullopt;
    }

  private:
    bool take(std::string_view expected) {
        if (!text_.substr(at_).starts_with(expected))
            return false;
        at_ += expected.size();
        return true;
    }
    // The text before that mark; skips the mark.
    std::optional<std::string_view> until(char mark) {
        const auto end = text_.find(mark, at_);
        if (end == std::string_view::npos || end - at_ > longest_number)
            return std::nullopt;
        const auto part = text_.substr(at_, end - at_);
        at_ = end + 1;
        return part;
    }
    std::optional<std::size_t> size_until(char mark) {
        const auto digits = until(mark);
        if (!digits || digits->empty() || digits->size() > 9 ||
            digits->find_first_not_of("0123456789") != std::string_view::npos)
            return std::nullopt;
        return std::stoul(std::string(*digits));
    }
    // Each line end may have lost its carriage return, so the text may be shorter than its declared length.
    std::optional<std::string> text_of(std::size_t size, std::string_view end) {
        const std::size_t longest = std::min(size, text_.size() - at_);
        std::size_t line_ends = 0;
        for (std::size_t length = 0; length <= longest; ++length) {
            if (length + line_ends >= size && text_.substr(at_ + length).starts_with(end)) {
                std::string found(text_.substr(at_, length));
                at_ += length + end.size();
                return found;
            }
            if (at_ + length < text_.size() && text_[at_ + length] == '\n')
                ++line_ends;
        }
        return std::nullopt;
    }
    static bool is_number(std::string_view text) {
        const auto digits = text.substr(text.starts_with('-') ? 1 : 0);
        return !digits.empty() && digits.size() <= 18 &&
               digits.find_first_not_of("0123456789") == std::string_view::npos &&
               (digits == "0" || digits.front() != '0');
    }
    static Value decimal(std::string_view text) {
        const auto parsed = json::parse(text);
        return parsed && parsed->is_number() ? *parsed : Value(text);
    }

    std::optional<Value> read(int depth) {
        if (depth > most_depth || ++count_ > most_values || at_ + 1 >= text_.size())
            return std::nullopt;
        if (take("N;"))
            return Value();
        const char kind = text_[at_];
        if (text_[at_ + 1] != ':')
            return std::nullopt;
        at_ += 2;
        switch (kind) {
            case 'b': {
                const auto flag = until(';');
                return flag == "1"   ? std::optional(Value(true))
                       : flag == "0" ? std::optional(Value(false))
                                     : std::nullopt;
            }
            case 'i': {
                const auto number = until(';');
                return number && is_number(*number) ? std::optional(Value(json::Number{std::string(*number)}))
                                                    : std::nullopt;
            }
            case 'd': {
                const auto number = until(';');
                return number ? std::optional(decimal(*number)) : std::nullopt;
            }
            case 's': {
                const auto size = size_until(':');
                auto text = size && take("\"") ? text_of(*size, "\";") : std::nullopt;
                return text ? std::optional(Value(std::move(*text))) : std::nullopt;
            }
            case 'a':
                return members(depth);
            case 'O': {
                const auto size = size_until(':');
                return size && take("\"") && text_of(*size, "\":") ? members(depth) : std::nullopt;
            }
            default:
                return std::nullopt;
        }
    }

    std::optional<Value> members(int depth) {
        const auto size = size_until(':');
        if (!size || *size > most_values || !take("{"))
            return std::nullopt;
        auto object = Value::object();
        auto list = Value::array();
        bool is_list = true;
        for (std::size_t i = 0; i < *size; ++i) {
            const auto key = read(depth + 1);
            if (!key || (!key->is_number() && !key->is_string()))
                return std::nullopt;
            auto value = read(depth + 1);
            if (!value)
                return std::nullopt;
            const std::string name = key->is_number() ? key->number_text() : key->text();
            if (is_list && key->is_number() && name == std::to_string(i)) {
                list.push(std::move(*value));
                continue;
            }
            if (i >= most_named)  // each name is looked for among those before it
                return std::nullopt;
            for (std::size_t before = 0; is_list && before < i; ++before)
                object.set(std::to_string(before), std::move(list.items()[before]));
            is_list = false;
            object.set(name, std::move(*value));
        }
        if (!take("}"))
            return std::nullopt;
        return is_list ? std::move(list) : std::move(object);
    }

    std::string_view text_;
    std::size_t at_ = 0, count_ = 0;
};

}  // namespace

bool looks_serialized(std::string_view text) {
    return text.size() >= 2 &&
           (text == "N;" || (std::string_view("abdisO").find(text.front()) != std::string_view::npos &&
                             text[1] == ':' && (text.back() == ';' || text.back() == '}')));
}

std::optional<Value> php_value(std::string_view text) { return PhpReader(text).whole(); }

Value meta_value(std::string_view text) {
    while (text.ends_with('\n') || text.ends_with(' '))
        text.remove_suffix(1);
    if (!looks_serialized(text))
        return Value(text);
    auto value = php_value(text);
    if (value && value->is_string() && looks_serialized(value->text()))
        if (auto inner = php_value(value->text()))
            return std::move(*inner);
    return value ? std::move(*value) : Value(text);
}

}  // namespace svc::wordpress_import
