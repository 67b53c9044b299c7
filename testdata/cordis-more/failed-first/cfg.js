return { Config: { '~standard': { version: 1, vendor: 'x', validate: v => ({ value: { got: v === undefined } }) } }, apply(ctx, config) { console.log('config', config.got) } }
