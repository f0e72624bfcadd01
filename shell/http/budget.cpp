// Shares by atomic counts, bodies by lists of those that wait.
#include "shell/http/budget.hpp"

namespace svc::http {

std::shared_ptr<ByteBudget::Account> ByteBudget::account(const std::string& network) {
    if (network.empty())
        return nullptr;
    const std::lock_guard lock(mutex_);
    auto& known = accounts_[network];
    if (auto account = known.lock())
        return account;
    const auto end = [this, network](const Account* account) {
        const std::lock_guard ending(mutex_);
        if (const auto found = accounts_.find(network); found != accounts_.end() && found->second.expired())
            accounts_.erase(found);  // unless another one was added meanwhile
        delete account;
    };
    auto account = std::shared_ptr<Account>(new Account, end);
    known = account;
    return account;
}

ByteBudget::Share& ByteBudget::Share::operator=(Share&& other) noexcept {
    if (this != &other) {
        set(0);
        budget_ = std::exchange(other.budget_, nullptr);
        account_ = std::move(other.account_);
        bytes_ = std::exchange(other.bytes_, 0);
    }
    return *this;
}

bool ByteBudget::Share::resize(std::size_t bytes) {
    if (bytes <= bytes_ || !budget_) {
        set(bytes);
        return true;
    }
    const auto most = bytes > small_share ? budget_->most_ / 4 * 3 : budget_->most_;
    const auto before = bytes_;
    set(bytes);
    if (budget_->used() <= most && !budget_->is_full_for(account_.get()))
        return true;
    set(before);
    return false;
}

void ByteBudget::Share::set(std::size_t bytes) {
    if (!budget_ || bytes == bytes_)
        return;
    // A decrease wraps around as intended.
    budget_->used_.fetch_add(bytes - bytes_, std::memory_order_relaxed);
    if (account_)
        account_->used_.fetch_add(bytes - bytes_, std::memory_order_relaxed);
    bytes_ = bytes;
}

ByteBudget::BodyHold::BodyHold(ByteBudget& budget, std::shared_ptr<const std::string> body,
                               std::shared_ptr<Account> account)
    : account_(std::move(account)), body_(std::move(body)) {
    const std::lock_guard lock(budget.mutex_);
    const auto count = [&](auto& of) {
        if (++of.bodies_[body_.get()] == 1)
            of.used_.fetch_add(body_->size(), std::memory_order_relaxed);
    };
    count(budget);
    if (account_)
        count(*account_);
    budget_ = &budget;
}

ByteBudget::BodyHold& ByteBudget::BodyHold::operator=(BodyHold&& other) noexcept {
    if (this != &other) {
        end();
        budget_ = std::exchange(other.budget_, nullptr);
        account_ = std::move(other.account_);
        body_ = std::move(other.body_);
    }
    return *this;
}

void ByteBudget::BodyHold::end() {
    if (!budget_)
        return;
    {
        const std::lock_guard lock(budget_->mutex_);
        const auto cancel_charge = [&](auto& of) {
            const auto found = of.bodies_.find(body_.get());
            if (--found->second == 0) {
                of.bodies_.erase(found);
                of.used_.fetch_sub(body_->size(), std::memory_order_relaxed);
            }
        };
        cancel_charge(*budget_);
        if (account_)
            cancel_charge(*account_);
    }
    budget_ = nullptr;
    body_.reset();
    account_.reset();  // outside the lock, which the end of an account takes
}

}  // namespace svc::http
