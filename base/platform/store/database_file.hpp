// Checks that SQLite's file is still in place: writes to a moved one would be lost.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace svc::store {

class DatabaseFile {
  public:
    explicit DatabaseFile(std::string_view url);  // [start-up], as of store::open
    [[nodiscard]] bool is_in_its_place() const;   // always with another database

  private:
    struct Identity {
        std::uint64_t device = 0, number = 0;
        bool operator==(const Identity&) const = default;
    };
    [[nodiscard]] std::optional<Identity> identity() const;

    std::string path_;
    std::optional<Identity> opened_;
};

}  // namespace svc::store
