// One entry: comments, msgid, msgstr, each as quoted strings on one or several lines.
#include "base/platform/texts/catalogue.hpp"

#include <fstream>
#include <sstream>
#include <stdexcept>

#include "shared/core/ascii.hpp"

namespace svc::texts {
namespace {

// The text between the quotes of a line; throws when it is not quoted.
std::string unquoted(std::string_view line, int at_line) {
    if (line.size() < 2 || line.front() != '"' || line.back() != '"')
        throw std::runtime_error("line " + std::to_string(at_line) + " of a catalogue is not quoted");
    std::string text;
    for (std::size_t i = 1; i + 1 < line.size(); ++i) {
        if (line[i] != '\\') {
            text += line[i];
            continue;
        }
        const char escaped = line[++i];
        text += escaped == 'n' ? '\n' : escaped == 't' ? '\t' : escaped;
    }
    return text;
}

struct PoEntry {
    std::string original, translation;
    bool is_fuzzy = false;
};

void keep_entry(PoEntry& entry, ByText<std::string>& texts) {
    if (!entry.is_fuzzy && !entry.original.empty() && !entry.translation.empty())
        texts[std::move(entry.original)] = std::move(entry.translation);
    entry = {};
}

}  // namespace

ByText<std::string> read_po(std::string_view file) {
    ByText<std::string> texts;
    PoEntry entry;
    std::string ignored, *filled = &ignored;
    bool is_complete = false;  // the next line begins another entry
    for (int number = 1; !file.empty(); ++number) {
        const auto end = std::min(file.find('\n'), file.size());
        std::string_view line = ascii::trimmed(file.substr(0, end), " \t\r");
        file.remove_prefix(std::min(end + 1, file.size()));
        if (line.empty() || line.starts_with("#~"))
            continue;
        const bool begins = line.starts_with('#') || line.starts_with("msgid ");
        if (begins && is_complete) {
            keep_entry(entry, texts);
            is_complete = false;
        }
        if (line.starts_with('#')) {
            entry.is_fuzzy |= line.starts_with("#,") && line.find("fuzzy") != std::string_view::npos;
            continue;
        }
        const auto take = [&](std::string_view keyword, std::string& into) {
            if (!line.starts_with(keyword))
                return false;
            line.remove_prefix(keyword.size());
            filled = &into;
            filled->clear();
            return true;
        };
        if (take("msgstr ", entry.translation))
            is_complete = true;
        else
            take("msgid ", entry.original);
        *filled += unquoted(line, number);
    }
    keep_entry(entry, texts);
    return texts;
}

std::string text_of_catalogue(const std::filesystem::path& path) {
    constexpr std::uintmax_t most = 4U << 20U;
    if (std::filesystem::file_size(path) > most)
        throw std::runtime_error("A catalogue has at most 4 MiB.");
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    if (!file)
        throw std::runtime_error("The file cannot be read.");
    return text.str();
}

}  // namespace svc::texts
