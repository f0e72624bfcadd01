// The signatures of the files that people have at hand when they move.
#include "base/data/wordpress_import/uploads.hpp"

#include <algorithm>

namespace svc::wordpress_import {
namespace {

constexpr std::size_t head_size = 4096, wide_head_size = 256 << 10;
constexpr SentenceId right_one = "Upload the export of WordPress: Tools, Export, All content."_sentence;

Error other_file(Sentence what) { return invalid("file", std::move(what)); }
Error other_than_export(SentenceId what) {
    return other_file("{what} {advice}"_sentence.with("what", what).with("advice", right_one));
}

bool holds(std::string_view bytes, std::size_t head, std::string_view mark) {
    return bytes.substr(0, head).find(mark) != std::string_view::npos;
}

Result<Upload> recognize_json(std::string_view text) {
    if (holds(text, wide_head_size, "yatra_all_content"))
        return other_than_export("This is Yatra's own export, which lacks bookings and customers."_sentence);
    return other_than_export("This is a JSON file."_sentence);
}

Result<Upload> recognize_xml(std::string_view text) {
    if (holds(text, head_size, "<html") || holds(text, head_size, "<!DOCTYPE html") ||
        holds(text, head_size, "<!doctype html"))
        return other_than_export("This is a web page, perhaps the sign-in or an error of WordPress."_sentence);
    if (!holds(text, head_size, "<rss"))
        return other_than_export("This XML file is no export of WordPress."_sentence);
    const bool is_export = holds(text, wide_head_size, "wordpress.org/export/") ||
                           holds(text, wide_head_size, "<wp:") || text.size() < head_size;
    if (!is_export)
        return other_than_export("This is a news feed (RSS), no export of WordPress."_sentence);
    return Upload::wordpress;
}

}  // namespace

Result<Upload> recognize(std::string_view bytes, bool is_table) {
    if (bytes.starts_with("PK\x03\x04"))
        return other_file(holds(bytes, head_size, "[Content_Types].xml") || holds(bytes, head_size, "xl/")
                              ? "This is a workbook (.xlsx). Save the sheet as CSV and upload that."_sentence
                              : "This is a ZIP archive. Unpack it, and upload the XML file that is in it."_sentence);
    if (bytes.starts_with("\x1F\x8B"))
        return other_file("This file is compressed (.gz). Unpack it, and upload the XML file that is in it."_sentence);
    const bool is_wide = bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF");
    if (is_wide && holds(bytes, 8, "<"))
        return other_file("This XML file is in UTF-16. Save it as UTF-8."_sentence);
    const auto begin = std::min(bytes.find_first_not_of(" \t\r\n\xEF\xBB\xBF"), bytes.size());
    const std::string_view text = bytes.substr(begin);
    if (text.empty())
        return other_file("The file is empty."_sentence);
    if (text.starts_with('<'))
        return recognize_xml(text);
    if (is_table)
        return Upload::table;
    if (text.starts_with('{') || text.starts_with('['))
        return recognize_json(text);
    return invalid("data_type", "Say which kind of record the rows of a CSV file are."_sentence);
}

}  // namespace svc::wordpress_import
