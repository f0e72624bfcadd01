// svc key renew reaches what modules seal in rows of their own.
#pragma once

#include <string>
#include <vector>

#include "pro/common/site.hpp"
#include "shared/store/sealed_columns.hpp"

namespace svc::pro {

// The texts of these columns are sealed again when the operator renews the key, whether the module is on or off. An
// older base does not ask: there the key before must stay in the key file. `listener` names the module's. [start-up]
void renews_sealed(const Site& site, const std::string& listener, std::vector<store::SealedColumn> columns);

}  // namespace svc::pro
