// The licence server of tests: its key stands in the test binaries instead of the build's.
#pragma once

#include <string>
#include <string_view>

namespace svc::tests {

// The value of X-Svc-Signature for an answer of that text.
std::string license_signature(std::string_view text);

// While it lives, this process is a build without a licence server's key, which can be evaluated.
class EvaluationBuild {
  public:
    EvaluationBuild();
    ~EvaluationBuild();
    EvaluationBuild(const EvaluationBuild&) = delete;
    EvaluationBuild& operator=(const EvaluationBuild&) = delete;
};

}  // namespace svc::tests
