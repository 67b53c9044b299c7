package redact_test

import (
	"strings"
	"testing"

	"github.com/dshkit/dshkit/internal/selfip/redact"
)

// harmless are notes without a credential: they must come back unchanged.
var harmless = strings.Split(strings.TrimSpace(`
token_count: 4096
max_tokens: 128000
password = os.environ["DB_PASSWORD"]
password = os.getenv("DB_PASSWORD", "")
const apiKey = process.env.OPENAI_API_KEY;
secret: ${VAR}
secret: $SECRET
api_key: {{ .Values.apiKey }}
api_key: <your-api-key>
password: <placeholder>
password: xxxxxxxxxxxxxxxx
password: ***
password: ****************
token: your-token-here
API_KEY=your_api_key
ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
sk-xxxxxxxxxxxxxxxxxxxxxxxx
ghp_tooShort
postgres://user:${PASS}@host/db
postgres://user:$PASS@host/db
https://user:<password>@example.com/
http://localhost:8080/path@v2
https://example.com:443/a@b.c
git clone ssh://git@github.com/org/repo.git
password policy: at least twelve characters
password: at least twelve characters
The password is required for every user.
The token is cached for 30 minutes.
The token is stored in localStorage and refreshed by useEffect
The secret is base64-encoded and the password is bcrypt-hashed
password: base64-encoded value of the file
passwords are hashed with argon2id
token expires after 15m
token: expired
secret: optional
type Config struct { Password string; Token string }
def login(user, password: str = None) -> Token:
login(user=user, password=password)
password = config.db_password
token = self.token
token = lexer.next()
secret = get_secret("prod/db")
token: string;
"token": "string"
"type": "password"
password: /run/secrets/db
password_file = /run/secrets/db_password
secretKeyRef: name: db, key: password
primary key: user_id
foreign key = orders.customer_id_of_the_order
cache key: a8f5f167f44f4964e6c998dee827110c
cache_key=e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
public key: MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEexampleexample1234
next_page_token: CAUQAAaBbCcDdEeFf0123456789
sort key = created_at#2026-03-01T10:00:00Z
The token bucket is refilled every 100ms
https://github.com/settings/tokens
see https://example.com/d/1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms/edit#gid=0
https://example.com/?id=018f4c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f&page=2
docker run -u 1000:1000 image
docker run -p 8080:8080 image
mysql -u root -p shop
mysql -p$MYSQL_PWD shop
mkdir -p build/mysql && ssh -p 2222 me@host
sshpass -p "$PASS" ssh me@host
curl --user "$USER:$PASS" https://example.com
podman run --user 1000:1000 image
git commit -a --amend
use argon2id as the password hash
use sha3-512 as the password hash
treat it as a password
用 argon2id 作为密码哈希
commit 9d1f2c3b4a59 serves as the password fix
release v1.2.3-rc4 counts as the password reset fix
sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk
sk-learn-compatible-estimator-for-pipelines
flask-sk-learn-template-with-docs
desk-allocation-and-booking-system-v2
task-0123456789abcdefghijklmnop is only a slug
hf_transfer speeds up downloads
npm_config_registry and npm_lifecycle_event are set by npm
Basic authentication is disabled; Bearer tokens only
Authorization: Bearer <token>
Authorization: Bearer ${TOKEN}
Authorization: Bearer $TOKEN
send an Authorization header with the Bearer scheme
Authorization header is required
files that begin with -----BEGIN PRIVATE KEY----- are keys
-----BEGIN CERTIFICATE----- MIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBa -----END CERTIFICATE-----
ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIExampleExampleExampleExampleExample user@host
commit 9d1f2c3b4a5968778695a4b3c2d1e0f9a8b7c6d5 fixed the token race
the password reset fix is 9d1f2c3b4a59
integrity sha512-oqVuAfXRKap7fdgcCY5uykM6+R9GqQ8K/uxy9rx7HNQlGYl1kPzQho1wx4JwY8wCEXAMPLE==
if token == nil { return }
password != ""
curl -u "$USER:$PASS" https://example.com
press the hot key Ctrl+Shift+P
std::token::value
monkey: banana-split-with-extra-cream-on-top
keyboard: 60percent-layout-2026
tokenizer: cl100k_base_tokenizer
密钥轮换周期是九十天
密码长度为12位以上
密码是必填项
密码：见密码管理器
密码: 不要写在代码里
令牌有效期是 30 分钟
凭据存放在 vault 里
用户说 "token" 要放在环境变量里，不要提交
API key 存在 1Password 里，名字是 openai-prod
云端 API key 已配置好
服务端点是 https://x.example.com
用户偏好先写方案再改代码
the phrase "correct horse" is from a comic about passwords
secret santa is on 2026-12-20
the eyJ prefix marks base64 of an opening brace
we use AKIA as an acronym in the glossary
version: 1.2.3-rc.4+build.5678
my password manager is 1Password7
token usage is ~4k/request
the password is the same as staging2
api key: see 1Password item openai-prod-2026
auth: oauth2 via keycloak-24
Session token lifetime = 3600s
The password prompt says "enter your password"
postgres://user:password@localhost
postgres://user:password@localhost:5432/app
postgres://postgres:postgres@localhost:5432/app
mysql://root:secret@127.0.0.1/shop
https://username:password@host.example.com/
connect with postgres://user:pass@host/db
pin 13 drives the LED
PIN 4096 is not one of the GPIO
pin the version to 20240101
the pin is 2024.1
PIN: 1.2.3
tests pass: 1234 of 1240
main.go:1234:foo:bar
main.go:12:34:foo:bar
a.b.c:8080:80/tcp
10:20:30:40:50
aa:bb:cc:dd:ee:ff
the digest begins with $2y$ or $apr1$
price is $5 and $6 for two
set -- $1$2
${SHA}abcdefghijklmnopqrstuvwxyz
key-value-store-with-many-small-entries-inside
dapi is short for database api
nfp_ is a prefix
fw_update_the_firmware_of_the_box_now
rnd_seed_of_the_generator_is_forty_two
e2b_template_of_the_sandbox_with_python
v1.0-beta of the driver
The secret to fast builds is caching node_modules
token 数量约为 128k
密钥文件在 ~/.ssh/id_ed25519
`), "\n")

