
// Sessions that this process starts in others, by a tool that runs pi again, see
// the variable and know whose they are.
const VARIABLE = "PI_SELFIP_SESSION";

export default function selfip(pi) {
  if (globalThis[Symbol.for("selfip")] === process.pid) return; // for the user and for the project
  globalThis[Symbol.for("selfip")] = process.pid;

  const marked = (process.env[VARIABLE] ?? "").split(" ");
  const parentSession = marked.length === 2 && marked[0] !== String(process.pid) ? marked[1] : undefined;
  const wrap = (ctx, event) =>
    tell({
      cwd: ctx.cwd,
      sessionId: ctx.sessionManager.getSessionId(),
      sessionFile: ctx.sessionManager.getSessionFile() ?? "",
      parentSession,
      event,
    });

  pi.on("session_start", safely(async (event, ctx) => {
    if (!parentSession) process.env[VARIABLE] = `${process.pid} ${ctx.sessionManager.getSessionId()}`;
    await wrap(ctx, { type: "session_start", reason: event.reason });
  }));
  pi.on("before_agent_start", safely(async (event, ctx) => {
    const content = await wrap(ctx, { type: "before_agent_start", prompt: event.prompt });
    return content && !parentSession ? { message: { customType: "selfip", content, display: false } } : undefined;
  }));
  pi.on("tool_result", safely(async (event, ctx) => {
    const { toolName, toolCallId, input, isError } = event;
    const content = (event.content ?? []).filter((part) => part.type === "text");
    await wrap(ctx, { type: "tool_result", toolName, toolCallId, input, content, isError });
  }));
  pi.on("turn_end", safely(async (event, ctx) => {
    const { stopReason, errorMessage } = event.message ?? {};
    if (stopReason === "error") await wrap(ctx, { type: "turn_end", message: { stopReason, errorMessage } });
  }));
  pi.on("agent_end", safely(async (event, ctx) => {
    await wrap(ctx, { type: "agent_end", messages: (event.messages ?? []).slice(-1) });
  }));
  pi.on("session_compact", safely(async (event, ctx) => {
    await wrap(ctx, { type: "session_compact", reason: event.reason });
  }));
  pi.on("session_shutdown", safely(async (event, ctx) => {
    delete globalThis[Symbol.for("selfip")]; // a reload brings a new one
    await wrap(ctx, { type: "session_shutdown", reason: event.reason });
  }));
}
