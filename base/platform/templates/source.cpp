// One pass over the tags; partials are inserted in place, so that rendering reads nothing again.
#include "base/platform/templates/source.hpp"

#include <algorithm>
#include <cctype>

#include "shared/core/ascii.hpp"

namespace svc::templates {
namespace {

constexpr std::string_view blanks = " \t\r\n";

bool is_tag_name(std::string_view name) {
    return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-' || c == '.';
    });
}

// Runs of white space as one blank: an editor's line breaks are no part of a text.
std::string on_one_line(std::string_view text) {
    std::string out;
    for (const char c : ascii::trimmed(text, blanks)) {
        const bool is_blank = blanks.find(c) != std::string_view::npos;
        if (!is_blank)
            out += c;
        else if (out.back() != ' ')
            out += ' ';
    }
    return out;
}

struct Section {
    std::string name;
    std::string begun_in;
    std::size_t line;
};

class Preparer {
  public:
    explicit Preparer(const Reading& reading) : reading_(reading) {}

    Result<void> add(std::string_view name, std::string_view text, int depth) {
        const std::size_t sections = open_.size();
        for (std::size_t at = 0; at < text.size();) {
            const auto begin = text.find("{{", at);
            source_.text += text.substr(at, begin == std::string_view::npos ? begin : begin - at);
            if (source_.text.size() > most_source_bytes)
                return fault(name, text, at, "the template is too long with its partials"_sentence);
            if (begin == std::string_view::npos)
                break;
            SVC_ASSIGN_OR_RETURN(auto done, add_tag(name, text, begin, depth));
            at = done;
        }
        if (open_.size() > sections)
            return Error{errc::validation_error,
                         "{file} line {line}: {what}."_sentence.with("file", open_.back().begun_in)
                             .with("line", open_.back().line)
                             .with("what", "the section {tag} is not closed"_sentence.with(
                                               "tag", "{{#" + open_.back().name + "}}"))};
        return {};
    }

    Source take() { return std::move(source_); }

  private:
    static Error fault(std::string_view name, std::string_view text, std::size_t at, const Sentence& what) {
        return {errc::validation_error, "{file} line {line}: {what}."_sentence.with("file", name)
                                            .with("line", line_of(text, at))
                                            .with("what", what)};
    }
    static std::string quoted(std::string_view name) { return "\"" + std::string(name.substr(0, 60)) + "\""; }
    static std::size_t line_of(std::string_view text, std::size_t at) {
        return 1 +
               static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    }

    // Where the text goes on after the tag.
    Result<std::size_t> add_tag(std::string_view name, std::string_view text, std::size_t begin, int depth) {
        const bool is_triple = text.substr(begin).starts_with("{{{");
        const std::string_view closing = is_triple ? "}}}" : "}}";
        const auto from = begin + closing.size();
        const auto end = text.find(closing, from);
        if (end == std::string_view::npos)
            return fault(name, text, begin, "the tag is not closed"_sentence);
        if (++tags_ > most_tags)
            return fault(name, text, begin, "there are too many tags"_sentence);
        std::string_view inside = ascii::trimmed(text.substr(from, end - from), blanks);
        const std::size_t after = end + closing.size();
        if (is_triple)
            return add_variable(name, text, begin, after, inside, true);
        const char sign = inside.empty() ? '\0' : inside.front();
        const std::string_view named = ascii::trimmed(inside.substr(inside.empty() ? 0 : 1), blanks);
        switch (sign) {
            case '!':
                return after_line(text, begin, after);
            case '=':
                return fault(name, text, begin, "other delimiters are not supported"_sentence);
            case '&':
                return add_variable(name, text, begin, after, named, true);
            case '>':
                return add_partial(name, text, begin, after, named, depth);
            case '#':
                if (named == "t")
                    return add_text(name, text, begin, after);
                [[fallthrough]];
            case '^':
                return begin_section(name, text, begin, after, sign, named);
            case '/':
                return end_section(name, text, begin, after, named);
            default:
                return add_variable(name, text, begin, after, inside, false);
        }
    }