func TestHarmlessStays(t *testing.T) {
	keepAll(t, "harmless", harmless)
}

// disclosed are notes and what must be left of them.
var disclosed = [][2]string{
	{`export DB_PASSWORD=hunter2x`, `export DB_PASSWORD=<已脱敏>`},
	{`DB_PASSWORD_PROD=hunter2x`, `DB_PASSWORD_PROD=<已脱敏>`},
	{`STRIPE_SECRET=abc123def456`, `STRIPE_SECRET=<已脱敏>`},
	{`SECRET_KEY_BASE=abc123def456abc123def456`, `SECRET_KEY_BASE=<已脱敏>`},
	{`clientSecret: "q8~Xy.zAbC"`, `clientSecret: "<已脱敏>"`},
	{`{"password":"hunter2","user":"bob"}`, `{"password":"<已脱敏>","user":"bob"}`},
	{`{\"password\":\"hunter2x\",\"user\":\"bob\"}`, `{\"password\":\"<已脱敏>\",\"user\":\"bob\"}`},
	{`{password: hunter2x, user: bob}`, `{password: <已脱敏>, user: bob}`},
	{`Server=db;Password=p,w;d123;Database=app`, `Server=db;Password=<已脱敏>;Database=app`},
	{`https://api.example.com/v1?access_token=abcDEF123456&page=2`, `https://api.example.com/v1?access_token=<已脱敏>&page=2`},
	{`<password>hunter2x</password>`, `<password><已脱敏></password>`},
	{`mysql --password hunter2x --host db`, `mysql --password <已脱敏> --host db`},
	{`curl -u admin:hunter2x https://example.com`, `curl -u admin:<已脱敏> https://example.com`},
	{`the password is hunter2x.`, `the password is <已脱敏>.`},
	{`The staging password for admin is Tr0ub4dor, ask Bob`, `The staging password for admin is <已脱敏>, ask Bob`},
	{`password for the staging box: Tr0ub4dor3`, `password for the staging box: <已脱敏>`},
	{`set the password to hunter2x!`, `set the password to <已脱敏>`},
	{`密码是hunter2x，不要外传`, `密码是<已脱敏>，不要外传`},
	{`口令为「hunter2x」`, `口令为「<已脱敏>」`},
	{`密码已改为 hunter2x。`, `密码已改为 <已脱敏>。`},
	{`token是abc123def456`, `token是<已脱敏>`},
	{`密码 Zx9kQ2mN7pL4vB8w 已轮换`, `密码 <已脱敏> 已轮换`},
	{`password Tr0ub4dor3xyz`, `password <已脱敏>`},
	{`Ｐａｓｓｗｏｒｄ：ｈｕｎｔｅｒ２ｘ`, `Ｐａｓｓｗｏｒｄ：<已脱敏>`},
	{"ghp_16C7e42F2\u200b92c6912E7710c838347Ae178B4a x", `<已脱敏:ghp> x`},
	{`AZURE_CLIENT_SECRET=q8~8Q~AbCdEfGh`, `AZURE_CLIENT_SECRET=<已脱敏>`},
	{`DefaultEndpointsProtocol=https;AccountName=x;AccountKey=Zm9vYmFyYmF6cXV4Zm9vYmFy==;EndpointSuffix=core`, `DefaultEndpointsProtocol=https;AccountName=x;AccountKey=<已脱敏>;EndpointSuffix=core`},
	{`aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYzFAKEFAKE00`, `aws_secret_access_key = <已脱敏>`},
	{`Authorization: Basic dXNlcjpwYXNzd29yZA==`, `Authorization: Basic <已脱敏>`},
	{`curl -H "Authorization: token abc123def456" x`, `curl -H "Authorization: token <已脱敏>" x`},
	{`curl --user admin:hunter2x https://example.com`, `curl --user admin:<已脱敏> https://example.com`},
	{`curl --proxy-user=admin:hunter2x https://example.com`, `curl --proxy-user=admin:<已脱敏> https://example.com`},
	{`sshpass -p hunter2x ssh me@host`, `sshpass -p <已脱敏> ssh me@host`},
	{`mysql -u root -phunter2x shop`, `mysql -u root -p<已脱敏> shop`},
	{`sudo docker login -u bob -p 'hunter2x' reg.example.com`, `sudo docker login -u bob -p '<已脱敏>' reg.example.com`},
	{`redis-cli -h cache -a hunter2x ping`, `redis-cli -h cache -a <已脱敏> ping`},
	{`use Tr0ub4dor3 as the root password from now on`, `use <已脱敏> as the root password from now on`},
	{`type 'hunter2x!' as password`, `type '<已脱敏>' as password`},
	{`以后用 Tr0ub4dor3 作为密码`, `以后用 <已脱敏> 作为密码`},
	{`密碼是 hunter2x，不要外傳`, `密碼是 <已脱敏>，不要外傳`},
	{`資料庫密碼：hunter2x`, `資料庫密碼：<已脱敏>`},
	{`存取權杖改為 abc123def456ghi7`, `存取權杖改為 <已脱敏>`},
	{`"Authorization": "Bearer abc123def456"`, `"Authorization": "Bearer <已脱敏>"`},
	{`uses Bearer abc123def456abc123 for auth`, `uses Bearer <已脱敏> for auth`},
	{`X-API-Key: abc123def456`, `X-API-Key: <已脱敏>`},
	{`//registry.npmjs.org/:_authToken=abc123def456`, `//registry.npmjs.org/:_authToken=<已脱敏>`},
	{`redis://:s3cr3t@cache:6379/0`, `redis://:<已脱敏>@cache:6379/0`},
	{`mongodb+srv://app:p@ss/w0rd@cluster0.example.net/db`, `mongodb+srv://app:<已脱敏>@cluster0.example.net/db`},
	{`postgres://admin:密码x1@db/app`, `postgres://admin:<已脱敏>@db/app`},
	{`hooks at https://hooks.slack.com/services/T00000000/B00000000/abcdef0123456789abcdefgh`, `hooks at https://hooks.slack.com/services/<已脱敏:webhook>`},
	{`bot 123456789:AAFakeFakeFakeFakeFakeFakeFakeFake123`, `bot <已脱敏:telegram>`},
	{`the output was \nghp_16C7e42F292c6912E7710c838347Ae178B4a\n`, `the output was \n<已脱敏:ghp>\n`},
	{"[32mghp_16C7e42F292c6912E7710c838347Ae178B4a", `[32m<已脱敏:ghp>`},
	{`keys glpat-FAKEfakeFAKEfake0000 and hf_FAKEfakeFAKEfakeFAKEfake and npm_FAKEfakeFAKEfakeFAKEfakeFAKEfake0000`, `keys <已脱敏:glpat> and <已脱敏:hf> and <已脱敏:npm>`},
	{`ghu_FAKEFAKEFAKEFAKEFAKE ghs_FAKEFAKEFAKEFAKEFAKE ghr_FAKEFAKEFAKEFAKEFAKE`, `<已脱敏:ghu> <已脱敏:ghs> <已脱敏:ghr>`},
	{`sk_live_FAKEfakeFAKEfake0000 rk_live_FAKEfakeFAKEfake0000`, `<已脱敏:sk_live> <已脱敏:rk_live>`},
	{`ntn_FAKEfakeFAKEfakeFAKEfakeFAKEfakeFAKEfake0000 and sbp_0123456789abcdef0123456789abcdef01234567`, `<已脱敏:ntn> and <已脱敏:sbp>`},
	{`dp.pt.FAKEfakeFAKEfakeFAKEfakeFAKEfakeFAKEfake000 and pscale_tkn_FAKEfakeFAKEfakeFAKEfakeFAKEfake0000`, `<已脱敏:dp.pt> and <已脱敏:pscale_tkn>`},
	{`AKIDFAKEfakeFAKEfakeFAKEfakeFAKEfake0000 and HRKU-AAFAKEfakeFAKEfakeFAKEfakeFAKEfake0000`, `<已脱敏:AKID> and <已脱敏:HRKU-AA>`},
	{`FlyV1 fm2_FAKEfakeFAKEfakeFAKEfakeFAKEfakeFAKEfakeFAKEfakeFAKEfakeFAKEfake0000`, `FlyV1 <已脱敏:fm2>`},
	{`AGE-SECRET-KEY-1FAKEFAKEFAKEFAKEFAKEFAKEFAKE`, `<已脱敏:AGE-SECRET-KEY>`},
	{`SG.FAKEfakeFAKEfakeFAKEfa.FAKEfakeFAKEfakeFAKEfakeFAKEfakeFAKEfakeFAK`, `<已脱敏:SG>`},
	{`dop_v1_0123456789abcdef0123456789abcdef and ya29.a0FakeFakeFakeFakeFake`, `<已脱敏:dop_v1> and <已脱敏:ya29>`},
	{`pypi-AgEIcHlwaS5vcmcCJGZha2VmYWtlZmFrZWZha2VmYWtl0000`, `<已脱敏:pypi>`},
	{`xapp-1-A0FAKE-000000000000-fakefake`, `<已脱敏:xapp>`},
	{"密钥：```hunter2x```", "密钥：```<已脱敏>```"},
	{`**password**: hunter2x`, `**password**: <已脱敏>`},
	{"`password`: `hunter2x`", "`password`: `<已脱敏>`"},
	{`| password | Tr0ub4dor3xyz99AA |`, `| password | <已脱敏> |`},
	{`password => 'hunter2x'`, `password => '<已脱敏>'`},
	{`password=b"hunter2x"`, `password=b"<已脱敏>"`},
	{"password:\n  hunter2x\nnext: 1", "password:\n  <已脱敏>\nnext: 1"},
	{`The DB password for staging is "correct horse battery staple"`, `The DB password for staging is "<已脱敏>"`},
	{`passphrase for the key: "open sesame"`, `passphrase for the key: "<已脱敏>"`},
	{`pw: hunter2x`, `pw: <已脱敏>`},
	{`db pass: s3cr3tpw`, `db pass: <已脱敏>`},
	{`the root pass = s3cr3tpw`, `the root pass = <已脱敏>`},
	{`PIN is 493817`, `PIN is <已脱敏>`},
	{`The PIN code of the door: 4938`, `The PIN code of the door: 4938`},
	{`PIN code: 4938, do not tell`, `PIN code: <已脱敏>, do not tell`},
	{`my pin is 493817.`, `my pin is <已脱敏>.`},
	{`门禁 PIN 码是 493817`, `门禁 PIN 码是 <已脱敏>`},
	{`db.internal:5432:app:admin:S3cr3tPw`, `db.internal:5432:app:admin:<已脱敏>`},
	{"# .pgpass\nlocalhost:5432:*:app:correct-horse\n*:*:*:admin:x9!kk", "# .pgpass\nlocalhost:5432:*:app:<已脱敏>\n*:*:*:admin:<已脱敏>"},
	{`bob:$apr1$r31ceMUi$kHxDPLDKOsL4w1BFeGQvH/`, `bob:<已脱敏:hash>`},
	{`alice:$2y$05$c4WoMPo3SXsafkva.HHa6uXQZWr7oboPiC2bT/r7q1BB8I2s0BRqC and more`, `alice:<已脱敏:hash> and more`},
	{`root:$6$saltsalt$Zb0mMZ7yqCGZ9x7h8tKx2m1Qm8d9vGd3XKfjv0:19000:0:99999:7:::`, `root:<已脱敏:hash>:19000:0:99999:7:::`},
	{`carol:{SHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g=`, `carol:<已脱敏:hash>`},
	{`mail key-0123456789abcdef0123456789abcdef`, `mail <已脱敏:key>`},
	{`nfp_FAKEfakeFAKEfakeFAKEfakeFAKEfake00000 sgp_0123456789abcdef_0123456789abcdef0123456789abcdef01234567`, `<已脱敏:nfp> <已脱敏:sgp>`},
	{`lsv2_pt_0123456789abcdef0123456789abcdef_0123456789 CCIPAT_FAKEfake_0123456789abcdef0123456789abcdef01234567`, `<已脱敏:lsv2_pt> <已脱敏:CCIPAT>`},
	{`pul-0123456789abcdef0123456789abcdef01234567, glft-FAKEfakeFAKEfake0000`, `<已脱敏:pul>, <已脱敏:glft>`},
	{`postgres://admin:password1@db.internal/app`, `postgres://admin:<已脱敏>@db.internal/app`},
	{`postgres://admin:hunter2x@localhost/app`, `postgres://admin:<已脱敏>@localhost/app`},
	{`密码 admin123`, `密码 <已脱敏>`},
	{`The API key for the weather service is 9f8e7d6c5b4a39281706`, `The API key for the weather service is <已脱敏>`},
	{`machine api.heroku.com login me password abc123DEF`, `machine api.heroku.com login me password <已脱敏>`},
	{`管理员口令：Admin#2026，别外传`, `管理员口令：<已脱敏>，别外传`},
	{`client_secret=abc,def,123456`, `client_secret=<已脱敏>`},
	{`I typed hunter2xQ9 because the password is hunter2xQ9`, `I typed <已脱敏> because the password is <已脱敏>`},
	{"-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nMIIEpAIBAAKCAQEA7bq3vXk2hT9pQ4rS8uW1yZ6cF0gJ5nL\nAbCdEfGhIjKlMnOpQrStUvWx012345=\n-----END RSA PRIVATE KEY-----\nafter", "<已脱敏:-----BEGIN>\nafter"},
	{"key -----BEGIN PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7bq3vXk2hT9pQ4rS8uW1yZ6cF0gJ5nL\nAbCdEfGhIjKlMnOpQrSt", "key <已脱敏:-----BEGIN>"},
	{`{"private_key": "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcw\n-----END PRIVATE KEY-----\n", "id": 1}`, `{"private_key": "<已脱敏:-----BEGIN>\n", "id": 1}`},
	{"AbCdEfGhIjKlMnOpQrStUvWx01234567\nAbCdEfGh01=\n-----END EC PRIVATE KEY-----", "<已脱敏:-----BEGIN>"},
	{"> -----BEGIN PRIVATE KEY-----\n> MIIEpAIBAAKCAQEA7bq3vXk2hT9pQ4rS8uW1yZ6cF0gJ5nL\n> AbCdEfGhIjKlMnOpQrStUvWx012345\n> and more", "> <已脱敏:-----BEGIN>\n> and more"},
	{"     1\t-----BEGIN PRIVATE KEY-----\n     2\tMIIEpAIBAAKCAQEA7bq3vXk2hT9pQ4rS8uW1yZ6cF0gJ5nL\n    10→AbCdEfGhIjKlMnOpQrStUvWx012345", "     1\t<已脱敏:-----BEGIN>"},
	{"\"-----BEGIN PRIVATE KEY-----\\n\" +\n\"MIIEpAIBAAKCAQEA7bq3vXk2hT9pQ4rS8uW1yZ6cF0gJ5nL\\n\" +\n  \"AbCdEfGhIjKlMnOpQrStUvWx012345\\n\"", "\"<已脱敏:-----BEGIN>\\n\""},
	{"+-----BEGIN PRIVATE KEY-----\n+MIIEpAIBAAKCAQEA7bq3vXk2hT9pQ4rS8uW1yZ6cF0gJ5nL\n+AbCdEfGhIjKlMnOpQrStUvWx012345", "+<已脱敏:-----BEGIN>"},
	{"MIIEpAIBAAKCAQEA7bq3vXk2hT9pQ4rS8uW1yZ6cF0gJ5nLabcdef and more", "<已脱敏:-----BEGIN> and more"},
	{"-----BEGIN PGP PRIVATE KEY BLOCK-----\nlQOYBGFakeFakeFakeFakeFake\n-----END PGP PRIVATE KEY BLOCK-----", "<已脱敏:-----BEGIN>"},
}

