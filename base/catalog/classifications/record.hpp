// The records of classifications, one a kind.
#pragma once

#include <memory>

#include "base/catalog/classifications/kinds.hpp"

namespace svc::catalog::classifications {

using Record = record::Record<Classification>;
using ReadMore = std::function<void(store::Session&, const std::vector<record::Any>&)>;

std::unique_ptr<Record> make_record(const Kind& kind, ReadMore read_more = {});
// The name of its schema: "TripCategory".
std::string component_of(const Kind& kind);
// Without what read_more adds: JSON and schemas.
const Record& record_of(Type type);
inline json::Value to_json(const Classification& one) { return record_of(one.type).to_json(one); }
inline api::Type answer_of(const Kind& kind) { return api::object(record_of(kind.type).answer_schema()); }

// The schema of a body: some members are written in other forms than they are answered in.
api::Schema with_written_forms(const Kind& kind, const api::Schema& schema);

}  // namespace svc::catalog::classifications
