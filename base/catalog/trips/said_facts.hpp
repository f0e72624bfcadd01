// What a trip says about something that lists can be cut by, and what a list asks for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace svc::catalog::trips {

enum class FactKind : std::uint8_t {
    value,   // one of some: counted each by itself
    amount,  // lies between the smallest and the largest; days of Date, or millionths
    words,   // a part of it is asked for
};

struct SaidFact {
    std::int64_t about = 0;  // the number of what it is about
    FactKind kind = FactKind::value;
    std::string text;                         // as it is told; of words folded
    std::optional<std::int64_t> amount = {};  // also of values that are numbers or days
    friend auto operator<=>(const SaidFact&, const SaidFact&) = default;
};

struct SaidWish {
    std::int64_t about = 0;
    std::vector<std::string> texts = {};  // one of them; none: whatever it says
    std::optional<std::int64_t> least = {}, most = {};

    [[nodiscard]] bool fits(const SaidFact& fact) const;
    [[nodiscard]] std::string key() const;  // the same for wishes that are answered alike
};

}  // namespace svc::catalog::trips
