// Whether this process can do its work, and what an operator should mend (promise R19).
#pragma once

#include "base/app/assembly.hpp"

namespace svc::app {

// SQLite's file as it was when it was opened: one that was moved away takes writes which nobody will find.
class DatabaseFile {
  public:
    explicit DatabaseFile(const BaseOptions& options);
    [[nodiscard]] bool is_in_its_place() const;  // always with another database

  private:
    struct Identity {
        std::uint64_t device = 0, number = 0;
        bool operator==(const Identity&) const = default;
    };
    [[nodiscard]] std::optional<Identity> identity() const;

    std::string path_;
    std::optional<Identity> opened_;
};

Readiness readiness_of(Assembly& parts, const DatabaseFile& file);
// The checks of `svc doctor`, which need no running server. `steps`: of the plugin that would be attached.
std::vector<commands::Finding> findings_of(const BaseOptions& options, const std::vector<plugins::PluginStep>& steps);

}  // namespace svc::app
