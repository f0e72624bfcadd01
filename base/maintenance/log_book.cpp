// Follows the log and writes its rows in batches.
#include "base/maintenance/log_book.hpp"

#include <utility>

namespace svc::maintenance {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t longest_line = 8 * 1024;

}  // namespace

void LogBook::start() {
    if (std::exchange(started_, true))
        return;
    log::follow([this](log::Level level, std::string_view event, std::string_view line) { take(level, event, line); });
    thread_ = std::thread([this] { loop(); });
}

void LogBook::stop() {
    if (!std::exchange(started_, false))
        return;
    log::follow({});
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    changed_.notify_all();
    thread_.join();
    stopping_ = false;
    flush();
}

// Under the log's lock: it only queues.
void LogBook::take(log::Level level, std::string_view event, std::string_view line) {
    if (level == log::Level::debug || event == "request" || line.size() > longest_line)
        return;
    const std::lock_guard lock(mutex_);
    if (waiting_.size() >= most_waiting) {
        ++dropped_;
        return;
    }
    waiting_.emplace_back(line);
    changed_.notify_one();
}

void LogBook::loop() {
    std::unique_lock lock(mutex_);
    auto pause = 1s;
    while (!stopping_) {
        changed_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
        changed_.wait_for(lock, pause, [this] { return stopping_; });  // others follow soon after the first
        if (stopping_)
            return;
        lock.unlock();
        flush();
        lock.lock();
        // A database that is away logs that it is: look again later.
        pause = waiting_.empty() ? 1s : 10s;
    }
}

void LogBook::flush() {
    const std::lock_guard one(writing_);
    std::deque<std::string> lines;
    {
        const std::lock_guard lock(mutex_);
        lines.swap(waiting_);
    }
    if (lines.empty() || write(lines))
        return;
    const std::lock_guard lock(mutex_);
    while (!lines.empty() && waiting_.size() < most_waiting) {
        waiting_.push_front(std::move(lines.back()));
        lines.pop_back();
    }
    dropped_ += static_cast<std::int64_t>(lines.size());
}

bool LogBook::write(const std::deque<std::string>& lines) {
    std::vector<LogEntry> entries;
    for (const std::string& line : lines)
        if (auto entry = log_entry_of(line))
            entries.push_back(std::move(*entry));
    if (entries.empty())
        return true;
    try {
        const auto written = store_.write_relaxed([&](store::Transaction& tx) -> Result<void> {
            for (LogEntry& entry : entries)
                log_record().insert(tx, entry, {.now = entry.created_at});
            tx.run("DELETE FROM svc_logs WHERE id <= (SELECT MAX(id) FROM svc_logs) - :most", {{"most", most_rows}});
            return {};
        });
        return static_cast<bool>(written);
    } catch (const store::Failure&) {
        return false;
    }
}

}  // namespace svc::maintenance
