// The log: one JSON object a line on standard error, secrets removed by field and by pattern (promise S17).
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace svc::log {

enum class Level : std::uint8_t { debug, info, warning, error };

// A value of a log line: text is quoted and redacted, numbers are not.
struct Value {
    std::string text;
    bool quoted = true;
    bool own = false;                         // our own words, which need no search for secrets
    Value(std::string_view t) : text(t) {}    // NOLINT: a text is a value
    Value(const std::string& t) : text(t) {}  // NOLINT
    Value(const char* t) : text(t) {}         // NOLINT
    Value(std::int64_t n) : text(std::to_string(n)), quoted(false) {}  // NOLINT
    Value(int n) : text(std::to_string(n)), quoted(false) {}           // NOLINT
    // For text that never comes from outside: a route's template, an id that we generated or checked.
    static Value ours(std::string_view t) {
        Value value{t};
        value.own = true;
        return value;
    }
};
using Field = std::pair<std::string_view, Value>;
using Fields = std::initializer_list<Field>;

// {"at":"…Z","level":"info","event":"request","request_id":"…",…}. Any thread; a full disk loses lines, nothing else.
void write_line(Level level, std::string_view event, const Field* fields, std::size_t count);
inline void write(Level level, std::string_view event, Fields fields) {
    write_line(level, event, fields.begin(), fields.size());
}
// Whether lines of that level are written, to avoid building others.
bool shows(Level level);
inline void debug(std::string_view event, Fields fields) { write(Level::debug, event, fields); }
inline void info(std::string_view event, Fields fields) { write(Level::info, event, fields); }
inline void warning(std::string_view event, Fields fields) { write(Level::warning, event, fields); }
inline void error(std::string_view event, Fields fields) { write(Level::error, event, fields); }

// The text without bearer secrets, card numbers (Luhn) and whole e-mail addresses.
std::string redacted(std::string_view text);

// Where lines go instead of standard error (tests); null restores it.
void redirect(std::string* sink);
void least(Level level);

}  // namespace svc::log
