// A bound for the memory of requests being read and answers not yet taken, all connections together.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>

namespace svc::http {

// Any thread. Shares and holds must end before it.
class ByteBudget {
  public:
    explicit ByteBudget(std::size_t most) : most_(most) {}

    // The bytes of one network's clients. Owned by shares and holds: a request may outlive its connection.
    class Account {
        friend class ByteBudget;
        std::atomic<std::size_t> used_{0};
        std::unordered_map<const std::string*, std::size_t> bodies_;  // under the budget's mutex
    };
    // The one of that network while anybody has it; null for an empty name: those clients are bounded all together.
    [[nodiscard]] std::shared_ptr<Account> account(const std::string& network);

    // Bytes that belong to one request or connection, given back at its end. One thread at a time.
    class Share {
      public:
        Share() = default;
        explicit Share(ByteBudget& budget, std::shared_ptr<Account> account = {})
            : budget_(&budget), account_(std::move(account)) {}
        Share(Share&& other) noexcept
            : budget_(std::exchange(other.budget_, nullptr)),
              account_(std::move(other.account_)),
              bytes_(std::exchange(other.bytes_, 0)) {}
        Share& operator=(Share&& other) noexcept;
        ~Share() { set(0); }

        // Resizes the share. False, leaving it unchanged, when it would exceed the limit or its network's. Why: shares
        // over small_share may not use the last quarter, so that any number of large requests leaves room for small
        // ones.
        [[nodiscard]] bool resize(std::size_t bytes);
        // The same for bytes that exist already: never refused.
        void set(std::size_t bytes);

      private:
        ByteBudget* budget_ = nullptr;
        std::shared_ptr<Account> account_;
        std::size_t bytes_ = 0;
    };

    // A body that waits to be sent. A body that several connections wait for exists once and counts once, and once for
    // each network.
    class BodyHold {
      public:
        BodyHold() = default;
        BodyHold(ByteBudget& budget, std::shared_ptr<const std::string> body, std::shared_ptr<Account> account = {});
        BodyHold(BodyHold&& other) noexcept
            : budget_(std::exchange(other.budget_, nullptr)),
              account_(std::move(other.account_)),
              body_(std::move(other.body_)) {}
        BodyHold& operator=(BodyHold&& other) noexcept;
        ~BodyHold() { end(); }
        [[nodiscard]] bool holds() const { return budget_ != nullptr; }

      private:
        void end();
        ByteBudget* budget_ = nullptr;
        std::shared_ptr<Account> account_;
        std::shared_ptr<const std::string> body_;
    };

    // Whether a large share of that network would find room for so many bytes more.
    [[nodiscard]] bool has_room_for(std::size_t bytes, const Account* account = nullptr) const {
        return used() + bytes <= most_ / 4 * 3 && (used() + bytes <= most_ / 2 || !is_over_share(account, bytes));
    }
    [[nodiscard]] bool is_full() const { return used() >= most_; }
    // Whether that network gets no more: everything is in use, or more than half, of which it has more than its share.
    [[nodiscard]] bool is_full_for(const Account* account) const {
        return is_full() || (is_pressed() && is_over_share(account));
    }
    [[nodiscard]] bool is_pressed() const { return used() > most_ / 2; }
    // Whether its clients that make no progress are closed soon: more than half is in use, and it has more than its
    // share or hardly anything is left. Without an account: more than half is in use.
    [[nodiscard]] bool is_pressed_for(const Account* account) const {
        return is_pressed() && (!account || is_over_share(account) || used() > most_ / 4 * 3);
    }
    [[nodiscard]] std::size_t used() const { return used_.load(std::memory_order_relaxed); }

    static constexpr std::size_t small_share = 16 * 1024;

  private:
    [[nodiscard]] bool is_over_share(const Account* account, std::size_t more = 0) const {
        return account && account->used_.load(std::memory_order_relaxed) + more > most_ / 8;
    }
    const std::size_t most_;
    std::atomic<std::size_t> used_{0};
    std::mutex mutex_;
    std::unordered_map<std::string, std::weak_ptr<Account>> accounts_;
    std::unordered_map<const std::string*, std::size_t> bodies_;  // how many holds each has
};

}  // namespace svc::http
