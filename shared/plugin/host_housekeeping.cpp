// Pieces of housekeeping behind the plugin interface.
#include "shared/plugin/host_housekeeping.hpp"

namespace svc::plugin {

void Housekeeping::add(const Piece& piece) {
    const auto text = json::Value::object({{"name", piece.name},
                                           {"sql", piece.sql},
                                           {"days", piece.days},
                                           {"days_setting", piece.days_setting},
                                           {"module", piece.module}})
                          .dump();
    if (table_->add(table_->self, borrow(text)) != SVC_OK)
        throw Refused("The base refused the piece of housekeeping " + piece.name + ".");
}

}  // namespace svc::plugin
