// Reading a form: one delimiter, small headers, and nothing before, between or after the parts.
#include "base/catalog/media/multipart.hpp"

#include <algorithm>

#include "shared/core/ascii.hpp"
#include "shared/core/text.hpp"

namespace svc::catalog::media {
namespace {

constexpr std::size_t most_head = 2048;

Error malformed(const char* why) {
    return Error{errc::bad_request, "The form is malformed. Send valid multipart/form-data."_sentence}.because(
        std::string("multipart: ") + why);
}

bool same(std::string_view a, std::string_view b) {
    return a.size() == b.size() &&
           std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) { return ascii::lower(x) == ascii::lower(y); });
}

struct Parameter {
    std::string_view name;
    std::string value;
};

// The text of a quoted string that begins behind its first quote, which is removed from `text` with its end. A
// backslash quotes a quote or itself (RFC 9110 5.6.4); before other letters it is one of a path. Nothing: it does not
// end.
std::optional<std::string> take_quoted(std::string_view& text) {
    std::string value;
    for (std::size_t at = 1; at < text.size(); ++at) {
        if (text[at] == '"') {
            text.remove_prefix(at + 1);
            return value;
        }
        const bool is_pair = text[at] == '\\' && at + 1 < text.size() && (text[at + 1] == '"' || text[at + 1] == '\\');
        value += text[is_pair ? ++at : at];
    }
    return std::nullopt;
}

// The parameters of a header after its first word: `; name=value; name="value"`. Empty when malformed.
std::optional<std::vector<Parameter>> parameters_of(std::string_view text) {
    std::vector<Parameter> found;
    while (!(text = ascii::trimmed(text)).empty()) {
        if (text.front() != ';')
            return {};
        text = ascii::trimmed(text.substr(1));
        const auto equals = text.find('=');
        if (equals == std::string_view::npos || equals == 0)
            return {};
        Parameter one{ascii::trimmed(text.substr(0, equals)), {}};
        text.remove_prefix(equals + 1);
        if (text.starts_with('"')) {
            auto value = take_quoted(text);
            if (!value)
                return {};
            one.value = std::move(*value);
        } else {
            const auto end = std::min(text.find_first_of("; \t"), text.size());
            one.value = text.substr(0, end);
            text.remove_prefix(end);
        }
        for (const Parameter& earlier : found)
            if (same(earlier.name, one.name))
                return {};
        found.push_back(std::move(one));
    }
    return found;
}

const std::string* named(const std::vector<Parameter>& parameters, std::string_view name) {
    const auto found =
        std::find_if(parameters.begin(), parameters.end(), [&](const Parameter& one) { return same(one.name, name); });
    return found == parameters.end() ? nullptr : &found->value;
}

// Browsers write a quote and line breaks in names as percent codes.
std::string decoded(std::string_view name) {
    std::string out;
    for (std::size_t at = 0; at < name.size(); ++at) {
        const auto code = name.substr(at, 3);
        if (same(code, "%22") || same(code, "%0d") || same(code, "%0a")) {
            out += code[1] == '2' ? '"' : ' ';
            at += 2;
        } else {
            out += name[at];
        }
    }
    return out;
}

// The name and file name in the part's head.
Result<FormPart> part_of(std::string_view head) {
    FormPart part;
    bool is_named = false;
    while (!head.empty()) {
        const auto end = std::min(head.find("\r\n"), head.size());
        const std::string_view line = head.substr(0, end);
        head.remove_prefix(std::min(end + 2, head.size()));
        const auto colon = line.find(':');
        if (colon == std::string_view::npos ||
            line.find_first_of(std::string_view("\r\n\0", 3)) != std::string_view::npos)
            return malformed("a line that is no field");
        const std::string_view value = ascii::trimmed(line.substr(colon + 1));
        if (same(line.substr(0, colon), "Content-Transfer-Encoding") && !same(value, "binary") && !same(value, "8bit"))
            return malformed("an encoding");
        if (!same(line.substr(0, colon), "Content-Disposition"))
            continue;
        const auto word = std::min(value.find(';'), value.size());
        const auto parameters = parameters_of(value.substr(word));
        const std::string* name = parameters ? named(*parameters, "name") : nullptr;
        if (is_named || !same(ascii::trimmed(value.substr(0, word)), "form-data") || !name)
            return malformed("its disposition");
        is_named = true;
        part.name = decoded(*name);
        if (const std::string* file = named(*parameters, "filename"))
            part.file_name = decoded(*file);
    }
    return is_named ? Result<FormPart>(std::move(part)) : malformed("a part without a name");
}

