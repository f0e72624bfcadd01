// Operators' texts and bundled ones, filled in by base/platform/templates.
#include "base/messaging/templates/render.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>

#include "base/platform/html/html.hpp"
#include "base/platform/templates/template.hpp"
#include "base/platform/texts/isolated.hpp"
#include "shared/core/ascii.hpp"
#include "shared/core/text.hpp"

namespace svc::messaging {
namespace {

using templates::Kind;

// Few texts are filled again and again; reading one costs more than filling it. Of the calling thread alone. Nothing:
// it is no template.
const std::optional<templates::Template>& read_template(std::string_view source, Kind kind) {
    constexpr std::size_t most_kept = 128;
    thread_local std::map<std::string, std::optional<templates::Template>, std::less<>> kept[2];
    auto& of_kind = kept[kind == Kind::html ? 0 : 1];
    if (const auto found = of_kind.find(source); found != of_kind.end())
        return found->second;
    if (of_kind.size() >= most_kept)
        of_kind.clear();
    auto read = as_template(source, kind);
    return of_kind.emplace(std::string(source), read ? std::optional(std::move(*read)) : std::nullopt).first->second;
}

std::string safe(const std::string& name, const std::string& value, Kind kind) {
    return kind == Kind::html && !name.ends_with("_html") ? html::escaped(value) : value;
}

bool is_name(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-';
    });
}

// Of a text that is no template as a whole.
std::string filled_in(std::string_view source, const Variables& variables, Kind kind) {
    std::string out;
    for (auto open = source.find("{{"); open != std::string_view::npos; open = source.find("{{")) {
        const auto close = source.find("}}", open);
        const auto name = close == std::string_view::npos
                              ? source.substr(0, 0)
                              : ascii::trimmed(source.substr(open + 2, close - open - 2), " \t\r\n");
        out += source.substr(0, open);
        if (!is_name(name)) {
            out += source[open];
            source.remove_prefix(open + 1);
            continue;
        }
        if (const auto known = variables.find(name); known != variables.end())
            out += safe(known->first, known->second, kind);
        source.remove_prefix(close + 2);
    }
    return out.append(source);
}

// Tags that hold a person's name, which may be of another script than the e-mail.
bool is_of_person(std::string_view tag) {
    constexpr std::array<std::string_view, 6> all{"customer_name",  "customer_first_name", "customer_last_name",
                                                  "recipient_name", "lead_traveler_name",  "actor_name"};
    return std::find(all.begin(), all.end(), tag) != all.end();
}

std::string render(std::string_view source, const Variables& variables, std::string_view locale, Kind kind) {
    const std::optional<templates::Template>& read = read_template(source, kind);
    if (read) {
        json::Value data = json::Value::object();
        for (const std::string& tag : read->tags())
            if (const auto known = variables.find(tag); known != variables.end())
                data.set(tag, is_of_person(tag) ? texts::isolated(locale, known->second) : known->second);
        if (auto text = read->render(data, locale))
            return std::move(*text);
    }
    return filled_in(source, variables, kind);
}

bool is_tag_start(std::string_view text, std::size_t at) {
    return text[at] == '<' && at + 1 < text.size() &&
           (std::isalpha(static_cast<unsigned char>(text[at + 1])) || text[at + 1] == '/' || text[at + 1] == '!');
}

std::string without_tags(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (!is_tag_start(text, i)) {
            out += text[i];
            continue;
        }
        const auto end = text.find('>', i);
        if (end == std::string_view::npos)
            break;
        i = end;
    }
    return out;
}

struct Tag {
    std::string name;       // lower case, with / in front when it closes
    std::string href = {};  // of a link
};

