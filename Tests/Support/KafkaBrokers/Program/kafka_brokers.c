/* librdkafka's mock cluster as a program of its own: kafka-brokers COUNT.
 *
 * The first line that it says is the brokers' addresses. Then it does what it reads, line by line, and says "ok" to each:
 *
 *   create TOPIC PARTITIONS     makes a topic
 *   down BROKER, up BROKER      a broker cuts its connections and takes none, or takes them again
 *   leader TOPIC PART BROKER    moves a partition
 *   delay MS                    answers of all brokers take so long
 *   answer REQUEST ERROR...     the next requests of a kind are answered so, one after the other
 *   well REQUEST                requests of a kind are answered as they should be
 *
 * The cluster ends its process where a broker that goes down cannot have its port again at once, as it is when another
 * thread starts a program at that moment, which has the listening socket until it is begun. So no other thread does.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <librdkafka/rdkafka.h>
#include <librdkafka/rdkafka_mock.h>

#define MOST_WORDS 64
#define MOST_BROKERS 64

/* The cluster ends its process also where a broker is set up that is not down. */
static int is_down[MOST_BROKERS + 1];

static rd_kafka_resp_err_t set_down(rd_kafka_mock_cluster_t *cluster, int broker, int down) {
  if (broker < 1 || broker > MOST_BROKERS) return RD_KAFKA_RESP_ERR__INVALID_ARG;
  if (is_down[broker] == down) return RD_KAFKA_RESP_ERR_NO_ERROR;
  is_down[broker] = down;
  return down ? rd_kafka_mock_broker_set_down(cluster, broker) : rd_kafka_mock_broker_set_up(cluster, broker);
}

static int split(char *line, char **words) {
  int count = 0;
  for (char *word = strtok(line, " \n"); word && count < MOST_WORDS; word = strtok(NULL, " \n")) words[count++] = word;
  return count;
}

static rd_kafka_resp_err_t perform(rd_kafka_mock_cluster_t *cluster, char **words, int count) {
  int numbers[MOST_WORDS] = {0};
  for (int index = 1; index < count; index++) numbers[index] = atoi(words[index]);
  const char *name = count > 0 ? words[0] : "";
  if (strcmp(name, "create") == 0 && count == 3) return rd_kafka_mock_topic_create(cluster, words[1], numbers[2], 1);
  if (strcmp(name, "down") == 0 && count == 2) return set_down(cluster, numbers[1], 1);
  if (strcmp(name, "up") == 0 && count == 2) return set_down(cluster, numbers[1], 0);
  if (strcmp(name, "leader") == 0 && count == 4)
    return rd_kafka_mock_partition_set_leader(cluster, words[1], numbers[2], numbers[3]);
  if (strcmp(name, "delay") == 0 && count == 2) return rd_kafka_mock_broker_set_rtt(cluster, -1, numbers[1]);
  if (strcmp(name, "answer") == 0 && count >= 3) {
    rd_kafka_resp_err_t errors[MOST_WORDS];
    for (int index = 2; index < count; index++) errors[index - 2] = (rd_kafka_resp_err_t)numbers[index];
    rd_kafka_mock_push_request_errors_array(cluster, (int16_t)numbers[1], (size_t)count - 2, errors);
    return RD_KAFKA_RESP_ERR_NO_ERROR;
  }
  if (strcmp(name, "well") == 0 && count == 2) {
    rd_kafka_mock_clear_request_errors(cluster, (int16_t)numbers[1]);
    return RD_KAFKA_RESP_ERR_NO_ERROR;
  }
  return RD_KAFKA_RESP_ERR__INVALID_ARG;
}

int main(int argc, char **argv) {
  int brokers = argc == 2 ? atoi(argv[1]) : 0;
  if (brokers < 1 || brokers > MOST_BROKERS) {
    fprintf(stderr, "usage: kafka-brokers COUNT, at most %d\n", MOST_BROKERS);
    return 64;
  }
  rd_kafka_conf_t *conf = rd_kafka_conf_new();
  char text[512];
  /* What the cluster says of itself is for nobody. */
  rd_kafka_conf_set(conf, "log_level", "0", text, sizeof text);
  rd_kafka_t *client = rd_kafka_new(RD_KAFKA_PRODUCER, conf, text, sizeof text);
  rd_kafka_mock_cluster_t *cluster = client ? rd_kafka_mock_cluster_new(client, brokers) : NULL;
  if (!cluster) {
    fprintf(stderr, "kafka-brokers: the cluster cannot be made: %s\n", text);
    return 69;
  }
  setvbuf(stdout, NULL, _IOLBF, 0);
  printf("%s\n", rd_kafka_mock_cluster_bootstraps(cluster));
  char line[4096];
  while (fgets(line, sizeof line, stdin)) {
    char *words[MOST_WORDS];
    rd_kafka_resp_err_t error = perform(cluster, words, split(line, words));
    printf("%s\n", error ? rd_kafka_err2name(error) : "ok");
  }
  rd_kafka_mock_cluster_destroy(cluster);
  rd_kafka_destroy(client);
  return 0;
}
