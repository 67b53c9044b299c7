harness.handle('x', () => 'here')
return { name: 'mine', apply(ctx) {} }
