
export const Selfip = async ({ directory, worktree }) => {
  const here = (globalThis[Symbol.for("selfip")] ??= new Set());
  if (here.has(directory)) return {}; // installed twice: for the user and for the project
  here.add(directory);

  const parents = new Map(); // child session: the one that delegated
  const replies = new Map(); // session: the agent's last words
  const wrap = (sessionID, rest) =>
    tell({ directory, worktree, sessionID, parentID: parents.get(sessionID), ...rest });

  const wanted = (type, p) => {
    switch (type) {
      case "session.created":
        if (p.info?.parentID) parents.set(p.info.id, p.info.parentID);
        return true;
      case "session.status":
        return p.status?.type === "idle" || p.status?.type === "retry";
      case "message.part.updated":
        return p.part?.type === "tool" && p.part.state?.status === "error";
      case "session.error":
      case "session.compacted":
      case "session.deleted":
        return true;
    }
    return false;
  };

  return {
    event: safely(async ({ event }) => {
      const p = event.properties ?? {};
      if (!wanted(event.type, p)) return;
      const session = p.sessionID ?? p.part?.sessionID ?? p.info?.id;
      await wrap(session, { hook: "event", event, reply: replies.get(session) });
    }),
    "chat.message": safely(async (input, output) => {
      const parts = output.parts.filter((part) => part.type === "text");
      const said = await wrap(input.sessionID, { hook: "chat.message", output: { parts } });
      if (!said || parents.has(input.sessionID)) return;
      const after = output.parts.at(-1)?.id ?? "prt_0";
      const { id: messageID, sessionID } = output.message;
      output.parts.push({ id: after + "s", messageID, sessionID, type: "text", text: said, synthetic: true });
    }),
    "tool.execute.after": safely(async (input, output) => {
      const { tool, sessionID, callID, args } = input;
      const { exit } = output.metadata ?? {};
      await wrap(sessionID, {
        hook: "tool.execute.after",
        input: { tool, callID, args },
        output: { output: output.output, metadata: { exit } },
      });
    }),
    "experimental.text.complete": safely(async (input, output) => {
      replies.set(input.sessionID, output.text);
    }),
    dispose: safely(async () => {
      here.delete(directory);
      await last;
    }),
  };
};
