
export default {
  id: "selfip",
  name: "selfip",
  description: "Lets the agent keep what it learned",
  register(api) {
    const wrap = (hook, event, ctx) => {
      const { agentId, sessionKey, sessionId, workspaceDir } = ctx ?? {};
      return tell({ hook, event, ctx: { agentId, sessionKey, sessionId, workspaceDir } });
    };
    const hear = (hook, pick) => api.on(hook, safely(async (event, ctx) => {
      await wrap(hook, pick(event), ctx);
    }));
    const words = (messages) => (messages ?? []).slice(-1);

    api.on("before_prompt_build", safely(async (event, ctx) => {
      const { prompt, currentUserMessage } = event;
      const said = await wrap("before_prompt_build", { prompt, currentUserMessage }, ctx);
      const delegated = String(ctx?.sessionKey ?? "").includes(":subagent:");
      return said && !delegated ? { prependContext: said } : undefined;
    }));
    hear("session_start", ({ sessionId, resumedFrom }) => ({ sessionId, resumedFrom }));
    hear("after_tool_call", ({ toolName, toolCallId, params, result, error }) => ({ toolName, toolCallId, params, result, error }));
    hear("agent_end", ({ messages, success, error }) => ({ messages: words(messages), success, error }));
    hear("before_compaction", ({ reason }) => ({ reason }));
    hear("session_end", ({ sessionId, reason }) => ({ sessionId, reason }));
  },
};
