// Countries as people write them.
#include "shared/core/country.hpp"

#include <doctest/doctest.h>

using namespace svc;

TEST_CASE("a country is known by its codes and by its English name, in any case") {
    for (const char* nepal : {"NP", "np", "NPL", "Nepal", "nepal", " NEPAL "})
        CHECK(country_code(nepal) == "NP");
    CHECK(country_code("United States") == "US");
    CHECK(country_code("USA") == "US");
    CHECK(country_code("united states of america") == "US");
    CHECK(country_code("United Kingdom") == "GB");
    CHECK(country_code("UK") == "GB");
    CHECK(country_code("Türkiye") == "TR");
    CHECK(country_code("Turkey") == "TR");
    CHECK(country_code("Bosnia and Herzegovina") == "BA");
    CHECK(country_code("Bosnia & Herzegovina") == "BA");
    CHECK(country_code("Côte d’Ivoire") == "CI");
}

TEST_CASE("a country's code is told by its English name, and anything else as it is") {
    CHECK(country_name("GB") == "United Kingdom");
    CHECK(country_name("eg") == "Egypt");
    for (const char* same : {"", "Egypt", "XX", "Atlantis", "GBR"})
        CHECK(country_name(same) == same);
}

TEST_CASE("what is no country has no code") {
    for (const char* none : {"", " ", "XX", "Atlantis", "N", "NEP", "Nepa", "\xFF"})
        CHECK(country_code(none).empty());
}
