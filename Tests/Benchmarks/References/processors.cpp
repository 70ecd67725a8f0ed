// What two processors of this machine are to each other at the moment: where it is a virtual one, that changes.
//
// usage: processors
// Prints two figures, as `name value unit`: how long a cache line takes from one to the other and back, which is several
// times as long when they share no cache; and how much longer a busy loop takes on both at once than on one, which is 1
// unless they are two halves of one, or somebody else has one of them. Takes some 15 ms.
#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <thread>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

std::vector<int> allowed() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<int> found;
  if (sched_getaffinity(0, sizeof set, &set) == 0) {
    for (int number = 0; number < CPU_SETSIZE; number++) {
      if (CPU_ISSET(number, &set)) found.push_back(number);
    }
  }
  return found;
}

void stay_on(int processor) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(processor, &set);
  pthread_setaffinity_np(pthread_self(), sizeof set, &set);
}

template <typename Body> double nanoseconds(Body body) {
  auto begin = Clock::now();
  body();
  return std::chrono::duration<double, std::nano>(Clock::now() - begin).count();
}

// Two threads hand a number to and fro.
double way(int first, int second) {
  constexpr int turns = 4000;
  alignas(128) static std::atomic<int> number;
  number = 0;
  auto play = [](int processor, int side) {
    stay_on(processor);
    for (int turn = 0; turn < turns; turn++) {
      int mine = 2 * turn + side;
      while (number.load(std::memory_order_acquire) != mine) {
      }
      number.store(mine + 1, std::memory_order_release);
    }
  };
  return nanoseconds([&] {
           std::thread one(play, first, 0), other(play, second, 1);
           one.join();
           other.join();
         }) /
         turns;
}

// Several sums that do not wait for each other, so that half a processor takes longer.
void be_busy(int processor) {
  stay_on(processor);
  std::uint64_t a = 1, b = 3, c = 5, d = 7;
  for (int turn = 0; turn < 2'000'000; turn++) {
    a = a * 6364136223846793005u + 1;
    b ^= b << 13;
    b ^= b >> 7;
    c += a ^ b;
    d = d * 31 + c;
  }
  volatile std::uint64_t result = d;
  (void)result;
}

double together(int first, int second) {
  double alone = nanoseconds([&] { std::thread(be_busy, first).join(); });
  double both = nanoseconds([&] {
    std::thread one(be_busy, first), other(be_busy, second);
    one.join();
    other.join();
  });
  return both / alone;
}

template <typename Measure> double least(int tries, Measure measure) {
  double found = measure();
  for (int more = 1; more < tries; more++) found = std::min(found, measure());
  return found;
}

} // namespace

int main() {
  auto processors = allowed();
  if (processors.size() < 2) {
    std::fprintf(stderr, "processors: two processors are needed, %zu can be used\n", processors.size());
    return 69;
  }
  int first = processors[0], second = processors[1];
  std::printf("processors/way %.0f ns\n", least(3, [&] { return way(first, second); }));
  std::printf("processors/together %.3f x\n", least(2, [&] { return together(first, second); }));
  return 0;
}
