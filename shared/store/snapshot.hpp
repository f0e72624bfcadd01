// Several reads of one state of the database.
#pragma once

#include <stdexcept>

#include "shared/store/store.hpp"

namespace svc::store {

// A session of Store::read() that can show one state to the end of its work.
class Snapshots {
  public:
    virtual void hold_snapshot() = 0;

  protected:
    ~Snapshots() = default;
};

// From here to the end of the work given to Store::read(), its statements show the database as the first of them found
// it, whatever others commit meanwhile: figures of several statements agree. Writers do not wait for it. For reads of
// seconds at most, since the database keeps what it shows. Throws Unavailable, and
// std::logic_error in a transaction and for a session lent to a plugin.
inline void hold_snapshot(Session& session) {
    auto* reading = dynamic_cast<Snapshots*>(&session);
    if (!reading)
        throw std::logic_error("only a session that reads can hold a snapshot");
    reading->hold_snapshot();
}

// A store whose reads on one thread can all be of one session for a while.
class OneState {
  public:
    virtual void in_one_state(const std::function<void()>& work) = 0;

  protected:
    ~OneState() = default;
};

// Runs `work`, in which every Store::read() of this thread shows the database as the first of them found it: pages of a
// list follow one another without a row lost or doubled. As hold_snapshot() otherwise. A store that cannot runs it as
// it is.
inline void read_one_state(Store& store, const std::function<void()>& work) {
    if (auto* one = dynamic_cast<OneState*>(&store))
        one->in_one_state(work);
    else
        work();
}

}  // namespace svc::store
