// Records on the wire: their JSON, what clients may send, and both as schemas. Works on untyped records; record.hpp is
// its typed interface.
#pragma once

#include "shared/record/table.hpp"

namespace svc::record {

// Immutable after the start: any thread. The table outlives it.
class Wire {
  public:
    // Throws std::logic_error for a field that does not say who writes it, or that clients cannot write as it says.
    explicit Wire(const Table& table);

    [[nodiscard]] const Table& table() const { return table_; }

    [[nodiscard]] json::Value to_json(const void* record) const;
    [[nodiscard]] api::Schema create_schema() const;  // component "EnquiryCreate"
    [[nodiscard]] api::Schema update_schema() const;  // component "EnquiryUpdate"; with row_version
    [[nodiscard]] api::Schema answer_schema() const;  // component "Enquiry"
    // Applies a validated body; absent members stay unchanged, and members that clients do not write then. `is_new`:
    // the body of a create.
    void patch(void* record, const json::Value& body, bool is_new, Faults& faults) const;
    // Whether both are stored and shown alike.
    [[nodiscard]] bool is_same(const void* one, const void* other) const;

  private:
    const Table& table_;
};

}  // namespace svc::record
