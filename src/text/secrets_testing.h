// Made-up secrets for tests, assembled here so no repository scanner takes them
// for real ones.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::testing {

// Returns `count` characters of `alphabet` in pseudo-random order, determined by the seed.
inline std::string made_up(std::string_view alphabet, std::size_t count, std::uint64_t seed = 7) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    seed = seed * 6364136223846793005U + 1442695040888963407U;
    text += alphabet[(seed >> 33) % alphabet.size()];
  }
  return text;
}
inline constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
inline constexpr std::string_view kHexDigits = "0123456789abcdef";
inline constexpr std::string_view kBase32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

struct SecretSample {
  std::string what;
  std::string secret;     // must be redacted
  std::string near_miss;  // must stay
  std::string before;     // what must precede and follow the secret, for kinds that need it
  std::string after;
};

inline std::vector<SecretSample> secret_samples() {
  const auto a = [](std::size_t n, std::uint64_t seed = 7) { return made_up(kLetters, n, seed); };
  const auto h = [](std::size_t n) { return made_up(kHexDigits, n); };
  const std::string pem = "-----BEGIN RSA PRIVATE" + std::string(" KEY-----\n") + a(64) + "\n" + a(40) +
                          "==\n-----END RSA PRIVATE KEY-----";
  return {
      {"AWS access key", "AKIA" + made_up(kBase32, 16), "AKIA" + made_up(kBase32, 15), "", ""},
      {"AWS access key", "ASIA" + made_up(kBase32, 16), "ASIA" + made_up(kBase32, 17), "", ""},
      {"GitHub token", "ghp_" + a(36), "ghp_" + a(35), "", ""},
      {"GitHub token", "ghs_" + a(40), "ghx_" + a(36), "", ""},
      {"GitHub token", "github_pat_" + a(22) + "_" + a(59), "github_pat_" + a(22) + "-" + a(59), "", ""},
      {"GitLab token", "glpat-" + a(20), "glpat-" + a(19), "", ""},
      {"GitLab token", "glcbt-6f_" + a(20), "glcbt-" + a(20, 3) + "_x", "", ""},
      {"Anthropic key", "sk-ant-api03-" + a(93) + "AA", "sk-ant-eater", "", ""},
      {"OpenAI key", "sk-proj-" + a(80), "sk-proj-short", "", ""},
      {"OpenRouter key", "sk-or-v1-" + h(64), "sk-or-v1-" + h(60), "", ""},
      {"API key", "sk-" + a(48), "sk-circle-fade-dot-animation-delay-child", "", ""},
      {"Google API key", "AIza" + a(35), "AIza" + a(36), "", ""},
      {"Google client secret", "GOCSPX-" + a(28), "GOCSPX-" + a(20), "", ""},
      {"Google access token", "ya29." + a(60), "ya29." + a(10), "", ""},
      {"Slack token", "xoxb-" + a(11) + "-" + a(24), "xoxb-" + a(8), "", ""},
      {"Slack token", "xapp-1-A0B1C2D3E4F-1234567890123-" + h(64), "xapp-1-A0B1-x", "", ""},
      {"Slack webhook", "T0001/B0002/" + a(24), "hooks.slack.com/services/", "https://hooks.slack.com/services/", ""},
      {"Stripe key", "sk_live_" + a(24), "sk_live_" + a(10), "", ""},
      {"webhook secret", "whsec_" + a(32), "whsec_" + a(20), "", ""},
      {"npm token", "npm_" + a(36), "npm_config_cache_folder", "", ""},
      {"PyPI token", "pypi-AgEIcHlwaS5vcmc" + a(70), "pypi-AgEIcHlwaS5vcmc" + a(10), "", ""},
      {"Hugging Face token", "hf_" + a(34), "hf_" + a(33), "", ""},
      {"SendGrid key", "SG." + a(22) + "." + a(43), "SG." + a(22) + "." + a(40), "", ""},
      {"Telegram token", "123456789:AA" + a(33), "12345:AA" + a(33), "", ""},
      {"Twilio key", "SK" + h(32), "SK" + h(33), "", ""},
      {"DigitalOcean token", "dop_v1_" + h(64), "dop_v1_" + h(63), "", ""},
      {"age key", "AGE-SECRET-KEY-1" + made_up("023456789ACDEFGHJKLMNPQRSTUVWXYZ", 58), "AGE-SECRET-KEY-1SHORT", "",
       ""},
      {"private key", pem, "-----BEGIN CERTIFICATE-----\n" + a(64) + "\n-----END CERTIFICATE-----", "", ""},
      {"JSON web token", "eyJ" + a(20) + ".eyJ" + a(40) + "." + a(43), "eyJ" + a(20) + "." + a(40), "", ""},
      {"password", "corr3ct-horse", "https://example.org:8080/a@b", "postgres://app:", "@db.example.org/main"},
      {"bearer token", a(40), "the bearer of this letter", "Authorization: Bearer ", ""},
      {"password", a(23) + "=", "basic understanding", "authorization: Basic ", ""},
      {"Groq key", "gsk_" + a(52), "gsk_" + a(51), "", ""},
      {"xAI key", "xai-" + a(80), "xai-" + a(30), "", ""},
      {"Perplexity key", "pplx-" + a(48), "pplx-" + a(40), "", ""},
      {"Replicate token", "r8_" + a(37), "r8_" + a(36), "", ""},
      {"Databricks token", "dapi" + h(32), "dapi" + h(31), "", ""},
      {"Docker token", "dckr_pat_" + a(27), "dckr_pat_" + a(20), "", ""},
      {"Vault token", "hvs." + a(24), "hvs." + a(20), "", ""},
      {"Linear key", "lin_api_" + a(40), "lin_api_" + a(39), "", ""},
      {"Shopify token", "shpat_" + h(32), "shpat_" + h(31), "", ""},
      {"Supabase token", "sbp_" + h(40), "sbp_" + h(39), "", ""},
      {"Grafana token", "glsa_" + a(32) + "_" + h(8), "glsa_" + a(32), "", ""},
      {"RubyGems key", "rubygems_" + h(48), "rubygems_version_number", "", ""},
      {"Atlassian token", "ATATT3" + a(180), "ATATT3" + a(20), "", ""},
      {"Postman key", "PMAK-" + h(24) + "-" + h(34), "PMAK-" + h(24), "", ""},
      {"New Relic key", "NRAK-" + made_up("ABCDEFGHIJ0123456789", 27), "NRAK-SHORT", "", ""},
      {"Tailscale key", "tskey-auth-" + a(12) + "-" + a(32), "tskey-auth", "", ""},
      {"1Password token", "ops_eyJ" + a(200), "ops_eyJ" + a(20), "", ""},
      {"Mailgun key", "key-" + h(32), "key-" + h(31), "", ""},
      {"Mailgun key", h(32) + "-" + h(8) + "-" + h(8), h(32) + "-" + h(8) + "-" + h(8), "Mailgun: key ", ""},
      {"Mailgun key", h(32) + "-" + h(8) + "-" + h(8), "api:" + h(32) + "-" + h(7), "auth 'api:", "' x"},
      {"password", "S3cr3tPassw0rdX", "curl -u $USER:$TOKEN https://x", "curl -s -u bob:", " https://x"},
      {"password", "S3cretMy5ql", "mysql -p main", "mysql -u root -p", " main"},
      {"password", "S3cretD0cker", "docker login --password-stdin", "docker login -u me -p ", " registry"},
      {"password", "S3cretSsh", "sshpass -e ssh -p 2222 host", "sshpass -p ", " ssh host"},
      {"password", "hunter2Zebra!", "my password is wrong again", "my password is ", " here"},
      {"secret", a(32), "the api key is under the mat", "my API key is ", " here"},
      {"Doppler token", "dp.pt." + a(43), "dp.pt." + a(30), "", ""},
      {"Doppler token", "dp.st.prd_eu." + a(43), "dp.st.prd_eu", "", ""},
      {"Notion token", "ntn_" + made_up("0123456789", 11) + a(35), "ntn_" + a(20), "", ""},
      {"Notion token", "secret_" + a(43), "secret_" + a(44), "", ""},
      {"Discord webhook", a(68), "https://discord.com/api/webhooks/",
       "https://discord.com/api/webhooks/123456789012345678/", ""},
      {"Discord webhook", a(68), "https://discordapp.com/api/users/",
       "https://ptb.discordapp.com/api/v10/webhooks/123456789012345678/", ""},
      {"Fly.io token", "fo1_" + a(43), "fo1_" + a(20), "", ""},
      {"Fly.io token", "fm2_" + a(300) + "+/" + a(40) + "==", "fm2_" + a(20), "FlyV1 ", ""},
      {"password", "hunter2hunter", "machine learning login page", "machine api.example.org login me password ", "\n"},
      {"password", "hunter2hunter", "the machine my password is on", "machine api.example.org\n  login me\n  password ",
       "\n"},
      {"password", "hunter2hunter", "by default login is off", "default login me password ", "\n"},
      {"password", "hunter2hunter", "machine x password y", "machine api.example.org password ", " login me\n"},
      {"private key", a(64) + "\n" + a(40) + "==\n", a(64) + "\n-----END CERTIFICATE-----", "",
       "-----END OPENSSH PRIVATE" + std::string(" KEY-----")},
      {"password", "S3cretRedis", "redis-cli -h db ping", "redis-cli -h db -a ", " ping"},
      {"password", "S3cretSsl", "openssl rsa -passin env:P", "openssl rsa -passin pass:", " -in x"},
      {"password", "S3cretPipe", "echo passwords | grep x", "echo \"", "\" | docker login -u me --password-stdin"},
      {"password", "S3cretSql", "; pwd=$(pwd)", "Server=db;Uid=sa;Pwd=", ";Encrypt=no"},
      {"password", "S3cretOra", "jdbc:oracle:thin:@db:1521/x", "jdbc:oracle:thin:scott/", "@//db:1521/x"},
      {"password", "S3cretPg", "-p 127.0.0.1:5432:5432", "db.example.org:5432:main:me:", "\n"},
      {"cookie", "sid=" + a(24) + "; csrf=" + a(12), "Cookie: theme=dark", "-H 'Cookie: ", "' x"},
      {"access token", h(40), "authorization: token required", "Authorization: token ", ""},
      {"AWS secret key", a(20) + "/" + a(19), "AWS Secret Access Key [None]: ", "AWS Secret Access Key [None]: ", ""},
      {"signature of an address", h(64), "sig=" + h(20), "https://x.example.org/a?X-Amz-Signature=", "&b=1"},
      {"Google refresh token", "1//0" + a(60), "1//0" + a(20), "", ""},
      {"Django key", "django-insecure-" + a(10) + "(^$&" + a(36), "django-insecure-" + a(5), "", ""},
      {"Heroku key", "HRKU-" + a(36), "HRKU-" + a(20), "", ""},
      {"Sentry token", "sntryu_" + h(64), "sntryu_" + h(60), "", ""},
      {"Sentry token", "sntrys_eyJ" + a(120), "sntrys_eyJ" + a(20), "", ""},
      {"Pulumi token", "pul-" + h(40), "pul-" + h(39), "", ""},
      {"PlanetScale token", "pscale_pw_" + a(43), "pscale_pw_" + a(10), "", ""},
      {"Netlify token", "nfp_" + a(36), "nfp_" + a(35), "", ""},
      {"Figma token", "figd_" + a(40), "figd_" + a(20), "", ""},
      {"LangSmith key", "lsv2_pt_" + h(32) + "_" + h(10), "lsv2_pt_" + h(32), "", ""},
      {"NVIDIA key", "nvapi-" + a(64), "nvapi-" + a(20), "", ""},
      {"Tavily key", "tvly-dev-" + a(32), "tvly-" + a(20), "", ""},
      {"Terraform token", a(67), a(14) + ".atlasv1." + a(20), a(14) + ".atlasv1.", ""},
      {"password", "hunter2", "password: string", "password: ", ""},
      {"password", "correcthorse", "DB_PASSWORD=${DB_PASSWORD}", "DB_PASSWORD=", "\n"},
      {"secret", "8f3kq09zlw2x", "token: request.headers.token", "\"client_secret\": \"", "\""},
      {"secret", a(40), "API_TOKEN_URL=https://example.org/9a8b7c", "export SERVICE_TOKEN=", " && run"},
      {"password", "s3cr3tpw", "--password-stdin", "mysql --password ", " main"},
  };
}

}  // namespace holdfast::testing
