// What a file must be, and which answers name files.
#include "base/sales/booking/form/files.hpp"

#include <algorithm>
#include <array>

#include "base/platform/files/content_type.hpp"
#include "base/platform/images/images.hpp"
#include "shared/core/ascii.hpp"
#include "shared/core/faults.hpp"

namespace svc::booking::form {
namespace {

using json::Value;

struct TakenKind {
    std::string_view mime_type, ending, also, accepts;
};
constexpr std::array taken_kinds{
    TakenKind{"application/pdf", "pdf", "pdf", "pdf"}, TakenKind{"image/jpeg", "jpg", "jpeg", "picture"},
    TakenKind{"image/png", "png", "png", "picture"}, TakenKind{"image/webp", "webp", "webp", "picture"}};

// Endings before the last one that make a file look like another.
constexpr std::array<std::string_view, 40> endings{
    "exe", "com", "bat",  "cmd", "scr",  "pif",  "js",   "jse", "vbs", "vbe", "ps1",  "msi", "jar", "html",
    "htm", "svg", "php",  "asp", "aspx", "jsp",  "cgi",  "pl",  "py",  "sh",  "zip",  "rar", "iso", "lnk",
    "hta", "doc", "docm", "xls", "xlsm", "docx", "xlsx", "pdf", "jpg", "png", "jpeg", "webp"};

std::string in_lower_case(std::string_view text) {
    std::string all(text);
    std::transform(all.begin(), all.end(), all.begin(), [](char c) { return ascii::lower(c); });
    return all;
}

std::string ending_of(std::string_view name) {
    const auto dot = name.rfind('.');
    return dot == std::string_view::npos ? std::string() : in_lower_case(name.substr(dot + 1));
}

bool accepts_kind(const Value& accepts, std::string_view kind) {
    return !accepts.is_array() || accepts.size() == 0 ||
           std::any_of(accepts.items().begin(), accepts.items().end(),
                       [&](const Value& each) { return each.is_string() && each.text() == kind; });
}

bool is_of_file(const Value& section, const Value& field) {
    return section["enabled"].boolean() && field["enabled"].boolean() && field.text_or("type") == "file";
}

bool is_kept_answer(const Value& stored, const std::string& id, const std::string& answer) {
    if (stored.is_array())
        return std::any_of(stored.items().begin(), stored.items().end(),
                           [&](const Value& one) { return is_kept_answer(one, id, answer); });
    return stored.is_object() && stored.text_or(id) == answer;
}

void name_files(const Value& form, const char* section_name, const Value& answers, const std::string& prefix,
                const Value& stored, std::vector<NamedFile>& into) {
    const Value& section = form[section_name];
    if (!answers.is_object() || !section["fields"].is_array())
        return;
    for (const Value& field : section["fields"].items()) {
        if (!is_of_file(section, field))
            continue;
        const std::string& id = field["id"].text();
        if (std::string code = answers.text_or(id); !code.empty() && !is_kept_answer(stored, id, code))
            into.push_back({std::move(code), std::string(section_name) + "." + id, prefix + id});
    }
}

}  // namespace

Result<FileKind> kind_of_file(std::string_view bytes, const std::string& name, const Value& accepts) {
    if (bytes.empty())
        return invalid("file", "The file is empty."_sentence);
    const std::string seen = files::content_type(bytes);
    const auto kind = std::find_if(taken_kinds.begin(), taken_kinds.end(),
                                   [&](const TakenKind& each) { return each.mime_type == seen; });
    // libmagic also finds a PDF behind other bytes, which a browser would read as something else.
    const bool hides = seen == "application/pdf" && !bytes.starts_with("%PDF-");
    if (kind == taken_kinds.end() || hides || !accepts_kind(accepts, kind->accepts))
        return invalid("file", "Files of this kind are not accepted."_sentence);
    const std::string ending = ending_of(name);
    if (ending != kind->ending && ending != kind->also)
        return invalid("file", "The name of this file ends otherwise than its content."_sentence);
    const std::string before = ending_of(std::string_view(name).substr(0, name.rfind('.')));
    if (std::find(endings.begin(), endings.end(), before) != endings.end())
        return invalid("file", "The name of this file has two endings. Rename it."_sentence);
    if (kind->accepts == "picture")
        if (const auto picture = images::look_at(seen, bytes); !picture)
            return invalid("file", "This picture cannot be read."_sentence);
    return FileKind{seen, std::string(kind->ending)};
}

std::vector<NamedFile> named_files(const Value& form, const Answers& answers, const Answers& stored) {
    std::vector<NamedFile> named;
    name_files(form, "contact_form", answers.contact, "contact_", stored.contact, named);
    name_files(form, "emergency_contact_form", answers.emergency, "emergency_", stored.emergency, named);
    std::size_t index = 0;
    if (answers.travelers.is_array())
        for (const Value& traveler : answers.travelers.items())
            name_files(form, "traveler_form", traveler, "travelers." + std::to_string(++index) + ".", stored.travelers,
                       named);
    return named;
}

Result<void> check_files(const std::vector<NamedFile>& named, const std::vector<KeptFile>& kept) {
    svc::Faults faults;
    for (const NamedFile& each : named)
        if (std::none_of(kept.begin(), kept.end(),
                         [&](const KeptFile& file) { return file.code == each.code && file.field == each.field; }))
            faults.at(each.name, "Choose the file again."_sentence);
    return faults.outcome();
}

const Value* file_field(const Value& form, std::string_view field) {
    const auto dot = field.find('.');
    const Value& section = form[field.substr(0, dot)];
    if (dot == std::string_view::npos || !section["fields"].is_array())
        return nullptr;
    for (const Value& each : section["fields"].items())
        if (each["id"].text() == field.substr(dot + 1) && is_of_file(section, each))
            return &each;
    return nullptr;
}

std::string KeptFile::place(std::string_view column) const {
    return "svc_booking_form_files/" + code + "/" + std::string(column);
}

}  // namespace svc::booking::form
