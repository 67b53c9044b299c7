harness.handle('who', () => 'v1')
return { name: 'version', apply(ctx) { ctx.provide('ver', { get: () => 1 }); ctx.effect(() => () => console.log('v1 undone')); console.log('v1 up') } }
