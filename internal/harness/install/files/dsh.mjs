
export const name = "selfip";

export function apply(ctx) {
  const parents = new Map(); // delegated session: the one that delegated
  const judged = new Set(); // judgements that were told

  const wrap = (agent, hook_event_name, rest) => {
    const header = agent?.session?.header ?? {};
    if (header.parentSession) parents.set(header.id, header.parentSession);
    return tell({
      hook_event_name,
      session_id: header.id,
      cwd: header.cwd,
      transcript_path: ctx.get("sessionPersistence")?.locate?.(header)?.path ?? "session.jsonl",
      origin: header.origin ?? null,
      parent_session_id: header.parentSession ?? null,
      ...rest,
    });
  };
  // hear tells of an event that nobody waits for.
  const hear = (event, act) => ctx.on(event, (...args) => {
    safely(act)(...args);
    return undefined;
  });
  const words = (content) => (content ?? []).filter((part) => part.type === "text");

  hear("agent/session-start", ({ agent, source }) => wrap(agent, "agent/session-start", { source }));
  hear("agent/error", ({ agent, error }) =>
    wrap(agent, "agent/error", { error: { code: error?.code, message: String(error?.message ?? error) } }));
  hear("agent/disposed", ({ agent }) => wrap(agent, "agent/disposed"));
  hear("tools/result", (exec, result) => {
    const { isError, value } = result;
    return wrap(exec.agent, "tools/result", {
      tool_name: exec.name,
      call_id: exec.callId,
      arguments: exec.arguments,
      result: { isError, content: words(result.content), value: { exitCode: value?.exitCode } },
    });
  });
  hear("session/event", (session, event) => {
    if (event.type === "feedback/record") return wrap({ session }, "session/event", { event });
  });
  hear("subagent/end", (info) => {
    const reason = info.stopReason?.kind ?? info.stopReason ?? info.reason;
    const parent = parents.get(info.id);
    if (!parent) return;
    return tell({ hook_event_name: "subagent/end", id: info.id, session_id: info.id, parent_session_id: parent, reason });
  });

  ctx.on("agent/pre-step", async (payload, next) => {
    const decision = await next();
    const said = await safely(step)(payload, decision);
    if (!said) return decision;
    const message = {
      id: crypto.randomUUID(),
      role: "user",
      content: [{ type: "text", text: said }],
      source: { kind: "plugin", plugin: "selfip", form: "snapshot", sections: [{ name: "selfip", text: said }] },
    };
    return { ...decision, messages: [...decision.messages, message] };
  });
  // step tells what a person said, and returns what to add to it.
  async function step({ agent }, decision) {
    const messages = (decision?.kind === "enter" ? decision.messages : []).filter((m) => m.source?.kind === "user");
    if (messages.length === 0) return "";
    const said = await wrap(agent, "agent/pre-step", {
      messages: messages.map((m) => ({ source: { kind: "user" }, content: words(m.content) })),
    });
    return agent.session.header.parentSession ? "" : said;
  }

  ctx.on("agent/turn-stopping", safely(async ({ agent }) => {
    await feedback(agent);
    await wrap(agent, "agent/turn-stopping");
  }));
  // feedback tells each judgement of a message once.
  async function feedback(agent) {
    const sessionId = agent.session.header.id;
    const list = await ctx.get("messageFeedback")?.list?.({ sessionId });
    for (const item of list?.value?.items ?? []) {
      if (judged.has(item.version)) continue;
      judged.add(item.version);
      await wrap(agent, "messageFeedback.list", { value: { items: [item] } });
    }
  }
  ctx.on("session/flush", safely(async () => {
    await last; // DSH waits here before it ends
  }));
}
