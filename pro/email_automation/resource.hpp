// The rules for templates and sequences as they are written.
#pragma once

#include "pro/email_automation/sequence.hpp"
#include "pro/email_automation/templates.hpp"
#include "shared/resource/resource.hpp"

namespace svc::pro::email_automation {

using TemplateResource = resource::Resource<EmailTemplate>;
using SequenceResource = resource::Resource<Sequence>;

TemplateResource template_resource(const Site& site, const Templates& templates);
SequenceResource sequence_resource(const Site& site);
inline api::Type template_answer() { return api::object(template_record().answer_schema()); }

}  // namespace svc::pro::email_automation
