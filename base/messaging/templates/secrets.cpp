// Finds tokens in addresses by their names and by how they look.
#include "base/messaging/templates/secrets.hpp"

#include <algorithm>
#include <array>

#include "base/messaging/templates/hooks.hpp"
#include "base/messaging/templates/merge_tags.hpp"

namespace svc::messaging {
namespace {

// Our tokens have at least 128 bits, which are 22 characters of base64.
constexpr std::size_t shortest_token = 20;

bool is_token_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
           c == '.' || c == '~' || c == '%' || c == '=';
}

// Slugs are of lower-case words; a token of that length without a digit or a capital letter does not occur.
bool looks_like_token(std::string_view text) {
    return text.size() >= shortest_token && std::all_of(text.begin(), text.end(), is_token_character) &&
           std::any_of(text.begin(), text.end(),
                       [](char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); });
}

bool names_token(std::string_view name) {
    constexpr std::array<std::string_view, 5> ends{"token", "session", "secret", "signature", "key"};
    return std::any_of(ends.begin(), ends.end(), [&](std::string_view end) { return name.ends_with(end); });
}

void note(std::vector<std::string>* tokens, std::string_view token) {
    if (tokens && token.size() >= shortest_token)
        tokens->emplace_back(token);
}

// Of one address; in HTML its parameters are parted by "&amp;".
std::string shortened(std::string_view address, std::vector<std::string>* tokens) {
    const auto query_at = std::min(address.find_first_of("?#"), address.size());
    std::string_view path = address.substr(0, query_at), query = address.substr(query_at);
    if (const auto slash = path.rfind('/');
        slash != std::string_view::npos && looks_like_token(path.substr(slash + 1))) {
        note(tokens, path.substr(slash + 1));
        path = path.substr(0, slash);
    }
    std::string kept(path);
    char before = '?';
    if (!query.empty() && query.front() == '#')
        before = '#';
    while (!query.empty()) {
        query.remove_prefix(query.starts_with("&amp;") ? 5 : 1);
        const auto end = std::min(query.find('&'), query.size());
        const std::string_view one = query.substr(0, end);
        query.remove_prefix(end);
        const auto sign = std::min(one.find('='), one.size());
        const std::string_view value = one.substr(std::min(sign + 1, one.size()));
        if (names_token(one.substr(0, sign)) || looks_like_token(value)) {
            note(tokens, value);
            continue;
        }
        kept += before;
        kept += one;
        before = '&';
    }
    return kept;
}

// Of a marked tag's value.
std::string opened(std::string_view value, std::vector<std::string>* tokens) {
    if (!looks_like_token(value))
        return without_tokens(value, tokens);
    note(tokens, value);
    return {};
}

// Plugins name their tags otherwise: what looks like a token in one of these is the number of a payment or the like.
bool is_of_base(std::string_view name) {
    static const SecretTags names = [] {
        SecretTags keys;
        for (const KnownTag& tag : base_tags())
            keys.insert(tag.key);
        return keys;
    }();
    return names.contains(name);
}

}  // namespace

static const SecretTags& secret_tags_of_base() {
    static const SecretTags of_base = [] {
        SecretTags names;
        for (const KnownTag& tag : base_tags())
            if (tag.is_secret)
                names.insert(tag.key);
        return names;
    }();
    return of_base;
}

SecretTags secret_tags(const hooks::Hooks& hooks) {
    SecretTags names = secret_tags_of_base();
    if (hooks.filtered(merge_tag_definitions.name))
        for (const KnownTag& tag : defined_tags(hooks))
            if (tag.is_secret)
                names.insert(tag.key);
    return names;
}

std::string without_tokens(std::string_view text, std::vector<std::string>* tokens) {
    std::string kept;
    while (!text.empty()) {
        const auto begin = std::min(text.find("://"), text.size());
        if (begin == text.size()) {
            kept += text;
            break;
        }
        const auto end = std::min(text.find_first_of(" \t\r\n\"'<>", begin), text.size());
        kept += text.substr(0, begin + 3);
        kept += shortened(text.substr(begin + 3, end - begin - 3), tokens);
        text.remove_prefix(end);
    }
    return kept;
}

Variables without_secrets(Variables variables, const SecretTags& tags, std::vector<std::string>* tokens) {
    for (const std::string& name : tags)
        if (const auto found = variables.find(name); found != variables.end())
            found->second = opened(found->second, tokens);
    return variables;
}

// Listeners return all tags, which costs more than the e-mail: they are asked where it matters.
Variables without_secrets(Variables variables, const hooks::Hooks& hooks, std::vector<std::string>* tokens) {
    const SecretTags& of_base = secret_tags_of_base();
    const bool others_matter = std::any_of(variables.begin(), variables.end(), [&](const auto& one) {
        return !of_base.contains(one.first) &&
               (without_tokens(one.second) != one.second || (looks_like_token(one.second) && !is_of_base(one.first)));
    });
    return without_secrets(std::move(variables), others_matter ? secret_tags(hooks) : of_base, tokens);
}

}  // namespace svc::messaging
