#include <microhttpd.h>
#include <netinet/in.h>
#include <sys/socket.h>

// What takes any number of arguments, which Swift cannot call.

// One thread of its own answers on the socket; idle connections end after so many seconds.
static inline struct MHD_Daemon *tally_http_begin(
    int socket, unsigned connections, unsigned seconds, MHD_AccessHandlerCallback answer,
    MHD_RequestCompletedCallback completed, void *context) {
  return MHD_start_daemon(
      MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, answer, context,
      MHD_OPTION_LISTEN_SOCKET, socket, MHD_OPTION_CONNECTION_LIMIT, connections, MHD_OPTION_CONNECTION_TIMEOUT, seconds,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)32768, MHD_OPTION_NOTIFY_COMPLETED, completed, context,
      MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_END);
}

// So many threads answer on the socket, each with its own connections, by TLS when there are a key and a certificate.
static inline struct MHD_Daemon *tally_http_begin_pool(
    int socket, unsigned threads, unsigned connections, unsigned seconds, const char *key, const char *certificate,
    MHD_AccessHandlerCallback answer, MHD_RequestCompletedCallback completed, void *context) {
  unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | (key ? MHD_USE_TLS : 0);
  struct MHD_OptionItem tls[] = {{key ? MHD_OPTION_HTTPS_MEM_KEY : MHD_OPTION_END, 0, (void *)key},
                                 {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)certificate},
                                 {MHD_OPTION_END, 0, NULL}};
  return MHD_start_daemon(
      flags, 0, NULL, NULL, answer, context, MHD_OPTION_LISTEN_SOCKET, socket, MHD_OPTION_THREAD_POOL_SIZE, threads,
      MHD_OPTION_CONNECTION_LIMIT, connections, MHD_OPTION_CONNECTION_TIMEOUT, seconds,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)16384, MHD_OPTION_CONNECTION_MEMORY_INCREMENT, (size_t)1024,
      MHD_OPTION_NOTIFY_COMPLETED, completed, context, MHD_OPTION_ARRAY, tls, MHD_OPTION_END);
}

// How many connections there are.
static inline unsigned tally_http_connections(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_CURRENT_CONNECTIONS);
  return info ? info->num_connections : 0;
}

// The address of the other end: of an IPv4 address 4 bytes, of an IPv6 address 16, of any other none.
static inline size_t tally_http_peer(struct MHD_Connection *connection, unsigned char *bytes) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  if (!info || !info->client_addr) return 0;
  if (info->client_addr->sa_family == AF_INET) {
    __builtin_memcpy(bytes, &((struct sockaddr_in *)info->client_addr)->sin_addr, 4);
    return 4;
  }
  if (info->client_addr->sa_family != AF_INET6) return 0;
  __builtin_memcpy(bytes, &((struct sockaddr_in6 *)info->client_addr)->sin6_addr, 16);
  return 16;
}

static inline int tally_http_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}

// Enumerations of it come to Swift under names that depend on the version.

static const enum MHD_Result tally_http_yes = MHD_YES;
static const enum MHD_Result tally_http_no = MHD_NO;

static inline const char *tally_http_header(struct MHD_Connection *connection, const char *name) {
  return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

static inline const char *tally_http_argument(struct MHD_Connection *connection, const char *name) {
  return MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, name);
}

static inline const char *tally_http_cookie(struct MHD_Connection *connection, const char *name) {
  return MHD_lookup_connection_value(connection, MHD_COOKIE_KIND, name);
}

// A response of bytes that are copied.
static inline struct MHD_Response *tally_http_response(const void *bytes, size_t count) {
  return MHD_create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}

static inline _Bool tally_http_is_timeout(enum MHD_RequestTerminationCode reason) {
  return reason == MHD_REQUEST_TERMINATED_TIMEOUT_REACHED;
}
