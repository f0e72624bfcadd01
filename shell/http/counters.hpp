// The transport's counters while they are counted.
#pragma once

#include <atomic>
#include <cstdint>

#include "shell/http/server.hpp"

namespace svc::http {

struct LiveCounters {
    using Count = std::atomic<std::uint64_t>;

    Count connections_open{0}, connections_total{0}, requests{0}, in_flight{0};
    Count refused_400{0}, refused_408{0}, refused_413{0}, refused_414{0}, refused_417{0}, refused_431{0};
    Count refused_501{0}, refused_503{0}, refused_505{0};
    Count second_answers{0};

    static void add(Count& count) { count.fetch_add(1, std::memory_order_relaxed); }
    static void remove(Count& count) { count.fetch_sub(1, std::memory_order_relaxed); }

    // An answer the transport gave by itself.
    void refused(int status) {
        switch (status) {
            case 400:
                return add(refused_400);
            case 414:
                return add(refused_414);
            case 417:
                return add(refused_417);
            case 505:
                return add(refused_505);
            case 408:
                return add(refused_408);
            case 413:
                return add(refused_413);
            case 431:
                return add(refused_431);
            case 501:
                return add(refused_501);
            case 503:
                return add(refused_503);
            default:
                return;
        }
    }

    [[nodiscard]] Counters read() const {
        const auto now = [](const Count& count) { return count.load(std::memory_order_relaxed); };
        return {.connections_open = now(connections_open),
                .connections_total = now(connections_total),
                .requests = now(requests),
                .in_flight = now(in_flight),
                .refused_400 = now(refused_400),
                .refused_408 = now(refused_408),
                .refused_413 = now(refused_413),
                .refused_414 = now(refused_414),
                .refused_417 = now(refused_417),
                .refused_431 = now(refused_431),
                .refused_501 = now(refused_501),
                .refused_503 = now(refused_503),
                .refused_505 = now(refused_505),
                .second_answers = now(second_answers)};
    }
};

}  // namespace svc::http
