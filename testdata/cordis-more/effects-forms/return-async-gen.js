return async function* (ctx) { yield () => console.log('ag undo 1'); await null; yield () => console.log('ag undo 2') }
