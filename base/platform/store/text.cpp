// Finds names, quotes and comments in a statement.
#include "base/platform/store/text.hpp"

#include <algorithm>
#include <stdexcept>

#include "shared/store/one_plan.hpp"

namespace svc::store {
namespace {

bool starts_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool in_name(char c) { return starts_name(c) || (c >= '0' && c <= '9'); }
bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

// SQLite's triggers contain statements, which end within the text.
bool is_trigger(std::string_view sql) {
    const auto from = std::find_if_not(sql.begin(), sql.end(), is_blank);
    const std::string_view bare = sql.substr(static_cast<std::size_t>(from - sql.begin()));
    return bare.starts_with("CREATE TRIGGER ") && bare.find(" BEGIN ") != std::string_view::npos;
}

// The end of a quoted piece that begins at `at`. A doubled quote is simply two pieces side by side.
std::size_t after_quote(std::string_view sql, std::size_t at) {
    const auto end = sql.find(sql[at], at + 1);
    if (end == std::string_view::npos)
        throw std::logic_error("a quote in a statement does not end");
    return end + 1;
}

// The end of a comment that begins at `at`, or `at` when none does.
std::size_t after_comment(std::string_view sql, std::size_t at) {
    if (sql.substr(at, 2) == "--") {
        const auto end = sql.find('\n', at);
        return end == std::string_view::npos ? sql.size() : end;
    }
    if (sql.substr(at, 2) == "/*") {
        const auto end = sql.find("*/", at + 2);
        if (end == std::string_view::npos)
            throw std::logic_error("a comment in a statement does not end");
        return end + 2;
    }
    return at;
}

// Only blanks, comments and semicolons may follow the end of the statement.
void refuse_second(std::string_view sql, std::size_t at) {
    while (at < sql.size()) {
        const auto next = after_comment(sql, at);
        if (next == at && !is_blank(sql[at]) && sql[at] != ';')
            throw std::logic_error("a text holds more than one statement");
        at = next == at ? at + 1 : next;
    }
}

}  // namespace

StatementText::StatementText(std::string_view sql) : one_plan_(sql.starts_with(one_plan)) {
    Piece piece;
    const bool holds_statements = is_trigger(sql);
    const auto last = sql.find_last_not_of(" \n\t\r");
    for (std::size_t at = 0; at < sql.size();) {
        const char c = sql[at];
        if (c == ';' && !(holds_statements && at < last)) {
            refuse_second(sql, at);
            break;
        }
        if (const auto end = after_comment(sql, at); end != at) {
            piece.text += ' ';
            at = end;
        } else if (c == '\'' || c == '"') {
            const auto past = after_quote(sql, at);
            piece.text += sql.substr(at, past - at);
            at = past;
        } else if (c == ':' && at + 1 < sql.size() && starts_name(sql[at + 1]) && (at == 0 || sql[at - 1] != ':')) {
            auto past = at + 1;
            while (past < sql.size() && in_name(sql[past]))
                ++past;
            piece.name = index_of(sql.substr(at + 1, past - at - 1));
            pieces_.push_back(std::move(piece));
            piece = {};
            at = past;
        } else {
            piece.text += c;
            ++at;
        }
    }
    pieces_.push_back(std::move(piece));
}

std::size_t StatementText::index_of(std::string_view name) {
    for (std::size_t i = 0; i < names_.size(); ++i)
        if (names_[i] == name)
            return i;
    names_.emplace_back(name);
    return names_.size() - 1;
}

std::string StatementText::for_driver(Dialect dialect, std::string_view kinds) const {
    std::vector<std::string> spelled;
    int number = 0;
    for (const char kind : kinds) {
        if (kind == '0') {
            spelled.emplace_back("NULL");  // takes no number, so the others close up
            continue;
        }
        const std::string digits = std::to_string(++number);
        spelled.push_back(dialect == Dialect::sqlite ? ":v" + digits
                                                     : "CAST($" + digits + (kind == 'i' ? " AS BIGINT)" : " AS TEXT)"));
    }
    std::string text = one_plan_ ? one_plan : "";
    for (const auto& piece : pieces_) {
        text += piece.text;
        if (piece.name != npos)
            text += spelled[piece.name];
    }
    return text;
}

}  // namespace svc::store
