// How many small requests a second a bare loop over libcurl's multi interface sends: what the reporter http is compared
// with. It does nothing else: no spool, no copies, no retries, and each handle is set up once.
//
// usage: curl_multi URL [REQUESTS [CONNECTIONS]]
// Prints `name value unit`: requests a second as time passes, and a second of processor time.
#include <curl/curl.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

const std::string body(180, 'b');

double wall() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

double processor() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  auto seconds = [](timeval time) { return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6; };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

std::size_t discard(char *, std::size_t size, std::size_t count, void *) { return size * count; }

}  // namespace

int main(int count, char **arguments) {
  if (count < 2) {
    std::fprintf(stderr, "usage: curl_multi URL [REQUESTS [CONNECTIONS]]\n");
    return 64;
  }
  long requests = count > 2 ? std::atol(arguments[2]) : 20000;
  long connections = count > 3 ? std::atol(arguments[3]) : 4;
  curl_global_init(CURL_GLOBAL_ALL);
  CURLM *multi = curl_multi_init();
  curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, 64L);
  curl_slist *headers = curl_slist_append(nullptr, "Expect:");
  headers = curl_slist_append(headers, "Content-Type: application/json");
  double begin = wall(), busy = processor();
  long started = 0, done = 0, failed = 0;
  for (long i = 0; i < connections && started < requests; i++, started++) {
    CURL *easy = curl_easy_init();
    curl_easy_setopt(easy, CURLOPT_URL, arguments[1]);
    curl_easy_setopt(easy, CURLOPT_POST, 1L);
    curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
    curl_easy_setopt(easy, CURLOPT_POSTFIELDS, body.data());
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, 30000L);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, discard);
    curl_multi_add_handle(multi, easy);
  }
  while (done < requests) {
    int running = 0, left = 0;
    curl_multi_perform(multi, &running);
    while (CURLMsg *message = curl_multi_info_read(multi, &left)) {
      if (message->msg != CURLMSG_DONE) continue;
      CURL *easy = message->easy_handle;
      long status = 0;
      curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
      if (message->data.result != CURLE_OK || status < 200 || status >= 300) failed++;
      done++;
      curl_multi_remove_handle(multi, easy);
      if (started < requests) {
        started++;
        curl_multi_add_handle(multi, easy);
      } else {
        curl_easy_cleanup(easy);
      }
    }
    if (done < requests) curl_multi_poll(multi, nullptr, 0, 1000, nullptr);
  }
  double passed = wall() - begin, spent = processor() - busy;
  curl_slist_free_all(headers);
  curl_multi_cleanup(multi);
  if (failed > 0) {
    std::fprintf(stderr, "curl_multi: %ld of %ld requests failed\n", failed, requests);
    return 70;
  }
  std::printf("curl/%ld/beacons %.3f beacons/s requests=%ld\n", connections, static_cast<double>(requests) / passed,
              requests);
  std::printf("curl/%ld/processor %.3f us/beacon\n", connections, spent * 1e6 / static_cast<double>(requests));
  return 0;
}
