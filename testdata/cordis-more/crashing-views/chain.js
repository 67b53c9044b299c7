return { inject: ['slots'], apply(ctx) {
  ctx.slots.register({ name: 'conversation.chat.turnTail', select: o => o.seq === 4 ? o.turn : null }, ({ matched, seq }) => React.createElement('em', null, 'turn ' + matched.turn + ' seq ' + seq))
  ctx.slots.register({ name: 'conversation.chat.turnTail', select: () => null }, () => React.createElement('em', null, 'never'))
} }
