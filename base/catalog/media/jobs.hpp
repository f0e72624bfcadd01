// Scheduled jobs of media.
#pragma once

#include "base/catalog/media/service.hpp"
#include "base/platform/jobs/jobs.hpp"

namespace svc::catalog::media {

inline void add_jobs(jobs::Jobs& jobs, Service& media) {
    jobs.add(
        {.name = "media_sizes",
         .help = "Creates copies of pictures in several widths, as JPEG and WebP, rotated upright and without EXIF.",
         .every = std::chrono::minutes(10),
         .run = [&media](Instant) -> Result<json::Value> {
             return json::Value::object({{"made", media.make_sizes()}});
         }});
    jobs.add({.name = "media_sweep",
              .help = "Deletes files that have been unused for a day.",
              .every = std::chrono::hours(24),
              .run = [&media](Instant) -> Result<json::Value> {
                  return json::Value::object({{"removed", media.sweep()}});
              }});
}

}  // namespace svc::catalog::media
