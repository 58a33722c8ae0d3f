// What is hidden and what stays, by name and place: the table behind "values after a name" in docs/guides/privacy.md.
#include <gtest/gtest.h>

#include "text/redact_json.h"
#include "text/secrets.h"

namespace holdfast {
namespace {

struct Case {
  std::string_view text;    // with the secret, if any, between < and >
  std::string_view hidden;  // "password" or "secret"
};

constexpr Case kGo[] = {
    // Variables, with and without separators between the words.
    {"PGPASSWORD=<Xk9fooBar77> psql -h db", "password"},
    {"env: PGPASSWORD: <Xk9fooBar77>", "password"},
    {"export DBPASSWORD=<hunter2hunter>", "password"},
    {"DB_PASSWORD=<hunter2hunter>", "password"},
    {"DB_PASSWORD=<correct_horse>", "password"},
    {"SSHPASS=<Xk9fooBar77> sshpass -e ssh host", "password"},
    {"PASS=<hunter22> ./deploy", "password"},
    {"GITHUBTOKEN=<Xk9fooBar77zz>", "secret"},
    {"githubtoken=<Xk9fooBar77zz>", "secret"},
    {"SECRETKEY=<Xk9fooBar77zz>", "secret"},
    {"secretkey=<Xk9fooBar77zz>", "secret"},
    {"MYKEY=<Xk9fooBar77zz> run", "secret"},
    {"STRIPE_KEY=<Xk9fooBar77zz>", "secret"},
    {"API_KEY2=<Xk9fooBar77zz>", "secret"},
    {"\\nMYKEY=<Xk9fooBar77zz>\\n", "secret"},
    {"{\\\"env\\\":{\\\"MYKEY\\\":\\\"<Xk9fooBar77zz>\\\"}}", "secret"},
    {"{\"env\":{\"PGPASSWORD\":\"<Xk9fooBar77>\"}}", "password"},
    {"    client-key-data: <LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVkt>", "secret"},
    {"clientKeyData: <LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVkt>", "secret"},
    {"AccountKey=<Xk9fooBar77zz==>;EndpointSuffix=core", "secret"},
    // Query parameters.
    {"https://x/?api_key=<Xk9fooBar77zz>&a=1", "secret"},
    {"https://x/?a=1&key=<Xk9fooBar77zz>", "secret"},
    {"https://x/?key=<Xk9fooBar77zz>#top", "secret"},
    {"https://x/?a=1&amp;token=<Xk9fooBar77zz>&amp;b=2", "secret"},
    {"https://x/login?pass=<hunter22>&next=/", "password"},
    {"grant_type=password&password=<letmein>&scope=all", "password"},
    {"password=<hunter22>&user=bob", "password"},
    // Remotes and addresses.
    {"origin https://<0123456789abcdef0123456789abcdef01234567>@git.example.org/me/x.git (fetch)", "password"},
    {"https://deploy:<S3cr*t99>@host/x.git", "password"},
    {"https://u:<pa$word9>@host", "password"},
    {"https://u:<p@ss@w0rd>@host/a", "password"},
    {"redis://:<*Xk9fooBar>@cache:6379/0", "password"},
    {"jdbc:postgresql://db:5432/main?user=me&password=<hunter2>&ssl=true", "password"},
    {"jdbc:sqlserver://db;user=sa;password=<Passw0rd>;encrypt=true", "password"},
    // Other names of logins.
    {"SESSION_COOKIE=<k3J9x8Qp2mZ>", "secret"},
    {"NPM_AUTH=<k3J9x8Qp2mZ>", "secret"},
    {"APP_JWT=<k3J9x8Qp2mZ>", "secret"},
    {"//registry.example.org/:_auth=<dXNlcjpwdw==>", "password"},
    {"\"auths\": {\"x\": {\"auth\": \"<dXNlcjpwdw==>\"}}", "password"},
    {"{\\\"auth\\\": \\\"<dXNlcjpwdw==>\\\"}", "password"},
    // Commands.
    {"curl -sSu bob:<hunter22> https://x", "password"},
    {"curl 'https://x/?a=1&b=2' -u bob:<hunter22>", "password"},
    {"curl -X POST \\\n  --user bob:<hunter22> \\\n  https://x", "password"},
    {"kubectl create secret generic db --from-literal=password=<hunter22>", "password"},
    // Elements, and members called "value".
    {"- name: DB_PASSWORD\n  value: <letmein>\n", "password"},
    {"{\"name\": \"API_TOKEN\", \"value\": \"<k3J9x8Qp2mZ>\"}", "secret"},
    {"{\\\"name\\\":\\\"STRIPE_KEY\\\",\\\"value\\\":\\\"<k3J9x8Qp2mZ>\\\"}", "secret"},
    // Everything in the quotes, and on the line of an environment.
    {"A_SECRET=<abcdefgh1;def(9)x>\nB=1", "secret"},
    {"DB_PASSWORD=\"<correct horse battery>\"", "password"},
    {"SECRET_KEY = '<k3J9x8Qp(2m)Z,7;&x>'", "secret"},
    {"\\\"password\\\": \\\"<hunter2(a)>\\\"", "password"},
    // Passwords that people choose.
    {"password=<12345678>", "password"},
    {"passwd=<1234>", "password"},
    {"host=db user=me password=<letmein> sslmode=off", "password"},
    {"spring.datasource.password=<letmein>", "password"},
    {"Server=db;Password=<letmein>;", "password"},
    {"password: <letmein>", "password"},
    {"user: bob\n  password: <letmein>\nport: 1", "password"},
    {"password: <12345678>\n", "password"},
    {"\"password\": \"<letmein>\"", "password"},
    {"\\\"password\\\": \\\"<letmein>\\\"", "password"},
    {"password = '<letmein>'", "password"},
    {"password=\"<hunter2!>\"", "password"},
    {"login(user, password='<letmein>')", "password"},
    // In quotes, as a whole: spaces, other quotes and brackets may come first.
    {"DB_PASSWORD=\"<zz Kru brav7Lo>\"", "password"},
    {"DB_PASSWORD=\"<it's9Krufty>\" run", "password"},
    {"DB_PASSWORD='<Tr0ub4 dor&3>'", "password"},
    {"DB_PASSWORD=\"<(zz)Kru brav>\"", "password"},
    {"PGPASSWORD=\"<correct horse 7 battery>\"", "password"},
    {"password = \"<zz Kru brav7Lo>\"", "password"},
    {"password = \"<zz \\\"Kru\\\" brav7Lo>\";", "password"},
    {"password: '<zz Kru brav7Lo>'", "password"},
    {"{\"password\":\"<zz Kru brav7Lo>\"}", "password"},
    {"{\"password\":\"<out'Krufty9>\"}", "password"},
    {"{\"password\":\"<out'Krufty>\",\"a\":1}", "password"},
    {"{\"password\":\"<a\\\"b zz9Kruft>\",\"a\":\"b\"}", "password"},
    {"{\\\"password\\\":\\\"<zz Kru brav7Lo>\\\",\\\"a\\\":1}", "password"},
    {"{\\\"password\\\":\\\"<a\\\\\\\"b zz9Kruft>\\\"}", "password"},
    {"{\"smtp_password\": \"<abcd efgh ijkl mnop>\"}", "password"},
    {"{\"api_key\":\"<zz Kru brav7Lo>\"}", "secret"},
    {"{\"client_secret\":\"<zz Kru brav7Lo>\"}", "secret"},
    {"wget --user=bob --password='<qq Kruft99>' x", "password"},
    {"tool --password \"<zz Kru brav7Lo>\" x", "password"},
    {"mysql -p'<qq Kruft99>' -u root", "password"},
    {"mysql -p\\\"<qq Kruft99>\\\" -u root", "password"},
    {"docker login -p \"<qq Kruft99>\" -u bob", "password"},
    {"docker login --password \"<qq Kruft99>\" -u bob", "password"},
    {"curl -u \"bob:<zzKru'brav7Lo>\" https://x", "password"},
    {"curl -u 'bob:<zz Kru\"brav7Lo>' https://x", "password"},
    {"curl -u \\\"bob:<zz Kru brav7Lo>\\\" https://x", "password"},
    {"sshpass -p '<qq Kruft99>' ssh host", "password"},
    {"redis-cli -a \"<qq Kruft99>\" ping", "password"},
    {"echo \"<qq Kruft99>\" | docker login -u me --password-stdin", "password"},
};

constexpr std::string_view kStay[] = {
    "the key is under the mat",
    "keyboard=us",
    "monkey=1",
    "MONKEY=abcdef123456",
    "monkey: abcdef123456",
    "BYPASS=abcdef123456",
    "COMPASS=north1234",
    "key=value",
    "key: ArrowUp",
    "KEY=created_at",
    "PRIMARY_KEY=user_id_2024",
    "PUBLIC_KEY=Xk9fooBar77zz",
    "PUBKEY=Xk9fooBar77zz",
    "CACHE_KEY=node-modules-v2-abc123",
    "SORT_KEY=created_at",
    "primary key: id2",
    "https://x/browse?key=PROJ-1234",
    "https://x/?key=ArrowUp&code=38",
    "https://x/?page=2&sort_key=name_2024_asc",
    "PASS=12 FAIL=0",
    "PASS=1234 FAIL=0",
    "PASS: test_secrets_42",
    "PASS=$((PASS + 1))",
    "opt -debug-pass=Executions",
    "NOPASSWD: ALL",
    "nopasswd=abcdef12",
    "password=",
    "password=password",
    "password=$PASSWORD",
    "password=${DB_PASSWORD}",
    "password=changeme",
    "password=********",
    "password=true",
    "password=yes",
    "password=getpass()",
    "password=args[0]",
    "password=user->pass",
    "password=user_input",
    "password=newPassword",
    "login(name=user, password=hashed)",
    "login(name=user, password=secretly, retry=yes)",
    "password: string",
    "password: String",
    "password: SecretStr",
    "password: str",
    "  password: z.string().min(8)",
    "password: hashed,",
    "password: !secret mqtt_password",
    "password: :required",
    "Password: incorrect",
    "Password: required",
    "about the password: whether it is long enough",
    "the password: correct horse",
    "password: \"Please enter it again\"",
    "password == confirm",
    "password := read(in)",
    "password = hashed",
    "password_length=12345678",
    "TOKEN_URL=https://example.org/9a8b7c6d",
    "max_tokens=4096",
    "tokens=40961234",
    "docker login --password-stdin registry",
    "https://$TOKEN@host/x.git",
    "https://user:${PASS}@host",
    "https://user:******@host",
    "https://{user}:{password}@host",
    "https://an-organization-of-2026@dev.azure.com/x/_git/y",
    "ssh://git@example.org:22/x.git",
    "\"auth\": \"oauth2\"",
    "auth: bearerTokenMiddleware2",
    "\"auth\": \"c29tZXRoaW5nIGVsc2U=\"",
    "AUTH=CRAM-MD5",
    "cookie = interact_2965(jar)",
    "token = make_token2(user)",
    "self.hide_cookie2 = hide_cookie2",
    "the cookie is stale",
    "cookie: required",
    "echo $PASS1 | sudo -S ls",
    "docker run -u 1000:1000 x",
    "curl https://x && docker run -u 1000:1000 x",
    "pwd=/home/me2/x",
    "'password' => 'required|min:8'",
    "password=\"$(cat file1)\"",
    "{\"usage\":{\"input_tokens\":12345678}}",
    // Sentences, labels and code in quotes.
    "\"password\": \"string\"",
    "password: \"Your password must be at least 8 characters\"",
    "password: 'Min. 8 characters, 1Upper'",
    "{\"password\": \"Forgot your password?\", \"token\": \"the token of the session\"}",
    "label=\"Enter your password\"",
    "password=\"\" label=\"it9Krufty now\"",
    "<input type=\"password\" placeholder=\"Enter 8chars or more\">",
    "{\"password\": \"Neues Passwort\", \"b\": \"x9yKru\"}",
    "\"password\": \"varchar(255)\"",
    "\"token\": \"{{ secrets.TOKEN2 }}\"",
    "\"token\": \"JWT (RS256) of user1x\"",
    "password: \"{{ vault_pass2 | default('x9yKru') }}\"",
    "password = \"${var.pass1} ${x2yKru}\"",
    "token = f\"{user1x} {part2y}\"",
    "password = input(\"the password: \", key=\"abc 9XyKru\")",
    "url + \"&password=\" + x9yKru + \"&b\"",
    "url + \"&password=\"+x9yKru+\"&b\"",
    "\"password\": \"^[A-Za-z0-9]{8,}$\"",
    "api_key=\"<your API key 1>\"",
    "'token' => 'Base64 encoded string'",
    "{\"secret\":\"[redacted: secret] it9Krufty\"}",
    "mysql -p\"$PASS word\"",
    "docker login -p \"${TOKEN}\" x",
    "curl -u \"$USER:$TOKEN\" https://x",
    "curl -u \"bob:$TOKEN\" https://x",
};

std::string hide(std::string_view text) { return redacted(text).value_or(std::string(text)); }

TEST(SecretCases, ValuesOfSecretNamesAreRedacted) {
  for (const Case& one : kGo) {
    const std::size_t open = one.text.find('<'), close = one.text.find('>', open);
    ASSERT_NE(close, std::string_view::npos) << one.text;
    const std::string before(one.text.substr(0, open)), after(one.text.substr(close + 1));
    const std::string secret(one.text.substr(open + 1, close - open - 1));
    EXPECT_EQ(hide(before + secret + after), before + secret_placeholder(one.hidden) + after);
  }
}

TEST(SecretCases, LookalikesAreKept) {
  for (const std::string_view text : kStay) {
    EXPECT_EQ(hide(text), text);
    EXPECT_EQ(hide("see " + std::string(text)), "see " + std::string(text));
  }
}

TEST(SecretCases, RedactsEnvironmentMembers) {
  EXPECT_EQ(
      redacted_json(R"({"env":{"MYKEY":"a","SSHPASS":"b","PGPASSWORD":"c","MONKEY":"d","PINKEY":5}})").value_or(""),
      R"({"env":{"MYKEY":"[redacted: secret]","SSHPASS":"[redacted: password]","PGPASSWORD":"[redacted: password]",)"
      R"("MONKEY":"d","PINKEY":"[redacted: secret]"}})");
  EXPECT_EQ(redacted_json(R"({"auths":{"x":{"auth":"dXNlcjpwdw=="}},"auth":"none"})").value_or(""),
            R"({"auths":{"x":{"auth":"[redacted: password]"}},"auth":"none"})");
  EXPECT_FALSE(redacted_json(R"({"monkey":"a","compass":"b","sortkey":"c","hotkey":"d","pass":"e"})"));
}

TEST(SecretCases, ElementsAreRedacted) {
  EXPECT_EQ(hide("<server><password>hunter22</password></server>"),
            "<server><password>[redacted: password]</password></server>");
  EXPECT_EQ(hide("<ns:apiKey>k3J9x8Qp2mZ</ns:apiKey>"), "<ns:apiKey>[redacted: secret]</ns:apiKey>");
  EXPECT_EQ(hide("<add key=\"ApiKey\" value=\"k3J9x8Qp2mZ\"/>"), "<add key=\"ApiKey\" value=\"[redacted: secret]\"/>");
  for (const std::string_view text :
       {"<password>${env.PASS1}</password>", "<label>Password</label>", "<password>string</password>",
        "<token>x</token>", "map<Token>value12345", "- name: PASSWORD_FILE\n  value: ab12cd34",
        "- name: DB_PASSWORD\n  valueFrom: ab12cd34"})
    EXPECT_EQ(hide(text), text);
}

// What is left of a private key that was cut, or that a tool has numbered.
TEST(SecretCases, PartsOfPrivateKeysAreRedacted) {
  const std::string begin = "-----BEGIN RSA PRIVATE" + std::string(" KEY-----\n");
  const std::string end = "-----END RSA PRIVATE" + std::string(" KEY-----");
  const std::string one = "MIIEpAIBAAKCAQEAn330NEISY7w+GeZR2jh8Of1x2Ctp\n", two = "pm6Owum6xzhv93jmj+tZrp9PLANTED\n";
  for (const std::string& text :
       {begin + one + two, begin + "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0123ABCD\n\n" + two,
        begin + "     2→" + one + "     3→" + two, one + two + end, one + "a==\n" + end + "\nand " + two.substr(30),
        begin + one + "-- 20 lines --\n" + two + "Ab3=\n" + end, "MIIEpAIBAAKCAQEAn330\\npm6OPLANTED\\n" + end}) {
    const std::string hidden = hide("see\n" + text);
    EXPECT_FALSE(hidden.contains("MIIE") || hidden.contains("PLANTED") || hidden.contains("Ab3")) << hidden;
    EXPECT_TRUE(hidden.starts_with("see\n")) << hidden;
  }
}

}  // namespace
}  // namespace holdfast
