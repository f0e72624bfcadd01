// A process that dies behind a commit: nothing of it reaches the database any more.
#pragma once

#include <atomic>
#include <stdexcept>

#include "tests/support/faulty_store.hpp"

namespace svc::tests {

struct Died : std::runtime_error {
    Died() : std::runtime_error("the process died") {}
};

class Mortal final : public Watcher {
  public:
    // Behind the k-th commit from now on, counted from 1.
    void die_behind(int k) {
        left_ = k;
        dead_ = false;
    }
    void live() { die_behind(0); }

    void begins(bool) override {
        if (dead_)
            throw Died();
    }
    void begun(store::Transaction&) override {}
    void statement(std::string_view) override {}
    void stepped() override {}
    std::exception_ptr commits() override {
        if (left_ == 0 || --left_ > 0)
            return nullptr;
        dead_ = true;
        return std::make_exception_ptr(Died());
    }
    void ended(bool) override {}

  private:
    std::atomic<int> left_ = 0;
    std::atomic<bool> dead_ = false;
};

}  // namespace svc::tests