Result<std::string> delimiter_of(std::string_view content_type) {
    const auto word = std::min(content_type.find(';'), content_type.size());
    if (!same(ascii::trimmed(content_type.substr(0, word)), "multipart/form-data"))
        return Error{errc::unsupported_media_type, "Please send multipart/form-data."_sentence};
    const auto parameters = parameters_of(content_type.substr(word));
    const std::string* boundary = parameters ? named(*parameters, "boundary") : nullptr;
    if (!boundary || boundary->empty() || boundary->size() > 70)
        return malformed("no boundary");
    return "--" + *boundary;
}

}  // namespace

Result<std::vector<FormPart>> read_form(std::string_view content_type, std::string_view body, std::size_t most_parts) {
    SVC_ASSIGN_OR_RETURN(const auto delimiter, delimiter_of(content_type));
    if (!body.starts_with(delimiter))
        return malformed("no delimiter at the start");
    body.remove_prefix(delimiter.size());
    const std::string next = "\r\n" + delimiter;
    std::vector<FormPart> parts;
    for (;;) {
        if (body == "--" || body == "--\r\n")
            return parts;
        if (!body.starts_with("\r\n") || parts.size() == most_parts)
            return malformed("neither a part nor the end");
        body.remove_prefix(2);
        const auto blank = body.substr(0, most_head).find("\r\n\r\n");
        if (blank == std::string_view::npos)
            return malformed("a head without an end");
        SVC_ASSIGN_OR_RETURN(auto part, part_of(body.substr(0, blank)));
        body.remove_prefix(blank + 4);
        const auto end = body.find(next);
        if (end == std::string_view::npos)
            return malformed("a part without an end");
        part.content = body.substr(0, end);
        body.remove_prefix(end + next.size());
        parts.push_back(std::move(part));
    }
}

api::Schema upload_form(const api::Schema& fields, const std::string& help) {
    return api::Schema{{.name = file_part, .type = api::raw_text(SIZE_MAX), .help = help, .required = true}}.plus(
        fields);
}

Result<UploadForm> read_upload(std::string_view content_type, std::string_view body, const api::Schema& form) {
    SVC_ASSIGN_OR_RETURN(auto parts, read_form(content_type, body));
    UploadForm upload{.file = {}, .fields = json::Value::object()};
    for (FormPart& part : parts) {
        const bool is_file = part.name == file_part;
        const api::Field* field = form.find(part.name);
        if (!field) {
            std::string known;
            for (const api::Field& each : form.fields())
                known += (known.empty() ? "" : ", ") + each.name;
            return invalid(text::made_utf8(part.name),
                           "This upload has no such part. Its parts are {known}."_sentence.with("known", known));
        }
        if (is_file ? !upload.file.name.empty() : upload.fields.find(field->name) != nullptr)
            return invalid(field->name,
                           is_file ? "Send one file per request."_sentence : "This part is there twice."_sentence);
        if (is_file && !part.file_name)
            return invalid(file_part, "Send this part as a file, with a file name."_sentence);
        if (is_file)
            upload.file = std::move(part);
        else
            upload.fields.set(field->name, text::made_utf8(part.content));
    }
    if (upload.file.name.empty())
        return missing(file_part);
    if (upload.file.content.empty())
        return invalid(file_part, "The file is empty."_sentence);
    return upload;
}

}  // namespace svc::catalog::media
