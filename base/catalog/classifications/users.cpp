// Records that refer to a classification, as the facts of their tables say; checked before it is deleted.
#include "base/catalog/classifications/repository.hpp"
#include "base/feature/facts.hpp"

namespace svc::catalog::classifications::rows {

facts::Users users_of(store::Session& session, const Classification& row, int most) {
    return facts::of_base().users_of(session, facts::of_classification, {{"id", row.id}, {"type", name_of(row.type)}},
                                     most);
}

}  // namespace svc::catalog::classifications::rows
