// How long one transaction of many rows lasts.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>

#include "shared/store/behind.hpp"

namespace svc::import_export {

inline constexpr std::size_t most_rows_a_step = 500, least_rows_a_step = 25;

// Ends a transaction of many rows after 40 ms, which is what writers of other processes may wait for, or
// after ten rows once a writer of this process waits. Alone on the site, a step is up to 500 rows.
class Pace {
  public:
    explicit Pace(const store::Transaction& tx) : tx_(tx) {}
    // After each row. True: commit, and go on in the next transaction.
    [[nodiscard]] bool is_over_after(std::size_t rows) const {
        return (rows >= least_rows && store::others_wait(tx_)) || std::chrono::steady_clock::now() - began_ > longest;
    }
    // How many rows the next step reads ahead, when this one read `read` and took `taken` of them.
    static std::size_t next_rows(std::size_t read, std::size_t taken) {
        return taken < read ? std::max(least_rows_a_step, taken * 2)
                            : std::min(most_rows_a_step, std::max(read, taken) * 2);
    }

  private:
    static constexpr std::size_t least_rows = 10;
    static constexpr auto longest = std::chrono::milliseconds(40);
    const store::Transaction& tx_;
    const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

}  // namespace svc::import_export
