return class MyPlugin { constructor(ctx) { console.log('constructed') } }
