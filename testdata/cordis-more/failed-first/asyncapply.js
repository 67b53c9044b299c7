return { async apply(ctx) { await new Promise(r => r()); console.log('async applied') } }
