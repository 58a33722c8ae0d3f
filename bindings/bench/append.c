/* Measures durable appends through holdfast.h: append HOME COUNT prints microseconds per append. */
#include <holdfast.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int main(int argc, char **argv) {
  char text[4096], id[64] = "";
  hf_client *client = NULL;
  char *answer = NULL;
  if (argc != 3) return 2;
  snprintf(text, sizeof text, "{\"home\":\"holdfast:%s\"}", argv[1]);
  if (hf_open(text, &client, &answer) != 0 || hf_call(client, 0, "session.create", "{}", &answer) != 0) return 1;
  const char *at = strstr(answer, "\"id\":\"");
  if (at == NULL || sscanf(at, "\"id\":\"%63[^\"]", id) != 1) return 1;
  hf_free(answer);
  const int count = atoi(argv[2]);
  struct timespec from, to;
  clock_gettime(CLOCK_MONOTONIC, &from);
  for (int n = 0; n < count; ++n) {
    snprintf(text, sizeof text, "{\"session\":\"%s\",\"text\":\"message %d %0200d\"}", id, n, n);
    if (hf_call(client, 0, "message.append", text, &answer) != 0) return 1;
    hf_free(answer);
  }
  clock_gettime(CLOCK_MONOTONIC, &to);
  printf("%.1f\n", ((double)(to.tv_sec - from.tv_sec) * 1e9 + (double)(to.tv_nsec - from.tv_nsec)) / 1e3 / count);
  hf_free(client);
  return 0;
}
