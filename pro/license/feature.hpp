// The licence: its terms decide which modules may be on, and an evaluation is named where it runs.
#pragma once

#include "pro/common/feature.hpp"
#include "pro/license/service.hpp"
#include "pro/license/state.hpp"

namespace svc::pro::license {

class Feature final : public pro::Feature {
  public:
    explicit Feature(const Site& site);

    void declare() override;
    void add_routes() override;
    void add_jobs() override;

    Service service;

  private:
    [[nodiscard]] State state_now(Instant now);
    void limit_modules();
    void name_evaluation();
    // An argument of a filter that is an instant; the clock's for a base from before that argument.
    [[nodiscard]] Instant moment_of(const json::Array& given, std::size_t place) const;
};

}  // namespace svc::pro::license
