// Old rows of a plugin that the base deletes each night: svc.housekeeping/1 as a plugin sees it.
#pragma once

#include "shared/plugin/host.hpp"

namespace svc::plugin {

class Housekeeping {
  public:
    using Table = svc_housekeeping_1;
    static constexpr const char* id = SVC_HOUSEKEEPING_1;
    static bool usable(const Table* table) { return SVC_HAS(svc_housekeeping_1, table, add); }
    explicit Housekeeping(const Table* table) : table_(table) {}

    struct Piece {
        std::string name;  // a word of the plugin's own
        std::string sql;   // DELETE of at most :most rows older than :before
        int days = 0;      // how long rows stay, unless `days_setting` says it; 0: for ever
        std::string days_setting = {};
        std::string module = {};  // nothing is deleted while it is off; empty: always
    };
    // Throws Refused; belongs into attach.
    void add(const Piece& piece);

  private:
    const Table* table_;
};

}  // namespace svc::plugin
