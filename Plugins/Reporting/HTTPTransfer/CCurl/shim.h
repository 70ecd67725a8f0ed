#include <curl/curl.h>
#include <string.h>

// libcurl's setters take any number of arguments, which Swift cannot call.

static inline CURLcode tally_curl_set_long(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode tally_curl_set_size(CURL *handle, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode tally_curl_set_pointer(CURL *handle, CURLoption option, const void *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode tally_curl_get_long(CURL *handle, CURLINFO info, long *value) {
  return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode tally_curl_get_size(CURL *handle, CURLINFO info, curl_off_t *value) {
  return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode tally_curl_get_pointer(CURL *handle, CURLINFO info, void **value) {
  return curl_easy_getinfo(handle, info, (char **)value);
}

static inline CURLMcode tally_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

static size_t tally_curl_discard(char *bytes, size_t size, size_t count, void *context) {
  (void)bytes, (void)context;
  return size * count;
}

/* Where what the server answers in the body is of no use: no vendor's answer changes what is sent. */
static inline CURLcode tally_curl_discard_answer(CURL *handle) {
  return curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, tally_curl_discard);
}

/* The first bytes of an answer's body, as many as there is room for. */
typedef struct tally_answer {
  size_t room;
  size_t count;
  unsigned char *bytes;
} tally_answer;

static size_t tally_curl_keep(char *bytes, size_t size, size_t count, void *context) {
  tally_answer *answer = context;
  size_t length = size * count;
  size_t left = answer->room - answer->count;
  size_t kept = length < left ? length : left;
  memcpy(answer->bytes + answer->count, bytes, kept);
  answer->count += kept;
  return length;
}

/* Keeps what the server answers; the answer has to live as long as the request. */
static inline CURLcode tally_curl_keep_answer(CURL *handle, tally_answer *answer) {
  CURLcode code = curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, tally_curl_keep);
  return code == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_WRITEDATA, answer) : code;
}

static inline CURL *tally_curl_message_handle(const CURLMsg *message) { return message->easy_handle; }
static inline CURLcode tally_curl_message_result(const CURLMsg *message) { return message->data.result; }
