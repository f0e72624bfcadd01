// Counters, gauges and histograms for Prometheus: cheap to raise from any thread, written out on request (promise R20).
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace svc::metrics {

// Names and values. A value comes from a short list known beforehand: a route's template, a status, a job's name; never
// a raw path, an id or other client input, since every new value is a new series for ever.
using Labels = std::vector<std::pair<std::string, std::string>>;

// Only grows. Any thread; one atomic addition.
class Counter {
  public:
    void add(std::uint64_t count = 1) noexcept { value_.fetch_add(count, std::memory_order_relaxed); }
    [[nodiscard]] std::uint64_t value() const noexcept { return value_.load(std::memory_order_relaxed); }

  private:
    std::atomic<std::uint64_t> value_ = 0;
};

// Goes up and down. Any thread.
class Gauge {
  public:
    void set(double value) noexcept { value_.store(value, std::memory_order_relaxed); }
    void add(double change) noexcept { value_.fetch_add(change, std::memory_order_relaxed); }
    [[nodiscard]] double value() const noexcept { return value_.load(std::memory_order_relaxed); }

  private:
    std::atomic<double> value_ = 0;
};

// How often values fell below each bound. Any thread.
class Histogram {
  public:
    explicit Histogram(std::vector<double> bounds);  // ascending; +Inf is added
    void observe(double value) noexcept;
    [[nodiscard]] const std::vector<double>& bounds() const noexcept { return bounds_; }
    [[nodiscard]] std::uint64_t in_bucket(std::size_t index) const noexcept;  // not cumulative; the last is +Inf
    [[nodiscard]] double sum() const noexcept { return sum_.load(std::memory_order_relaxed); }

  private:
    std::vector<double> bounds_;
    std::unique_ptr<std::atomic<std::uint64_t>[]> buckets_;
    std::atomic<double> sum_ = 0;
};

// Seconds, from a quick answer to one that a client gives up on.
const std::vector<double>& latency_bounds();

// All metrics of a process. Any thread. Looking up a metric takes a lock, so keep the reference, which stays valid as
// long as the registry: the same name and labels return the same metric. An invalid name, or one of another kind,
// throws std::logic_error.
class Registry {
  public:
    Registry();
    ~Registry();
    Registry(const Registry&) = delete;
    Registry& operator=(const Registry&) = delete;

    Counter& counter(std::string_view name, std::string_view help, const Labels& labels = {});
    Gauge& gauge(std::string_view name, std::string_view help, const Labels& labels = {});
    // `bounds` counts when the name is first seen.
    Histogram& histogram(std::string_view name, std::string_view help, const Labels& labels = {},
                         const std::vector<double>& bounds = latency_bounds());
    // A gauge computed when the text is written; omitted when it returns nothing or throws.
    void ask(std::string_view name, std::string_view help, std::function<std::optional<double>()> value,
             const Labels& labels = {});

    // Exposition format 0.0.4, families and series in a fixed order.
    [[nodiscard]] std::string text() const;

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace svc::metrics