    Result<std::size_t> add_variable(std::string_view name, std::string_view text, std::size_t begin, std::size_t after,
                                     std::string_view tag, bool is_raw) {
        if (!reading_.is_lenient && !is_tag_name(tag))
            return fault(name, text, begin, "{tag} is no name of a tag"_sentence.with("tag", quoted(tag)));
        const bool is_html = tag.ends_with("_html");
        if (is_raw && !is_html && !reading_.is_lenient)
            return fault(name, text, begin,
                         "only tags whose names end in _html may stand unescaped, not {tag}"_sentence.with(
                             "tag", tag.substr(0, 60)));
        if (!is_tag_name(tag))
            return after;  // nothing has such a name
        source_.tags.emplace(tag);
        source_.text.append(is_html ? "{{&" : "{{").append(tag).append("}}");
        return after;
    }

    Result<std::size_t> begin_section(std::string_view name, std::string_view text, std::size_t begin,
                                      std::size_t after, char sign, std::string_view tag) {
        if (!is_tag_name(tag))
            return fault(name, text, begin, "{tag} is no name of a section"_sentence.with("tag", quoted(tag)));
        if (open_.size() >= most_depth)
            return fault(name, text, begin, "sections are too deep within each other"_sentence);
        open_.push_back({std::string(tag), std::string(name), line_of(text, begin)});
        source_.tags.emplace(tag);
        source_.text.append("{{").append(1, sign).append(tag).append("}}");
        return after;
    }

    Result<std::size_t> end_section(std::string_view name, std::string_view text, std::size_t begin, std::size_t after,
                                    std::string_view tag) {
        if (open_.empty() || open_.back().name != tag || open_.back().begun_in != name)
            return fault(name, text, begin,
                         "{tag} closes no section"_sentence.with("tag", "{{/" + std::string(tag.substr(0, 60)) + "}}"));
        open_.pop_back();
        source_.text.append("{{/").append(tag).append("}}");
        return after;
    }

    Result<std::size_t> add_text(std::string_view name, std::string_view text, std::size_t begin, std::size_t from) {
        constexpr std::string_view closing = "{{/t}}";
        const auto end = text.find(closing, from);
        if (end == std::string_view::npos)
            return fault(name, text, begin, "the text is not closed by {tag}"_sentence.with("tag", closing));
        std::string english = on_one_line(text.substr(from, end - from));
        const auto arguments = texts::arguments_of(english);
        if (!arguments)
            return fault(name, text, begin, "{text} is no text with arguments"_sentence.with("text", quoted(english)));
        for (const std::string& each : *arguments) {
            if (each.ends_with("_html"))
                return fault(name, text, begin, "a text takes no HTML: {tag}"_sentence.with("tag", "{" + each + "}"));
            source_.tags.insert(each);
        }
        source_.text.append("{{&t:").append(std::to_string(source_.texts.size())).append("}}");
        source_.texts.push_back(std::move(english));
        return end + closing.size();
    }

    Result<std::size_t> add_partial(std::string_view name, std::string_view text, std::size_t begin, std::size_t after,
                                    std::string_view partial, int depth) {
        if (depth >= most_partial_depth)
            return fault(name, text, begin, "partials are too deep within each other"_sentence);
        const auto found = reading_.partial ? reading_.partial(partial) : std::nullopt;
        if (!found && reading_.is_lenient) {
            source_.tags.emplace(partial);  // whoever checks the tags refuses it
            return after;
        }
        if (!found)
            return fault(name, text, begin, "there is no partial {name}"_sentence.with("name", quoted(partial)));
        std::string_view inside = *found;
        if (inside.ends_with('\n'))
            inside.remove_suffix(1);
        SVC_RETURN_IF_ERROR(add(partial, inside, depth + 1));
        return after;
    }

    // A comment that has its lines for itself leaves no empty one.
    std::size_t after_line(std::string_view text, std::size_t begin, std::size_t after) const {
        const auto before = text.substr(0, begin).find_last_not_of(" \t");
        const bool begins_line = before == std::string_view::npos || text[before] == '\n';
        return begins_line && after < text.size() && text[after] == '\n' ? after + 1 : after;
    }

    const Reading& reading_;
    Source source_;
    std::vector<Section> open_;
    std::size_t tags_ = 0;
};

}  // namespace

Result<Source> prepare(std::string_view name, std::string_view text, const Reading& reading) {
    Preparer preparer(reading);
    SVC_RETURN_IF_ERROR(preparer.add(name, text, 0));
    return preparer.take();
}

}  // namespace svc::templates
