// Log lines: built whole, written at once.
#include "shared/core/log.hpp"

#include <atomic>
#include <mutex>
#include <span>
#include <unistd.h>

#include "shared/core/correlation.hpp"
#include "shared/core/date.hpp"
#include "shared/core/log_follower.hpp"
#include "shared/core/redact.hpp"
#include "shared/core/text.hpp"

namespace svc::log {
namespace {

constexpr std::size_t longest_read = 64 * 1024;  // of a value; the rest is dropped unread
constexpr std::size_t longest_kept = 4096;

std::atomic<Level> lowest{Level::info};
std::mutex sink_lock;
std::string* sink = nullptr;
Follower follower;

std::string_view name_of(Level level) {
    switch (level) {
        case Level::debug:
            return "debug";
        case Level::info:
            return "info";
        case Level::warning:
            return "warning";
        case Level::error:
            break;
    }
    return "error";
}

// Cut after the redaction: half a secret would pass by its pattern.
std::string redact(std::string_view name, std::string_view text) {
    if (is_secret_name(name))
        return std::string(removed);
    std::string safe = redacted(text.substr(0, longest_read));
    if (safe.size() > longest_kept || text.size() > longest_read) {
        safe.resize(std::min(safe.size(), longest_kept));
        safe += "...";
    }
    return safe;
}

}  // namespace

void write_line(Level level, std::string_view event, const Field* fields, std::size_t count) {
    if (level < lowest.load(std::memory_order_relaxed))
        return;
    std::string line;
    line.reserve(512);  // a request's line
    line += R"({"at":")";
    line += SystemClock{}.now().text();
    line += R"(","level":")";
    line += name_of(level);
    line += R"(","event":)";
    text::quote_json(line, redacted(event));
    bool names_request = false;
    for (const auto& [name, value] : std::span(fields, count)) {
        names_request = names_request || name == "request_id";
        line += ',';
        text::quote_json(line, name);
        line += ':';
        if (value.own)
            text::quote_json(line, value.text);
        else if (value.quoted)
            text::quote_json(line, redact(name, value.text));
        else
            line += value.text;
    }
    if (const std::string& id = Correlation::current(); !id.empty() && !names_request) {
        line += R"(,"request_id":)";
        text::quote_json(line, id);
    }
    line += "}\n";

    {
        const std::lock_guard guard{sink_lock};
        if (follower)
            follower(level, event, std::string_view(line).substr(0, line.size() - 1));
        if (sink) {
            *sink += line;
            return;
        }
    }
    // One call a line, so that lines of several threads and processes do not mix.
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line.data(), line.size());
}

void redirect(std::string* to) {
    const std::lock_guard guard{sink_lock};
    sink = to;
}

void follow(Follower next) {
    const std::lock_guard guard{sink_lock};
    follower = std::move(next);
}

void least(Level level) { lowest = level; }

bool shows(Level level) { return level >= lowest.load(std::memory_order_relaxed); }

}  // namespace svc::log
