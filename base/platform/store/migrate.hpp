// Brings a database's schema to this release, one whole step at a time.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shared/core/embedded.hpp"
#include "shared/core/progress.hpp"
#include "shared/store/store.hpp"

namespace svc::embedded {
// migrations/base/*.sql in order.
std::span<const Embedded> base_steps();
}  // namespace svc::embedded

namespace svc::store {

// A step is one file: `NNNN_name.sql`, one text for both databases. `{{id}}` is the type of an automatic primary key; a
// line that begins with `-- sqlite:` or `-- postgresql:` limits itself and the following lines of the statement to that
// database; a statement ends with `;` at the end of a line.
using Step = Embedded;

// Applies missing steps in order, each in one transaction with its row in svc_migrations; returns their names. Any
// number of processes may run it at once and any may be killed: a step is applied or not. `edition` separates base and
// Pro; Pro applies a module's steps when it is enabled. Throws std::runtime_error with a sentence when an applied step
// has another text now, when a statement of a step fails, or when it is stopped after a step; the next call resumes.
std::vector<std::string> migrate(Store& store, std::string_view edition, std::span<const Step> steps, Instant now,
                                 Progress& progress = unwatched());

// Whether the schema is what this release needs: each of `required` applied with this text. A newer release may have
// been here, as while nodes are upgraded one after the other: steps not in `known` are no fault, since they add alone,
// but for those named `…_contract.sql`, which take away. The error's message is a sentence for the operator.
Result<void> check_current(Store& store, std::string_view edition, std::span<const Step> required,
                           std::span<const Step> known);
inline Result<void> check_current(Store& store, std::string_view edition, std::span<const Step> steps) {
    return check_current(store, edition, steps, steps);
}

// Applied steps that are not in `known`: a newer release has been here.
std::vector<std::string> newer_steps(Store& store, std::string_view edition, std::span<const Step> known);

// The statements of a step for one database, in order. Throws std::runtime_error when the last one does not end.
std::vector<std::string> statements_of(const Step& step, Dialect dialect);

}  // namespace svc::store
