styles.insert('.two { color: green }')
return { inject: { slots: true }, apply(ctx) { const drop = ctx.slots.register({ name: 'shell.overlay', id: 'main' }, () => React.createElement('i', null, 'gone')); drop(); ctx.slots.register({ name: 'settings.section', id: 'sec' }, () => React.createElement('section', null, 'settings two')) } }
