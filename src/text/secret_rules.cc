#include "text/secret_rules.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>

#include "base/ascii.h"

namespace holdfast::inline v1 {
namespace {

constexpr SecretTier kLikely = SecretTier::likely;

// What {argument} in a pattern stands for: an argument of a command, in quotes to their end, as one group for each way
// to write it. Variables and options do not count.
constexpr std::string_view kArgument =
    "(?:\"([^\\s\"`\\\\$\\[{<=|-](?:[^\"\\n\\\\]|\\\\[^\\n]){2,199})\"|"
    "'([^\\s'`\\\\$\\[{<=|-][^'\\n]{2,199})'|"
    "\\\\\"([^\\s\"`\\\\$\\[{<=|-][^\"\\n\\\\]{2,199})\\\\\"|"
    "[\"'\\\\]{0,2}([^\\s\"'`\\\\$\\[{<=|-][^\\s\"'`\\\\|]{2,199}))";
constexpr std::size_t kMostGroups = 4;

const std::vector<SecretRule>& table() {
  static const std::vector<SecretRule> rules{
      {.what = "AWS access key",
       .anchors = {"AKIA", "ASIA", "ABIA", "ACCA"},
       .pattern = "A(?:KIA|SIA|BIA|CCA)[A-Z2-7]{16}",
       .end = SecretEnd::exact},
      {.what = "GitHub token",
       .anchors = {"ghp_", "gho_", "ghu_", "ghs_", "ghr_"},
       .pattern = "gh[pousr]_[A-Za-z0-9]{36}"},
      {.what = "GitHub token", .anchors = {"github_pat_"}, .pattern = "github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{50}"},
      {.what = "GitLab token",
       .anchors = {"glpat-", "gldt-", "glrt-", "glptt-", "gloas-", "glsoat-", "glimt-", "glagent-", "glft-"},
       .pattern = "gl(?:pat|dt|rt|ptt|oas|soat|imt|agent|ft)-[A-Za-z0-9_-]{20}"},
      {.what = "GitLab token", .anchors = {"glcbt-"}, .pattern = "glcbt-[0-9a-f]{1,5}_[A-Za-z0-9_-]{20}"},
      {.what = "Anthropic key", .anchors = {"sk-ant-"}, .pattern = "sk-ant-[A-Za-z0-9]+-[A-Za-z0-9_-]{20}"},
      {.what = "OpenAI key",
       .anchors = {"sk-proj-", "sk-svcacct-", "sk-admin-", "sk-None-"},
       .pattern = "sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{20}"},
      {.what = "OpenRouter key", .anchors = {"sk-or-v1-"}, .pattern = "sk-or-v1-[0-9a-f]{64}"},
      {.what = "API key", .anchors = {"sk-"}, .pattern = "sk-[A-Za-z0-9]{32}"},  // old OpenAI keys, DeepSeek, ...
      {.what = "Google API key", .anchors = {"AIza"}, .pattern = "AIza[A-Za-z0-9_-]{35}", .end = SecretEnd::exact},
      {.what = "Google client secret", .anchors = {"GOCSPX-"}, .pattern = "GOCSPX-[A-Za-z0-9_-]{28}"},
      {.what = "Google access token", .anchors = {"ya29."}, .pattern = "ya29\\.[A-Za-z0-9_-]{30}"},
      {.what = "Slack token",
       .anchors = {"xoxa-", "xoxb-", "xoxc-", "xoxd-", "xoxe-", "xoxo-", "xoxp-", "xoxr-", "xoxs-"},
       .pattern = "xox[abcdeoprs]-[A-Za-z0-9-]{10}"},
      {.what = "Slack token", .anchors = {"xapp-"}, .pattern = "xapp-[0-9]-[A-Z0-9]+-[0-9]+-[0-9a-f]{32}"},
      {.what = "Slack webhook",
       .anchors = {"hooks.slack.com/"},
       .pattern = "hooks\\.slack\\.com/(?:services|workflows|triggers)/([A-Za-z0-9_-]+/[A-Za-z0-9_/-]{20,200})",
       .end = SecretEnd::any},
      {.what = "Stripe key",
       .anchors = {"sk_live_", "sk_test_", "rk_live_", "rk_test_"},
       .pattern = "[sr]k_(?:live|test)_[A-Za-z0-9]{16}"},
      {.what = "webhook secret", .anchors = {"whsec_"}, .pattern = "whsec_[A-Za-z0-9+/]{24,64}={0,2}"},
      {.what = "npm token", .anchors = {"npm_"}, .pattern = "npm_[A-Za-z0-9]{36}", .end = SecretEnd::exact},
      {.what = "PyPI token",
       .anchors = {"pypi-AgEIcHlwaS5vcmc", "pypi-AgENdGVzdC5weXBp"},
       .pattern = "pypi-AgE[A-Za-z0-9_-]{60}"},
      {.what = "Hugging Face token", .anchors = {"hf_"}, .pattern = "hf_[A-Za-z0-9]{34}", .end = SecretEnd::exact},
      {.what = "SendGrid key", .anchors = {"SG."}, .pattern = "SG\\.[A-Za-z0-9_-]{22}\\.[A-Za-z0-9_-]{43}"},
      {.what = "Telegram token",
       .anchors = {":AA"},
       .pattern = "[0-9]{8,10}:AA[A-Za-z0-9_-]{33}",
       .end = SecretEnd::exact,
       .lead = Lead::digits},
      {.what = "Twilio key", .anchors = {"SK"}, .pattern = "SK[0-9a-f]{32}", .end = SecretEnd::exact},
      {.what = "DigitalOcean token",
       .anchors = {"dop_v1_", "doo_v1_", "dor_v1_"},
       .pattern = "do[por]_v1_[0-9a-f]{64}",
       .end = SecretEnd::exact},
      {.what = "age key",
       .anchors = {"AGE-SECRET-KEY-1"},
       .pattern = "AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}",
       .end = SecretEnd::exact},
      // The end may be cut off; the lines may be part of a string with \n in it, be numbered or quoted, and begin
      // with headers.
      {.what = "private key",
       .anchors = {"-----BEGIN "},
       .pattern = "-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----"
                  "(?:(?:[^-]|-[^-])*-----END [A-Z0-9 ]*-----|"
                  "(?:(?:Proc-Type|Comment|Version): [^\\n\\\\]*|DEK-Info: [A-Z0-9-]+,[0-9A-Fa-f]+|"
                  "[A-Za-z0-9+/=\\s\\\\|>\xe2\x86\x92])*)",
       .end = SecretEnd::any,
       .any_before = true,
       .reach = 32 * 1024},
      // Its beginning is cut off.
      {.what = "private key",
       .anchors = {"-----END "},
       .pattern = "([A-Za-z0-9+/=\\s\\\\]{20,})-----END (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----",
       .end = SecretEnd::any,
       .lead = Lead::armor,
       .any_before = true,
       .reach = 32 * 1024},
      {.what = "JSON web token",
       .tier = kLikely,
       .anchors = {"eyJ"},
       .pattern = "eyJ[A-Za-z0-9_-]{8,}\\.eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{16}",
       .reach = 8 * 1024},
      {.what = "password",
       .tier = kLikely,
       // Also a token in place of the user. Variables begin with $ or a bracket, and stars alone hide something.
       .anchors = {"://"},
       .pattern = "[A-Za-z][A-Za-z0-9+.-]{1,20}://(?:[^\\s/:@\"'<>`\\\\]{0,80}:"
                  "(\\*{0,20}[^\\s/@\"'<>`\\\\\\[\\]{}$*][^\\s/\"'<>`\\\\]{1,199})|([A-Za-z0-9]{20,200}))@",
       .end = SecretEnd::any,
       .lead = Lead::scheme,
       .any_before = true},
      {.what = "bearer token",
       .tier = kLikely,
       .anchors = {"bearer "},
       .pattern = "(?i)bearer +([A-Za-z0-9._~+/-]{16,}={0,2})",
       .end = SecretEnd::any,
       .any_case = true,
       .reach = 4096},
      {.what = "password",
       .tier = kLikely,
       .anchors = {"basic "},
       .pattern = "(?i)basic +([A-Za-z0-9+/]{11,600}={1,2})",
       .end = SecretEnd::any,
       .any_case = true,
       .reach = 1024},
      {.what = "Groq key", .anchors = {"gsk_"}, .pattern = "gsk_[A-Za-z0-9]{52}", .end = SecretEnd::exact},
      {.what = "xAI key", .anchors = {"xai-"}, .pattern = "xai-[A-Za-z0-9]{70}"},
      {.what = "Perplexity key", .anchors = {"pplx-"}, .pattern = "pplx-[A-Za-z0-9]{48}"},
      {.what = "Replicate token", .anchors = {"r8_"}, .pattern = "r8_[A-Za-z0-9]{37}", .end = SecretEnd::exact},
      {.what = "Databricks token",
       .anchors = {"dapi"},
       .pattern = "dapi[0-9a-f]{32}(?:-[0-9])?",
       .end = SecretEnd::exact},
      {.what = "Docker token", .anchors = {"dckr_pat_"}, .pattern = "dckr_pat_[A-Za-z0-9_-]{27}"},
      {.what = "Vault token", .anchors = {"hvs.", "hvb."}, .pattern = "hv[sb]\\.[A-Za-z0-9_-]{24}"},
      {.what = "Linear key", .anchors = {"lin_api_"}, .pattern = "lin_api_[A-Za-z0-9]{40}", .end = SecretEnd::exact},
      {.what = "Shopify token",
       .anchors = {"shpat_", "shpca_", "shppa_", "shpss_"},
       .pattern = "shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}",
       .end = SecretEnd::exact},
      {.what = "Supabase token", .anchors = {"sbp_"}, .pattern = "sbp_[0-9a-f]{40}", .end = SecretEnd::exact},
      {.what = "Grafana token", .anchors = {"glsa_"}, .pattern = "glsa_[A-Za-z0-9]{32}_[0-9a-f]{8}"},
      {.what = "RubyGems key", .anchors = {"rubygems_"}, .pattern = "rubygems_[0-9a-f]{48}", .end = SecretEnd::exact},
      {.what = "Atlassian token", .anchors = {"ATATT3"}, .pattern = "ATATT3[A-Za-z0-9_=-]{60,400}"},
      {.what = "Postman key", .anchors = {"PMAK-"}, .pattern = "PMAK-[0-9a-f]{24}-[0-9a-f]{34}"},
      {.what = "New Relic key", .anchors = {"NRAK-"}, .pattern = "NRAK-[A-Z0-9]{27}", .end = SecretEnd::exact},
      {.what = "Tailscale key", .anchors = {"tskey-"}, .pattern = "tskey-[a-z]+-[A-Za-z0-9]+-[A-Za-z0-9]{16}"},
      {.what = "Mailgun key", .anchors = {"key-"}, .pattern = "key-[0-9a-f]{32}", .end = SecretEnd::exact},
      // Newer keys have no prefix: they are recognized by the name before them.
      {.what = "Mailgun key",
       .anchors = {"mailgun"},
       .pattern = "(?i)mailgun[^\\n]{0,200}?[^0-9a-z]([0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8})",
       .end = SecretEnd::exact,
       .any_case = true,
       .any_before = true},
      {.what = "Mailgun key",
       .anchors = {"api:"},
       .pattern = "api:([0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8})",
       .end = SecretEnd::exact},
      {.what = "Doppler token",
       .anchors = {"dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."},
       .pattern = "dp\\.(?:pt|st|ct|sa|scim|audit)\\.(?:[a-z0-9_-]{2,35}\\.)?[A-Za-z0-9]{40,44}",
       .end = SecretEnd::exact},
      {.what = "Notion token", .anchors = {"ntn_"}, .pattern = "ntn_[0-9]{11}[A-Za-z0-9]{35}"},
      {.what = "Notion token", .anchors = {"secret_"}, .pattern = "secret_[A-Za-z0-9]{43}", .end = SecretEnd::exact},
      {.what = "Discord webhook",
       .anchors = {"discord.com/api/", "discordapp.com/api/"},
       .pattern = "discord(?:app)?\\.com/api/(?:v[0-9]{1,2}/)?webhooks/[0-9]{17,20}/([A-Za-z0-9_-]{60,80})"},
      {.what = "Fly.io token", .anchors = {"fo1_"}, .pattern = "fo1_[A-Za-z0-9_-]{43}"},
      {.what = "Fly.io token",
       .anchors = {"fm1r_", "fm1a_", "fm2_"},
       .pattern = "fm(?:1[ra]|2)_[A-Za-z0-9+/_-]{40,}={0,3}",
       .end = SecretEnd::any,
       .reach = 8 * 1024},
      // .netrc; its words may be on one line or on several, with line ends written as \\n in a string.
      {.what = "password",
       .tier = kLikely,
       .anchors = {"machine ", "machine\t", "default login ", "default\nlogin ", "default\\nlogin "},
       .pattern =
           "(?:machine[ \\t]+[^\\s\\\\]{1,200}|default)(?:\\s|\\\\[nrt])+login(?:\\s|\\\\[nrt])+[^\\s\\\\]{1,200}"
           "(?:(?:\\s|\\\\[nrt])+account(?:\\s|\\\\[nrt])+[^\\s\\\\]{1,200})?"
           "(?:\\s|\\\\[nrt])+password(?:\\s|\\\\[nrt])+(\"[^\"\\n]{1,200}\"|[^\\s\\\\\"\\[][^\\s\\\\\"]{0,199})",
       .end = SecretEnd::any,
       .reach = 1024},
      {.what = "password",
       .tier = kLikely,
       .anchors = {"machine ", "machine\t"},
       .pattern = "machine[ \\t]+[^\\s\\\\]{1,200}(?:\\s|\\\\[nrt])+password(?:\\s|\\\\[nrt])+"
                  "(\"[^\"\\n]{1,200}\"|[^\\s\\\\\"\\[][^\\s\\\\\"]{0,199})(?:\\s|\\\\[nrt])+login(?:\\s|\\\\[nrt])",
       .end = SecretEnd::any,
       .reach = 1024},
      // Commands with a password argument; variables do not count.
      {.what = "password",
       .tier = kLikely,
       .anchors = {"curl "},
       .pattern = "curl (?:(?:[^\\n|;&]|&[^\\s&]|\\\\\\n){0,400}?\\s)?(?:-[A-Za-z]{0,6}[uU]|--user|--proxy-user)[ =]?"
                  "(?:\"[^\\s:\"'\\\\$]{1,80}:([^\\s\"`\\\\$\\[{<](?:[^\"\\n\\\\]|\\\\[^\\n]){2,199})\"|"
                  "'[^\\s:\"'\\\\$]{1,80}:([^\\s'`\\\\$\\[{<][^'\\n]{2,199})'|"
                  "\\\\\"[^\\s:\"'\\\\$]{1,80}:([^\\s\"`\\\\$\\[{<][^\"\\n\\\\]{2,199})\\\\\"|"
                  "[\"'\\\\]{0,2}[^\\s:\"'\\\\$]{1,80}:([^\\s\"'`\\\\$\\[{<][^\\s\"'`\\\\]{2,199}))",
       .end = SecretEnd::any},
      {.what = "password",
       .tier = kLikely,
       .anchors = {"mysql ", "mysqldump ", "mysqladmin ", "mariadb "},
       .pattern = "(?:mysql|mysqldump|mysqladmin|mariadb) (?:[^\\n|;&]{0,400}? )?-p{argument}",
       .end = SecretEnd::any},
      {.what = "password",
       .tier = kLikely,
       .anchors = {"docker login ", "podman login "},
       .pattern = "(?:docker|podman) login (?:[^\\n|;&]{0,400}? )?(?:-p|--password[ =])[ =]?{argument}",
       .end = SecretEnd::any},
      {.what = "password",
       .tier = kLikely,
       .anchors = {"sshpass -"},
       .pattern = "sshpass (?:-[^p\\s][^\\s]* ){0,4}-p ?{argument}",
       .end = SecretEnd::any},
      {.what = "password",
       .tier = kLikely,
       .anchors = {"redis-cli ", "mongosh ", "mongodump ", "mongorestore ", "ldapsearch ", "ldapmodify "},
       .pattern = "(?:redis-cli (?:[^\\n|;&]{0,400}? )?(?:-a|--pass)|mongo[a-z]+ (?:[^\\n|;&]{0,400}? )?-p|"
                  "ldap[a-z]+ (?:[^\\n|;&]{0,400}? )?-w)[ =]?{argument}",
       .end = SecretEnd::any},
      {.what = "password",
       .tier = kLikely,
       .anchors = {"-pass pass:", "-passin pass:", "-passout pass:"},
       .pattern = "-pass(?:in|out)? pass:{argument}",
       .end = SecretEnd::any},
      // Piped into a program that reads it.
      {.what = "password",
       .tier = kLikely,
       .anchors = {"echo "},
       .pattern = "echo (?:-n )?{argument}[\"'\\\\]{0,2} ?\\| ?"
                  "(?:sudo -S|[^\\n|]{0,200}(?:--password-stdin|--with-token))",
       .end = SecretEnd::any},
      // Connection strings, .pgpass
      {.what = "password",
       .tier = kLikely,
       .anchors = {";pwd=", "; pwd="},
       .pattern = "(?i); ?pwd=([^\\s;\"'`\\\\$/{<%\\[][^\\s;\"'`\\\\]{2,199})",
       .end = SecretEnd::any,
       .any_case = true,
       .any_before = true},
      {.what = "password",
       .tier = kLikely,
       .anchors = {"jdbc:oracle:", "sqlplus "},
       .pattern = "(?:jdbc:oracle:[a-z]+:|sqlplus (?:-[A-Za-z]+ ){0,4})[\"'\\\\]{0,2}[^\\s/@\"'\\\\]{1,80}/"
                  "([^\\s@\"'`\\\\$/{<][^\\s@\"'`\\\\]{1,199})@",
       .end = SecretEnd::any},
      {.what = "password",
       .tier = kLikely,
       .anchors = {":5432:"},
       .pattern = ":5432:[^\\s:]{1,63}:[^\\s:]{1,63}:([^\\s:\"'`$<{\\[][^\\s\"'`]{2,199})",
       .end = SecretEnd::any,
       .any_before = true},
      // Headers that a person copies from a browser or a command.
      {.what = "cookie",
       .tier = kLikely,
       .anchors = {"cookie", "--cookie"},
       .pattern = "(?i)(?:--cookie[ =]|cookie[\"'\\\\]{0,3}: ?)[\"'\\\\]{0,3}([A-Za-z0-9_.-]{1,64}="
                  "(?:[^\\s\"'`\\\\;,$<>{\\[0-9]{0,60}[0-9][^\\s\"'`\\\\;,]{7,}|[^\\s\"'`\\\\;,$<>{\\[0-9]{7,60}[0-9])"
                  "(?:[^\\n\"'`\\\\]*))",
       .end = SecretEnd::any,
       .any_case = true,
       .any_before = true,
       .reach = 4096},
      {.what = "access token",
       .tier = kLikely,
       .anchors = {"authorization"},
       .pattern = "(?i)authorization[\"'\\\\]{0,3}\\s{0,2}[:=]\\s{0,2}[\"'`\\\\]{0,3}"
                  "(?:token|bot|key|api-?key|ssws|geniekey)[ :=]{1,2}(?:token=)?[\"'\\\\]{0,2}"
                  "([A-Za-z0-9._~+/-]{16,}={0,2})",
       .end = SecretEnd::any,
       .any_case = true,
       .any_before = true,
       .reach = 1024},
      {.what = "AWS secret key",
       .tier = kLikely,
       .anchors = {"secret_access_key", "secretaccesskey", "secret access key"},
       .pattern = "(?i)secret[_ ]?access[_ ]?key(?: \\[[^\\]\\n]*\\])?[\"'\\\\]{0,3}[ \\t]{0,3}[:= ][ \\t]{0,3}"
                  "[\"'\\\\]{0,3}([A-Za-z0-9/+]{40})",
       .end = SecretEnd::exact,
       .any_case = true,
       .any_before = true},
      {.what = "signature of an address",
       .tier = kLikely,
       .anchors = {"sig=", "x-amz-signature=", "x-goog-signature="},
       .pattern = "(?i)(?:sig|x-(?:amz|goog)-signature)=([A-Za-z0-9%+/_-]{40,600}={0,2})",
       .end = SecretEnd::any,
       .any_case = true,
       .reach = 1024},
      // In a sentence: words that are in no dictionary.
      {.what = "secret",
       .tier = kLikely,
       .anchors = {"api key", "access key", "secret key", "token is ", "token is: ", "secret is ", "secret is: "},
       .pattern = "(?i)(?:(?:api|access|secret) key(?: is)?:?|token is:?|secret is:?) [\"'`\\\\]{0,2}"
                  "([A-Za-z]{0,60}[0-9][A-Za-z0-9]{15,200})",
       .any_case = true},
      {.what = "password",
       .tier = kLikely,
       .anchors = {"password is ", "password is: ", "password was ", "passphrase is ", "passphrase was "},
       .pattern = "(?i)pass(?:word|phrase) (?:is|was):? [\"'`\\\\]{0,2}("
                  "[^\\s\"'`\\\\,$<\\[{(][^\\s\"'`\\\\,]{0,59}[0-9][^\\s\"'`\\\\,]{3,60}|"
                  "[^\\s\"'`\\\\,$<\\[{(][^\\s\"'`\\\\,]{3,59}[0-9][^\\s\"'`\\\\,]{0,60}|"
                  "[0-9][^\\s\"'`\\\\,]{5,60}|"
                  "[^\\s\"'`\\\\,$<\\[{(][^\\s\"'`\\\\,]{2,59}[!@#$%^&*+=?][A-Za-z0-9][^\\s\"'`\\\\,]{0,60})",
       .end = SecretEnd::any,
       .any_case = true},
      {.what = "Google refresh token", .anchors = {"1//0"}, .pattern = "1//0[A-Za-z0-9_-]{40}"},
      {.what = "Django key",
       .anchors = {"django-insecure-"},
       .pattern = "django-insecure-[A-Za-z0-9!@#$%^&*()_=+-]{20,}",
       .end = SecretEnd::any},
      {.what = "Heroku key", .anchors = {"HRKU-"}, .pattern = "HRKU-[A-Za-z0-9_-]{36}"},
      {.what = "Sentry token", .anchors = {"sntryu_"}, .pattern = "sntryu_[0-9a-f]{64}", .end = SecretEnd::exact},
      {.what = "Sentry token",
       .anchors = {"sntrys_eyJ"},
       .pattern = "sntrys_eyJ[A-Za-z0-9+/=_-]{60,600}",
       .end = SecretEnd::any,
       .reach = 1024},
      {.what = "Pulumi token", .anchors = {"pul-"}, .pattern = "pul-[0-9a-f]{40}", .end = SecretEnd::exact},
      {.what = "PlanetScale token",
       .anchors = {"pscale_tkn_", "pscale_pw_", "pscale_oauth_"},
       .pattern = "pscale_(?:tkn|pw|oauth)_[A-Za-z0-9._=-]{32,64}"},
      {.what = "Netlify token", .anchors = {"nfp_"}, .pattern = "nfp_[A-Za-z0-9]{36}", .end = SecretEnd::exact},
      {.what = "Figma token", .anchors = {"figd_"}, .pattern = "figd_[A-Za-z0-9_-]{38}"},
      {.what = "LangSmith key",
       .anchors = {"lsv2_pt_", "lsv2_sk_"},
       .pattern = "lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}"},
      {.what = "NVIDIA key", .anchors = {"nvapi-"}, .pattern = "nvapi-[A-Za-z0-9_-]{60}"},
      {.what = "Tavily key", .anchors = {"tvly-"}, .pattern = "tvly-[A-Za-z0-9-]{30}"},
      {.what = "Terraform token",
       .anchors = {".atlasv1."},
       .pattern = "\\.atlasv1\\.([A-Za-z0-9_=-]{60,70})",
       .any_before = true},
      {.what = "1Password token", .anchors = {"ops_eyJ"}, .pattern = "ops_eyJ[A-Za-z0-9_-]{100,}", .reach = 4096},
  };
  return rules;
}

bool is_word(char c) { return is_ascii_alnum(c) || c == '_' || c == '-'; }

// Whether a word starts at `at`. The n of "\nghp_..." in JSON inside a text is not a letter before it.
bool starts_word(std::string_view text, std::size_t at) {
  if (at == 0 || !is_ascii_alnum(text[at - 1])) return true;
  return at >= 2 && text[at - 2] == '\\' && std::string_view("nrtbfv0").find(text[at - 1]) != std::string_view::npos;
}

// Where the lines of base64 before `at` begin. They may be in a string, with \n between them.
std::size_t armor_before(std::string_view text, std::size_t at, std::size_t floor) {
  constexpr std::size_t kMost = 16 * 1024, kShortestLine = 16;
  const auto is_base64 = [](char c) { return is_ascii_alnum(c) || c == '+' || c == '/' || c == '='; };
  std::size_t begin = at;
  while (at - begin < kMost) {
    std::size_t end = begin;
    while (end > floor && (text[end - 1] == '\n' || text[end - 1] == '\r' || text[end - 1] == ' ')) --end;
    if (end >= floor + 2 && text.substr(end - 2, 2) == "\\n") end -= 2;
    std::size_t line = end;
    while (line > floor && at - line < kMost && is_base64(text[line - 1])) --line;
    // The n of \n is no base64.
    if (line > floor && text[line - 1] == '\\' && line < end) ++line;
    if (end - line < (begin == at ? 1 : kShortestLine)) break;  // only the last line is short
    begin = line;
  }
  return begin;
}

std::size_t lead_of(Lead lead, std::string_view text, std::size_t at, std::size_t floor) {
  if (lead == Lead::armor) return armor_before(text, at, floor);
  const auto part = [&](char c) {
    if (lead == Lead::digits) return is_ascii_digit(c);
    return lead == Lead::scheme && (is_ascii_alnum(c) || c == '+' || c == '.' || c == '-');
  };
  std::size_t begin = at;
  while (begin > floor && at - begin < 24 && part(text[begin - 1])) --begin;
  return begin;
}

// Compiled on first use: most processes never need it.
class LazyPattern {
 public:
  const RE2& get(std::string_view pattern) {
    std::call_once(once_, [&] {
      RE2::Options options;
      options.set_log_errors(false);
      options.set_encoding(RE2::Options::EncodingLatin1);
      constexpr std::string_view kWord = "{argument}";
      std::string whole(pattern);
      if (const std::size_t at = whole.find(kWord); at != std::string::npos) whole.replace(at, kWord.size(), kArgument);
      pattern_ = std::make_unique<RE2>(whole, options);
    });
    return *pattern_;
  }

