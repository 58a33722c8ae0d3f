/* Records a session in Holdfast from C and prints it.  agent DIRECTORY PROMPT */
#include <holdfast.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns the answer, or prints the error and exits. */
static char *call(hf_client *client, const char *method, const char *params) {
  char *answer = NULL;
  if (hf_call(client, 0, method, params, &answer) != 0) {
    fprintf(stderr, "%s: %s\n", method, answer != NULL ? answer : "no memory is left");
    exit(1);
  }
  return answer;
}

static int print_item(void *data, const char *item) {
  (void)data;
  puts(item);
  return 1;
}

int main(int count, char **arguments) {
  char options[4096], params[4096];
  hf_client *client = NULL;
  char *error = NULL, *answer = NULL;
  if (count != 3) return 2;
  snprintf(options, sizeof options, "{\"home\":\"holdfast:%s\"}", arguments[1]);
  if (hf_open(options, &client, &error) != 0) {
    fprintf(stderr, "%s\n", error != NULL ? error : "no memory is left");
    hf_free(error);
    return 1;
  }
  hf_free(call(client, "session.create", "{\"id\":\"ses-c\",\"title\":\"From C\"}"));
  /* The message is on the disk when the call returns. Use a JSON library for text that needs escaping. */
  snprintf(params, sizeof params, "{\"session\":\"ses-c\",\"text\":\"%s\"}", arguments[2]);
  hf_free(call(client, "message.append", params));
  if (hf_stream(client, 1, "session.follow", "{\"id\":\"ses-c\",\"follow\":false}", print_item, NULL, &answer) != 0)
    fprintf(stderr, "%s\n", answer);
  hf_free(answer);
  hf_free(client);
  return 0;
}
