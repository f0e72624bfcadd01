// Whether an answer is what its route declares.
#pragma once

#include <set>
#include <string>

#include "shared/api/schema.hpp"

namespace svc::tests {

// One sentence for each member that is not declared, required and missing, or null where its type has no null; `*`
// stands for any item of a list. A map's values are free where they are plain; objects are declared, or nobody learns
// of their members.
std::set<std::string> answer_faults(const api::Type& type, const json::Value& value, const std::string& place);

// While it lives, TestBase takes answers that are not as declared: in a test whose listeners take members away or
// change their kind. One at a time, from the test's thread.
class SpoiledAnswers {
  public:
    SpoiledAnswers();
    ~SpoiledAnswers();
    SpoiledAnswers(const SpoiledAnswers&) = delete;
    SpoiledAnswers& operator=(const SpoiledAnswers&) = delete;
    static bool are_expected();
};

}  // namespace svc::tests
