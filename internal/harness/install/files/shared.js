// @@MARK@@
// It tells selfip what happens in a session and shows the agent what selfip has
// to say. `selfip uninstall @@HARNESS@@` takes it away. Changed by hand, it is
// yours: selfip neither updates nor removes it then.
import { spawn } from "node:child_process";

const BINARY = @@BINARY@@;
const LIMIT = 5000; // ms for one answer
const PAUSE = 60000; // ms without questions after one that took too long
const LONGEST = 65536; // characters of one text

// What the binary may see of the environment: places and its own settings. The
// rest holds keys.
const NAMED = /^(HOME|USERPROFILE|PATH|SYSTEMROOT|TMPDIR|TEMP|TMP|TZ|LANG|LC_[A-Z]+|XDG_[A-Z]+_HOME|DSH_HOME|SELFIP_[A-Z0-9_]+)$/i;
const environment = () => Object.fromEntries(Object.entries(process.env).filter(([name]) => NAMED.test(name)));

const cut = (_key, value) =>
  typeof value === "string" && value.length > LONGEST
    ? value.slice(0, LONGEST / 2) + "\n[…]\n" + value.slice(-LONGEST / 2)
    : value;

let quietUntil = 0;

// ask runs the binary once and resolves to what it has to say, "" for nothing or
// for any trouble. It never rejects.
function ask(payload) {
  return new Promise((resolve) => {
    let child, timer, said = "";
    const settle = (answer) => {
      clearTimeout(timer);
      resolve(answer);
    };
    try {
      if (Date.now() < quietUntil) return settle("");
      const input = JSON.stringify(payload, cut);
      child = spawn(BINARY, ["hook", "@@HARNESS@@"], {
        stdio: ["pipe", "pipe", "ignore"],
        env: environment(),
        windowsHide: true,
      });
      timer = setTimeout(() => {
        quietUntil = Date.now() + PAUSE;
        child.kill("SIGKILL");
        settle("");
      }, LIMIT);
      child.on("error", () => settle(""));
      child.stdin.on("error", () => {});
      child.stdout.setEncoding("utf8");
      child.stdout.on("data", (data) => {
        said += data;
      });
      child.on("close", () => {
        try {
          const { context } = JSON.parse(said);
          settle(typeof context === "string" ? context : "");
        } catch {
          settle("");
        }
      });
      child.stdin.end(input + "\n");
    } catch {
      settle("");
    }
  });
}

// tell asks in order: what happened first is told first.
let last = Promise.resolve("");
const tell = (payload) => (last = last.then(() => ask(payload)));

// safely keeps our mistakes away from the harness.
const safely = (act) => async (...args) => {
  try {
    return await act(...args);
  } catch {
    return undefined;
  }
};
