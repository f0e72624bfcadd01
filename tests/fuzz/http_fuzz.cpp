// Requests from outside: bytes that come at once and bytes that come in pieces are understood alike.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "shell/http/gate.hpp"
#include "shell/http/parser.hpp"

namespace {

using svc::http::Gate;

Gate::Verdict in_pieces(std::string_view bytes, std::size_t step) {
    const svc::http::Limits limits;
    Gate gate(limits);
    Gate::Verdict verdict;
    for (std::size_t seen = step; verdict.head == 0 && verdict.refusal == 0; seen += step) {
        verdict = gate.scan(bytes.substr(0, seen));
        if (seen >= bytes.size())
            break;
    }
    return verdict;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2)
        return 0;
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    const auto whole = in_pieces(bytes, bytes.size()), pieces = in_pieces(bytes, data[0] % 16U + 1U);
    if (whole.head != pieces.head || (whole.refusal == 0) != (pieces.refusal == 0))
        std::abort();
    if (whole.refusal != 0 || whole.head == 0)
        return 0;
    svc::http::Parser parser;
    svc::http::RequestHead head;
    if (parser.begin(bytes.substr(0, whole.head), head) != 0)
        return 0;
    std::string body;
    constexpr std::size_t limit = 1024;
    for (auto rest = bytes.substr(whole.head); !parser.done();) {
        const auto step = parser.body(rest, body, limit);
        if (body.size() > limit)
            std::abort();
        if (step.refusal != 0 || step.used == 0)
            break;
        rest.remove_prefix(std::min(step.used, rest.size()));
    }
    for (const auto& [name, value] : head.headers)
        if (svc::http::breaks_line(name) || svc::http::breaks_line(value))
            std::abort();
    return 0;
}
