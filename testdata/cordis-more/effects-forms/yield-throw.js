return { apply(ctx) { ctx.effect(() => () => console.log('undo before')); ctx.effect(function* () { yield () => console.log('rolled back'); throw new Error('mid generator') }) } }
