// The module email_automation: templates by trip, sequences of e-mails and their log.
#pragma once

#include "pro/common/feature.hpp"
#include "pro/email_automation/engine.hpp"
#include "pro/email_automation/templates.hpp"

namespace svc::pro::email_automation {

class Feature final : public pro::Feature {
  public:
    explicit Feature(const Site& site) : pro::Feature(site), templates(site), engine(site) {}

    // It needs jobs, e-mails, pages, calls, and that the base asks for the texts of its e-mails.
    static bool fits(const Site& site);

    void declare() override;
    void connect() override;
    void add_routes() override;
    void add_jobs() override;

    Templates templates;
    Engine engine;
};

}  // namespace svc::pro::email_automation
