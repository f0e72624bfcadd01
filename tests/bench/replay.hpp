// Shared by both replayers of the bench: the script that statements.py writes. A line is a statement in its place:
//
//   SQL ARGUMENT...   SQL and texts in hex; i1 t4142 n d0.5 as they were; v1 an integer and u4142 a text that are
//                     others in each flow; r2 the row that the flow's INSERT number 2 made
#pragma once

#include <charconv>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "tests/bench/bare.hpp"

namespace svc::bench {

struct Argument {
    char kind = 'n';
    std::int64_t number = 0;
    double real = 0;
    std::string text = {};
};

struct Written {
    std::string sql;
    std::vector<Argument> arguments = {};
};

inline std::string from_hex(std::string_view digits) {
    std::string text;
    for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
        unsigned value = 0;
        std::from_chars(digits.data() + i, digits.data() + i + 2, value, 16);
        text += static_cast<char>(value);
    }
    return text;
}

inline std::vector<Written> read_script(const std::string& file) {
    std::ifstream lines(file);
    if (!lines)
        throw std::runtime_error("no script " + file);
    std::vector<Written> all;
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        Written one;
        words >> one.sql;
        one.sql = from_hex(one.sql);
        for (std::string word; words >> word;) {
            Argument argument{.kind = word[0]};
            if (word[0] == 't' || word[0] == 'u')
                argument.text = from_hex(std::string_view(word).substr(1));
            else if (word[0] == 'd')
                argument.real = std::stod(word.substr(1));
            else if (word[0] != 'n')
                argument.number = std::stoll(word.substr(1));
            one.arguments.push_back(std::move(argument));
        }
        all.push_back(std::move(one));
    }
    return all;
}

// As long as it was, and for each flow another: its last digits or letters count, and what closes it stays.
inline std::string other(std::string text, std::int64_t number) {
    const std::string digits = std::to_string(number);
    std::size_t end = text.size();
    while (end > 0 && !std::isalnum(static_cast<unsigned char>(text[end - 1])))
        --end;
    const std::size_t size = std::min(end, digits.size());
    return text.replace(end - size, size, digits.substr(digits.size() - size));
}

// The main of both programs: `PROGRAM PLACE SCRIPT COUNT` on one connection. Returns the program's exit code.
template <class Replay>
int replayed(const char* program, int count, char** values) {
    try {
        if (count != 4)
            throw std::invalid_argument(std::string(program) + " PLACE SCRIPT COUNT");
        Replay replay(values[1], values[2]);
        measure(program, "one connection", 1, whole_number(values[3]), [&](int, int share, std::vector<double>& times) {
            for (int i = 0; i < share; ++i)
                times.push_back(timed([&] { replay.flow(10'000'000 + i); }));
        });
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}

}  // namespace svc::bench
