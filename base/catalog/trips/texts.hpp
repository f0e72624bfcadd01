// What is kept of the texts of trips beside them: which files they name by their addresses, and the order of titles.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "shared/core/result.hpp"
#include "shared/json/value.hpp"
#include "shared/store/store.hpp"

namespace svc::catalog::trips {

// "https://example.org/svc/v1/media/7/file": what stands before /media/, and the number.
struct Mention {
    std::string root;
    std::int64_t media_id = 0;
    friend auto operator<=>(const Mention&, const Mention&) = default;
};
// Each once, in HTML, in JSON, or where the text is an address.
std::vector<Mention> mentions_in(std::string_view text);

// Reads anew what the texts of a trip name: due in each transaction that writes one. Until it ends, no file that they
// name is deleted.
void read_mentions(store::Transaction& tx, std::int64_t trip_id);

// Makes both anew for trips that were written last before a release that keeps them; 10,000 at a turn.
Result<json::Value> run_texts(store::Store& store);

}  // namespace svc::catalog::trips
