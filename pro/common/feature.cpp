// The order of the steps: modules exist before the ports that name them.
#include "pro/common/feature.hpp"

namespace svc::pro {

void Features::run_steps() const {
    for (Feature* feature : all_)
        feature->declare();
    for (Feature* feature : all_)
        feature->connect();
    for (Feature* feature : all_)
        feature->add_routes();
    for (Feature* feature : all_)
        feature->add_jobs();
}

}  // namespace svc::pro