func TestW15Disclosed(t *testing.T) {
	for _, row := range disclosed {
		t.Run(row[0], func(t *testing.T) {
			if got, hits := redact.Redact(row[0]); got != row[1] {
				t.Errorf("Redact(%q) =\n%q, %v; want\n%q", row[0], got, hits, row[1])
			}
		})
	}
}

// TestVO holds the rows of spec/selfip.md 28.14 that redaction decides.
func TestVO(t *testing.T) {
	for _, row := range [][3]string{
		{"VO01", "ghp_" + strings.Repeat("aB3", 12), "<已脱敏:ghp>"},
		{"VO02", "OpenAI key: sk-proj-" + strings.Repeat("ab", 13), "OpenAI key: <已脱敏:sk>"},
		{"VO03", "AWS api_key = AKIAIOSFODNN7EXAMPLE", "AWS api_key = <已脱敏:AKIA>"},
		{"VO04", `secret: "abcdefghij0123456789"`, `secret: "<已脱敏>"`},
		{"VO05", "密钥：abcdefgh01234567", "密钥：<已脱敏>"},
		{"VO06", `password = "MyS3cretP@ssw0rd123"`, `password = "<已脱敏>"`},
		{"VO07", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N", "<已脱敏:eyJ>"},
		{"VO08", "用户偏好先写方案再改代码", ""},
		{"VO09", "https://github.com/settings/tokens", ""},
		{"VO10", `the "token" setting is read from "config.json", not from the environment`, ""},
		{"VO11", "模型 deepseek-v4-flash，provider deepseek", ""},
		{"VO12", "endpoint https://api.example.com/v1/chat/completions", ""},
		{"VO13", "长文按 3200 字符切分", ""},
	} {
		t.Run(row[0], func(t *testing.T) {
			want := row[2]
			if want == "" {
				want = row[1]
			}
			if got, _ := redact.Redact(row[1]); got != want {
				t.Errorf("Redact(%q) = %q, want %q", row[1], got, want)
			}
		})
	}
}
