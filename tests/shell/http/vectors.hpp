// The wire vectors as raw bytes, each with its verdict.
#pragma once

#include <string>
#include <vector>

namespace svc::http::test {

struct Vector {
    std::string name;
    std::string bytes;
    std::vector<int> statuses;  // of all answers, in order
    bool closes = true;         // whether the server closes after them
};

// The target no vector may reach: it stands where a lax reader would see a second request.
inline const std::string smuggled = "/smuggled";

const std::vector<Vector>& vectors();

}  // namespace svc::http::test
