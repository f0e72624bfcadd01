// Keeps the metrics and has them written by prometheus-cpp.
#include "base/platform/metrics/metrics.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <sstream>
#include <stdexcept>

#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

namespace svc::metrics {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricType;

struct Callback {
    std::function<std::optional<double>()> value;
};

struct Family {
    std::string help;
    MetricType type = MetricType::Untyped;
    std::map<Labels, std::unique_ptr<Counter>> counters = {};
    std::map<Labels, std::unique_ptr<Gauge>> gauges = {};
    std::map<Labels, std::unique_ptr<Histogram>> histograms = {};
    std::map<Labels, Callback> callbacks = {};
};

bool is_name(std::string_view name) {
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    const auto more = [&](char c) { return letter(c) || (c >= '0' && c <= '9'); };
    return !name.empty() && letter(name[0]) && std::all_of(name.begin(), name.end(), more);
}

ClientMetric series(const Labels& labels) {
    ClientMetric metric;
    for (const auto& [name, value] : labels)
        metric.label.push_back({name, value});
    return metric;
}

ClientMetric written(const Labels& labels, const Histogram& histogram) {
    auto metric = series(labels);
    std::uint64_t below = 0;
    for (std::size_t i = 0; i <= histogram.bounds().size(); ++i) {
        below += histogram.in_bucket(i);
        if (i < histogram.bounds().size())
            metric.histogram.bucket.push_back({below, histogram.bounds()[i]});
    }
    metric.histogram.bucket.push_back({below, std::numeric_limits<double>::infinity()});
    metric.histogram.sample_count = below;
    metric.histogram.sample_sum = histogram.sum();
    return metric;
}

std::optional<double> answer(const Callback& callback) {
    try {
        return callback.value();
    } catch (const std::exception&) {
        return std::nullopt;  // a scrape reports what is available; readiness reports errors
    }
}

}  // namespace

struct Registry::Parts {
    Family& family(std::string_view name, std::string_view help, MetricType type, const Labels& labels) {
        const bool fine =
            is_name(name) && std::all_of(labels.begin(), labels.end(), [](const auto& l) { return is_name(l.first); });
        if (!fine)
            throw std::logic_error("a metric or label is badly named: " + std::string(name));
        auto& found = families.try_emplace(std::string(name), Family{std::string(help), type}).first->second;
        if (found.type != type)
            throw std::logic_error("a metric is of two kinds: " + std::string(name));
        return found;
    }

    mutable std::mutex mutex;
    std::map<std::string, Family, std::less<>> families;
};

Histogram::Histogram(std::vector<double> bounds)
    : bounds_(std::move(bounds)), buckets_(std::make_unique<std::atomic<std::uint64_t>[]>(bounds_.size() + 1)) {
    if (!std::is_sorted(bounds_.begin(), bounds_.end()))
        throw std::logic_error("the bounds of a histogram must ascend");
}

void Histogram::observe(double value) noexcept {
    const auto bucket = std::lower_bound(bounds_.begin(), bounds_.end(), value) - bounds_.begin();
    buckets_[static_cast<std::size_t>(bucket)].fetch_add(1, std::memory_order_relaxed);
    sum_.fetch_add(value, std::memory_order_relaxed);
}

std::uint64_t Histogram::in_bucket(std::size_t index) const noexcept {
    return buckets_[index].load(std::memory_order_relaxed);
}

const std::vector<double>& latency_bounds() {
    static const std::vector<double> bounds{0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05,
                                            0.1,    0.25,  0.5,    1,     2.5,  5,     10};
    return bounds;
}

Registry::Registry() : parts_(std::make_unique<Parts>()) {}
Registry::~Registry() = default;

Counter& Registry::counter(std::string_view name, std::string_view help, const Labels& labels) {
    const std::lock_guard lock(parts_->mutex);
    auto& place = parts_->family(name, help, MetricType::Counter, labels).counters[labels];
    if (!place)
        place = std::make_unique<Counter>();
    return *place;
}

Gauge& Registry::gauge(std::string_view name, std::string_view help, const Labels& labels) {
    const std::lock_guard lock(parts_->mutex);
    auto& place = parts_->family(name, help, MetricType::Gauge, labels).gauges[labels];
    if (!place)
        place = std::make_unique<Gauge>();
    return *place;
}

Histogram& Registry::histogram(std::string_view name, std::string_view help, const Labels& labels,
                               const std::vector<double>& bounds) {
    const std::lock_guard lock(parts_->mutex);
    auto& family = parts_->family(name, help, MetricType::Histogram, labels);
    if (const auto found = family.histograms.find(labels); found != family.histograms.end())
        return *found->second;
    // One family has one set of bounds, or its series could not be added up.
    const auto& shared = family.histograms.empty() ? bounds : family.histograms.begin()->second->bounds();
    return *family.histograms.emplace(labels, std::make_unique<Histogram>(shared)).first->second;
}

void Registry::ask(std::string_view name, std::string_view help, std::function<std::optional<double>()> value,
                   const Labels& labels) {
    const std::lock_guard lock(parts_->mutex);
    parts_->family(name, help, MetricType::Gauge, labels).callbacks[labels] = {std::move(value)};
}

std::string Registry::text() const {
    std::vector<prometheus::MetricFamily> families;
    std::vector<std::pair<std::size_t, std::pair<Labels, Callback>>> callbacks;
    {
        const std::lock_guard lock(parts_->mutex);
        for (const auto& [name, family] : parts_->families) {
            auto& out = families.emplace_back();
            out.name = name;
            out.help = family.help;
            out.type = family.type;
            for (const auto& [labels, counter] : family.counters)
                out.metric.emplace_back(series(labels)).counter.value = static_cast<double>(counter->value());
            for (const auto& [labels, gauge] : family.gauges)
                out.metric.emplace_back(series(labels)).gauge.value = gauge->value();
            for (const auto& [labels, histogram] : family.histograms)
                out.metric.push_back(written(labels, *histogram));
            for (const auto& each : family.callbacks)
                callbacks.emplace_back(families.size() - 1, each);
        }
    }
    // Without the lock: the functions may wait for the database.
    for (const auto& [family, one] : callbacks)
        if (const auto value = answer(one.second))
            families[family].metric.emplace_back(series(one.first)).gauge.value = *value;
    std::erase_if(families, [](const auto& family) { return family.metric.empty(); });
    std::ostringstream out;
    prometheus::TextSerializer{}.Serialize(out, families);
    return out.str();
}

}  // namespace svc::metrics
