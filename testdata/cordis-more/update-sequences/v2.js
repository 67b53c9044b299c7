harness.handle('who', () => 'v2')
return { name: 'version', apply(ctx) { ctx.provide('ver', { get: () => 2 }); ctx.effect(() => () => console.log('v2 undone')); console.log('v2 up') } }
