// Drives a real browser through `selfip panel` and prints what it saw as JSON:
// node panel.mjs PLAYWRIGHT CHROMIUM SELFIP
import { spawn, execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const [playwright, chromium, selfip] = process.argv.slice(2);
const browsers = createRequire(import.meta.url)(playwright).chromium;

const checks = [];
const check = (what, ok, said = "") => checks.push({ what, ok: Boolean(ok), said: String(said) });

const panel = spawn(selfip, ["panel", "--json"], { stdio: ["ignore", "pipe", "inherit"] });
const ended = new Promise((resolve) => panel.on("exit", (code, signal) => resolve(code ?? signal)));
const [line] = await new Promise((resolve) => createInterface(panel.stdout).once("line", (l) => resolve([l])));
const address = JSON.parse(line).url;
const origin = new URL(address).origin;

const browser = await browsers.launch({ executablePath: chromium, args: ["--no-sandbox"] });
try {
  const context = await browser.newContext();
  const page = await context.newPage();
  const problems = [];
  page.on("console", (m) => { if (m.type() === "error") problems.push(m.text()); });
  page.on("pageerror", (e) => problems.push(String(e)));
  page.on("dialog", (d) => { problems.push("dialog " + d.message()); d.dismiss(); });
  const shows = (text) => page.getByText(text, { exact: true }).first().waitFor({ timeout: 15_000 }).then(() => true, () => false);

  await page.goto(address);
  check("the address leads to the page and loses its secret", page.url() === origin + "/", page.url());
  check("the four cards are there", (await page.locator("section.card").count()) === 4);
  check("an entry is text, whatever it says", await shows("<img src=x onerror=alert(1)><script>alert(2)</script>"));
  const nameless = await page.locator("input:not([type=hidden]), select, button").evaluateAll((all) =>
    all.filter((e) => !(e.labels?.length || e.getAttribute("aria-label") || e.textContent.trim())).length);
  check("every control has a name", nameless === 0, nameless);

  execFileSync(selfip, ["remember", "said on the command line"]);
  check("what changes elsewhere appears by itself", await shows("said on the command line"));

  await page.fill("#add-text", "typed in the browser");
  await page.selectOption("#add-section", "LESSONS");
  await page.click("form.stack button");
  check("what is added is shown", await shows("typed in the browser"));
  check("and stored", execFileSync(selfip, ["memory"]).toString().includes("typed in the browser"));

  await page.fill("#add-text", "half a word");
  execFileSync(selfip, ["remember", "while somebody types"]);
  await page.waitForTimeout(6_000);
  check("what is being typed stays", (await page.inputValue("#add-text")) === "half a word");
  await page.fill("#add-text", "");

  await page.getByLabel("Withdraw: typed in the browser").click();
  check("what is withdrawn goes", await shows("Entries withdrawn: 1") && (await page.getByText("typed in the browser", { exact: true }).count()) === 0);

  await page.getByRole("button", { name: "Shared by all workspaces" }).click();
  check("a change of scope warns", await page.locator(".warning").isVisible());
  await page.locator(".warning button").click();
  check("until that is dismissed", (await page.locator(".warning").count()) === 0);
  check("the browser complains of nothing", problems.length === 0, problems.join("; "));

  const stranger = await (await browser.newContext()).newPage();
  check("without the secret there is nothing", (await stranger.goto(origin + "/")).status() === 401);
  const plain = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await plain.goto(address);
  check("it reads without a script", (await plain.locator("section.card").count()) === 4);

  panel.kill("SIGINT");
  check("it ends when it is interrupted", (await ended) === 0, await ended);
  check("and the page says so", await page.locator("#live").getByText("not running any more").waitFor({ timeout: 15_000 }).then(() => true, () => false));
} finally {
  await browser.close();
  panel.kill("SIGKILL");
}
console.log(JSON.stringify(checks));
