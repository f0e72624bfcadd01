// Thread-local objects that code further down the call finds.
#pragma once

#include <stdexcept>
#include <utility>

namespace svc::store {

// For a T that derives from it: the object is its thread's current T during its lifetime. Constructing a second one
// throws std::logic_error.
template <class T>
class OnePerThread {
  public:
    OnePerThread(const OnePerThread&) = delete;
    OnePerThread& operator=(const OnePerThread&) = delete;

    // During its lifetime the thread has no current T.
    class Not {
      public:
        Not() noexcept : saved_(std::exchange(current_, nullptr)) {}
        ~Not() { current_ = saved_; }
        Not(const Not&) = delete;
        Not& operator=(const Not&) = delete;

      private:
        T* const saved_;
    };

  protected:
    OnePerThread() {
        if (current_)
            throw std::logic_error("a thread has one such object at a time");
        current_ = static_cast<T*>(this);
    }
    ~OnePerThread() { current_ = nullptr; }
    static T* current() noexcept { return current_; }  // null: none

  private:
    inline static thread_local T* current_ = nullptr;
};

}  // namespace svc::store
