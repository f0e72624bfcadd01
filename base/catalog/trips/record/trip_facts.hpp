// Facts of trips, and the conditions of list filters on them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace svc::catalog::trips {

enum class FactKind : std::uint8_t {
    value,   // one of some: counted each by itself
    amount,  // a range; days of Date, or millionths
    words,   // contains the text
};

struct TripFact {
    std::int64_t about = 0;  // id of the attribute
    FactKind kind = FactKind::value;
    std::string text;                         // as displayed; folded for `words`
    std::optional<std::int64_t> amount = {};  // also of values that are numbers or days
    friend auto operator<=>(const TripFact&, const TripFact&) = default;
};

struct FactFilter {
    std::int64_t about = 0;
    std::vector<std::string> texts = {};  // one of these; empty: any value
    std::optional<std::int64_t> least = {}, most = {};

    [[nodiscard]] bool fits(const TripFact& fact) const;
    [[nodiscard]] std::string key() const;  // equal for conditions with equal results
};

}  // namespace svc::catalog::trips
