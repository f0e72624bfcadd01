// Turns lines of the log into records.
#include "base/maintenance/log_entry.hpp"

#include <algorithm>

#include "shared/core/text.hpp"

namespace svc::maintenance {
namespace {

constexpr std::size_t longest_message = 500;

// Words of event names; the first that occurs decides.
constexpr std::string_view payment_words[] = {"payment", "refund", "gateway",     "charge",       "webhook",
                                              "invoice", "paypal", "credit_note", "saved_method", "money"};
constexpr std::string_view booking_words[] = {"booking", "seat", "document", "sealed_answers", "sample", "waitlist"};

std::string message_of(std::string_view event, const json::Value& line) {
    std::string message(event);
    std::replace(message.begin(), message.end(), '_', ' ');
    for (const char* name : {"problem", "cause", "why", "because", "says", "note"})
        if (const json::Value* value = line.find(name); value && value->is_string() && !value->text().empty()) {
            message += ": " + value->text();
            break;
        }
    return std::string(text::first(message, longest_message));
}

}  // namespace

std::string_view log_type_of(std::string_view event) {
    const auto occurs = [event](std::string_view word) { return event.find(word) != std::string_view::npos; };
    if (std::any_of(std::begin(payment_words), std::end(payment_words), occurs))
        return "payment";
    return std::any_of(std::begin(booking_words), std::end(booking_words), occurs) ? "booking" : "system";
}

std::optional<LogEntry> log_entry_of(std::string_view line) {
    auto read = json::parse(line);
    if (!read || !read->is_object())
        return std::nullopt;
    LogEntry entry;
    entry.event = read->text_or("event");
    entry.level = read->text_or("level");
    const auto at = Instant::parse(read->text_or("at"));
    // Any visitor can cause one of these with every request; as rows they would displace the lines that staff need.
    const bool is_of_a_request = entry.event == "request" || (entry.event == "refused" && entry.level == "info");
    if (is_of_a_request || entry.level == "debug" || !at)
        return std::nullopt;
    entry.created_at = *at;
    entry.type = log_type_of(entry.event);
    entry.message = message_of(entry.event, *read);
    for (const char* name : {"at", "level", "event"})
        read->erase(name);
    entry.context = std::move(*read);
    return entry;
}

const record::Record<LogEntry>& log_record() {
    using namespace record;
    static const Record<LogEntry> entry{
        {.table = "svc_logs",
         .component = "LogEntry",
         .search_column = "search",
         .sorts = {{"created_at", {"r.created_at"}}, {"id", {"r.id"}}},
         .default_sort = "created_at",
         // An error is one by its level, whatever it is about.
         .conditions = {{"type", "(:type = 'all' OR r.type = :type OR (:type = 'error' AND r.level = 'error'))"},
                        {"level", "r.level = :level"}}},
        {id(&LogEntry::id),
         column("type", &LogEntry::type, api::text(20), by_server_on_create, "The subject of the line."),
         column("level", &LogEntry::level, api::text(20), by_server_on_create),
         column("event", &LogEntry::event, api::text(200), by_server_on_create | searched),
         column("message", &LogEntry::message, api::raw_text(1'000), by_server_on_create | searched),
         column("context", &LogEntry::context, api::map(api::anything()), by_server_on_create,
                "The line's other fields."),
         column("created_at", &LogEntry::created_at, api::instant(), by_server_on_create),
         computed<LogEntry>("timestamp", api::instant(),
                            [](const LogEntry& each) { return json::Value(each.created_at); })}};
    return entry;
}

}  // namespace svc::maintenance
