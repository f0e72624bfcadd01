// A record of type T: rows that clients see and send. Each field says who writes it.
#pragma once

#include "shared/record/rows.hpp"
#include "shared/record/wire.hpp"

namespace svc::record {

// Declared as Rows are. Throws std::logic_error for a field without a say (Writes), so that a new column is open to
// clients only where its line says by_client.
template <class T>
class Record : public Rows<T> {
  public:
    Record(Layout layout, std::initializer_list<Entry<T>> entries) : Rows<T>(std::move(layout), entries) {}
    Record(Layout layout, const std::vector<Entry<T>>& entries) : Rows<T>(std::move(layout), entries) {}

    [[nodiscard]] const Wire& wire() const { return wire_; }
    [[nodiscard]] json::Value to_json(const T& record) const { return wire_.to_json(&record); }
    [[nodiscard]] api::Schema create_schema() const { return wire_.create_schema(); }
    [[nodiscard]] api::Schema update_schema() const { return wire_.update_schema(); }
    [[nodiscard]] api::Schema answer_schema() const { return wire_.answer_schema(); }
    void patch(T& record, const json::Value& body, bool is_new, Faults& faults) const {
        wire_.patch(&record, body, is_new, faults);
    }

  private:
    const Wire wire_{*this};
};

}  // namespace svc::record
