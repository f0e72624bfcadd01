// Recognizes a card number by prefix, length and check digit. A telephone number passes.
#include "base/sales/booking/checkout/draft.hpp"

#include <algorithm>
#include <array>

#include "shared/core/luhn.hpp"

namespace svc::booking {
namespace {

struct Issuer {
    int from, to;  // the first four digits
    std::array<std::size_t, 2> lengths;
};
constexpr Issuer issuers[] = {{2221, 2720, {16, 16}}, {3000, 3059, {14, 16}}, {3400, 3499, {15, 15}},
                              {3528, 3589, {16, 19}}, {3600, 3699, {14, 16}}, {3700, 3799, {15, 15}},
                              {3800, 3999, {14, 16}}, {4000, 4999, {16, 19}}, {5000, 5999, {16, 19}},
                              {6000, 6999, {16, 19}}, {8100, 8199, {16, 19}}};

bool is_card(const std::string& text) {
    std::string digits;
    for (const char c : text) {
        if (c >= '0' && c <= '9')
            digits += c;
        else if (c != ' ' && c != '-' && c != '.')
            return false;
    }
    if (digits.size() < 14 || !passes_luhn(digits))
        return false;
    const int begins = std::stoi(digits.substr(0, 4));
    return std::any_of(std::begin(issuers), std::end(issuers), [&](const Issuer& issuer) {
        return issuer.from <= begins && begins <= issuer.to &&
               (digits.size() == issuer.lengths[0] || digits.size() == issuer.lengths[1]);
    });
}

bool is_named_like_a_card(std::string_view name) {
    std::string letters;
    for (const char c : name)
        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))
            letters += static_cast<char>(c | 0x20);
    constexpr std::array<std::string_view, 5> names = {"cvc", "cvv", "cardnumber", "cardcode", "securitycode"};
    return std::any_of(names.begin(), names.end(), [&](std::string_view each) { return letters.ends_with(each); });
}

bool is_nothing(const json::Value& value) { return value.is_null() || (value.is_string() && value.text().empty()); }

bool contains_card_number(const json::Value& value) {
    if (value.is_string())
        return is_card(value.text());
    if (value.is_number())
        return is_card(value.number_text());
    if (value.is_array())
        return std::any_of(value.items().begin(), value.items().end(), contains_card_number);
    return value.is_object() && std::any_of(value.members().begin(), value.members().end(), [](const auto& member) {
               const auto& [name, inner] = member;
               return contains_card_number(inner) || (is_named_like_a_card(name) && !is_nothing(inner));
           });
}

}  // namespace

Result<void> check_draft(const json::Value& answers) {
    if (answers.dump().size() > longest_draft)
        return invalid("form_data", "form_data may have at most 16 KiB."_sentence);
    for (const auto& [name, value] : answers.members())
        if (contains_card_number(value) || (is_named_like_a_card(name) && !is_nothing(value)))
            return invalid("form_data." + name, "form_data must not contain payment card data."_sentence);
    return {};
}

}  // namespace svc::booking
