harness.handle('who', () => 'bad')
return { name: 'version', apply(ctx) { ctx.provide('ver', { get: () => 3 }); ctx.effect(() => () => console.log('bad undone')); throw new Error('bad version') } }
