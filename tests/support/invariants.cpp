// Reads tests/invariants.sql.
#include "tests/support/invariants.hpp"

#include <fstream>
#include <sstream>
#include <stdexcept>

std::vector<std::string> svc::tests::invariants() {
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