 private:
  std::once_flag once_;
  std::unique_ptr<RE2> pattern_;
};

}  // namespace

std::span<const SecretRule> secret_rules() { return table(); }

std::optional<SecretSpan> match_secret(std::size_t number, std::string_view text, std::size_t at, std::size_t floor) {
  static std::vector<LazyPattern> patterns(table().size());
  const SecretRule& rule = table()[number];
  const std::size_t begin = lead_of(rule.lead, text, at, floor);
  if (!rule.any_before && !starts_word(text, begin)) return std::nullopt;
  const RE2& pattern = patterns[number].get(rule.pattern);
  if (!pattern.ok()) return std::nullopt;
  const std::string_view window = text.substr(begin, rule.reach);
  std::array<re2::StringPiece, 1 + kMostGroups> groups;
  const int wanted = 1 + std::min(static_cast<int>(kMostGroups), pattern.NumberOfCapturingGroups());
  if (!pattern.Match({window.data(), window.size()}, 0, window.size(), RE2::ANCHOR_START, groups.data(), wanted))
    return std::nullopt;
  auto last = static_cast<std::size_t>(wanted - 1);
  while (last > 0 && groups[last].data() == nullptr) --last;
  const re2::StringPiece& secret = groups[last];
  const auto from = static_cast<std::size_t>(secret.data() - text.data());
  SecretSpan span{from, from + secret.size()};
  if (rule.end == SecretEnd::exact && span.end < text.size() && is_word(text[span.end])) return std::nullopt;
  if (rule.end == SecretEnd::greedy) {
    while (span.end < text.size() && is_word(text[span.end])) ++span.end;
  }
  return span;
}

}  // namespace holdfast::inline v1
