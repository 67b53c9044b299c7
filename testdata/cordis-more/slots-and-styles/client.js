styles.insert('.one { color: red }')
const off = styles.insert('.gone { color: blue }'); off()
return { name: 'view', inject: ['slots', 'theme'], apply(ctx) {
  ctx.slots.register({ name: 'sidebar.footer.action', id: 'b', order: 2 }, ({ wide }) => React.createElement('button', { 'data-w': String(wide) }, 'second'))
  ctx.slots.register({ name: 'sidebar.footer.action', id: 'a', order: 1 }, () => React.createElement('button', null, 'first'))
  ctx.slots.register({ name: 'shell.overlay', id: 'main' }, () => { const [n, set] = React.useState(0); return React.createElement('b', { id: 'count', onClick: () => set(n + 1) }, 'n=' + n) })
  ctx.theme.overrideTokens('mine', { 'color.accent': { light: '#111', dark: '#222' } })
  console.log('client up', typeof ctx.slots.register)
} }
