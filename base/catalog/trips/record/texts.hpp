// Data derived from the texts of trips: the files they mention by address, and the sort order of titles.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shared/core/result.hpp"
#include "shared/json/value.hpp"
#include "shared/store/store.hpp"

namespace svc::catalog::trips {

// "https://example.org/svc/v1/media/7/file": the part before /media/, and the id.
struct Mention {
    std::string root;
    std::int64_t media_id = 0;
    friend auto operator<=>(const Mention&, const Mention&) = default;
};
// Each once, in HTML, in JSON, or where the text is an address.
std::vector<Mention> mentions_in(std::string_view text);

// Updates the files mentioned in a trip's texts: required in each transaction that writes one. Until it ends, no
// mentioned file is deleted.
void read_mentions(store::Transaction& tx, std::int64_t trip_id);

// The job derives both again for these trips, which an import wrote; also the words that searches find.
void read_texts_again(store::Transaction& tx, std::span<const std::int64_t> trip_ids);

// Derives both for trips that an older release wrote; 10,000 per call.
Result<json::Value> run_texts(store::Store& store);

}  // namespace svc::catalog::trips
