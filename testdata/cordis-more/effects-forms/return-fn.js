return ctx => () => console.log('apply undo')
