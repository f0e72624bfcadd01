// Reads tests/invariants.sql and asks a database for what breaks it.
#include "tests/support/invariants.hpp"

#include <exception>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include <doctest/doctest.h>

namespace svc::tests {
namespace {

std::vector<std::string> read() {
    std::ifstream file(SVC_SOURCE_DIR "/tests/invariants.sql");
    std::string text;
    for (std::string line; std::getline(file, line);)
        if (!line.starts_with("--"))
            text += line + "\n";
    std::vector<std::string> found;
    std::istringstream statements(text);
    for (std::string one; std::getline(statements, one, ';');)
        if (one.find("SELECT") != std::string::npos)
            found.push_back(one);
    if (found.size() < 20)
        throw std::runtime_error("the invariants are not there");
    return found;
}

}  // namespace

const std::vector<std::string>& invariants() {
    static const std::vector<std::string> all = read();
    return all;
}

std::vector<std::string> broken_invariants(store::Store& store) {
    std::vector<std::string> found;
    store.read([&](store::Session& session) {
        for (const std::string& one : invariants())
            if (session.number("SELECT COUNT(*) FROM (" + one + ") broken", {}) > 0)
                found.push_back(one);
    });
    return found;
}

void check_invariants(store::Store& store) {
    if (std::uncaught_exceptions() > 0)
        return;
    for (const std::string& one : broken_invariants(store))
        FAIL_CHECK("broken at the site's end: " << one);
}

}  // namespace svc::tests
