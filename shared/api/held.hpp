// Data that memory holds, ready for many callers: a caller in this process takes of it what it needs, as values, and
// knows by its version what it has taken before. Sockets get the text that the same memory has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "shared/json/value.hpp"

namespace svc::api {

// Names of an object's members; none: all of them.
using Members = std::span<const std::string_view>;

// Immutable. Any thread.
class Held {
  public:
    Held() = default;
    virtual ~Held() = default;
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;

    // Equal versions of one id have equal content, for as long as this process lives; empty: there is no such name for
    // it, as where listeners may change it at any time.
    struct Named {
        std::int64_t id = 0;
        std::string_view version = {};
    };

    // Whether the data is a list; otherwise it is one item.
    [[nodiscard]] virtual bool is_list() const { return true; }
    [[nodiscard]] virtual std::size_t size() const = 0;
    // Of the data as a whole, and of one of its items.
    [[nodiscard]] virtual Named whole() const { return {}; }
    [[nodiscard]] virtual Named name_of(std::size_t index) const;
    // These members of one item.
    [[nodiscard]] virtual json::Value read(std::size_t index, Members members = {}) const = 0;

    // All of it, as in an answer's `data`.
    [[nodiscard]] virtual json::Value data(Members members = {}) const;
};

}  // namespace svc::api
