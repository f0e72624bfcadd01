// The job that mails staff the subjects of the e-mails that were too many for an hour.
#pragma once

#include "base/messaging/mails/service.hpp"
#include "base/platform/jobs/jobs.hpp"
#include "shared/store/store.hpp"

namespace svc::messaging {

// Named "mail_digest". Both outlive the job.
jobs::Job digest_job(Service& service, store::Store& store);

}  // namespace svc::messaging
