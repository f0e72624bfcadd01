// Counts the rows of a section that are newer than the user's last visit (routes 18.3, 18.4).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/feature/site.hpp"

namespace svc::notices {

// A section of the admin whose new rows are counted.
struct Section {
    std::string name;        // "bookings"
    std::string capability;  // required to see its rows; others count 0
    std::function<std::int64_t(store::Session& session, Instant since)> count;
};

std::vector<Section> own_sections();

// Any thread after the start.
class Counters {
  public:
    explicit Counters(const Site& site) : site_(site) {}
    void add(Section section) { sections_.push_back(std::move(section)); }  // [start-up]

    [[nodiscard]] const std::vector<Section>& sections() const { return sections_; }
    // By section. Without an earlier visit, rows of the last 30 days count.
    [[nodiscard]] json::Value of(const api::Caller& caller) const;
    Result<void> mark(const api::Caller& caller, const std::string& section) const;

  private:
    const Site& site_;
    std::vector<Section> sections_;
};

}  // namespace svc::notices
