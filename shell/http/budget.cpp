// Shares by an atomic count, bodies by a list of those that wait.
#include "shell/http/budget.hpp"

namespace svc::http {

ByteBudget::Share& ByteBudget::Share::operator=(Share&& other) noexcept {
    if (this != &other) {
        set(0);
        budget_ = std::exchange(other.budget_, nullptr);
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
    const auto more = bytes - bytes_;
    if (budget_->used_.fetch_add(more, std::memory_order_relaxed) + more > most) {
        budget_->used_.fetch_sub(more, std::memory_order_relaxed);
        return false;
    }
    bytes_ = bytes;
    return true;
}

void ByteBudget::Share::set(std::size_t bytes) {
    if (!budget_ || bytes == bytes_)
        return;
    if (bytes > bytes_)
        budget_->used_.fetch_add(bytes - bytes_, std::memory_order_relaxed);
    else
        budget_->used_.fetch_sub(bytes_ - bytes, std::memory_order_relaxed);
    bytes_ = bytes;
}

ByteBudget::BodyHold::BodyHold(ByteBudget& budget, std::shared_ptr<const std::string> body) : body_(std::move(body)) {
    const std::lock_guard lock(budget.mutex_);
    if (++budget.bodies_[body_.get()] == 1)
        budget.used_.fetch_add(body_->size(), std::memory_order_relaxed);
    budget_ = &budget;
}

ByteBudget::BodyHold& ByteBudget::BodyHold::operator=(BodyHold&& other) noexcept {
    if (this != &other) {
        end();
        budget_ = std::exchange(other.budget_, nullptr);
        body_ = std::move(other.body_);
    }
    return *this;
}

void ByteBudget::BodyHold::end() {
    if (!budget_)
        return;
    {
        const std::lock_guard lock(budget_->mutex_);
        const auto found = budget_->bodies_.find(body_.get());
        if (--found->second == 0) {
            budget_->bodies_.erase(found);
            budget_->used_.fetch_sub(body_->size(), std::memory_order_relaxed);
        }
    }
    budget_ = nullptr;
    body_.reset();
}

}  // namespace svc::http