Tag tag_of(std::string_view inside) {
    Tag tag;
    for (const char c : inside) {
        if (!std::isalnum(static_cast<unsigned char>(c)) && !(c == '/' && tag.name.empty()))
            break;
        tag.name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    if (tag.name != "a")
        return tag;
    if (const auto at = inside.find("href=\""); at != std::string_view::npos) {
        const auto from = at + 6;
        tag.href = inside.substr(from, inside.find('"', from) - from);
    }
    return tag;
}

std::optional<std::string_view> entity(std::string_view name) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 7> known{
        {{"amp", "&"}, {"lt", "<"}, {"gt", ">"}, {"quot", "\""}, {"#39", "'"}, {"apos", "'"}, {"nbsp", " "}}};
    for (const auto& [each, text] : known)
        if (each == name)
            return text;
    return std::nullopt;
}

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// Collects text with single spaces and at most one empty line.
class Lines {
  public:
    void add(std::string_view text) {
        for (const auto *at = text.begin(), *end = at; at != text.end(); at = end) {
            end = std::find_if(at, text.end(), is_space);
            add_word({at, end});
            if (end == text.end())
                break;
            space_ = true;
            end = std::find_if_not(end, text.end(), is_space);
        }
    }
    void add_as_written(std::string_view text) {
        int breaks = 0;
        while (!text.empty()) {
            const auto end = std::min(text.find('\n'), text.size());
            if (end > 0 && text.substr(0, end) != "\r") {
                end_line(std::min(breaks, 2));
                add(text.substr(0, end));
                breaks = 0;
            }
            if (end == text.size())
                break;
            ++breaks;
            text.remove_prefix(end + 1);
        }
        end_line(std::min(breaks, 2));
    }
    void end_line(int breaks) {
        if (breaks == 0)
            return;
        breaks_ = std::max(breaks_, breaks);
        space_ = false;
    }
    std::string take() { return text_.empty() ? text_ : text_ + "\n"; }

  private:
    void add_word(std::string_view word) {
        if (word.empty())
            return;
        if (breaks_ > 0 && !text_.empty())
            text_.append(static_cast<std::size_t>(breaks_), '\n');
        else if (space_ && !text_.empty())
            text_ += ' ';
        breaks_ = 0;
        space_ = false;
        text_ += word;
    }

    std::string text_;
    int breaks_ = 0;
    bool space_ = false;
};

int breaks_of(std::string_view name) {
    using namespace std::string_view_literals;
    if (name.starts_with('/'))
        name.remove_prefix(1);
    for (const auto one : {"p"sv, "h1"sv, "h2"sv, "h3"sv, "table"sv, "ul"sv})
        if (name == one)
            return 2;
    for (const auto one : {"br"sv, "tr"sv, "li"sv, "div"sv})
        if (name == one)
            return 1;
    return 0;
}

}  // namespace

Result<templates::Template> as_template(std::string_view source, Kind kind) {
    return templates::Template::read("The text", source, {.domain = "mail", .kind = kind, .is_lenient = true});
}

std::optional<templates::Template> known_template(std::string_view source, Kind kind) {
    return read_template(source, kind);
}

std::string render_html(std::string_view source, const Variables& variables, std::string_view locale) {
    return render(source, variables, locale, Kind::html);
}

std::string render_subject(std::string_view source, const Variables& variables, std::string_view locale) {
    return text::clean(without_tags(render(source, variables, locale, Kind::plain)));
}

std::string render_plain(std::string_view source, const Variables& variables, std::string_view locale) {
    return render(source, variables, locale, Kind::plain);
}

std::string plain_text(std::string_view html) {
    Lines lines;
    std::string href;
    bool has_values = false;  // within a value that a person wrote, whose line breaks stay
    for (std::size_t i = 0; i < html.size(); ++i) {
        if (is_tag_start(html, i)) {
            const auto end = html.find('>', i);
            if (end == std::string_view::npos)
                break;
            const std::string_view inside = html.substr(i + 1, end - i - 1);
            const Tag tag = tag_of(inside);
            const std::string_view name = tag.name;
            if (name == "p" || name == "/p")
                has_values = inside.find("class=\"said") != std::string_view::npos;
            i = end;
            if (name == "a")
                href = tag.href;
            if (name == "/a" && !href.empty()) {
                const std::string target = plain_text(href);
                lines.add(" (" + target.substr(0, target.find('\n')) + ")");
            }
            if (name == "td" || name == "th")
                lines.add(" ");
            if (name == "/th")  // a row shows its label before its value
                lines.add(":");
            lines.end_line(breaks_of(name));
            continue;
        }
        if (html[i] == '&') {
            const auto end = html.find(';', i);
            if (const auto text = entity(html.substr(i + 1, end == std::string_view::npos ? 0 : end - i - 1))) {
                lines.add(*text);
                i = end;
                continue;
            }
        }
        std::size_t end = i + 1;
        while (end < html.size() && html[end] != '<' && html[end] != '&')
            ++end;
        const std::string_view chunk = html.substr(i, end - i);
        if (has_values)
            lines.add_as_written(chunk);
        else
            lines.add(chunk);
        i = end - 1;
    }
    return lines.take();
}

}  // namespace svc::messaging
