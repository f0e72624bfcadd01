// Routes of the operator's tools.
#pragma once

#include "base/feature/feature.hpp"
#include "base/maintenance/log_book.hpp"
#include "base/maintenance/tasks.hpp"
#include "base/platform/caches/caches.hpp"

namespace svc::maintenance {

// A job as routes 17.3 and 17.4 show it, and its schema.
json::Value job_json(const Task& task, const api::Request& request);
api::Type job_answer();

// All outlive the table.
void add_task_routes(const Site& site, const Tasks& tasks);
void add_log_routes(const Site& site, LogBook& book);
void add_cron_routes(const Site& site);
void add_cache_routes(const Site& site, const caches::Caches& caches);

}  // namespace svc::maintenance
