// Remembers servers that have stopped answering, so that waiting for one never takes every thread (promise R17).
#pragma once

#include <map>
#include <mutex>
#include <string>

namespace svc::outbound {

// Counts, by target, the requests under way and those in a row that got no answer. Any thread.
class Partners {
  public:
    // So many in a row without an answer, and a target is silent until its next answer.
    static constexpr int silent_after = 3;
    // Of a silent one so many requests wait at a time: they notice when it is back. More are refused at once.
    static constexpr int most_waiting = 2;

    // One request, from before it is sent. Without set_answered() or unanswered() it does not count.
    class Turn {
      public:
        Turn(Partners& partners, std::string target);
        ~Turn();
        Turn(const Turn&) = delete;
        Turn& operator=(const Turn&) = delete;
        // False: the target is silent, and as many as may are waiting for it already.
        [[nodiscard]] bool limit_inquiries() const { return may_ask_; }
        void set_answered();
        void unanswered();

      private:
        Partners& partners_;
        const std::string target_;
        bool may_ask_;
    };

  private:
    struct Known {
        int waiting = 0;
        int unanswered = 0;  // in a row, at most silent_after
    };

    bool enter(const std::string& target);
    void leave(const std::string& target);
    void set_unanswered(const std::string& target, bool more);

    std::mutex mutex_;
    std::map<std::string, Known> known_;  // those that are waited for, or are not known to answer
};

}  // namespace svc::outbound
