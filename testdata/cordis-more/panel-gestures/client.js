return { inject: ['slots'], apply(ctx) { ctx.slots.register({ name: 'shell.overlay', id: 'main' }, () => React.createElement('u', null, 'panel view')) } }
