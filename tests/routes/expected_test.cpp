// Every route that the interface has is in tests/routes/expected_routes.txt; here it is held against what there is.
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>

#include "tests/routes/walk.hpp"

using namespace svc;
using namespace svc::tests;

namespace {

struct Group {
    std::string name;
    bool complete = false;
    std::size_t count = 0;
    std::set<std::string> routes = {};
};

struct Table {
    std::vector<Group> groups;
    std::set<std::string> grouped, ours;
};

// Parameters by their place: "GET /trips/{}".
std::string nameless(std::string route) {
    for (auto at = route.find('{'); at != std::string::npos; at = route.find('{', at + 1))
        route.erase(at + 1, route.find('}', at) - at - 1);
    return route;
}

Table read_table() {
    std::ifstream in(SVC_SOURCE_DIR "/tests/routes/expected_routes.txt");
    Table table;
    bool ours = false;
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        std::string first, second, third;
        words >> first >> second >> third;
        CAPTURE(line);
        if (first.empty() || first == "#")
            continue;
        if (first == "group") {
            Group group{.name = second, .complete = third == "complete"};
            CHECK((third == "complete" || third == "open"));
            words >> group.count;
            table.groups.push_back(group);
        } else if (first == "ours") {
            ours = true;
        } else if (ours) {
            CHECK(third == "#");
            CHECK(line.size() > line.find('#') + 15);  // a reason
            CHECK(table.ours.insert(nameless(first + " " + second)).second);
        } else {
            const auto route = nameless(first + " " + second);
            CHECK(table.grouped.insert(route).second);
            table.groups.back().routes.insert(route);
        }
    }
    return table;
}

// The discovery document's list while every module is on.
std::set<std::string> discovered(Walk& walk) {
    for (const auto& route : walk.routes())
        if (!route->module.empty())
            REQUIRE(walk.assembly->modules.toggle(route->module, true, walk.admin().user_id));
    const auto document = walk.get("/").body;
    std::set<std::string> routes;
    for (const auto& [path, entry] : document["routes"].members())
        for (const auto& method : entry["methods"].items())
            routes.insert(nameless(method.text() + " " + path));
    return routes;
}

}  // namespace

TEST_CASE("the table of the interface has 486 routes in 28 groups, each once") {
    const auto table = read_table();
    CHECK(table.groups.size() == 28);
    CHECK(table.grouped.size() == 486);
    for (const auto& group : table.groups) {
        CAPTURE(group.name);
        CHECK(group.routes.size() == group.count);
    }
}

TEST_CASE("the discovery document has every route of a complete group, and nothing that no one has accounted for") {
    on_sqlite([](Walk& walk) {
        const auto table = read_table();
        const auto there = discovered(walk);
        std::size_t found = 0;
        for (const auto& group : table.groups) {
            CAPTURE(group.name);
            for (const auto& route : group.routes) {
                CAPTURE(route);
                found += there.count(route);
                if (group.complete)
                    CHECK(there.contains(route));
            }
        }
        for (const auto& route : there) {
            CAPTURE(route);
            CHECK(table.grouped.contains(route) != table.ours.contains(route));
        }
        for (const auto& route : table.ours) {
            CAPTURE(route);
            CHECK(there.contains(route));
        }
        CHECK(found + table.ours.size() == there.size());
        std::cout << "figure: routes of the interface " << found << " of " << table.grouped.size() << ", besides them "
                  << table.ours.size() << std::endl;
    });
}
