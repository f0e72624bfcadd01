// The one thing of its kind that a thread has at hand.
#pragma once

#include <stdexcept>
#include <utility>

namespace svc::store {

// For a T that derives from it: at hand of the thread that makes it, from then to its end. A second one at a time
// throws std::logic_error.
template <class T>
class AtHand {
  public:
    AtHand(const AtHand&) = delete;
    AtHand& operator=(const AtHand&) = delete;

    // While one lives, the thread has none.
    class Not {
      public:
        Not() noexcept : kept_(std::exchange(here_, nullptr)) {}
        ~Not() { here_ = kept_; }
        Not(const Not&) = delete;
        Not& operator=(const Not&) = delete;

      private:
        T* const kept_;
    };

  protected:
    AtHand() {
        if (here_)
            throw std::logic_error("a thread has one of a kind at hand");
        here_ = static_cast<T*>(this);
    }
    ~AtHand() { here_ = nullptr; }
    static T* here() noexcept { return here_; }  // null: none

  private:
    inline static thread_local T* here_ = nullptr;
};

}  // namespace svc::store
