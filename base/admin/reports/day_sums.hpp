// Adds up rows by day, word and trip, for the statements of this folder. SQLite would sort rows to group them, which
// costs more than reading them, so it returns rows of one; PostgreSQL adds up by itself and returns fewer.
#pragma once

#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

#include "shared/core/date.hpp"

namespace svc::reports {

class DaySums {
  public:
    struct Sum {
        Date day;
        std::int64_t word = 0, trip_id = 0, count = 0, amount = 0, more = 0;
    };
    void add(Date day, const std::string& word, std::int64_t trip_id, std::int64_t count, std::int64_t amount,
             std::int64_t more = 0) {
        Sum& sum = at(day, place_of(word), trip_id);
        sum.count += count;
        sum.amount += amount;
        sum.more += more;
    }
    // By day, word and trip.
    template <class Make>
    auto sorted(const Make& make) {
        std::sort(sums_.begin(), sums_.end(), [&](const Sum& a, const Sum& b) {
            if (a.day != b.day)
                return a.day < b.day;
            if (a.word != b.word)
                return word_of(a) < word_of(b);
            return a.trip_id < b.trip_id;
        });
        std::vector<decltype(make(sums_.front(), words_.front()))> all;
        all.reserve(sums_.size());
        for (const Sum& sum : sums_)
            all.push_back(make(sum, word_of(sum)));
        return all;
    }

  private:
    struct Hash {
        std::size_t operator()(const std::pair<std::int64_t, std::int64_t>& key) const {
            return static_cast<std::size_t>(static_cast<std::uint64_t>(key.first) * 0x9E3779B97F4A7C15U ^
                                            static_cast<std::uint64_t>(key.second) * 0xC2B2AE3D27D4EB4FU);
        }
    };
    [[nodiscard]] const std::string& word_of(const Sum& sum) const {
        return words_[static_cast<std::size_t>(sum.word)];
    }
    std::int64_t place_of(const std::string& word) {
        const auto found = std::find(words_.begin(), words_.end(), word);  // statuses or gateways: few
        const auto place = found - words_.begin();
        if (found == words_.end())
            words_.push_back(word);
        return place;
    }
    Sum& at(Date day, std::int64_t word, std::int64_t trip_id) {
        const auto [place, is_new] =
            places_.try_emplace({static_cast<std::int64_t>(day.days()) << 20 | word, trip_id}, sums_.size());
        if (is_new)
            sums_.push_back({day, word, trip_id});
        return sums_[place->second];
    }
    std::vector<std::string> words_;
    std::vector<Sum> sums_;
    std::unordered_map<std::pair<std::int64_t, std::int64_t>, std::size_t, Hash> places_;
};

}  // namespace svc::reports
