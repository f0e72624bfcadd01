// The conditions of a rule: groups whose members are joined by AND or OR, over what is known of a date.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "shared/core/faults.hpp"
#include "shared/json/value.hpp"

namespace svc::pro::dynamic_pricing {

// Days are counted from 1970; weekday 0 is Sunday; occupancy is the percentage of the seats that are sold.
enum class Fact : std::uint8_t {
    travel_date,
    weekday,
    days_before,
    seats_left,
    occupancy,
    demand,
    travelers,
    duration_days
};
inline constexpr std::size_t fact_count = 8;

// One date, seen from today. A fact that nobody knows is empty: no condition on it holds.
using Facts = std::array<std::optional<std::int64_t>, fact_count>;
inline std::optional<std::int64_t>& of(Facts& facts, Fact fact) { return facts[static_cast<std::size_t>(fact)]; }
inline const std::optional<std::int64_t>& of(const Facts& facts, Fact fact) {
    return facts[static_cast<std::size_t>(fact)];
}

// {"match": "all", "conditions": [{"field": "occupancy", "operator": "at_least", "value": 80}, …]}. A member is another
// group or one comparison; operators are at_least, at_most, is, is_not, between with two values, one_of with a list.
class Conditions {
  public:
    static constexpr int deepest = 5;        // groups within each other
    static constexpr std::size_t most = 50;  // comparisons of a rule

    // Null: holds always. A fault names the field `conditions` and how to fix it.
    static Conditions parse(const json::Value& given, Faults& faults);
    [[nodiscard]] bool hold(const Facts& facts) const { return nodes_.empty() || holds(0, facts); }
    [[nodiscard]] bool use(Fact fact) const;

  private:
    enum class Kind : std::uint8_t { all, any, between, not_between, one_of };
    struct Node {
        Kind kind = Kind::all;
        Fact fact = Fact::travel_date;
        std::int64_t least = 0, most = 0;       // of between
        std::vector<std::int64_t> values = {};  // of one_of
        std::vector<std::size_t> members = {};  // of a group
    };
    struct Reader;
    [[nodiscard]] bool holds(std::size_t node, const Facts& facts) const;

    std::vector<Node> nodes_;  // the first is the outermost group
};

}  // namespace svc::pro::dynamic_pricing
