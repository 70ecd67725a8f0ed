#include <librdkafka/rdkafka.h>

// librdkafka's producing function takes any number of arguments, which Swift cannot call.

/* Copies key and value; owns the headers when it gives no error. */
static inline rd_kafka_resp_err_t tally_kafka_produce(rd_kafka_t *client, rd_kafka_topic_t *topic, const void *key,
                                                      size_t key_size, const void *value, size_t value_size,
                                                      rd_kafka_headers_t *headers, void *tag) {
  return rd_kafka_producev(client, RD_KAFKA_V_RKT(topic), RD_KAFKA_V_PARTITION(RD_KAFKA_PARTITION_UA),
                           RD_KAFKA_V_KEY(key, key_size), RD_KAFKA_V_VALUE((void *)value, value_size),
                           RD_KAFKA_V_MSGFLAGS(RD_KAFKA_MSG_F_COPY), RD_KAFKA_V_HEADERS(headers),
                           RD_KAFKA_V_OPAQUE(tag), RD_KAFKA_V_END);
}

/* The bits of RD_KAFKA_EVENT_..., which Swift does not see as numbers of this width. */
static const int tally_kafka_producer_events = RD_KAFKA_EVENT_DR | RD_KAFKA_EVENT_ERROR | RD_KAFKA_EVENT_LOG;
