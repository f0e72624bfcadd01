// Shared by both floors of the bench: threads, time and the JSON they print.
#pragma once

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace svc::bench {

inline int whole_number(std::string_view text) {
    int value = 0;
    if (const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
        failed != std::errc{} || end != text.data() + text.size() || value < 1)
        throw std::invalid_argument("a positive number was expected");
    return value;
}

// A booking as bare as it can be: the seats taken if there are any left, the booking, its event, its payment.
inline constexpr std::string_view make_tables[] = {
    "DROP TABLE IF EXISTS bare_seats",
    "DROP TABLE IF EXISTS bare_bookings",
    "DROP TABLE IF EXISTS bare_events",
    "DROP TABLE IF EXISTS bare_payments",
    "CREATE TABLE bare_seats (id BIGINT PRIMARY KEY, booked BIGINT NOT NULL, capacity BIGINT NOT NULL,"
    " CHECK (booked BETWEEN 0 AND capacity))",
    "CREATE TABLE bare_bookings (id BIGINT PRIMARY KEY, departure BIGINT NOT NULL, name TEXT NOT NULL,"
    " total_minor BIGINT NOT NULL, created_at BIGINT NOT NULL)",
    "CREATE TABLE bare_events (id BIGINT PRIMARY KEY, booking BIGINT NOT NULL, body TEXT NOT NULL)",
    "CREATE TABLE bare_payments (id BIGINT PRIMARY KEY, booking BIGINT NOT NULL, amount_minor BIGINT NOT NULL)",
    "INSERT INTO bare_seats (id, booked, capacity) VALUES (1, 0, 1000000000), (2, 0, 1000000000),"
    " (3, 0, 1000000000), (4, 0, 1000000000)"};
inline constexpr std::string_view name = "Ada Lovelace", body = R"({"event":"booking.created","travelers":2})";

// Runs `writer(thread, count)` on each thread and prints one JSON object a line: commits a second, and the slowest
// and the 99th percentile of what each writer adds to its list.
inline void measure(std::string_view program, std::string_view how, int threads, int count,
                    const std::function<void(int, int, std::vector<double>&)>& writer) {
    using Clock = std::chrono::steady_clock;
    std::vector<std::vector<double>> times(static_cast<std::size_t>(threads));
    std::vector<std::thread> running;
    const auto began = Clock::now();
    for (int i = 0; i < threads; ++i)
        running.emplace_back([&, i] { writer(i, count / threads, times[static_cast<std::size_t>(i)]); });
    for (auto& thread : running)
        thread.join();
    const std::chrono::duration<double> took = Clock::now() - began;
    std::vector<double> all;
    for (const auto& some : times)
        all.insert(all.end(), some.begin(), some.end());
    std::sort(all.begin(), all.end());
    const auto at = [&](double part) {
        return all.at(static_cast<std::size_t>(part * static_cast<double>(all.size() - 1)));
    };
    std::printf(
        "{\"program\":\"%.*s\",\"how\":\"%.*s\",\"threads\":%d,\"commits\":%zu,\"seconds\":%.3f,"
        "\"per_second\":%.0f,\"p50_ms\":%.3f,\"p99_ms\":%.3f,\"slowest_ms\":%.3f}\n",
        static_cast<int>(program.size()), program.data(), static_cast<int>(how.size()), how.data(), threads, all.size(),
        took.count(), static_cast<double>(all.size()) / took.count(), at(0.5), at(0.99), at(1));
    std::fflush(stdout);
}

// Milliseconds a piece of work took.
inline double timed(const std::function<void()>& work) {
    const auto began = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count();
}

}  // namespace svc::bench
