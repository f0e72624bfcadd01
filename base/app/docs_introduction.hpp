// The introduction of the page of the interface: access, answers, lists, repeated requests, limits, dates, money.
#pragma once

#include <string>
#include <vector>

#include "base/app/discovery.hpp"

namespace svc::app {

struct Introduced {
    std::string anchor, title, text;  // `text` is HTML
};
std::vector<Introduced> docs_introduction(const About& about);

}  // namespace svc::app
