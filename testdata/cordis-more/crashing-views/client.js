return { inject: ['slots'], apply(ctx) {
  ctx.slots.register({ name: 'shell.overlay', id: 'main' }, () => { const [bad, set] = React.useState(false); if (bad) throw new Error('view crashed'); return React.createElement('button', { id: 'boom', onClick: () => set(true) }, 'fine') })
  ctx.slots.register({ name: 'settings.section', id: 'sec' }, () => React.createElement('p', null, 'still here'))
} }
